"""Releases: drafted, built, frozen, and downloaded only whole and unharmed."""

import hashlib
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from assay_client.errors import AssayError, Damaged, Failed
from assay_client.jobs import OVER, Job, asked_until, job_of
from assay_client.progress import Progress, watch_of
from assay_client.thing import Thing
from assay_client.wire import PIECE

SUMS = "SHA256SUMS"
ZIP = "release.zip"


@dataclass(frozen=True)
class ReleaseFile:
    name: str
    bytes: int
    sha256: str


class Release(Thing):
    """One release of a project's gold; as a draft, what will be one."""

    def _address(self) -> str:
        return f"releases/{self.uuid}"

    def _told(self) -> str:
        return f"{self.number} {self.state}"

    @property
    def number(self) -> int:
        return int(self.data["number"])

    @property
    def state(self) -> str:
        """draft, frozen or withdrawn."""
        return str(self.data["state"])

    @property
    def splits(self) -> list[str]:
        return list(self.data["splits"])

    @property
    def sha256(self) -> str:
        """Of the zip; empty until it was built."""
        return str(self.data["sha256"])

    @property
    def _whole(self) -> dict[str, Any]:
        if "files" not in self.data:  # a line of a list lacks it
            self.refresh()
        return self.data

    @property
    def files(self) -> list[ReleaseFile]:
        return [ReleaseFile(row["name"], row["bytes"], row["sha256"]) for row in self._whole["files"]]

    @property
    def warnings(self) -> dict[str, str]:
        """What has to be known before it is frozen, by the codes that `freeze` ticks."""
        return {row["code"]: row["text"] for row in self._whole["warnings"]}

    @property
    def findings(self) -> list[str]:
        """What the doctor found wrong: it keeps the release from being frozen."""
        return list(self._whole["doctor"]["findings"])

    @property
    def job(self) -> Job | None:
        return job_of(self._wire, self._whole["job"])

    def wait(self, *, timeout: float | None = None, progress: Progress = True) -> Self:
        """Until it is built; Failed where that came to nothing."""
        watch = watch_of(progress)

        def ask() -> dict[str, Any]:
            job: dict[str, Any] = self.refresh().data["job"] or {"state": "done"}
            watch("Building", int(job.get("percent") or 0), 100)
            return job

        job = asked_until(ask, lambda found: found["state"] in OVER, timeout=timeout)
        if job["state"] != "done":
            raise Failed(f"Release {self.number}: {job['state']}. {job.get('message') or ''}".strip(), self)
        return self.refresh()

    def freeze(self, *, ticked: Collection[str] = ()) -> Self:
        """It never changes again. Each of `warnings` has to be ticked by its code: read them first."""
        version = self._seen_version()
        answer = self._wire.call("POST", f"{self._address()}/freeze", {"ticked": sorted(ticked)}, version=version)
        return self._now(answer.body, answer.version)

    def withdraw(self, why: str) -> Self:
        """It stays readable, marked with the reason."""
        version = self._seen_version()
        answer = self._wire.call("POST", f"{self._address()}/withdraw", {"why": why}, version=version)
        return self._now(answer.body, answer.version)

    def _now(self, body: dict[str, Any], version: int | None) -> Self:
        self.data, self._version = body, version
        return self

    def download(self, folder: str | os.PathLike[str], *, progress: Progress = True) -> Path:
        """All files into `folder`, each compared with its checksum before it has its name there; then `verify`."""
        into, watch = Path(folder), watch_of(progress)
        into.mkdir(parents=True, exist_ok=True)
        files = self.files
        if not files:
            raise AssayError(f"{self!r} was not built yet: wait() for it.")
        total, before = sum(file.bytes for file in files), 0
        for file in files:
            self._fetch(file, into, lambda done, _, before=before: watch("Downloading", before + done, total))
            before += file.bytes
        self._fetch_sums(into, {file.name for file in files})
        verify(into)
        return into

    def download_zip(self, path: str | os.PathLike[str], *, progress: Progress = True) -> Path:
        """The one file of the same bytes everywhere, compared with the release's own checksum."""
        to, watch = Path(path), watch_of(progress)
        self.refresh()
        file = ReleaseFile(ZIP, int(self.data["bytes"]), self.sha256)
        self._fetch(file, to.parent, lambda done, total: watch("Downloading", done, file.bytes), called=to.name)
        return to

    def _fetch(self, file: ReleaseFile, into: Path, watch: Any, *, called: str = "") -> None:
        to = into / _plain(called or file.name)
        part = to.with_name(f"{to.name}.part")
        try:
            with part.open("w+b") as target:
                size, sha256 = self._wire.fetch(f"{self._address()}/files/{quote(file.name)}", target, watch=watch)
            if (size, sha256) != (file.bytes, file.sha256):
                raise Damaged(f"{file.name} came with another checksum than the release names: download it again.")
            part.replace(to)
        finally:
            part.unlink(missing_ok=True)

    def _fetch_sums(self, into: Path, names: set[str]) -> None:
        """The list of checksums, which names all but itself."""
        if SUMS not in names:
            with (into / SUMS).open("w+b") as target:
                self._wire.fetch(f"{self._address()}/files/{SUMS}", target)


def verify(folder: str | os.PathLike[str]) -> list[str]:
    """The names of the files in a downloaded release, each of which is as SHA256SUMS says; Damaged names the first that
    is not. Needs no server: `sha256sum -c SHA256SUMS` does the same."""
    where, found = Path(folder), []
    for line in (where / SUMS).read_text(encoding="utf-8").splitlines():
        stated, _, name = line.partition("  ")
        path = where / _plain(name)
        if not path.is_file():
            raise Damaged(f"{name} is not in {where}.")
        if _sha256(path) != stated:
            raise Damaged(f"{name} is not as {SUMS} says.")
        found.append(name)
    return found


def _plain(name: str) -> str:
    """Nothing is ever written outside of the folder."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise Damaged(f"{name!r} is no name of a file in a release.")
    return name


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()
