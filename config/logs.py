"""Log lines that cannot be split by what a user typed and that hold no secret link."""

import logging
import re

_SECRET_PATHS = re.compile(r"/(invite|sign-in|set-password)/[^\s'\"]+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class SafeFormatter(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the base class's name)
        message = _SECRET_PATHS.sub(r"/\1/…", super().formatMessage(record))
        return _CONTROLS.sub(lambda found: repr(found.group())[1:-1], message)
