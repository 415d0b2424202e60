"""The very commands of docker-compose.yml, against a real PostgreSQL and a real Redis."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house import ROOT, House
from tests.services import PostgreSQL, Redis, free_port, wait_until

pytestmark = pytest.mark.services
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SECRETS = {
    "ASSAY_URL": "https://assay.example.org",
    "ASSAY_SECRET_KEY": secrets.token_urlsafe(50),
    "POSTGRES_PASSWORD": "secret",
}


def filled_in(text: str, given: dict[str, str]) -> str:
    """${NAME}, ${NAME:-default} and ${NAME:?message}, as Compose reads them."""

    def value(found: re.Match[str]) -> str:
        name, kind, rest = found.groups()
        if given.get(name):
            return given[name]
        if kind == ":-":
            return rest or ""
        raise KeyError(rest)

    return re.sub(r"\$\{(\w+)(:[-?])?([^}]*)\}", value, text)


class Stack:
    """The services as processes of this machine: only hosts and the port differ."""

    def __init__(self) -> None:
        self.database, self.redis, self.port = PostgreSQL(is_durable=False), Redis(), free_port()
        self.house = House()
        given = {n: filled_in(v, SECRETS) for n, v in COMPOSE["services"]["web"]["environment"].items()}
        given |= {"DATABASE_URL": self.database.url, "CELERY_BROKER_URL": self.redis.url, "ASSAY_PROXIES": "1"}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.env = {**self.house.env, **given, "PATH": path, "ASSAY_STATIC_DIR": str(self.house.folder / "static")}
        self.running: list[subprocess.Popen[bytes]] = []

    def words(self, words: list[str]) -> list[str]:
        return [word.replace(":8000", f":{self.port}") for word in words]

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.words(words), cwd=ROOT, env=self.env, capture_output=True, text=True, check=False, timeout=60
        )

    def start(self, service: str) -> subprocess.Popen[bytes]:
        words = self.words(COMPOSE["services"][service]["command"])
        with open(self.house.folder / f"{service}.log", "ab") as log:
            made = subprocess.Popen(words, cwd=ROOT, env=self.env, stdout=log, stderr=log, start_new_session=True)
        self.running.append(made)
        return made

    def is_healthy(self, service: str) -> bool:
        kind, *words = COMPOSE["services"][service]["healthcheck"]["test"]
        assert kind == "CMD"
        return self.run(words).returncode == 0

    def health(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
            return json.load(answer)

    def remove(self) -> None:
        for process in self.running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.house.remove()
        self.database.stop()
        self.redis.stop()


@pytest.fixture
def stack() -> Iterator[Stack]:
    made = Stack()
    yield made
    made.remove()


@pytest.mark.parametrize("missing", sorted(SECRETS))
def test_without_a_secret_compose_refuses_and_says_which(missing: str) -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    given = {name: value for name, value in SECRETS.items() if name != missing}

    with pytest.raises(KeyError, match=f"set {missing} in .env"):
        filled_in(text, given)
    assert "${" not in filled_in(text, SECRETS)


def test_every_service_is_watched_and_waits_for_what_it_needs() -> None:
    services = COMPOSE["services"]

    assert set(services) == {"prepare", "web", "worker", "db", "redis"}
    assert all("healthcheck" in service for name, service in services.items() if name != "prepare")
    for name in ("web", "worker"):
        assert services[name]["depends_on"]["prepare"]["condition"] == "service_completed_successfully"
    assert set(COMPOSE["volumes"]) == {"data", "database"}
    assert services["web"]["ports"] == ["127.0.0.1:8000:8000"]


def test_the_image_runs_as_nobody_special_and_builds_static_files_first() -> None:
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    stages = [line for line in lines if line.startswith("FROM")]
    copied = re.findall(r"COPY --from=build (\S+)", "\n".join(lines))

    assert len(stages) == 2
    assert "USER assay" in lines[lines.index(stages[1]) :]
    assert "--require-hashes" in "\n".join(lines)
    # Settings make files that nobody else may read, and the second stage runs as somebody else.
    assert "chmod -R a+rX /static /app /venv" in "\n".join(lines)
    assert copied == ["/venv", "/static", "/app"]
    [command] = [json.loads(line.removeprefix("CMD ")) for line in lines if line.startswith("CMD")]
    assert command == COMPOSE["services"]["web"]["command"]


def test_the_services_start_answer_and_do_a_job(stack: Stack) -> None:
    built = stack.run(["python", "manage.py", "collectstatic", "--noinput", "--verbosity", "0"])
    assert built.returncode == 0, built.stderr
    checked = stack.run(["python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"])
    assert checked.returncode == 0, checked.stderr
    for _ in range(2):
        prepared = stack.run(COMPOSE["services"]["prepare"]["command"])
        assert prepared.returncode == 0, prepared.stderr

    stack.start("web")
    wait_until(lambda: stack.is_healthy("web"), seconds=30, what="the web server")
    assert stack.health() == {"web": "ok", "database": "ok", "broker": "ok", "worker": "none", "workers": 0}
    assert not stack.is_healthy("worker")

    worker = stack.start("worker")
    wait_until(lambda: stack.is_healthy("worker"), seconds=30, what="the worker")
    assert stack.health()["worker"] == "ok"
    asked = stack.run(["python", "manage.py", "backup", "--queue", "--json"])
    assert asked.returncode == 0, asked.stderr
    wait_until(lambda: '"done"' in stack.run(["python", "manage.py", "jobs", "--json"]).stdout, seconds=30, what="it")

    stack.redis.kill()
    began = time.monotonic()
    assert stack.health()["broker"] == "does not answer"
    assert time.monotonic() - began < 2
    worker.send_signal(signal.SIGTERM)
    stack.redis.start()
    worker.wait(30)
    assert stack.health()["worker"] == "none"


def test_people_come_in_by_https_only_and_static_files_are_hashed_and_compressed(stack: Stack) -> None:
    stack.run(["python", "manage.py", "collectstatic", "--noinput", "--verbosity", "0"])
    stack.run(COMPOSE["services"]["prepare"]["command"])
    stack.start("web")
    wait_until(lambda: stack.is_healthy("web"), seconds=30, what="the web server")

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args: Any, **kwargs: Any) -> None:
            return None

    def get(path: str, **headers: str) -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{stack.port}{path}", headers=headers)
        try:
            return urllib.request.build_opener(NoRedirect).open(request, timeout=5)
        except urllib.error.HTTPError as answer:
            return answer

    outside = {"Host": "assay.example.org", "X-Forwarded-For": "203.0.113.7"}
    plain = get("/log-in", **outside, **{"X-Forwarded-Proto": "http"})
    assert (plain.status, plain.headers["Location"]) == (301, "https://assay.example.org/log-in")
    page = get("/log-in", **outside, **{"X-Forwarded-Proto": "https"})
    assert page.status == 200
    assert "max-age" in page.headers["Strict-Transport-Security"]
    assert "Secure" in page.headers["Set-Cookie"]
    [sheet] = re.findall(r'href="(/static/css/assay\.[0-9a-f]{12}\.css)"', page.read().decode())
    style = get(sheet, **outside, **{"X-Forwarded-Proto": "https", "Accept-Encoding": "gzip"})
    assert style.headers["Content-Encoding"] == "gzip"
    assert "immutable" in style.headers["Cache-Control"]
    assert get("/log-in", Host="evil.example").status == 400
