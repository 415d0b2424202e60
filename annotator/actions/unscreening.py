"""Taking back what was said at screening, act by act."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotator.actions.assigning import _assign_everyone
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.passages import _withdraw_unfinished
from annotator.actions.running import Result, Run
from annotator.actions.screening import _say
from annotator.bulk import BATCH
from annotator.domain.errors import Conflict
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.screening import Screening
from annotator.models import Event, Job, Passage, Project, User
from annotator.permissions import check_can_lead
from annotator.queries.screening_acts import MANY_BACK, VERDICTS, Act, last_act, undone_by


@dataclass(frozen=True)
class Undone:
    passage: Passage | None = None  # that is as it was
    many: int = 0
    job: Job | None = None  # that does it, where there are many


@transaction.atomic
def undo_screening(project: Project, *, by: User, act: int) -> Undone:
    """`act`: the newest of their own, as they saw it. Work that was withdrawn does not come back to whom it was
    withdrawn from; others are given it, where the project is open."""
    check_can_lead(by, project)
    project = locked(project)
    found = last_act(project, by)
    if found is None or found.key != act:
        raise Conflict("That is undone already, or something else was said since.", code="not_the_last")
    if found.made is not None:
        return Undone(_put_back(project, found, by=by))
    if found.passage is not None:
        verdict, reason = found.events[0].payload.get("before", ("", ""))
        return Undone(_say(found.passage, verdict, reason, by=by, undoes=found.key))
    if found.many > BATCH:
        events = [event.pk for event in found.events]
        return Undone(job=_enqueue(UNSCREEN.name, by=by, project=project, params={"events": events}))
    return Undone(many=sum(_unscreen(project, event, by=by) for event in found.events))


def _put_back(project: Project, act: Act, *, by: User) -> Passage:
    """Instead of its edited copy, which is archived."""
    passage, made = act.passage, act.made
    assert passage is not None
    assert made is not None
    made.project = project
    withdrawn = len(_withdraw_unfinished(made, by=by))
    # Another copy may stand for the passage later.
    changes = {"archived_at": timezone.now(), "replaces": None}
    write(made, "passage.archived", by=by, payload={"withdrawn": withdrawn}, changes=changes)
    payload = {"undoes": [act.key], "was_refused": passage.screening == Screening.REFUSED}
    write(passage, "passage.put_back", by=by, payload=payload, changes={"archived_at": None})
    if project.is_open:
        _assign_everyone(project, by=by)
    return passage


def _unscreen_in_batches(run: Run) -> Result:
    """The job. Begun again after a crash, it goes on with what is not undone."""
    project = run.job.project
    assert project is not None
    events = list(Event.objects.filter(pk__in=run.job.params["events"]).order_by("-pk"))
    many = int((run.job.result or {}).get("passages", 0))
    for done, event in enumerate(events, start=1):
        with run.step(done=done, total=len(events)):
            held = locked(project)
            if event.pk not in undone_by(list(Event.objects.of(held).filter(kind=MANY_BACK, pk__gt=event.pk))):
                many += _unscreen(held, event, by=run.job.asked_by)
                run.keep({"passages": many})
    return {"passages": many}


def _unscreen(project: Project, event: Event, *, by: User | None) -> int:
    """The project is locked. What somebody has said of a passage by itself since stays."""
    ids = event.payload["passages"]
    verdict = Screening.REFUSED if Screening.REFUSED.value in event.payload else Screening.ACCEPTED
    said = Event.objects.filter(subject=Passage.subject_name(), subject_id__in=ids, kind__in=VERDICTS)
    since = said.filter(pk__gt=event.pk).values_list("subject_id", flat=True)
    rows = Passage.objects.filter(pk__in=set(ids) - set(since), screening=verdict, archived_at=None)
    back = list(rows.order_by("pk").values_list("pk", flat=True))
    many = Passage.objects.filter(pk__in=back).update(screening=Screening.NONE, screening_reason="")
    was_refused = verdict == Screening.REFUSED
    payload: dict[str, Any] = {verdict.value: many, "passages": back, "undoes": [event.pk]}
    write(project, MANY_BACK, by=by, payload={**payload, **({"was_refused": True} if was_refused else {})})
    if many and was_refused and project.is_open:
        _assign_everyone(project, by=by)
    return many


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE and not result.get("passages"):
        return ""
    return f"{counted(result.get('passages', 0), 'passage')} put back to be screened."


UNSCREEN = JobKind("unscreen_passages", "Take screening back", _unscreen_in_batches, _says)
