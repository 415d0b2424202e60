"""A release from the shell: drafted, built, looked at by the doctor, frozen, written out."""

import argparse
import contextlib
import datetime
import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotator.domain.formats.reading import counted
from annotator.management.base import AssayCommand, Failed
from annotator.management.files import project_named
from annotator.models import Job, Project
from exports.actions.releasing import ask_to_build, build_release, draft_release, freeze_release
from exports.domain.releases import POS_UP_TO, ReleaseSettings, parse_sizes
from exports.models import Release
from exports.queries.releases import begun, is_tagged_by_itself


class Command(AssayCommand):
    help = "Freeze the gold with its splits, card and checksums, and write it as one zip."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="where the zip goes")
        parser.add_argument("--date", help="the day it bears, as 2026-01-31; today by itself")
        parser.add_argument("--sizes", default="", help="counts or shares: validation=200,test=800")
        parser.add_argument("--seed", type=int, default=1, help="of the splits; 1 by itself")
        parser.add_argument("--name", default="", help="what it is called")
        parser.add_argument("--notes", default="", help="a word on what is new")
        parser.add_argument("--despite", default="", metavar="CODES", help="warnings that are taken, or all")
        parser.add_argument(
            "--pos",
            action=argparse.BooleanOptionalAction,
            default=None,
            help=f"parts of speech, of English only; of an English project up to {POS_UP_TO:,} passages by itself",
        )
        parser.add_argument("--queue", action="store_true", help="let the workers build it, and wait for them")

    def run(self, *, slug: str, out: Path, despite: str, queue: bool, **options: Any) -> dict[str, Any]:
        project = project_named(slug)
        if not out.is_dir():
            raise CommandError(f"There is no folder {out}.")
        if job := begun(project):
            return self._gone_on(project, job, out, **options)
        draft = draft_release(
            project,
            by=None,
            date=_date(options["date"], project),
            settings=_settings(project, options["sizes"], options["seed"], options["pos"]),
            name=options["name"],
            notes=options["notes"],
        )
        if queue:
            self.follow(ask_to_build(draft, by=None), **options)
            draft.refresh_from_db()
        else:
            build_release(draft, by=None, watch=self.progress_bar(**options))
        self._check(draft, despite, **options)
        ticked = [warning["code"] for warning in draft.warnings]
        release = freeze_release(draft, by=None, version=draft.version, ticked=ticked)
        return self._written(release, out, **options)

    def _gone_on(self, project: Project, job: Job, out: Path, **options: Any) -> dict[str, Any]:
        """A freeze that was broken off is brought to its end as it was asked for, and nothing else is made."""
        draft = Release.objects.of(project).drafts().select_related("project").get(uuid=job.params["release"])
        self.say(f"Release {draft.number} was being frozen when that was broken off: going on with it.", **options)
        release = freeze_release(draft, by=None, version=draft.version, ticked=job.params["ticked"])
        return self._written(release, out, **options)

    def _check(self, draft: Release, despite: str, **options: Any) -> None:
        taken = {code.strip() for code in despite.split(",") if code.strip()}
        for warning in draft.warnings:
            self.say(f"Warning: {warning['text']} ({warning['code']}).", **options)
        told = {"warnings": draft.warnings, "findings": draft.findings}
        if draft.findings:
            for finding in draft.findings[:20]:
                self.say(f"Found: {finding}", **options)
            raise Failed("The doctor has found something: nothing was frozen.", result=told)
        left = [item["code"] for item in draft.warnings if item["code"] not in taken and "all" not in taken]
        if left:
            message = f"Nothing was frozen: mend this, or take it with --despite {','.join(left)}."
            raise Failed(message, result=told)

    def _written(self, release: Release, out: Path, **options: Any) -> dict[str, Any]:
        path = out / f"{release.folder}.zip"
        try:
            shutil.copyfile(release.path, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)  # half of it is worse than none
            raise CommandError(f"{path} cannot be written: {error.strerror}. The release is frozen.") from None
        for name, found in release.by_split:
            said = f"{counted(found['sentences'], 'sentence')}, {counted(found['targets'], 'target')}"
            self.say(f"{name}: {said}", **options)
        self.say(f"Release {release.number} of {release.project.slug} → {path}\nsha256 {release.sha256}", **options)
        return {
            "release": str(release.uuid),
            "number": release.number,
            "file": str(path),
            "sha256": release.sha256,
            "bytes": release.bytes,
            "warnings": release.warnings,
            **{name: release.counts[name] for name in ("splits", "shares", "left_out", "files")},
        }


def _date(text: str | None, project: Project) -> datetime.date:
    if not text:
        return timezone.localdate()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise CommandError(f"“{text}” is no day such as 2026-01-31.") from None


def _settings(project: Project, sizes: str, seed: int, pos: bool | None) -> ReleaseSettings:
    wanted = parse_sizes(sizes) if sizes else project.protocol.splits or (("test", 1),)
    with_pos = is_tagged_by_itself(project) if pos is None else pos
    return ReleaseSettings(tuple(wanted), seed, with_pos)
