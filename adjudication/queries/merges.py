"""Merges as they are read."""

from adjudication.domain.merge import MergeSettings
from adjudication.domain.signature import METHOD_VERSION
from adjudication.models import Merge
from adjudication.queries.work import WorkList
from annotator.domain.canonical import sha256_of
from annotator.models import Project


def merge_input_hash(work: WorkList, settings: MergeSettings) -> str:
    return sha256_of(["merge", METHOD_VERSION, settings.as_dict(), work.fingerprint])


def current_merge(project: Project) -> Merge | None:
    return Merge.objects.of(project).current().first()
