"""A project, and all that is done with it."""

import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, Self

from assay_client.errors import AssayError
from assay_client.imports import Given, Import, import_file
from assay_client.jobs import Job
from assay_client.merges import Merge, Report
from assay_client.progress import Progress
from assay_client.releases import Release
from assay_client.runs import Leaderboard, Predictions, Run, submit
from assay_client.thing import Thing


class Project(Thing):
    """As one's roles let one see it."""

    def _address(self) -> str:
        return f"projects/{self.slug}"

    def _told(self) -> str:
        return f"{self.slug} {self.state}"

    @property
    def slug(self) -> str:
        return str(self.data["slug"])

    @property
    def name(self) -> str:
        return str(self.data["name"])

    @property
    def state(self) -> str:
        """draft, open, paused, closed or archived."""
        return str(self.data["state"])

    @property
    def roles(self) -> list[str]:
        """One's own."""
        return list(self.data["roles"])

    # --- the project itself ---

    def change(self, **wanted: Any) -> Self:
        """`name`, `language`, `time_zone`, `shows_names_to_adjudicators`. Refused where somebody else has changed it
        since it was read: `refresh()`, then look again."""
        answer = self._wire.call("PATCH", self._address(), wanted, version=self._seen_version())
        self.data, self._version = answer.body, answer.version
        return self

    def act(self, act: str) -> Self:
        """`open`, `pause`, `close`, `archive`, `unarchive`."""
        answer = self._wire.call("POST", f"{self._address()}/state", {"act": act})
        if told := answer.body.get("job"):
            Job.of(self._wire, str(told)).wait(progress=False)
        return self.refresh()

    def open(self) -> Self:
        return self.act("open")

    def pause(self) -> Self:
        return self.act("pause")

    def close(self) -> Self:
        return self.act("close")

    # --- files in ---

    def import_passages(
        self,
        file: Given,
        *,
        name: str | None = None,
        kind: str = "work",
        sheet: str | None = None,
        wait: bool = True,
        timeout: float | None = None,
        progress: Progress = True,
    ) -> Import:
        """A .txt, .csv, .tsv, .xlsx, .jsonl or .json (an SWS release), sent and taken in; bytes need a `name`. `kind`:
        work, test, practice or control."""
        how = {"kind": "passages", "passage_kind": kind, "sheet": sheet}
        return self._imported(file, name, how, wait=wait, timeout=timeout, progress=progress)

    def import_answers(
        self,
        file: Given,
        *,
        name: str | None = None,
        no_row: str | None = None,
        names_differ: bool | None = None,
        sheet: str | None = None,
        wait: bool = True,
        timeout: float | None = None,
        progress: Progress = True,
    ) -> Import:
        """A table of answers that exist already: sentence_id, annotator, word to change, substitutes, type. `no_row`,
        an annotator without a row for a passage: `sparse` was not asked, `everyone` found nothing to improve."""
        how = {"kind": "answers", "no_row": no_row, "names_differ": names_differ, "sheet": sheet}
        return self._imported(file, name, how, wait=wait, timeout=timeout, progress=progress)

    def _imported(self, file: Given, name: str | None, how: dict[str, Any], **given: Any) -> Import:
        return import_file(self._wire, self.slug, file, name=name, how=how, **given)

    def imports(self) -> Iterator[Import]:
        rows = self._wire.pages(f"{self._address()}/imports", {"limit": 100})
        return (Import(self._wire, row, slug=self.slug) for row in rows)

    def passages(self, **filters: Any) -> Iterator[dict[str, Any]]:
        return self._wire.pages(f"{self._address()}/passages", {"limit": 100, **filters})

    # --- jobs ---

    def jobs(self) -> Iterator[Job]:
        return (Job(self._wire, row) for row in self._wire.pages(f"{self._address()}/jobs", {"limit": 100}))

    # --- merge and agreement ---

    def merge(self, *, timeout: float | None = None, progress: Progress = True) -> Merge:
        """The votes counted anew, by the project's rules."""
        asked = self._wire.call("POST", f"{self._address()}/merges", {}, creates=True).body
        job = Job.of(self._wire, asked["job"]).wait(timeout=timeout, progress=progress)
        return Merge(self._wire, {"uuid": job.made("merge")}, slug=self.slug).refresh()

    def merges(self) -> list[Merge]:
        """The current one first."""
        rows = self._wire.pages(f"{self._address()}/merges")
        return [Merge(self._wire, row, slug=self.slug) for row in rows]

    def current_merge(self) -> Merge:
        found = next(iter(self.merges()), None)
        if found is None or not found.is_current:
            raise AssayError(f"Nothing in {self.slug} is merged yet: merge().")
        return found

    def measure(self, *, timeout: float | None = None, progress: Progress = True, **settings: Any) -> Report:
        """How far people agree, of what is merged; `people`, `groups`, `both_empty`, `resamples` narrow it down."""
        asked = self._wire.call("POST", f"{self._address()}/agreement", settings, creates=True).body
        job = Job.of(self._wire, asked["job"]).wait(timeout=timeout, progress=progress)
        return Report(self._wire, {"uuid": job.made("report")}).refresh()

    def reports(self) -> list[Report]:
        """The newest first."""
        return [Report(self._wire, row) for row in self._wire.pages(f"{self._address()}/agreement")]

    def report(self) -> Report:
        """The newest, with every figure."""
        found = next(iter(self.reports()), None)
        if found is None:
            raise AssayError(f"Nothing in {self.slug} is measured yet: measure().")
        return found.refresh()

    def gold(self) -> Iterator[dict[str, Any]]:
        """Passage by passage: targets, suggestions with their votes, decisions."""
        return self._wire.pages(f"{self._address()}/gold", {"limit": 100})

    # --- releases ---

    def draft_release(
        self,
        sizes: Mapping[str, int] | None = None,
        *,
        wait: bool = True,
        timeout: float | None = None,
        progress: Progress = True,
        **settings: Any,
    ) -> Release:
        """Built, and not yet frozen: `sizes` by split (`{"validation": 200, "test": 800}`, taken as shares where there
        are more or fewer passages), `name`, `date`, `seed`,
        `with_pos`, `notes`. What is not said is as in the draft there is, or in the last release."""
        if sizes is not None:
            if not isinstance(sizes, Mapping):
                raise TypeError(f"sizes is a mapping such as {{'validation': 200, 'test': 800}}, not {sizes!r}.")
            settings["sizes"] = [{"split": split, "size": size} for split, size in sizes.items()]
        told = self._wire.call("POST", f"{self._address()}/releases", settings, creates=True).body
        draft = Release(self._wire, told["release"])
        return draft.wait(timeout=timeout, progress=progress) if wait else draft

    def releases(self) -> list[Release]:
        """In the order of their numbers."""
        rows = self._wire.pages(f"{self._address()}/releases", {"limit": 100})
        return [Release(self._wire, row) for row in rows]

    # --- systems ---

    def sentences(self, release: int, split: str) -> dict[str, Any]:
        """What a system is asked about, without the gold."""
        into = io.BytesIO()
        self._wire.fetch(f"{self._address()}/sentences/{release}/{split}", into)
        found: dict[str, Any] = json.loads(into.getvalue())
        return found

    def submit(
        self,
        system: str,
        predictions: Predictions,
        *,
        release: int | None = None,
        split: str | None = None,
        version: str = "",
        description: str = "",
        url: str = "",
        progress: Progress = True,
    ) -> Run:
        """A system's predictions, to be scored on the newest frozen release, and its last split, where nothing else is
        said. The same predictions are one run, however often they are sent."""
        query = {"system": system, "release": release, "split": split}
        query |= {"version": version or None, "description": description or None, "url": url or None}
        return submit(self._wire, self.slug, predictions, query=query, progress=progress)

    def runs(self) -> Iterator[Run]:
        """The newest first."""
        return (Run(self._wire, row) for row in self._wire.pages(f"{self._address()}/runs", {"limit": 100}))

    def leaderboard(self, *, release: int | None = None, split: str | None = None) -> Leaderboard:
        query = {"release": release, "split": split}
        return Leaderboard(self._wire, self._wire.call("GET", f"{self._address()}/leaderboard", query=query).body)
