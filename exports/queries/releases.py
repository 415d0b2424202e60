"""Releases as pages show them: what stands in their files, and how two differ."""

import json
import zipfile
from collections.abc import Iterator
from typing import Any

from adjudication.models import DecisionStep
from annotator.domain.errors import Conflict
from annotator.models import Project
from exports.domain.comparing import Compared, compared
from exports.models import Release


def newest_first(project: Project) -> list[Release]:
    return list(Release.objects.of(project).select_related("made_by").order_by("-number"))


def text_of(release: Release, name: str) -> str:
    with _bundle(release) as bundle:
        return bundle.read(f"{release.folder}/{name}").decode()


def rows_of(release: Release, split: str) -> Iterator[dict[str, Any]]:
    with _bundle(release) as bundle, bundle.open(f"{release.folder}/{split}.jsonl") as lines:
        for line in lines:
            yield json.loads(line)


def _bundle(release: Release) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(release.path)
    except OSError:
        raise Conflict("The file of this release is not here.", code="file_gone") from None


def difference(before: Release, after: Release) -> Compared:
    one, two = ([row for split in release.splits for row in rows_of(release, split)] for release in (before, after))
    return compared(one, two)


def decided_since(release: Release) -> int:
    """Steps of decisions that came after a draft was built."""
    listed = len(bytes(release.steps)) // 8
    return int(DecisionStep.objects.filter(decision__passage__project=release.project_id).count()) - listed
