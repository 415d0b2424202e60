"""The web server's side of a connection: a thread meets whole requests only, so slow senders and slow readers cost a
connection and never a thread. Waitress reads and writes in one loop; the bounds and deadlines are added here."""

import copy
import re
import resource
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

TRANSFER_ENCODING = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:", re.IGNORECASE)
FEW, MANY = 100, 64  # connections; how many are let in at once when there are more than a few


@dataclass(frozen=True)
class Bounds:
    """What one process lets clients take. Sizes in bytes, times in seconds."""

    header: int = 32_000
    body: int = 2_000_000  # Django refuses from 1 MB on, with a page to read; this is for what nobody should read
    upload: int = 101_000_000  # a file of 100 MB and the form around it
    uploads: tuple[str, ...] = ()  # the beginnings of the paths that take files
    in_memory: int = 64_000  # of one body; an answer fits. The rest goes to a temporary file
    connections: int = 1000
    patience: float = 30.0  # for a header, for a body or a reader that makes no progress
    least_rate: float = 1000.0  # bytes a second of a body, once patience is over
    idle: float = 15.0  # between two requests of one connection


class Request(HTTPRequestParser):
    """Collects one request. What two readers could understand differently is refused."""

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
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
        if self.path.startswith(self.adj.uploads) and not self.chunked:
            self.adj = self.adj.for_uploads


class Connection(HTTPChannel):
    parser_class = Request

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.since = time.time()  # accepted, or done with a request

    def service(self) -> None:
        super().service()
        self.since = time.time()

    def is_overdue(self, bounds: Bounds, now: float) -> bool:
        quiet = now - self.last_activity
        if self.total_outbufs_len:
            return quiet > bounds.patience
        if self.requests:
            return False
        if self.request is None:
            return quiet > bounds.idle
        allowed = bounds.patience + self.request.body_bytes_received / bounds.least_rate
        return quiet > bounds.patience or now - self.request.began > allowed


class Server(TcpWSGIServer):
    channel_class = Connection

    def __init__(self, application: Any, listener: socket.socket, *, threads: int, bounds: Bounds) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.bounds = bounds
        # A connection may need two temporary files.
        self.most = max(10, min(bounds.connections, (files - 100) // 3))
        adj = Adjustments(
            sockets=[listener],
            threads=threads,
            ident=None,
            clear_untrusted_proxy_headers=False,  # annotator/sessions.py knows which of them to believe
            log_socket_errors=False,
            inbuf_overflow=bounds.in_memory,
            outbuf_overflow=4 * bounds.in_memory,
            outbuf_high_watermark=1_000_000_000,  # a thread writes to a temporary file rather than wait for a reader
            max_request_header_size=bounds.header,
            max_request_body_size=bounds.body,
        )
        adj.uploads = bounds.uploads
        adj.for_uploads = copy.copy(adj)
        adj.for_uploads.max_request_body_size = bounds.upload
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        sockinfo = (listener.family, listener.type, listener.proto, listener.getsockname())
        self.is_stopping = self.has_newcomers = False
        super().__init__(
            application, {}, True, listener, dispatcher=dispatcher, adj=adj, sockinfo=sockinfo, bind_socket=False
        )

    def readable(self) -> bool:
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Only noted: connections are opened and closed between two polls, since a number that is given anew in the
        middle of one would meet the news of its former bearer."""
        self.has_newcomers = True

    def run(self, tick: Callable[[], None] = lambda: None, *, grace: float = 2.0) -> None:
        """Until `stop`; then what is in hand is finished, for as long as grace allows."""
        look_at = 0.0
        while not self.is_stopping:
            wasyncore.poll2(1.0, self._map)
            tick()
            if self.has_newcomers:
                self._let_in()
            if (now := time.time()) >= look_at:
                look_at = now + 1.0
                self._drop(lambda connection, now=now: connection.is_overdue(self.bounds, now))
        self.accepting = False
        deadline = time.monotonic() + grace
        while self.active_channels and time.monotonic() < deadline:
            self._drop(lambda connection: not connection.requests and not connection.total_outbufs_len)
            wasyncore.poll2(0.05, self._map)

    def stop(self) -> None:
        self.is_stopping = True
        self.pull_trigger()

    def _let_in(self) -> None:
        """One at a time, which shares them out among the processes; a crowd faster, or the last would wait long."""
        self.has_newcomers = False
        for _ in range(1 if len(self.active_channels) < FEW else MANY):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                return
            if before >= self.most:
                waiting = (channel for channel in self.active_channels.values() if not channel.requests)
                min(waiting, key=lambda channel: channel.since).handle_close()

    def _drop(self, is_over: Callable[[Connection], bool]) -> None:
        for channel in [channel for channel in self.active_channels.values() if is_over(channel)]:
            channel.handle_close()
