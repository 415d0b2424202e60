"""Of releases: what was frozen is still there as it was, and the log still says what was sealed."""

import zipfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import msgspec

from annotator.models import Passage, Project
from exports.domain.bundle import facts_of
from exports.domain.releases import ReleaseState
from exports.models import Release
from exports.queries.examining.examined import Examined
from exports.queries.listing import seals_of
from exports.queries.releases import ids_of


def examine_releases(found: Examined) -> Iterator[str]:
    """Of each that was frozen, withdrawn or not: its file is the one that was frozen, its passages are in the splits
    that it put them in, and the log up to then is the one that it sealed."""
    rows = found.rows(Release.objects.exclude(state=ReleaseState.DRAFT), "project")
    rows = rows.select_related("project").defer("steps", "counts").order_by("project_id", "number")
    for project, own in groupby(rows, key=attrgetter("project")):
        releases = list(own)
        found.looked_at += len(releases)
        yield from _files(project, releases)
        yield from _seals(project, releases)


def _files(project: Project, releases: Sequence[Release]) -> Iterator[str]:
    splits = dict(Passage.objects.filter(project=project).values_list("external_id", "split"))
    for release in releases:
        name = f"release {release.number} of {project.slug}"
        if not release.path.exists():
            yield f"{name}: its file is not here; a backup has it"
            continue
        if facts_of(release.path).sha256 != release.sha256:
            yield f"{name}: its file is not the one that was frozen"
            continue
        if not release.is_own:
            continue  # it is of no passages of ours
        try:
            for split, ids in ids_of(release).items():
                if moved := [pk for pk in ids if splits.get(pk) != split]:
                    yield f"{name}: {len(moved):,} of its {split} passages are not in {split}, such as {moved[0]}"
        except (zipfile.BadZipFile, KeyError, msgspec.DecodeError) as error:
            yield f"{name}: its file cannot be read ({type(error).__name__})"


def _seals(project: Project, releases: Sequence[Release]) -> Iterator[str]:
    """Those that tell their moment to the event; earlier ones told it by the newest event alone."""
    own = [release for release in releases if "gaps" in release.listed]
    moments = [(release.listed["event"], release.listed["gaps"]) for release in own]
    for release, seal in zip(own, seals_of(project, moments), strict=True):
        if seal != release.listed["seal"]:
            yield f"release {release.number} of {project.slug}: the log up to it is not the one that it sealed"
