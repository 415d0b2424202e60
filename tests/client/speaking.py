"""A server that says what a test tells it to, and keeps what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def key(self) -> str | None:
        return self.headers.get("idempotency-key")


@dataclass
class Speaking:
    """Answers in this order; the last one again and again."""

    replies: list[Reply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        body = handler.rfile.read(int(headers.get("content-length", 0)))
        self.asked.append(Asked(handler.command, handler.path, headers, body))
        (self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])(handler)


def says(body: Any, *, status: int = 200, **headers: str) -> Reply:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return reply


def refuses(status: int, code: str, detail: str = "No.", **more: Any) -> Reply:
    headers = more.pop("headers", {})
    return says({"code": code, "detail": detail, "status": status, **more}, status=status, **headers)


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    """The request has arrived; its answer is lost."""
    handler.close_connection = True


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    """In the middle of the answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"half")


@contextmanager
def speaking(*replies: Reply) -> Iterator[Speaking]:
    server = Speaking(list(replies))

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *words: Any) -> None:
            pass

        def answer(self) -> None:
            server.answer(self)

        do_GET = do_POST = do_PATCH = do_PUT = answer  # noqa: N815 (names of the library)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
