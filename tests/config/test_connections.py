"""What a client may take of a web process: bounds and deadlines, over real sockets against a small application."""

import ast
import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.urls import reverse

from config.connections import Bounds, Connection, Server
from tests.house import ROOT
from tests.services import wait_until

pytestmark = pytest.mark.process  # needs none, but deadlines take their seconds
LARGE = 8_000_000  # more than the system keeps for one connection


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Says what it was sent; /slow takes its time, /large says much, /parts says half and takes its time."""
    body = environ["wsgi.input"].read()
    path = environ["PATH_INFO"]
    time.sleep(0.5 if path == "/slow" else 0)
    if path == "/nothing":
        start_response("304 Not Modified", [])
        return [b"no body goes with this"]
    if path == "/parts":
        start_response("200 OK", [("Content-Length", str(2 * LARGE))])
        return (time.sleep(pause) or b"x" * LARGE for pause in (0, 1.5))
    text = b"x" * LARGE if path == "/large" else f"{environ['REQUEST_METHOD']} {path} {len(body)}".encode()
    start_response("200 OK", [("Content-Length", str(len(text)))])
    return [text]


class Served:
    def __init__(self, **bounds: Any) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.server = Server(application, self.listener, threads=2, bounds=Bounds(**bounds))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        self.clients: list[socket.socket] = []

    def connect(self, *, receive_buffer: int = 0) -> socket.socket:
        made = socket.socket()
        if receive_buffer:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        made.settimeout(5)
        made.connect(self.listener.getsockname())
        self.clients.append(made)
        return made

    def send(self, text: str, **kwargs: Any) -> socket.socket:
        client = self.connect(**kwargs)
        client.sendall(text.replace("\n", "\r\n").encode())
        return client

    def answer(self, text: str) -> tuple[int, str]:
        """The status and the body of the last answer, read until the server closes."""
        return parsed(read_all(self.send(text)))

    def is_quick(self) -> bool:
        began = time.monotonic()
        status, body = self.answer("GET /quick HTTP/1.1\nHost: x\nConnection: close\n\n")
        return (status, body) == (200, "GET /quick 0") and time.monotonic() - began < 1

    def remove(self) -> None:
        for client in self.clients:
            client.close()
        self.server.stop()
        self.thread.join(5)
        self.server.task_dispatcher.shutdown()
        self.listener.close()


def read_all(client: socket.socket) -> bytes:
    text = b""
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(65536):
            text += part
    return text


def parsed(text: bytes) -> tuple[int, str]:
    head, _, body = text.rpartition(b"\r\n\r\n")
    return int(re.findall(rb"HTTP/1.[01] (\d+)", head)[-1]), body.decode()


def is_dropped(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        client.settimeout(5)


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    made: list[Served] = []

    def start(**bounds: Any) -> Served:
        made.append(Served(**bounds))
        return made[-1]

    yield start
    for served in made:
        served.remove()


PARTIAL = {
    "header": "GET /quick HTTP/1.1\nHost: x\nX-",
    "body": "PUT /quick HTTP/1.1\nHost: x\nContent-Length: 1000\n\nhalf",
    "chunk": "PUT /quick HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n64\nhalf",
}


@pytest.mark.parametrize("part", PARTIAL)
def test_half_sent_requests_take_no_thread_and_are_dropped_after_their_time(serve: Any, part: str) -> None:
    served = serve(patience=1.5)
    slow = [served.send(PARTIAL[part]) for _ in range(16)]

    assert served.is_quick()
    wait_until(lambda: all(map(is_dropped, slow)), seconds=5, what="the end of their patience")


@pytest.mark.parametrize("part", ["header", "body"])
def test_a_trickle_is_no_progress(serve: Any, part: str) -> None:
    served = serve(patience=1.0)
    client = served.send(PARTIAL[part])
    began = time.monotonic()

    with contextlib.suppress(OSError):
        while not is_dropped(client):
            client.sendall(b"x")
            time.sleep(0.1)
            assert time.monotonic() - began < 5

    assert time.monotonic() - began > 0.8


def test_a_slow_but_steady_body_arrives(serve: Any) -> None:
    served = serve(patience=0.5, least_rate=100)
    client = served.send("PUT /quick HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 2000\n\n")

    for _ in range(20):
        client.sendall(b"x" * 100)
        time.sleep(0.1)

    assert parsed(read_all(client)) == (200, "PUT /quick 2000")


def test_slow_readers_take_no_thread_and_are_dropped(serve: Any) -> None:
    served = serve(patience=1.5)
    slow = [served.send("GET /large HTTP/1.1\nHost: x\n\n", receive_buffer=4096) for _ in range(8)]
    time.sleep(0.3)

    assert served.is_quick()
    wait_until(lambda: not served.server.active_channels, seconds=8, what="the end of their patience")
    assert len(read_all(slow[0])) < LARGE


def test_a_large_answer_arrives_whole(serve: Any) -> None:
    served = serve()

    assert served.answer("GET /large HTTP/1.1\nHost: x\nConnection: close\n\n") == (200, "x" * LARGE)


def test_what_is_there_arrives_while_a_thread_makes_the_rest(serve: Any) -> None:
    client = serve().send("GET /parts HTTP/1.1\nHost: x\nConnection: close\n\n", receive_buffer=4096)
    began, got = time.monotonic(), 0

    while got < LARGE:
        got += len(client.recv(65536))

    assert time.monotonic() - began < 0.8


def test_the_loop_rests_while_a_thread_sends(serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or it takes from that thread the time to finish: with forty connections a save took seconds."""
    served, sending, rounds = serve(), threading.Event(), list[float]()
    send, select = Connection.send, served.server.selector.select

    def send_slowly(*args: Any, **kwargs: Any) -> int:
        sending.set()
        time.sleep(0.5)
        return int(send(*args, **kwargs))

    monkeypatch.setattr(Connection, "send", send_slowly)
    monkeypatch.setattr(served.server.selector, "select", lambda wait: rounds.append(wait) or select(wait))
    client = served.send("GET /quick HTTP/1.1\nHost: x\nConnection: close\n\n")
    assert sending.wait(5)
    served.connect()  # the loop looks at every connection

    assert parsed(read_all(client)) == (200, "GET /quick 0")
    assert len(rounds) < 20


def test_an_answer_without_a_body_arrives(serve: Any) -> None:
    text = read_all(serve().send("GET /nothing HTTP/1.1\nHost: x\nConnection: close\n\n"))

    assert text.startswith(b"HTTP/1.1 304 Not Modified\r\n")
    assert text.endswith(b"\r\n\r\n")


def test_idle_connections_make_room_for_newcomers(serve: Any) -> None:
    served = serve(connections=50)
    working = served.send("GET /slow HTTP/1.1\nHost: x\nConnection: close\n\n")
    idle = [served.connect() for _ in range(300)]

    assert served.is_quick()
    assert parsed(read_all(working)) == (200, "GET /slow 0")
    assert len(served.server.active_channels) <= 50
    assert is_dropped(idle[0])
    assert not is_dropped(idle[-1])


def test_a_connection_is_kept_between_requests_and_then_closed(serve: Any) -> None:
    served = serve(idle=1.0)
    client = served.send("GET /one HTTP/1.1\nHost: x\n\n")
    first = client.recv(65536)  # one packet
    client.sendall(b"GET /two HTTP/1.1\r\nHost: x\r\n\r\n")
    second = client.recv(65536)

    assert (parsed(first), parsed(second)) == ((200, "GET /one 0"), (200, "GET /two 0"))
    wait_until(lambda: is_dropped(client), seconds=4, what="the end of the connection")


def test_requests_in_one_breath_are_answered_in_order(serve: Any) -> None:
    served = serve()
    client = served.send(
        "PUT /slow HTTP/1.1\nHost: x\nContent-Length: 3\n\nabcGET /two HTTP/1.1\nHost: x\nConnection: close\n\n"
    )

    assert re.findall(r"(?:GET|PUT) /\w+ \d", read_all(client).decode()) == ["PUT /slow 3", "GET /two 0"]


REFUSED = {
    "two lengths": ("PUT / HTTP/1.1\nHost: x\nContent-Length: 3\nContent-Length: 3\n\nabc", 400),
    "length and chunks": ("PUT / HTTP/1.1\nHost: x\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n", 400),
    "length and no coding": ("PUT / HTTP/1.1\nHost: x\nContent-Length: 3\nTransfer-Encoding:\n\nabc", 400),
    "chunks in 1.0": ("PUT / HTTP/1.0\nHost: x\ntransfer-encoding: chunked\n\n0\n\n", 400),
    "another coding": ("PUT / HTTP/1.1\nHost: x\nTransfer-Encoding: gzip, chunked\n\n0\n\n", 501),
    "a space before the colon": ("PUT / HTTP/1.1\nHost: x\nTransfer-Encoding : chunked\n\n0\n\n", 400),
    "a signed length": ("PUT / HTTP/1.1\nHost: x\nContent-Length: +3\n\nabc", 400),
    "a header too large": (f"GET / HTTP/1.1\nHost: x\nX-Long: {'x' * 40_000}\n\n", 431),
    "a body too large": ("PUT / HTTP/1.1\nHost: x\nContent-Length: 3000000\n\n", 413),
    "a body too large, announced": ("PUT / HTTP/1.1\nHost: x\nContent-Length: 3000000\nExpect: 100-continue\n\n", 413),
    "no HTTP": ("HELO x\n\n", 400),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_ambiguous_or_too_large_is_refused(serve: Any, kind: str) -> None:
    text, status = REFUSED[kind]

    assert serve().answer(text)[0] == status


def test_chunks_too_many_are_refused(serve: Any) -> None:
    served = serve(body=1000)
    chunks = "64\n" + "x" * 100 + "\n"

    assert served.answer(f"PUT / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\n{chunks * 20}0\n\n")[0] == 413


def test_chunks_are_a_body(serve: Any) -> None:
    text = "PUT /c HTTP/1.1\nHost: x\nConnection: close\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n"

    assert serve().answer(text) == (200, "PUT /c 5")


def test_whoever_asks_first_is_told_to_go_on(serve: Any) -> None:
    served = serve()
    client = served.send("PUT /e HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 3\nExpect: 100-continue\n\n")

    assert client.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.sendall(b"abc")
    assert parsed(read_all(client)) == (200, "PUT /e 3")
    without_body = "GET /e HTTP/1.1\nHost: x\nConnection: close\nExpect: 100-continue\n\n"
    assert served.answer(without_body) == (200, "GET /e 0")


def test_large_bodies_are_taken_where_files_are_expected_and_lie_on_disk(serve: Any) -> None:
    served = serve(body=1000, upload=5_000_000, uploads=re.compile(r"/files/\w+"), in_memory=1000)
    head = "HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 4000000\n\n"
    client = served.send(f"POST /files/new {head}")
    client.sendall(b"x" * 3_000_000)

    def has_most() -> bool:
        requests = [channel.request for channel in served.server.active_channels.values()]
        return [request.body_bytes_received for request in requests if request] == [3_000_000]

    wait_until(has_most, seconds=5, what="the first part")
    [channel] = served.server.active_channels.values()
    assert channel.request.get_body_stream().fileno() > 0
    client.sendall(b"x" * 1_000_000)
    assert parsed(read_all(client)) == (200, "POST /files/new 4000000")
    assert served.answer(f"POST /elsewhere {head}")[0] == 413
    assert served.answer(f"POST /files/new {head.replace('4000000', '6000000')}")[0] == 413


def test_only_a_few_large_bodies_are_taken_at_once(serve: Any) -> None:
    served = serve(body=1000, upload=5_000_000, uploads=re.compile(r"/files/\w+"), uploads_at_once=2)
    head = "HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 4000\n\n"
    held = [served.send(f"POST /files/new {head}") for _ in range(2)]
    wait_until(lambda: len(served.server.active_channels) == 2, seconds=5, what="both")
    time.sleep(0.2)

    assert served.answer(f"POST /files/new {head}")[0] == 413
    for client in held:
        client.sendall(b"x" * 4000)
        assert parsed(read_all(client)) == (200, "POST /files/new 4000")
    client = served.send(f"POST /files/new {head}")
    client.sendall(b"x" * 4000)
    assert parsed(read_all(client)) == (200, "POST /files/new 4000")


def test_stopping_finishes_what_is_in_hand_and_drops_the_rest(serve: Any) -> None:
    served = serve()
    partial, idle = served.send(PARTIAL["body"]), served.connect()
    working = served.send("GET /slow HTTP/1.1\nHost: x\n\n")
    time.sleep(0.2)

    served.server.stop()
    served.thread.join(1.5)

    assert not served.thread.is_alive()
    assert parsed(read_all(working)) == (200, "GET /slow 0")
    assert is_dropped(partial)
    assert is_dropped(idle)


def test_a_client_that_leaves_early_harms_nobody(serve: Any) -> None:
    served = serve()
    for _ in range(6):
        served.send("GET /slow HTTP/1.1\nHost: x\n\n").close()

    wait_until(served.is_quick, seconds=5, what="the end of them")
    assert not served.server.active_channels


def test_every_page_that_takes_a_file_is_let_take_a_large_one() -> None:
    """The server knows by the path alone; a page that moves must be told to it."""
    found = set()
    for path in (path for app in ("annotator", "adjudication", "exports") for path in (ROOT / app).rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and "return with_a_file(request" in ast.unparse(node):
                found.add(node.name)
            if isinstance(node, ast.FunctionDef) and "takes_file=True" in ast.unparse(node):
                found.add(f"api_{node.name}")

    assert len(found) == 5
    for name in found:
        assert Bounds().uploads.fullmatch(reverse(name, args=["essays"])), name
