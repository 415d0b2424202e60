"""Taking a wrongly imported file back, with all that was derived from it."""

from django.db import transaction

from adjudication.actions.measuring import _remove as _remove_report
from adjudication.actions.merging import _remove
from adjudication.models import AgreementReport, Comment, Decision, DecisionStep, Double, Merge, ShardData
from annotator.actions.importing.arrivals import _call_off, call_off_arrival
from annotator.actions.log import locked
from annotator.actions.qualifying import _settle_qualification
from annotator.actions.tokens import MAKE_TOKENS
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Conflict
from annotator.domain.passages import PassageKind
from annotator.models import Arrival, Assignment, Job, Membership, Passage, Project, Question, User
from annotator.permissions import check_can_grow, check_can_import


def take_back(arrival: Arrival, *, by: User | None) -> Job | None:
    """One UPDATE, and nobody sees it any more; then what was derived from it goes, and its rows by a job (None where
    there were none). Of an unfinished arrival: called off."""
    check_can_import(by, arrival.project)
    if arrival.done_at is None:
        return call_off_arrival(arrival, by=by)
    project = arrival.project
    assert project is not None
    with transaction.atomic():
        _check_can_be_taken_back(locked(project), arrival)
        merges = Merge.objects.of(project).filter(started_at__gte=arrival.done_at)
        merges.update(is_current=False)
        derived = list(merges)
        reports = AgreementReport.objects.of(project).filter(made_at__gte=arrival.done_at)
        reports.update(is_done=False)
        measured = list(reports)
        # Handed out, and nobody has looked into it: it goes with its passage.
        given = Assignment.all_rows.filter(passage__arrival=arrival, arrival=None)
        tested = list(given.filter(passage__kind=PassageKind.TEST).values_list("membership", flat=True).distinct())
        given.update(arrival=arrival)
        Double.objects.filter(passage__arrival=arrival).delete()  # drawn, and nobody has begun on them
        # What failed or was cancelled is made anew, not tried again: its list names rows that are going.
        ShardData.objects.filter(job__project=project).delete()
        job = _call_off(arrival, "arrival.taken_back", by=by)
        for member in Membership.objects.annotating().filter(pk__in=tested).order_by("pk"):
            _settle_qualification(member, by=by)  # for some it was all that was left of the test
    for merge in derived:
        _remove(merge)
    for report in measured:
        _remove_report(report)
    return job


def _check_can_be_taken_back(project: Project, arrival: Arrival) -> None:
    """The project is locked by then."""
    check_can_grow(project)
    if arrival.kind == ArrivalKind.PROJECT:
        raise Conflict("A whole project cannot be taken back: archive it.", code="whole_project")
    # Tokens look at each step whether their passages are still here, so they are in nobody's way.
    if Job.objects.unfinished().filter(project=project).exclude(kind=MAKE_TOKENS.name).exists():
        raise Conflict("A job of this project is under way: wait until it is done, then try again.", code="busy")
    others = Assignment.all_rows.filter(passage__arrival=arrival).exclude(arrival=arrival)
    has_asked = Question.objects.filter(assignment__in=others).exists()
    if others.filter(arrival=None, version__gt=0).exists() or has_asked:
        raise Conflict("Somebody has worked on its passages already: it stays.", code="worked_on")
    if Passage.all_rows.filter(replaces__arrival=arrival).exists():
        raise Conflict("One of its passages has been replaced by another: it stays.", code="replaced")
    by_its_voices = Assignment.all_rows.filter(membership__arrival=arrival).exclude(arrival=arrival)
    if others.filter(arrival__isnull=False).exists() or by_its_voices.exists():
        raise Conflict("A later import rests on it: take that one back first.", code="later_import")
    decided = Decision.objects.filter(passage__arrival=arrival).exists()
    if decided or Comment.objects.filter(passage__arrival=arrival).exists():
        raise Conflict("Somebody has decided or said something about its passages: it stays.", code="decided")
    # Of answers: whoever has decided since had them before their eyes.
    since = DecisionStep.objects.filter(decision__passage__assignments__arrival=arrival, at__gte=arrival.done_at)
    if since.exists():
        raise Conflict("Somebody has decided about its answers since: it stays.", code="decided")
    pinned = Merge.objects.of(project).filter(is_pinned=True, started_at__gte=arrival.done_at)
    if pinned.exists():
        raise Conflict("A decision or a release rests on it: it stays.", code="pinned")
