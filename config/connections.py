"""The web server's side of a connection: a thread meets whole requests only, so slow senders and slow readers cost a
connection and never a thread. Waitress reads and writes in one loop; the bounds and deadlines are added here."""

import contextlib
import copy
import re
import resource
import selectors
import socket
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

TRANSFER_ENCODING = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:", re.IGNORECASE)
FEW, MANY = 100, 64  # connections; how many are let in at once when there are more than a few


@dataclass(frozen=True)
class Bounds:
    """What one process lets clients take. Sizes in bytes, times in seconds."""

    header: int = 32_000
    body: int = 2_000_000  # Django refuses from 1 MB on, with a page to read; this is for what nobody should read
    upload: int = 101_000_000  # a file of 100 MB and the form around it
    # the paths that take files
    uploads: re.Pattern[str] = re.compile(
        r"/p/[-a-zA-Z0-9_]+/(?:passages/add|releases/import|runs/new)|/api/v1/projects/[-a-zA-Z0-9_]+/(?:uploads|runs)"
    )
    uploads_at_once: int = 4  # what strangers could put on disk is bounded; one more gets the bound of other bodies
    in_memory: int = 64_000  # of one body; an answer fits. The rest goes to a temporary file
    connections: int = 1000
    patience: float = 30.0  # for a header, for a body or a reader that makes no progress
    least_rate: float = 1000.0  # bytes a second of a body, once patience is over
    idle: float = 15.0  # between two requests of one connection


_uploading: "weakref.WeakSet[Request]" = weakref.WeakSet()


class Request(HTTPRequestParser):  # type: ignore[misc]
    """Collects one request. What two readers could understand differently is refused."""

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.adj: Any = adj
        self.began = time.time()

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.completed:
            self.expect_continue = False  # refused, or without a body: there is nothing to go on with
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.version not in ("1.0", "1.1"):
            raise ParsingError("HTTP/1.1 is spoken here")
        is_framed_twice = self.version != "1.1" or CONTENT_LENGTH.search(header_plus)
        if is_framed_twice and TRANSFER_ENCODING.search(header_plus):
            raise ParsingError("Transfer-Encoding goes with HTTP/1.1 and without Content-Length")
        if self.adj.uploads.fullmatch(self.path) and not self.chunked and len(_uploading) < self.adj.uploads_at_once:
            _uploading.add(self)  # until nobody holds it any more
            self.adj = self.adj.for_uploads


class Task(WSGITask):  # type: ignore[misc]
    """The header waits for the first part of the body: one packet, which wakes the client once."""

    def write(self, data: bytes) -> None:
        self.channel.holds_next = bool(data) and not self.wrote_header
        super().write(data)
        self.channel.let_go()


class Connection(HTTPChannel):  # type: ignore[misc]
    parser_class = Request
    task_class = Task
    holds_next, held = False, b""

    def __init__(self, server: "Server", *args: Any, **kwargs: Any) -> None:
        super().__init__(server, *args, **kwargs)
        self.since = time.time()  # accepted, or done with a request
        server.unsettled.add(self)

    def del_channel(self, *args: Any) -> None:
        self.server.forget(self)
        super().del_channel(*args)

    def writable(self) -> bool:
        """Not while a thread sends: the loop would ask without pause for a lock that is taken, and hardly ever let that
        thread run on and give it back."""
        wants = bool(super().writable())
        if not wants or not self.requests:
            return wants
        is_free = self.outbuf_lock.acquire(blocking=False)
        if is_free:
            self.outbuf_lock.release()
        return bool(is_free)

    def write_soon(self, data: Any) -> int:
        if self.holds_next:
            self.holds_next, self.held = False, data
            return len(data)
        if self.held and isinstance(data, bytes):
            data, self.held = self.held + data, b""
        taken = int(super().write_soon(data))
        if self.total_outbufs_len:
            self.server.pull_trigger()  # for what is left, now that the lock is free
        return taken

    def let_go(self) -> None:
        """Of a header with which nothing went."""
        self.holds_next, held, self.held = False, self.held, b""
        if held:
            super().write_soon(held)

    def service(self) -> None:
        super().service()
        self.since = time.time()

    def is_settled(self) -> bool:
        """No thread works on it and nothing is to be sent: it can only wait for its client. In this order, since the
        thread that finishes a request takes it off the list last."""
        is_asked_to_go_on = self.request is not None and self.request.expect_continue
        return not (
            self.requests or self.total_outbufs_len or self.will_close or self.close_when_flushed or is_asked_to_go_on
        )

    def is_overdue(self, bounds: Bounds, now: float) -> bool:
        quiet: float = now - self.last_activity
        if self.total_outbufs_len:
            return quiet > bounds.patience
        if self.requests:
            return False
        if self.request is None:
            return quiet > bounds.idle
        allowed = bounds.patience + self.request.body_bytes_received / bounds.least_rate
        return bool(quiet > bounds.patience or now - self.request.began > allowed)


class Server(TcpWSGIServer):  # type: ignore[misc]
    channel_class = Connection

    def __init__(self, application: Any, listener: socket.socket, *, threads: int, bounds: Bounds) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.bounds = bounds
        # A connection may need two temporary files.
        self.most = max(10, min(bounds.connections, (files - 100) // 3))
        self.selector = selectors.DefaultSelector()
        self.unsettled: set[Connection] = set()
        self.is_stopping = self.has_newcomers = False
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        sockinfo = (listener.family, listener.type, listener.proto, listener.getsockname())
        adj = _adjustments(listener, bounds)
        super().__init__(
            application, {}, True, listener, dispatcher=dispatcher, adj=adj, sockinfo=sockinfo, bind_socket=False
        )
        for watched in (self, self.trigger):
            self.selector.register(watched._fileno, selectors.EVENT_READ, watched)

    def run(self, tick: Callable[[], None] = lambda: None, *, grace: float = 2.0) -> None:
        """Until `stop`; then what is in hand is finished, for as long as grace allows."""
        look_at = 0.0
        while not self.is_stopping:
            self._poll(1.0)
            tick()
            if self.has_newcomers:
                self._let_in()
            if time.time() >= look_at:
                now = time.time()
                look_at = now + 1.0
                self._drop([channel for channel in self._all() if channel.is_overdue(self.bounds, now)])
        self.selector.unregister(self._fileno)
        deadline = time.monotonic() + grace
        while self.active_channels and time.monotonic() < deadline:
            self._drop([channel for channel in self._all() if channel.is_settled()])
            self._poll(0.05)

    def stop(self) -> None:
        self.is_stopping = True
        self.pull_trigger()

    def _poll(self, timeout: float) -> None:
        """Waitress's own loop asks every connection before every wait, which a crowd of idle ones makes slow. Here
        only those are asked for which something may have changed."""
        for channel in list(self.unsettled):
            self._settle(channel)
        for key, events in self.selector.select(timeout):
            channel = key.data
            if channel._fileno != key.fd:
                continue  # closed a moment ago
            if isinstance(channel, Connection):
                self.unsettled.add(channel)
            if events & selectors.EVENT_READ:
                wasyncore.read(channel)
            if events & selectors.EVENT_WRITE and channel._fileno == key.fd:
                wasyncore.write(channel)

    def _settle(self, channel: Connection) -> None:
        """Wait for what it wants now. Whether that is final is asked first: a thread may be finishing meanwhile."""
        if channel.is_settled():
            self.unsettled.discard(channel)
        fd = channel._fileno
        if fd is None:
            return self.unsettled.discard(channel)
        wanted = (selectors.EVENT_READ if channel.readable() else 0) | (
            selectors.EVENT_WRITE if channel.writable() else 0
        )
        known = self.selector.get_map().get(fd)
        if known is None:
            if wanted:
                self.selector.register(fd, wanted, channel)
        elif not wanted:
            self.selector.unregister(fd)
        elif known.events != wanted:
            self.selector.modify(fd, wanted, channel)

    def forget(self, channel: Connection) -> None:
        self.unsettled.discard(channel)
        with contextlib.suppress(KeyError, ValueError):  # not waited for, or closed already
            self.selector.unregister(channel._fileno)

    def handle_accept(self) -> None:
        self.has_newcomers = True

    def _let_in(self) -> None:
        """One at a time, which shares them out among the processes; a crowd faster, or the last would wait long."""
        self.has_newcomers = False
        for _ in range(1 if len(self.active_channels) < FEW else MANY):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                return
            if before >= self.most:
                waiting = [channel for channel in self._all() if not channel.requests]
                self._drop([min(waiting, key=lambda channel: channel.since)])

    def _all(self) -> list[Connection]:
        return list(self.active_channels.values())

    def _drop(self, channels: list[Connection]) -> None:
        for channel in channels:
            channel.handle_close()


def _adjustments(listener: socket.socket, bounds: Bounds) -> Any:
    adj = Adjustments(
        sockets=[listener],
        ident=None,
        clear_untrusted_proxy_headers=False,  # annotator/sessions.py knows which of them to believe
        log_socket_errors=False,
        inbuf_overflow=bounds.in_memory,
        outbuf_overflow=4 * bounds.in_memory,
        outbuf_high_watermark=1_000_000_000,  # a thread writes to a temporary file rather than wait for a reader
        max_request_header_size=bounds.header,
        max_request_body_size=bounds.body,
    )
    adj.uploads, adj.uploads_at_once = bounds.uploads, bounds.uploads_at_once
    adj.for_uploads = copy.copy(adj)
    adj.for_uploads.max_request_body_size = bounds.upload
    return adj
