"""What the demo's adjudicator has decided by the time somebody looks: a third of what asks, one discussion, one
decision to look at again, some settled by two; then a first release and two systems. Made by a job, behind the first
page, through the same actions as anybody's."""

import datetime
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid5

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.doubles import draw_doubles
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.models import Comment, DecisionStep, Double
from adjudication.queries.gold import Standing, merge_now, standing_now
from adjudication.queries.queue import Queue
from annotator.actions.assignments import submit_assignment
from annotator.actions.running import Result, Run
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Assignment, Passage, Project, User
from config.demo.answers import answer_of, material
from config.demo.people import ANNOTATORS, PEOPLE
from config.demo.systems import bring_systems
from exports.actions.releasing import build_release, change_card, draft_release, freeze_release
from exports.domain.releases import ReleaseSettings
from exports.models import Card, Release

NAMESPACE = UUID("6b1f0c1e-5d1a-4a37-9f1e-6f0d3c1b7a55")  # acts of the demo have the same ids every time
QUESTION = "Both spans are fine English. Do we want the longer one whenever it is a set phrase?"
EARLY = "Clear enough."
DAY = datetime.date(2026, 5, 11)
NAME = "Learner essays, a first release"
STATED = {
    "description": "Passages from essays by learners of English, written for this demonstration.",
    "licence": "mit",
    "recruitment": "Ten made-up annotators.",
    "contact": "Whoever runs this demonstration.",
}
REASONS = (("The longer span is a set phrase.", "guideline"), ("Two readings, both good.", "ambiguous"), ("", ""))


def decide_demo(run: Run) -> Result:
    """Begun again after a crash, it goes on: what was decided is not decided twice."""
    project = run.job.project
    assert project is not None
    people = {person.role: User.objects.get(email=person.email) for person in PEOPLE}
    lead, tomas = people["lead"], people["adjudicator"]
    merge_project(project, by=lead)
    waiting = [line.passage for line in Queue(merge_now(project), user=tomas).page()[0]]
    late = _still_open(project)
    settled = [passage for passage in waiting if late is None or passage.pk != late.passage_id][: len(waiting) // 3]
    for number, passage in enumerate(settled):
        _settle(passage, tomas, number)
    if waiting[len(settled) :]:
        _discuss(waiting[len(settled)], lead, tomas)
    _settle_twice(project, lead, tomas)
    if late is not None:
        _look_again(late, tomas)
        merge_project(project, by=lead)
    bring_systems(_release(project, lead), lead)
    return {"passages": len(settled)}


def _act(passage: Passage, what: str) -> UUID:
    return uuid5(NAMESPACE, f"{passage.external_id} {what}")


def _decide(passage: Passage, span: tuple[int, int] | None, what: str, by: User, **given: Any) -> None:
    act = _act(passage, what)
    if DecisionStep.objects.of_act(act).exists():
        return
    if span is None:
        decide_passage(passage, by=by, version=0, act=act, **given)
    else:
        decide_span(passage, span, by=by, version=0, act=act, **given)


def _settle(passage: Passage, by: User, number: int) -> None:
    """What asks is answered in one way or another; then the passage is settled."""
    reason, cause = REASONS[number % len(REASONS)]
    passage = Passage.objects.select_related("project").get(pk=passage.pk)
    for target in standing_now(passage).targets:
        span = (target.start, target.end)
        if target.type_tie and target.is_kept:
            _decide(
                passage, span, f"{span}", by, content={"verdict": None, "type": target.type}, reason=reason, cause=cause
            )
        elif target.is_overlapping:
            verdict = {"verdict": "keep" if len(target.quote.split()) > 1 else "drop"}
            _decide(passage, span, f"{span}", by, content=verdict, reason=reason, cause=cause)
    _decide(passage, None, "all", by, content={"verdict": "settled"})


def _settle_twice(project: Project, lead: User, tomas: User) -> None:
    """Four passages are drawn to be settled by two: two are by now, the third by one of them."""
    draw_doubles(project, by=lead, wanted=4)
    drawn = Double.objects.of(project).select_related("passage__project").order_by("passage_id")
    for number, double in enumerate(drawn[:3]):
        for who, by in (("one", tomas), ("two", lead))[: 2 if number < 2 else 1]:
            _settle_as(who, by, double.passage, is_strict=who == "two" and number == 1)


def _settle_as(who: str, by: User, passage: Passage, *, is_strict: bool) -> None:
    for target in standing_now(passage).targets:
        if target.is_kept and (target.is_overlapping or target.type_tie or target.has_variants):
            verdict = "drop" if is_strict else "keep"
            span = (target.start, target.end)
            _decide(passage, span, f"{who} {span}", by, content={"verdict": verdict})
    _decide(passage, None, f"{who} all", by, content={"verdict": "settled"})


def _discuss(passage: Passage, lead: User, tomas: User) -> None:
    passage = Passage.objects.select_related("project").get(pk=passage.pk)
    if Comment.objects.filter(passage=passage).exists():
        return
    spans = sorted(standing_now(passage).by_span)
    add_comment(passage, by=tomas, text=QUESTION, span=spans[0] if spans else None)
    add_comment(passage, by=lead, text="Yes, I will put it into the guidelines.")


def _still_open(project: Project) -> Assignment | None:
    """A passage that the first annotator has not begun, and that others have marked as they will."""
    if DecisionStep.objects.filter(decision__passage__project=project, reason=EARLY).exists():
        return None  # done before a crash
    [email, *_] = ANNOTATORS
    rows = Assignment.objects.own(User.objects.get(email=email)).filter(passage__project=project, state="assigned")
    rows = rows.filter(passage__in=Passage.objects.work()).select_related("membership__user", "passage__project")
    return next((row for row in rows.in_order() if _common(row, standing_now(row.passage))), None)


def _common(row: Assignment, standing: Standing) -> tuple[int, int] | None:
    assert row.membership.user is not None
    email = row.membership.user.email
    answer = answer_of(email, ANNOTATORS[email], material()[row.passage.external_id])
    spans = [(mark["start"], mark["end"]) for mark in answer.get("marks", [])]
    return next((span for span in spans if span in standing.by_span), None)


def _look_again(row: Assignment, by: User) -> None:
    """Decided, and then somebody says more about it."""
    span = _common(row, standing_now(row.passage))
    user = row.membership.user
    assert span is not None
    assert user is not None
    _decide(row.passage, span, "early", by, content={"verdict": "keep"}, reason=EARLY)
    answer = answer_of(user.email, ANNOTATORS[user.email], material()[row.passage.external_id])
    save_id = _act(row.passage, "submit")
    submit_assignment(row, by=user, version=row.version, save_id=save_id, active_ms=0, answer=answer)


def _release(project: Project, lead: User) -> Release:
    """The first release, as the gold stood on the demo's day; measured before, so that it tells how people do."""
    if found := Release.objects.of(project).frozen().first():
        return found
    measure_agreement(project, by=lead, settings=agreement_settings(project))
    if not Card.objects.filter(project=project).exists():
        change_card(project, by=lead, version=0, values=STATED)
    settings = ReleaseSettings((("validation", 1), ("test", 4)), seed=4711, with_pos=False)
    draft = build_release(draft_release(project, by=lead, date=DAY, settings=settings, name=NAME), by=lead)
    ticked = [warning["code"] for warning in draft.warnings]
    return freeze_release(draft, by=lead, version=draft.version, ticked=ticked)


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    return f"{counted(result.get('passages', 0), 'passage')} settled." if state == JobState.DONE else ""


DECIDE_DEMO = JobKind("decide_demo", "Demo decisions", decide_demo, _says)
