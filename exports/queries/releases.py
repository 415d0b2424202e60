"""Releases as pages show them: what stands in their files, how two differ, whether one is being frozen."""

import json
import zipfile
from collections.abc import Iterator
from typing import IO, Any

import msgspec
from django.db.models import Q
from django.utils import timezone

from adjudication.models import DecisionStep
from adjudication.queries.standing import changed_since
from annotator.domain.errors import Conflict
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import OVER, JobState
from annotator.domain.language import is_english
from annotator.models import Job, Project
from annotator.models.jobs import JobQuerySet
from exports.domain.comparing import Compared, compared
from exports.domain.releases import POS_UP_TO
from exports.models import Release
from exports.queries.listing import stated_now

FREEZES = "freeze_release"  # the kind of job


def is_tagged_by_itself(project: Project) -> bool:
    """Whether parts of speech are told unless somebody asks for something else."""
    return is_english(project.language) and project.passages.work().count() <= POS_UP_TO


def newest_first(project: Project) -> list[Release]:
    return list(Release.objects.of(project).select_related("made_by").order_by("-number"))


def begun_with(project: Project) -> dict[str, Any]:
    """The settings that a new draft begins with: of the draft there is, else of the last release of our own."""
    rows = Release.objects.of(project)
    last = rows.drafts().first() or rows.filter(kind="own").order_by("-number").first()
    return {
        "name": last.name if last and last.is_draft else "",
        "notes": last.notes if last and last.is_draft else "",
        "date": last.date if last and last.is_draft else timezone.localdate(),
        "sizes": last.settings["sizes"] if last else project.protocol.splits or [("test", 1)],
        "seed": last.settings["seed"] if last else 1,
        "with_pos": last.settings["with_pos"] if last else is_tagged_by_itself(project),
    }


def text_of(release: Release, name: str) -> str:
    with _bundle(release) as bundle:
        return bundle.read(f"{release.folder}/{name}").decode()


def rows_of(release: Release, split: str) -> Iterator[dict[str, Any]]:
    with _bundle(release) as bundle, bundle.open(f"{release.folder}/{split}.jsonl") as lines:
        for line in lines:
            yield json.loads(line)


def file_of(release: Release, name: str) -> tuple[IO[bytes], int] | None:
    """One file of the zip, which stands there as it is, and its size."""
    bundle = _bundle(release)
    try:
        info = bundle.getinfo(f"{release.folder}/{name}")
        return bundle.open(info), info.file_size
    except KeyError:
        return None
    finally:
        bundle.close()  # what was opened holds the file as long as it is read


class _Named(msgspec.Struct):
    """What of a row is read."""

    id: str


def ids_of(release: Release) -> dict[str, list[str]]:
    """By split the ids in it, as the file has them."""
    read = msgspec.json.Decoder(_Named).decode
    with _bundle(release) as bundle:
        return {
            split: [read(line).id for line in bundle.open(f"{release.folder}/{split}.jsonl")]
            for split in release.splits
        }


def _bundle(release: Release) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(release.path)
    except OSError:
        raise Conflict("The file of this release is not here.", code="file_missing") from None


def difference(before: Release, after: Release) -> Compared:
    one, two = ([row for split in release.splits for row in rows_of(release, split)] for release in (before, after))
    return compared(one, two)


def decided_since(release: Release) -> int:
    """Steps of decisions that came after a draft was built."""
    listed = len(bytes(release.steps)) // 8 + int(release.listed.get("steps_outside", 0))
    return int(DecisionStep.objects.filter(decision__passage__project=release.project_id).count()) - listed


def changed_since_built(release: Release) -> list[str]:
    """What has come since a draft was built, in words."""
    found = []
    if release.merge is not None and not release.merge.is_current:
        found.append("the answers were merged again")
    if decided := decided_since(release):
        found.append(f"{counted(decided, 'decision')} came")
    if answers := changed_since(release.project, release.listed["event"]):
        found.append(f"{counted(answers, 'answer')} changed, which a merge would count")
    if stated_now(release.project) != release.listed["stated"]:
        found.append("the card was filled in otherwise")
    return found


def begun(project: Project) -> Job | None:
    """A freeze that was broken off: some passages may have their splits already. It can only go on."""
    draft = Release.objects.of(project).drafts().first()
    return freezing(draft).order_by("pk").first() if draft else None


def freezing(release: Release) -> JobQuerySet:
    """What works on it, or has stopped after it wrote something."""
    jobs = Job.objects.whole().filter(kind=FREEZES, project=release.project, params__release=str(release.uuid))
    return jobs.exclude(state=JobState.DONE).filter(Q(done__gt=0) | ~Q(state__in=OVER))
