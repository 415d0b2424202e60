"""Files that come in: sent, then taken in by the workers, whole or not at all."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Self

from assay_client.errors import Failed, Problem
from assay_client.jobs import Job, asked_until
from assay_client.progress import Progress, watch_of
from assay_client.thing import Thing
from assay_client.wire import Wire

Given = str | os.PathLike[str] | bytes  # the path of a file, or what is in it


def opened(given: Given, name: str | None) -> tuple[IO[bytes], int, str]:
    """The file, its size and its name, which says in which format it is."""
    if isinstance(given, bytes):
        if not name:
            raise ValueError("Give a name=, such as 'essays.csv': its ending says in which format it is.")
        return io.BytesIO(given), len(given), name
    path = Path(given)
    return path.open("rb"), path.stat().st_size, name or path.name


class Import(Thing):
    """A file on its way in, or what became of it."""

    def __init__(self, wire: Wire, data: dict[str, Any], *, slug: str) -> None:
        super().__init__(wire, data)
        self.slug = slug

    def _address(self) -> str:
        return f"projects/{self.slug}/imports/{self.uuid}"

    def _told(self) -> str:
        return f"{self.name} {self.state}"

    @property
    def name(self) -> str:
        return str(self.data["name"])

    @property
    def state(self) -> str:
        """on its way, done, refused, cancelled or taken back."""
        return str(self.data["state"])

    @property
    def rows(self) -> int:
        """Passages or answers in the file, once it is done."""
        return int(self.data["rows"])

    @property
    def problems(self) -> list[Problem]:
        """Why it was refused, line by line."""
        return [
            Problem("line", row["reason"], "" if row["line"] is None else f"line {row['line']}")
            for row in self.data["problems"]
        ]

    @property
    def job(self) -> Job | None:
        return Job.of(self._wire, self.data["job"]) if self.data["job"] else None

    def wait(self, *, timeout: float | None = None, progress: Progress = True) -> Self:
        """Until it is done; Failed with `problems` where it is refused."""
        watch = watch_of(progress)
        job = Job(self._wire, {"uuid": self.data["job"]}) if self.data["job"] else None

        def ask() -> Import:
            found = self.refresh()
            if job is not None and found.state == "on its way":
                watch("Importing", min(99, job.refresh().percent), 100)
            return found

        asked_until(ask, lambda found: found.state != "on its way", timeout=timeout)
        if self.state != "done":
            lines = "; ".join(f"{row.path}: {row.message}".removeprefix(": ") for row in self.problems[:3])
            raise Failed(f"{self.name}: {self.state}. {lines}".strip(), self, self.problems)
        watch("Importing", 100, 100)
        return self


def import_file(
    wire: Wire,
    slug: str,
    given: Given,
    *,
    name: str | None,
    how: dict[str, Any],
    wait: bool,
    timeout: float | None,
    progress: Progress,
) -> Import:
    file, size, called = opened(given, name)
    watch = watch_of(progress)
    counted: Callable[[int, int], None] = lambda done, total: watch("Sending", done, total)  # noqa: E731
    with file:
        sent = wire.send_file(f"projects/{slug}/uploads", file, size, query={"name": called}, watch=counted).body
    body = {"upload": sent["uuid"], **{key: value for key, value in how.items() if value is not None}}
    begun = Import(wire, wire.call("POST", f"projects/{slug}/imports", body, creates=True).body, slug=slug)
    return begun.wait(timeout=timeout, progress=watch) if wait else begun
