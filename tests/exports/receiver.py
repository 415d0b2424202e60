"""A program that is told: it listens on this machine, checks what comes as a receiver should, and answers as a test
wants it to."""

import base64
import hashlib
import hmac
import json
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from exports.domain.hosts import Host


@dataclass
class Came:
    path: str
    headers: dict[str, str]
    body: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def told(self) -> dict[str, Any]:
        found = json.loads(self.body)
        assert isinstance(found, dict)
        return found


def is_signed(came: Came, secret: str) -> bool:
    """As the specification has a receiver do it, without any code of ours."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{came.id}.{came.headers['webhook-timestamp']}.{came.body}".encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    is_fresh = abs(time.time() - int(came.headers["webhook-timestamp"])) < 60
    found = [part.partition(",") for part in came.headers["webhook-signature"].split(" ")]
    return is_fresh and any(scheme == "v1" and hmac.compare_digest(text, expected) for scheme, _, text in found)


Answer = Callable[["_Handler"], None]


def says(status: int, text: str = "", **headers: str) -> Answer:
    def answer(handler: "_Handler") -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(text.encode())), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(text.encode())

    return answer


def raw(*pieces: bytes, pause: float = 0.0) -> Answer:
    """Bytes as they are, with pauses between them."""

    def answer(handler: "_Handler") -> None:
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(pause)

    return answer


class Receiver(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, *answers: Answer, certificate: Path | None = None, family: int = socket.AF_INET) -> None:
        """`answers` one after the other, the last one for ever."""
        self.address_family = family
        super().__init__(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0), _Handler)
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.answers = list(answers or [says(200)])
        self.came: list[Came] = []
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def host(self) -> Host:
        return Host(str(self.server_address[0]), self.port)

    @property
    def url(self) -> str:
        return f"http://{self.host}/told"

    def answer_next(self, *answers: Answer) -> None:
        self.answers = list(answers)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever hangs up on a slow answer is no news."""

    def end(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join(5)


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.came.append(Came(self.path, dict(self.headers.items()), body))
        answers = self.server.answers
        (answers.pop(0) if len(answers) > 1 else answers[0])(self)
        self.close_connection = True

    def log_message(self, *given: Any) -> None:
        pass


def certificate_for(name: str, folder: Path) -> Path:
    """Signed by nobody but itself: who is to trust it is told so."""
    file = folder / f"{name}.pem"
    made = [
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        f"/CN={name}",
        "-addext",
        f"subjectAltName=DNS:{name}",
    ]
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", *made, "-keyout", str(key), "-out", str(certificate)],
        check=True,
        capture_output=True,
    )
    file.write_text(key.read_text() + certificate.read_text())
    return file
