"""Systems: predictions in, figures out."""

import io
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from typing import IO, Any, Self

from assay_client.errors import Failed, Problem
from assay_client.imports import opened
from assay_client.jobs import Job, asked_until, job_of
from assay_client.progress import Progress, watch_of
from assay_client.thing import Thing, data_frame
from assay_client.wire import Wire

WAITING = "waiting"
# A file of predictions, what is in it, or what would be in it.
Predictions = str | os.PathLike[str] | bytes | Mapping[str, Any]


NOTES = {
    "other_words": "in {} sentences input_words are not the tokens of the release: spans may mean other words.",
    "other_texts": "{} spans bear another text than the tokens there.",
    "extra_ids": "{} entries about sentences that are not asked about were left aside.",
    "empty_offers": "{} spans have no substitute: they count for detection only.",
}


class Run(Thing):
    """A system's predictions for one split of a release, and what they scored."""

    def _address(self) -> str:
        return f"runs/{self.uuid}"

    def _told(self) -> str:
        return f"{self.system} on {self.data['split']}: {self.state}"

    @property
    def system(self) -> str:
        return str(self.data["system"])

    @property
    def state(self) -> str:
        """waiting, scored, refused or failed."""
        return str(self.data["state"])

    @property
    def scores(self) -> dict[str, Any]:
        """By the official scorer's names, once it is scored."""
        return dict(self.data["scores"])

    @property
    def problems(self) -> list[Problem]:
        """Why the predictions were refused."""
        if "problems" not in self.data:  # a line of a list lacks it
            self.refresh()
        return [Problem(row["code"], row["message"], row["path"]) for row in self.data["problems"]]

    @property
    def job(self) -> Job | None:
        if "job" not in self.data:
            self.refresh()
        return job_of(self._wire, self.data["job"])

    def wait(self, *, timeout: float | None = None, progress: Progress = True) -> Self:
        """Until it is scored; Failed with `problems` where the predictions cannot be."""
        watch = watch_of(progress)

        def ask() -> Run:
            found = self.refresh()
            watch("Scoring", int((found.data["job"] or {}).get("percent") or 0), 100)
            return found

        asked_until(ask, _is_over, timeout=timeout)
        if self.state != "scored":
            says = str((self.data["job"] or {}).get("message") or "")
            lines = "; ".join(row.message for row in self.problems[:3]) or says
            raise Failed(f"{self.system}: {self.state}. {lines}".strip(), self, self.problems)
        watch("Scoring", 100, 100)
        for note in self.notes:
            warnings.warn(f"{self.system}: {note}", stacklevel=2)
        return self

    @property
    def notes(self) -> list[str]:
        """What of the predictions may mean something else than their system did."""
        if "counts" not in self.data:  # a line of a list lacks it
            self.refresh()
        counts = self.data["counts"]
        return [words.format(counts[name]) for name, words in NOTES.items() if counts.get(name)]

    def errors(self, kind: str = "missed") -> Iterator[dict[str, Any]]:
        """Gold beside the system, the heaviest first; for who sees the gold. `kind`: missed, spurious or other."""
        return self._wire.pages(f"{self._address()}/errors", {"kind": kind, "limit": 100})

    def against(self, other: "Run") -> dict[str, Any]:
        """A paired bootstrap: how sure is it that one is better?"""
        found: dict[str, Any] = self._wire.call("GET", f"{self._address()}/against/{other.uuid}").body
        return found


def _is_over(run: Run) -> bool:
    """A job that ended without a word of the run (cancelled, failed) ends the waiting, too."""
    ended = (run.data["job"] or {}).get("state") in ("failed", "cancelled")
    return run.state != WAITING or ended


def submit(wire: Wire, slug: str, predictions: Predictions, *, query: dict[str, Any], progress: Progress = True) -> Run:
    file, size = _readable(predictions)
    watch = watch_of(progress)
    with file:
        answer = wire.send_file(
            f"projects/{slug}/runs", file, size, query=query, watch=lambda done, total: watch("Sending", done, total)
        )
    run = Run(wire, answer.body["run"])
    sent, kept = (query["system"], query["version"] or ""), (run.system, run.data["version"])
    if sent != kept:
        known = " ".join(filter(None, kept))
        warnings.warn(f"The very same predictions were sent before, as {known}: this is that run.", stacklevel=3)
    return run


def _readable(predictions: Predictions) -> tuple[IO[bytes], int]:
    if isinstance(predictions, Mapping):
        text = json.dumps(predictions, ensure_ascii=False).encode()
        return io.BytesIO(text), len(text)
    file, size, _ = opened(predictions, "predictions.json")
    return file, size


class Leaderboard(Thing):
    """The newest run of each system, the best first, and beside them the people."""

    def _told(self) -> str:
        return f"release {self.data['release']}, {self.data['split']}"

    def rows(self) -> list[dict[str, Any]]:
        """A line for each system, its figures among its columns."""
        lines = self.data["systems"]
        return [{**{key: line[key] for key in ("rank", "system", "version")}, **line["figures"]} for line in lines]

    def to_pandas(self) -> Any:
        return data_frame(self.rows())
