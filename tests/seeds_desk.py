"""Projects to give work in."""

from uuid import uuid4

from annotator.actions.accounts import set_password
from annotator.actions.assignments import submit_assignment
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.actions.protocols import change_protocol
from annotator.actions.qualifying import set_key
from annotator.domain.passages import NewPassage
from annotator.domain.states import ProjectState
from annotator.models import Assignment, Membership, Project, User
from tests.factories import make_user, mark
from tests.house import PASSWORD

PASSAGES, PEOPLE, EACH = 20_000, 50, 10


def a_desk_to_plan() -> None:
    """Open, without the handing out that opening asks for: the bench asks for that itself."""
    lead = User.objects.get(email="lead@example.org")
    project = create_project(by=None, slug="desk", preset="sws", lead=lead, seed="desk")
    change_protocol(project, by=lead, version=project.version, changes={"answers_per_passage": EACH})
    passages = [NewPassage(f"p{n:06d}", f"The pupils made a big garden number {n} in spring.") for n in range(PASSAGES)]
    add_passages(project, by=lead, passages=passages)
    for number in range(PEOPLE):
        add_member(project, user=make_user(f"desk{number}"), by=lead, roles={"annotator"})
    project.jobs.waiting().update(state="cancelled")
    Project.objects.filter(pk=project.pk).update(state=ProjectState.OPEN)


def assigning() -> None:
    """Three people with two answers a passage and controls among them; a fourth did not pass the test."""
    lead = make_user("lead")
    set_password(lead, by=lead, password=PASSWORD)
    project = create_project(by=None, slug="desk", preset="sws", lead=lead, name="Desk", seed="desk")
    switches = {"answers_per_passage": 2, "controls_per_hundred": 5, "repeats_per_hundred": 5, "test_passages": 1}
    change_protocol(project, by=lead, version=project.version, changes=switches)
    texts = [NewPassage(f"p{n:02d}", f"The pupils made a big garden number {n} in spring.") for n in range(60)]
    add_passages(project, by=lead, passages=texts)
    people = [add_member(project, user=make_user(f"desk{n}"), by=lead, roles={"annotator"}) for n in range(4)]
    for kind, names in (("control", ("c1", "c2", "c3")), ("test", ("t1", "t2"))):
        keyed = [NewPassage(name, f"The {name} was big and old.", kind=kind) for name in names]
        for row in add_passages(project, by=lead, passages=keyed):
            set_key(row, by=lead, answer={"marks": [mark(row.text, "big", "large")]})
    project.refresh_from_db()
    change_project_state(project, by=lead, act="open")
    tested = add_member(project, user=make_user("desk4"), by=lead, roles={"annotator"})
    for row in (*_own(people[0])[:3], *_own(tested)):
        given = {"version": row.version, "save_id": uuid4(), "active_ms": 0}
        submit_assignment(
            row, by=row.membership.user, **given, answer={"marks": [mark(row.passage.text, "big", "tall")]}
        )


def _own(member: Membership) -> list[Assignment]:
    rows = Assignment.objects.filter(membership=member).select_related("membership__user", "passage__project")
    return list(rows.order_by("number"))
