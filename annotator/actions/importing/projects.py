"""A whole project from a file of Assay JSONL: its people become voices under their pseudonyms."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, BinaryIO

from annotator.actions.assigning import BATCH
from annotator.actions.importing.arrivals import Progress, _arrive, _brings, _check_on_the_way, _import_here
from annotator.actions.log import write
from annotator.actions.people import _add_member, user_for
from annotator.actions.projects import _check_new_project, _new_project
from annotator.actions.running import Run
from annotator.domain.answers import count_answer
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.canonical import sha256_of
from annotator.domain.formats.assay_jsonl import ReadAssignment, ReadProject, read_assay_jsonl
from annotator.domain.formats.reading import counted
from annotator.models import Arrival, Assignment, Membership, Passage, Project, Submission, User
from annotator.permissions import check_is_operator


@dataclass(frozen=True)
class ImportedProject:
    project: Project
    lead: User
    is_lead_new: bool
    passages: int


def import_project(
    *, by: User | None, slug: str, lead: str, source: BinaryIO, progress: Progress = lambda done, total: None
) -> ImportedProject:
    """For an operator: a new project, and its lead by e-mail; whole or not at all. BadFile names every bad line."""
    check_is_operator(by)
    options = {"slug": slug, "lead": lead}
    arrival = _import_here(
        None, by=by, kind=ArrivalKind.PROJECT, source=source, name=f"{slug}.jsonl", options=options, progress=progress
    )
    result = arrival.result or {}
    project = Project.objects.get(pk=arrival.project_id)
    user = User.objects.get(pk=result["lead"])
    return ImportedProject(project, user, result["is_lead_new"], result["passages"])


@_brings(ArrivalKind.PROJECT)
def _bring_project(run: Run, arrival: Arrival, source: BinaryIO) -> dict[str, Any]:
    read = read_assay_jsonl(source, instant=_instant)
    project = arrival.project or _hidden_project(run, arrival, read)
    rows = sum(1 for _ in _batches(project, arrival, read, {}, {}))
    del rows
    _fill(run, arrival, project, read)
    told: dict[str, Any] = {"passages": len(read.passages), "assignments": len(read.assignments)}
    told["says"] = f"{counted(len(read.passages), 'passage')} imported."

    def settle() -> None:
        user, told["is_lead_new"] = user_for(arrival.options["lead"], by=arrival.by)
        told["lead"] = user.pk
        _add_member(project, user=user, by=arrival.by, roles={"lead"}, reserved=read.annotators)
        payload = {"passages": told["passages"], "assignments": told["assignments"]}
        write(project, "project.imported", by=arrival.by, payload=payload)

    return _arrive(run, arrival, told, rows=len(read.assignments), last=settle)


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None or not 1970 <= found.year <= 2200:
        raise ValueError("no time zone, or no time of ours")
    return found.astimezone(UTC)
