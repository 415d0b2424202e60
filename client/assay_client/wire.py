"""Requests and their answers: the token, repeats that are carried out once, refusals, pages, files both ways."""

import contextlib
import email.utils
import hashlib
import http.client
import json
import random
import ssl
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import urlencode, urljoin, urlsplit

from assay_client.errors import AssayError, Refused, TooLarge, Unreachable

API = "/api/v1/"
AGAIN = frozenset({429, 502, 503, 504})  # not now, says whoever answers
LONGEST_WAIT = 60.0  # seconds before another try; who asks for more is told so
PIECE = 1 << 16  # bytes read at a time
LARGEST = 100_000_000  # bytes of a file that an Assay takes
Counted = Callable[[int, int], None]  # bytes so far, of so many


def _not_counted(done: int, total: int) -> None:
    pass


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any
    version: int | None  # of the thing, where it has one: what If-Match is to name


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Another address would be given the token, too."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        raise AssayError(f"{req.full_url} leads on to {newurl}: name the address where Assay itself is.")


class _Source:
    """A file on its way out, read from its beginning each time it is sent."""

    def __init__(self, file: IO[bytes], size: int, watch: Counted) -> None:
        self.file, self.size, self.watch, self.sent = file, size, watch, 0
        file.seek(0)

    def read(self, most: int = PIECE) -> bytes:
        piece = self.file.read(min(most, PIECE) if most > 0 else PIECE)
        self.sent += len(piece)
        self.watch(self.sent, self.size)
        return piece


class Wire:
    """Every request goes through here. What creates something carries a name of its own (`Idempotency-Key`), the same
    each time it is sent, so that an answer that was lost is no second project."""

    def __init__(self, url: str, token: str, *, timeout: float, tries: int, context: ssl.SSLContext | None) -> None:
        parts = urlsplit(url.rstrip("/"))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise AssayError(f"The address of an Assay looks like https://assay.example.org, not {url!r}.")
        if not token or not token.isascii() or any(sign.isspace() for sign in token):
            raise AssayError("A token is one word, assay_…: make one on the page Account, Tokens.")
        self.url, self.timeout, self.tries = url.rstrip("/"), timeout, tries
        self._token = token
        handlers: list[Any] = [_NoRedirects()]
        if context is not None:
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self._opener = urllib.request.build_opener(*handlers)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: dict[str, Any] | None = None,
        version: int | None = None,
        creates: bool = False,
    ) -> Answer:
        """`path` is below /api/v1/, or an address that the server has named."""
        data = None if body is None else json.dumps(body).encode()
        headers = {} if data is None else {"Content-Type": "application/json"}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._tried(method, self._address(path, query), headers, lambda: data, creates=creates)

    def send_file(
        self, path: str, file: IO[bytes], size: int, *, query: dict[str, Any], watch: Counted = _not_counted
    ) -> Answer:
        """The body is the file."""
        if size > LARGEST:  # the server would hang up on what it never reads to the end
            raise TooLarge(f"The file has {size / 1_000_000:.0f} MB: {LARGEST // 1_000_000} MB are the most.")
        address = self._address(path, query)
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        return self._tried("POST", address, headers, lambda: _Source(file, size, watch), creates=True)

    def pages(self, path: str, query: dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The rows of a list, page after page."""
        body = self.call("GET", path, query=query).body
        while True:
            yield from body["results"]
            following = body.get("next")
            if not following:
                return
            body = self.call("GET", following).body

    def fetch(self, path: str, to: IO[bytes], *, watch: Counted = _not_counted) -> tuple[int, str]:
        """A file, written to `to`; its size and sha256. Broken off, it begins anew."""

        def keep(response: Any) -> tuple[int, str]:
            to.seek(0)
            to.truncate()
            total, done, sha256 = int(response.headers.get("Content-Length") or 0), 0, hashlib.sha256()
            while piece := response.read(PIECE):
                to.write(piece)
                sha256.update(piece)
                done += len(piece)
                watch(done, total)
            if total and done != total:
                raise http.client.IncompleteRead(b"", total - done)
            return done, sha256.hexdigest()

        found: tuple[int, str] = self._with_tries(
            "GET", self._address(path, None), {}, lambda: None, keep, creates=False
        )
        return found

    def _address(self, path: str, query: dict[str, Any] | None) -> str:
        """Never on another host: the token goes with it."""
        if not all("!" <= sign <= "~" for sign in path):
            raise AssayError(f"{path!r} is no address.")
        address = self.url + path if path.startswith("/") else urljoin(f"{self.url}{API}", path)
        if urlsplit(address)[:2] != urlsplit(self.url)[:2]:
            raise AssayError(f"{path} is not at {self.url}.")
        given = {name: value for name, value in (query or {}).items() if value is not None}
        return f"{address}?{urlencode(given)}" if given else address

    def _tried(self, method: str, address: str, headers: dict[str, str], data: Any, *, creates: bool) -> Answer:
        def read(response: Any) -> Answer:
            raw = response.read()
            try:
                body = json.loads(raw) if raw else None
            except ValueError:
                raise AssayError(f"{address} does not answer as Assay does: is the address right?") from None
            return Answer(response.status, body, _version(response.headers.get("ETag")))

        answer: Answer = self._with_tries(method, address, headers, data, read, creates=creates)
        return answer

    def _with_tries(
        self, method: str, address: str, headers: dict[str, str], data: Any, read: Any, *, creates: bool
    ) -> Any:
        headers = {"Accept": "application/json", "User-Agent": "assay-client", **headers}
        headers["Authorization"] = f"Bearer {self._token}"
        if creates or method == "POST":  # where it creates nothing, the key is passed over
            headers["Idempotency-Key"] = str(uuid.uuid4())
        # Whether it may be sent again although it may have been carried out.
        is_harmless = creates or method in ("GET", "PUT")
        for left in range(self.tries - 1, -1, -1):
            pause = random.uniform(0.5, 1.0) * 2.0 ** (self.tries - left - 2)  # noqa: S311 (so that not all come at once)
            try:
                request = urllib.request.Request(address, data(), headers, method=method)  # noqa: S310 (http or https)
                with self._opener.open(request, timeout=self.timeout) as response:
                    return read(response)
            except urllib.error.HTTPError as error:
                refused = _refused(error)
                asked = _retry_after(error.headers.get("Retry-After"))
                if refused.status not in AGAIN or not left or (asked or 0) > LONGEST_WAIT:
                    raise refused from None
                pause = pause if asked is None else asked
            except (OSError, http.client.HTTPException) as error:
                if not left or not (is_harmless or _was_not_sent(error)):
                    raise Unreachable(f"{self.url} does not answer: {_reason(error)}.") from error
            time.sleep(min(pause, LONGEST_WAIT))
        raise AssertionError("the last try has an end of its own")


def _refused(error: urllib.error.HTTPError) -> Refused:
    with error:
        raw = b""
        with contextlib.suppress(OSError, http.client.HTTPException):
            raw = error.read(1_000_000)
    return Refused.of(error.code, raw)


def _version(etag: str | None) -> int | None:
    text = (etag or "").strip('"')
    return int(text) if text.isascii() and text.isdigit() else None


def _retry_after(text: str | None) -> float | None:
    """Seconds, or a date."""
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return float(text)
    with contextlib.suppress(ValueError):
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    return None


def _was_not_sent(error: Exception) -> bool:
    """Nobody has heard of it."""
    return isinstance(getattr(error, "reason", error), ConnectionRefusedError)


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return str(reason) or type(reason).__name__
