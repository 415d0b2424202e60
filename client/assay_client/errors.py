"""What can go wrong; all of it is an AssayError."""

import json
from dataclasses import dataclass
from typing import Any


class AssayError(Exception):
    """Whatever this package raises by itself."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with what was sent."""

    code: str
    message: str
    path: str = ""


class TooLarge(AssayError):
    """A file that no Assay takes: it was not sent."""


class Refused(AssayError):
    """The server understood, and did not do it: a problem as RFC 9457 has it. Programs read `code`, people `detail`."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status, self.body = status, body
        self.code = str(body.get("code", ""))
        self.detail = str(body.get("detail", ""))
        self.problems = [
            Problem(str(row.get("code", "")), str(row.get("message", "")), str(row.get("path", "")))
            for row in body.get("problems", [])
        ]
        self.stored: dict[str, Any] | None = body.get("stored")  # what stands there now, where that is why
        super().__init__(f"{self.detail or body.get('title', 'Refused')} ({status} {self.code})")

    @classmethod
    def of(cls, status: int, raw: bytes) -> "Refused":
        """Whatever answers in place of Assay, such as a proxy, is told as far as it can be."""
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            body = {"code": "no_problem", "detail": raw[:200].decode(errors="replace").strip()}
        return cls(status, body)


class Unreachable(AssayError):
    """No answer, however often it was asked."""


class Failed(AssayError):
    """A job that failed or was cancelled, a file that was refused, predictions that cannot be scored. `thing` is what
    it became of; `problems` names what is wrong with a file."""

    def __init__(self, message: str, thing: Any, problems: list[Problem] | None = None) -> None:
        super().__init__(message)
        self.thing, self.problems = thing, problems or []


class StillGoing(AssayError):
    """`wait(timeout=…)` has waited long enough; the work itself goes on."""


class Damaged(AssayError):
    """A file is not what its checksum says."""


class PandasMissing(AssayError, ImportError):
    """`to_pandas()` where there is no pandas."""
