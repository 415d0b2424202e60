"""Calling another program: the one host that was named, at the address that was checked, once and not for long."""

import http.client
import io
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from exports.domain.hosts import Address, Host, why_not_called
from exports.domain.webhooks import LONGEST_CALL, MAX_SAID, Reply, problem_of, shown

MOST_ADDRESSES = 4  # of one name that are tried
Resolve = Callable[[str, int], list[str]]


class _NotCalled(Exception):
    """For a reason that a lead reads."""


def look_up(name: str, port: int) -> list[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)]


def call(
    address: Address, *, named: Iterable[Host], headers: Mapping[str, str], body: str, resolve: Resolve = look_up
) -> Reply:
    """POST the body, once. Whatever goes wrong is in the reply; `resolve` is asked once, and what it said is where the
    line goes: a name that leads elsewhere a moment later changes nothing."""
    deadline = _Deadline(LONGEST_CALL)
    try:
        if not address.is_on(named):
            raise _NotCalled(f"{address.host} is not among the hosts that may be called here.")
        line = _line(address, _checked(address, resolve, deadline), deadline)
        with line:
            return _asked(address, line, headers, body)
    except _NotCalled as refusal:
        return Reply(problem=str(refusal))
    except ssl.SSLCertVerificationError as error:
        return Reply(problem=f"Its certificate does not hold: {error.verify_message}.")
    except TimeoutError:
        return Reply(problem=f"No answer within {LONGEST_CALL:.0f} seconds.")
    except ssl.SSLError:
        return Reply(problem="It does not speak TLS as it should.")
    except ConnectionRefusedError:
        return Reply(problem="Nobody listens there: the connection was refused.")
    except OSError:
        return Reply(problem="It cannot be reached, or hung up.")
    except (http.client.HTTPException, ValueError):
        return Reply(problem="What it answered is not HTTP.")


class _Deadline:
    """For all of a call together: whoever sends a byte now and then does not hold us."""

    def __init__(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def _checked(address: Address, resolve: Resolve, deadline: _Deadline) -> list[str]:
    """The IP addresses of the host; refused as a whole where one of them may not be called."""
    if address.host.is_ip:
        return [address.host.name]
    found = _resolved(address, resolve, deadline)
    for ip in found:
        if why := why_not_called(address.host, ip):
            raise _NotCalled(f"Not called: {why}.")
    return list(dict.fromkeys(found))[:MOST_ADDRESSES]


def _resolved(address: Address, resolve: Resolve, deadline: _Deadline) -> list[str]:
    """In a thread, because a name that is looked up cannot be given up."""
    answers: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

    def look() -> None:
        try:
            answers.put(resolve(address.host.name, address.port))
        except (OSError, UnicodeError):
            answers.put([])

    threading.Thread(target=look, name="look up", daemon=True).start()
    try:
        found = answers.get(timeout=deadline.left())
    except queue.Empty:
        raise TimeoutError from None
    if not found:
        raise _NotCalled(f"There is no {address.host.name}: the name leads nowhere.")
    return found


def _line(address: Address, ips: list[str], deadline: _Deadline) -> "_Line":
    """To the first that takes it; with TLS, the certificate is held against the name."""
    for ip in ips[:-1]:
        try:
            return _Line(_connected(address, ip, deadline), deadline)
        except TimeoutError:
            raise
        except OSError:
            continue
    return _Line(_connected(address, ips[-1], deadline), deadline)


def _connected(address: Address, ip: str, deadline: _Deadline) -> socket.socket:
    plain = socket.create_connection((ip, address.port), timeout=deadline.left())
    if not address.is_safe:
        return plain
    try:
        plain.settimeout(deadline.left())  # of the whole handshake
        return ssl.create_default_context().wrap_socket(plain, server_hostname=address.host.name)
    except BaseException:
        plain.close()
        raise


class _Line:
    """A connection as http.client wants it, with one deadline for all that goes over it."""

    def __init__(self, connected: socket.socket, deadline: _Deadline) -> None:
        self.socket, self.deadline = connected, deadline

    def __enter__(self) -> "_Line":
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close()

    def sendall(self, data: bytes) -> None:
        self.socket.settimeout(self.deadline.left())
        self.socket.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self))

    def close(self) -> None:
        """http.client would hang up before the answer is read."""


class _Reader(io.RawIOBase):
    def __init__(self, line: _Line) -> None:
        self.line = line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.line.socket.settimeout(self.line.deadline.left())
        return self.line.socket.recv_into(buffer)


def _asked(address: Address, line: _Line, headers: Mapping[str, str], body: str) -> Reply:
    connection = http.client.HTTPConnection(address.host.name, address.port)
    if address.is_safe:
        connection.default_port = http.client.HTTPS_PORT  # so it is left out of Host
    connection.sock = line
    told = {"Content-Type": "application/json", "User-Agent": "Assay-webhooks/1", "Connection": "close", **headers}
    connection.request("POST", address.target, body.encode(), told)
    answer = connection.getresponse()
    return Reply(answer.status, shown(_beginning(answer)), problem_of(answer.status), _asks_to_wait(answer))


def _beginning(answer: http.client.HTTPResponse) -> bytes:
    """What came of it in time: the status says whether the message was taken."""
    found, most = b"", 4 * MAX_SAID  # bytes of so many characters
    try:
        while len(found) < most and (more := answer.read1(most - len(found))):
            found += more
    except (OSError, http.client.HTTPException, ValueError):
        pass
    return found


def _asks_to_wait(answer: http.client.HTTPResponse) -> int:
    said = answer.getheader("Retry-After", "").strip()
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 9 else 0
