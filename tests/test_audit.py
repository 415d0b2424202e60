"""`make audit` against an index of advisories of our own: found, none, not there."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.services import free_port

pytestmark = pytest.mark.process
ROOT = Path(__file__).resolve().parent.parent
HOLE = {
    "id": "OSV-2026-1",
    "summary": "A hole.",
    "affected": [
        {
            "package": {"name": "django", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99.1"}]}],
        }
    ],
}


class Index(BaseHTTPRequestHandler):
    """Knows of holes in these packages."""

    holes: dict[str, Any] = {}

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        hole = self.holes.get(asked["package"]["name"])
        text = json.dumps({"vulns": [hole]} if hole else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def index() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def audit(port: int) -> subprocess.CompletedProcess[str]:
    where = ["--vulnerability-service", "osv", "--osv-url", f"http://127.0.0.1:{port}/"]
    return subprocess.run(
        [sys.executable, "-m", "tests.audit", *where], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_a_found_advisory_fails(index: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Index, "holes", {"django": HOLE})

    done = audit(index.server_port)

    assert done.returncode == 1
    assert ": OSV-2026-1, fixed in 99.1" in done.stdout
    assert "1 advisories" in done.stdout


def test_none_found_is_well(index: HTTPServer) -> None:
    done = audit(index.server_port)

    assert (done.returncode, done.stderr) == (0, "")
    assert "0 advisories" in done.stdout


def test_an_index_out_of_reach_is_skipped_by_name() -> None:
    done = audit(free_port())

    assert done.returncode == 0
    assert "audit skipped: no index of advisories could be reached" in done.stdout
