"""Screening: what a lead says of a passage before anybody is given it; of one, or of many at once."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotator.actions.assigning import _assign_everyone
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.passages import _withdraw_unfinished
from annotator.actions.running import Result, Run
from annotator.bulk import BATCH
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.screening import SCREENING_REASONS, Screening
from annotator.models import Assignment, Job, Passage, Project, User
from annotator.models.projects import PassageQuerySet
from annotator.permissions import check_can_lead
from annotator.queries.screening import accepted_unseen, duplicates, not_screened

ACTS = {"accept_rest": Screening.ACCEPTED, "refuse_duplicates": Screening.REFUSED}
# Passages at once; one that is refused may have work that is withdrawn with it.
AT_ONCE = {"accept_rest": BATCH, "refuse_duplicates": BATCH // 4}


@transaction.atomic
def screen_passage(passage: Passage, *, by: User | None, verdict: str, reason: str = "") -> Passage:
    """`verdict` of Screening; none takes it back. A passage that is refused is in nobody's work: what is unfinished is
    withdrawn, and does not come back by itself."""
    check_can_lead(by, passage.project)
    _check_verdict(verdict, reason)
    project = locked(passage.project)
    passage = Passage.objects.get(pk=passage.pk)
    passage.project = project
    if passage.archived_at:
        raise Conflict("This passage is archived: there is nothing to screen.", code="passage_archived")
    is_seen_now = verdict == Screening.ACCEPTED and accepted_unseen(project).filter(pk=passage.pk).exists()
    if (passage.screening, passage.screening_reason) == (verdict, reason) and not is_seen_now:
        return passage
    return _say(passage, verdict, reason, by=by)


def _say(passage: Passage, verdict: str, reason: str, *, by: User | None, undoes: int | None = None) -> Passage:
    """The project is locked. What was said before is kept with the event: this may be taken back."""
    project, was_refused = passage.project, passage.screening == Screening.REFUSED
    payload: dict[str, Any] = {"reason": reason} if reason else {}
    if was_refused:
        payload["was_refused"] = True
    payload |= {"before": [passage.screening, passage.screening_reason]} if undoes is None else {"undoes": [undoes]}
    if verdict == Screening.REFUSED and (withdrawn := _withdraw_unfinished(passage, by=by)):
        payload["withdrawn"] = len(withdrawn)
    told = {Screening.NONE: "unscreened"}.get(Screening(verdict), verdict)
    changes = {"screening": verdict, "screening_reason": reason}
    write(passage, f"passage.{told}", by=by, payload=payload, changes=changes)
    if was_refused and project.is_open:
        _assign_everyone(project, by=by)
    return passage


def _check_verdict(verdict: str, reason: str) -> None:
    if verdict not in list(Screening):
        raise Invalid.of("verdict", f"“{verdict}” is nothing to say of a passage.", "verdict")
    if (reason in SCREENING_REASONS) != (verdict == Screening.REFUSED) or (reason and reason not in SCREENING_REASONS):
        raise Invalid.of("reason", f"Say why: {', '.join(SCREENING_REASONS)}.", "reason")


@transaction.atomic
def screen_many(project: Project, *, by: User | None, act: str) -> tuple[int, Job | None]:
    """accept_rest or refuse_duplicates, of what nobody has screened: how many at once, or the job that does it where
    there are many."""
    check_can_lead(by, project)
    if act not in ACTS:
        raise Invalid.of("act", f"There is no “{act}”.", "act")
    project = locked(project)
    rows = _rows_of(project, act)
    if rows.count() > AT_ONCE[act]:
        return 0, _enqueue(SCREEN.name, by=by, project=project, params={"act": act})
    return _screen_batch(project, rows, act, by=by), None


def _screen_in_batches(run: Run) -> Result:
    """The job. Begun again after a crash, it finds what is left."""
    project, act = run.job.project, run.job.params["act"]
    assert project is not None
    rows = _rows_of(project, act)
    done, total = run.job.done, run.job.done + rows.count()
    screened = int((run.job.result or {}).get("passages", 0))
    while True:
        done = min(total, done + AT_ONCE[act])
        with run.step(done=done, total=total):
            several = _screen_batch(locked(project), rows, act, by=run.job.asked_by, job=run.job)
            screened += several
            run.keep({"act": act, "passages": screened})
        if not several:
            return {"act": act, "passages": screened}


def _rows_of(project: Project, act: str) -> PassageQuerySet:
    return duplicates(project) if act == "refuse_duplicates" else not_screened(project)


def _screen_batch(project: Project, rows: PassageQuerySet, act: str, *, by: User | None, job: Job | None = None) -> int:
    """The project is locked. One event for all of them, on the project."""
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[: AT_ONCE[act]])
    if not ids:
        return 0
    verdict = ACTS[act]
    reason = "duplicate" if verdict == Screening.REFUSED else ""
    Passage.objects.filter(pk__in=ids).update(screening=verdict, screening_reason=reason)
    if verdict == Screening.REFUSED:
        given = Assignment.objects.filter(passage__in=ids).values("passage").distinct()
        for passage in Passage.objects.filter(pk__in=given):
            _withdraw_unfinished(passage, by=by)
    # Whose answers count no more from here on, where they are refused; and what is taken back, where that is undone.
    payload: dict[str, Any] = {verdict.value: len(ids), "passages": ids, **({"job": job.pk} if job else {})}
    write(project, "passages.screened", by=by, payload=payload)
    return len(ids)


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE and not result.get("passages"):
        return ""
    done = "refused as duplicates" if result.get("act") == "refuse_duplicates" else "accepted without being looked at"
    return f"{counted(result.get('passages', 0), 'passage')} {done}."


SCREEN = JobKind("screen_passages", "Screen passages", _screen_in_batches, _says)
