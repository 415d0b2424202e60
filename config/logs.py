"""Log lines that cannot be split or forged by what a user typed, and that hold no secret link and no row."""

import logging
import re
from typing import Any

_SECRET_PATHS = re.compile(r"/(invite|sign-in|set-password)/[^\s'\"]+")
# PostgreSQL quotes the row that it refused: an e-mail, or somebody's text of many lines.
_DETAIL = re.compile(
    r"^([ |]*)DETAIL:.*?(?=\n[ |]*(?:The above exception was|During handling of|Traceback \(most recent)|\Z)",
    re.M | re.S,
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def _safe(line: str) -> str:
    return _CONTROLS.sub(lambda found: repr(found.group())[1:-1], _SECRET_PATHS.sub(r"/\1/…", line))


def _without_rows(text: str) -> str:
    return _DETAIL.sub(r"\1DETAIL: …", text)


class SafeFormatter(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the base class's name)
        return _safe(_without_rows(super().formatMessage(record)))

    def formatException(self, ei: Any) -> str:  # noqa: N802 (the base class's name)
        """Every line of a traceback is set in, so that none can pass for an entry of its own."""
        return "\n".join(f"  | {_safe(line)}" for line in _without_rows(super().formatException(ei)).splitlines())
