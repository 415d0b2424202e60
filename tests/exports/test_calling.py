"""One call to another program: to the address that was checked, once, and not for long. Real sockets, real HTTP."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from exports import calling
from exports.calling import Resolve, call
from exports.domain.hosts import Host, parse_address
from exports.domain.webhooks import MAX_SAID, Reply
from tests.exports.receiver import Answer, Receiver, certificate_for, raw, says

NAME = "hooks.example.org"
Serve = Callable[..., Receiver]


@pytest.fixture
def serve() -> Iterator[Serve]:
    made: list[Receiver] = []

    def start(*answers: Answer, **given: Any) -> Receiver:
        made.append(Receiver(*answers, **given))
        return made[-1]

    yield start
    for receiver in made:
        receiver.end()


@pytest.fixture
def private(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine stands for a private network that a name may lead to."""
    monkeypatch.setattr(calling, "why_not_called", lambda host, ip: "")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "LONGEST_CALL", 0.6)


def ask(receiver: Receiver, **given: Any) -> Reply:
    return call(parse_address(receiver.url), named=[receiver.host], headers={"webhook-id": "m"}, body="{}", **given)


def ask_by_name(receiver: Receiver, resolve: Resolve, *, scheme: str = "http", name: str = NAME) -> Reply:
    address = parse_address(f"{scheme}://{name}:{receiver.port}/told?x=1")
    return call(address, named=[Host(name, receiver.port)], headers={}, body="{}", resolve=resolve)


def leads_to(*ips: str) -> Resolve:
    return lambda name, port: list(ips)


def test_a_message_arrives_as_it_was_given(serve: Serve) -> None:
    receiver = serve(says(202, "thank you"))

    reply = ask(receiver)

    [came] = receiver.came
    assert reply == Reply(202, "thank you")
    assert reply.is_taken
    assert (came.path, came.body) == ("/told", "{}")
    assert (came.headers["Content-Type"], came.headers["webhook-id"]) == ("application/json", "m")
    assert came.headers["Host"] == f"127.0.0.1:{receiver.port}"


def test_by_ipv6(serve: Serve) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6 here")
    receiver = serve(family=socket.AF_INET6)

    assert ask(receiver).is_taken
    assert receiver.came[0].headers["Host"] == f"[::1]:{receiver.port}"


def test_an_address_whose_host_is_not_named_is_not_called(serve: Serve) -> None:
    receiver = serve()

    replies = [
        call(parse_address(receiver.url), named=named, headers={}, body="{}")
        for named in ([], [Host("127.0.0.1", 1)], [Host("localhost", receiver.port)])
    ]

    assert [reply.status for reply in replies] == [None] * 3
    assert all("not among the hosts" in reply.problem for reply in replies)
    assert receiver.came == []


@pytest.mark.parametrize("name", ["localhost", NAME])
def test_a_name_that_leads_to_this_machine_is_not_called(serve: Serve, name: str) -> None:
    """Though the operator has named it: only an IP address means this machine."""
    receiver = serve()
    resolve = calling.look_up if name == "localhost" else leads_to("127.0.0.1")

    reply = ask_by_name(receiver, resolve, name=name)

    assert "loopback" in reply.problem
    assert receiver.came == []


@pytest.mark.parametrize("ips", [("10.0.0.1", "127.0.0.1"), ("127.0.0.1", "10.0.0.1"), ("::ffff:127.0.0.1",)])
def test_one_address_that_may_not_be_called_is_enough(serve: Serve, ips: tuple[str, ...]) -> None:
    receiver = serve()

    reply = ask_by_name(receiver, leads_to(*ips))

    assert "Not called" in reply.problem
    assert receiver.came == []


def test_a_name_that_leads_elsewhere_a_moment_later_changes_nothing(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rebinding: what was checked is what the line goes to; nobody looks a second time."""
    receiver, asked, gone_to = serve(), list[str](), list[str]()

    def rebinding(name: str, port: int) -> list[str]:
        asked.append(name)
        return ["192.0.2.7"] if len(asked) == 1 else ["127.0.0.1"]

    def no_line(target: Any, **given: Any) -> Any:
        gone_to.append(target[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", no_line)
    reply = ask_by_name(receiver, rebinding)

    assert (asked, gone_to) == ([NAME], ["192.0.2.7"])
    assert "refused" in reply.problem
    assert receiver.came == []


@pytest.mark.usefixtures("private")
def test_the_host_is_told_by_its_name_and_the_next_address_is_tried(serve: Serve) -> None:
    receiver = serve()

    reply = ask_by_name(receiver, leads_to("127.255.255.254", "127.0.0.1"))

    assert reply.is_taken
    assert receiver.came[0].headers["Host"] == f"{NAME}:{receiver.port}"
    assert receiver.came[0].path == "/told?x=1"


def test_a_name_that_is_none(serve: Serve) -> None:
    def fails(name: str, port: int) -> list[str]:
        raise socket.gaierror

    assert "leads nowhere" in ask_by_name(serve(), fails).problem


@pytest.mark.usefixtures("short")
def test_a_name_that_takes_for_ever_to_look_up(serve: Serve) -> None:
    is_over = threading.Event()
    began = time.monotonic()

    def waits(name: str, port: int) -> list[str]:
        is_over.wait(10)
        return []

    reply = ask_by_name(serve(), waits)

    is_over.set()
    assert "No answer within" in reply.problem
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(serve: Serve, status: int) -> None:
    elsewhere = serve()
    receiver = serve(says(status, "go there", Location=elsewhere.url))

    reply = ask(receiver)

    assert (reply.status, reply.problem) == (status, f"It answered {status}: redirects are not followed.")
    assert elsewhere.came == []
    assert len(receiver.came) == 1


@pytest.mark.parametrize("status", [400, 404, 410, 429, 500, 503])
def test_whatever_else_it_answers_is_not_taken(serve: Serve, status: int) -> None:
    reply = ask(serve(says(status, "no", Retry_After="17")))

    assert (reply.status, reply.said, reply.is_taken) == (status, "no", False)
    assert reply.asks_to_wait == 17
    assert reply.wants_no_more == (status == 410)


@pytest.mark.parametrize("said", ["Wed, 21 Oct 2026 07:28:00 GMT", "-1", "1e9", "٣", "9" * 40])
def test_other_wishes_to_wait_are_not_heard(serve: Serve, said: str) -> None:
    assert ask(serve(raw(f"HTTP/1.1 503 No\r\nRetry-After: {said}\r\n\r\n".encode()))).asks_to_wait == 0


def test_of_an_answer_two_hundred_characters_are_read(serve: Serve) -> None:
    receiver = serve(says(200, "ä" * 1_000_000))

    reply = ask(receiver)

    assert reply.said == "ä" * MAX_SAID
    assert reply.is_taken


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    "answer",
    [
        raw(b"", pause=3),  # hangs
        raw(*[b"H"] * 30, pause=0.1),  # drips its first line
        raw(b"HTTP/1.1 200 OK\r\n", *[b"a: b\r\n"] * 30, pause=0.1),  # and its headers
        raw(*[b"HTTP/1.1 100 Continue\r\n\r\n"] * 30, pause=0.1),
    ],
    ids=["hangs", "drips", "drips headers", "goes on and on"],
)
def test_who_answers_slowly_is_not_waited_for(serve: Serve, answer: Answer) -> None:
    receiver, began = serve(answer), time.monotonic()

    reply = ask(receiver)

    assert time.monotonic() - began < 2
    assert reply.status is None
    assert "No answer within" in reply.problem


@pytest.mark.usefixtures("short")
def test_who_drips_the_body_has_taken_the_message(serve: Serve) -> None:
    """The status says it; what there is of the rest in time is kept."""
    receiver, began = serve(raw(HEAD, *[b"a"] * 30, pause=0.1)), time.monotonic()

    reply = ask(receiver)

    assert time.monotonic() - began < 2
    assert reply.is_taken
    assert 0 < len(reply.said) < 10


@pytest.mark.usefixtures("short")
def test_who_takes_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        port = full.getsockname()[1]
        address = parse_address(f"http://127.0.0.1:{port}/")

        refused = call(address, named=[address.host], headers={}, body="{}")

    assert "refused" in refused.problem


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (raw(b"SSH-2.0-OpenSSH\r\n"), "not HTTP"),
        (raw(b"HTTP/1.1 abc OK\r\n\r\n"), "not HTTP"),
        (raw(b"HTTP/1.1 200 OK\r\n" + b"a" * 70_000), "not HTTP"),
        (raw(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200), "not HTTP"),
        (raw(), "hung up|not HTTP"),
    ],
    ids=["ssh", "no status", "long line", "many headers", "nothing"],
)
def test_who_speaks_otherwise(serve: Serve, answer: Answer, problem: str) -> None:
    reply = ask(serve(answer))

    assert reply.status is None
    assert any(word in reply.problem for word in problem.split("|")), reply.problem


def test_odd_bodies_hurt_nobody(serve: Serve) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n"
    short_one = b"HTTP/1.1 204 No\r\n\r\n"
    receiver = serve(raw(chunked), raw(short_one), raw(b"HTTP/1.0 200 OK\r\n\r\n\x00\xff\x1b"))

    replies = [ask(receiver) for _ in range(3)]

    assert all(reply.is_taken for reply in replies)
    assert replies[0].said in ("hello", "")
    assert replies[2].said == " \ufffd "


@pytest.mark.usefixtures("private")
def test_tls_is_held_against_the_name(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = certificate_for(NAME, tmp_path)
    receiver = serve(certificate=certificate)

    unknown = ask_by_name(receiver, leads_to("127.0.0.1"), scheme="https")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    known = ask_by_name(receiver, leads_to("127.0.0.1"), scheme="https")
    other = ask_by_name(receiver, leads_to("127.0.0.1"), scheme="https", name="other.example.org")

    assert "certificate does not hold" in unknown.problem
    assert known.is_taken
    assert "certificate does not hold" in other.problem
    assert len(receiver.came) == 1


@pytest.mark.usefixtures("private")
def test_tls_to_who_speaks_none(serve: Serve) -> None:
    reply = ask_by_name(serve(), leads_to("127.0.0.1"), scheme="https")

    assert reply.status is None
    assert reply.problem
