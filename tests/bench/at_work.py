"""A project after weeks of work by fifty, laid down inside a house."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from annotator.actions.accounts import create_user, set_password
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, create_project
from annotator.bulk import tell_planner
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Membership, Project, Tally
from tests.factories import make_user
from tests.house import PASSWORD

PASSAGES, PEOPLE, EACH, TESTS = 20_000, 50, 10, 100
SAVES = 3  # before each submission


def fifty_at_work() -> None:
    lead = create_user(by=None, email="lead@example.org", name="Lead")
    set_password(lead, by=lead, password=PASSWORD)
    project = create_project(by=None, slug="load", preset="sws", lead=lead, seed="load")
    for number in range(PEOPLE):
        add_member(project, user=make_user(f"person{number}"), by=lead, roles={"annotator"})
    text = "The pupils wanted to make a big garden behind the old school house in spring."
    tests = [NewPassage(f"t{n}", f"A test. {text}", kind="test") for n in range(TESTS)]
    work = [NewPassage(f"p{n}", f"{text} ({n})") for n in range(PASSAGES)]
    add_passages(project, by=lead, passages=[*tests, *work])
    _give(project)
    _save(project)
    tell_planner(Assignment, Tally, Event)


def _give(project: Project) -> None:
    """Row by row as it would stand after weeks."""
    people = list(Membership.objects.annotating().filter(project=project).order_by("pk"))
    passages = list(project.passages.order_by("pk").values_list("pk", "kind"))
    numbers, rows, now = dict.fromkeys(range(PEOPLE), 0), list[Assignment](), timezone.now()
    for place, (passage, kind) in enumerate(passages):
        for person in range(PEOPLE) if kind == "test" else [(place * EACH + step) % PEOPLE for step in range(EACH)]:
            numbers[person] += 1
            is_done = kind == "test" or numbers[person] % 2 == 0
            state = {"state": "submitted", "submissions_made": 1, "version": 1} if is_done else {}
            if numbers[person] % 401 == 0:
                state = {"state": "started", "version": 1, "last_save_id": uuid4()}
            rows.append(
                Assignment(membership=people[person], passage_id=passage, number=numbers[person], **state)  # type: ignore[arg-type]
            )
    Assignment.objects.bulk_create(rows, batch_size=2000)
    days = [(row, now - timedelta(days=day)) for row in people for day in range(365)]
    Tally.objects.bulk_create([Tally(membership=row, day=at.date(), submitted=5, last_at=at) for row, at in days])


def _save(project: Project) -> None:
    """What all this left in the log, which nobody checks here: four events for each submission."""
    rows = Assignment.objects.filter(state="submitted").order_by("number", "pk").values_list("pk", "membership__user")
    kinds, at = [*["assignment.saved"] * SAVES, "assignment.submitted"], timezone.now()
    events = [
        Event(subject="assignment", subject_id=pk, seq=seq, kind=kind, by_id=by, at=at, project=project, hash="made up")
        for pk, by in rows
        for seq, kind in enumerate(kinds, start=1)
    ]
    Event.objects.bulk_create(events, batch_size=2000)
