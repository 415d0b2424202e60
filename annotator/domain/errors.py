"""Why something was refused. Actions raise these; each door (page, API, command) says them in its own way."""

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input: where (`path`, as in marks[0].end), a code for machines, a sentence for people."""

    code: str
    message: str
    path: str = ""

    def as_dict(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message, "path": self.path}


class Refused(Exception):
    """The act was not carried out and nothing was written."""

    code = "refused"

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code


class BadRequest(Refused):
    """The request cannot be read."""

    code = "bad_request"


class VersionMissing(Refused):
    """The request does not say which version it has seen."""

    code = "no_if_match"


class NotAllowed(Refused):
    """This person may know of the thing, but may not do this to it."""

    code = "not_allowed"


class Conflict(Refused):
    """The thing is not in a state that allows the act; `stored` is what stands there, where that is told."""

    code = "conflict"

    def __init__(self, message: str, *, code: str = "", stored: dict[str, Any] | None = None) -> None:
        super().__init__(message, code=code)
        self.stored = stored


class Invalid(Refused):
    """The input breaks a rule; `problems` names each."""

    code = "invalid"

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(problems[0].message)
        self.problems = problems

    @classmethod
    def of(cls, code: str, message: str, path: str = "") -> Self:
        """With one problem."""
        return cls([Problem(code, message, path)])


class TooLarge(Invalid):
    """The input breaks a limit of size."""

    code = "too_large"


class Stale(Refused):
    """Somebody else wrote first; `stored` is what stands there now."""

    code = "stale"

    def __init__(self, message: str, *, stored: dict[str, Any]) -> None:
        super().__init__(message)
        self.stored = stored


class Throttled(Refused):
    """Too many attempts; `retry_after` is in seconds."""

    code = "throttled"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
