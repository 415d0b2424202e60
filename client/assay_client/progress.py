"""How far something is, on one line of the terminal or the notebook."""

import sys
from collections.abc import Callable
from typing import IO

# What is done, how much of it, of how much (0: nobody knows yet).
Watch = Callable[[str, int, int], None]
Progress = bool | Watch
WIDTH = 24  # characters of the bar


def watch_of(progress: Progress) -> Watch:
    if callable(progress):
        return progress
    return Bar() if progress and _somebody_looks() else _nothing


def _somebody_looks() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def _nothing(what: str, done: int, total: int) -> None:
    pass


class Bar:
    """Each thing that is done has a line, written over while it grows."""

    def __init__(self, to: IO[str] | None = None) -> None:
        self.to, self.what, self.shown = to or sys.stderr, "", ""

    def __call__(self, what: str, done: int, total: int) -> None:
        share = min(1.0, done / total) if total else 0.0
        full = round(share * WIDTH)
        line = f"{what:<24} [{'#' * full}{'.' * (WIDTH - full)}] {int(100 * share):>3} %"
        if line == self.shown:
            return
        is_new = bool(self.what) and what != self.what
        self.to.write(("\n" if is_new else "\r") + line + ("\n" if total and done >= total else ""))
        self.to.flush()
        # A line that was ended is not ended again.
        self.what, self.shown = ("" if total and done >= total else what), line
