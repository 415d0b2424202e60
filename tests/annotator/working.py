"""A larger project to hand work out in, and what people do with what they have."""

from typing import Any
from uuid import uuid4

from annotator.actions.assigning import _assign_in_batches
from annotator.actions.assignments import discard_assignment, save_answer, submit_assignment
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.actions.protocols import change_protocol
from annotator.actions.qualifying import set_key
from annotator.actions.running import Result, work_on
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Job, Membership, Project, User
from tests.factories import Cast, make_user, mark


def text_of(name: str) -> str:
    return f"The {name} was big and old."


def a_project(
    cast: Cast, *, passages: int = 12, people: int = 3, is_open: bool = True, **switches: Any
) -> tuple[Project, list[Membership]]:
    """`people` annotators with so many passages; `switches` are those of the protocol."""
    project = create_project(by=None, slug="desk", preset="sws", lead=cast.lead, name="Desk", seed="desk-seed")
    change_protocol(project, by=cast.lead, version=project.version, changes=switches)
    texts = [NewPassage(f"w{n:03d}", text_of(f"w{n:03d}")) for n in range(passages)]
    add_passages(project, by=cast.lead, passages=texts)
    members = [newcomer(cast, project, f"person{n}") for n in range(people)]
    project.refresh_from_db()
    if is_open:
        change_project_state(project, by=cast.lead, act="open")
        do(project, "assign_everyone", _assign_in_batches)
    project.refresh_from_db()
    return project, members


def newcomer(cast: Cast, project: Project, name: str) -> Membership:
    return add_member(project, user=make_user(name), by=cast.lead, roles={"annotator"})


def change(project: Project, by: User, **switches: Any) -> None:
    project.refresh_from_db()
    change_protocol(project, by=by, version=project.version, changes=switches)
    project.refresh_from_db()


def keyed(cast: Cast, project: Project, *names: str, kind: str = "test") -> None:
    """Passages whose key says that big is large."""
    for row in add_passages(
        project, by=cast.lead, passages=[NewPassage(name, text_of(name), kind=kind) for name in names]
    ):
        set_key(row, by=cast.lead, answer={"marks": [mark(row.text, "big", "large")]})


def do(project: Project, kind: str, work: Any) -> Result:
    """All jobs of this kind that wait; what came of the last."""
    result: Result = None
    for job in Job.objects.filter(project=project, kind=kind, state="waiting").order_by("pk"):
        work_on(job.pk, work, worker="w")
        job.refresh_from_db()
        assert job.state == "done", job.message
        result = job.result
    return result


def own(member: Membership, **where: Any) -> list[Assignment]:
    rows = Assignment.objects.filter(membership=member, **where).select_related("membership__user", "passage__project")
    return list(rows.order_by("number"))


def names(member: Membership, **where: Any) -> list[str]:
    return [row.passage.external_id for row in own(member, **where)]


def _given(row: Assignment) -> dict[str, Any]:
    assert row.membership.user is not None
    return {"by": row.membership.user, "version": row.version, "save_id": uuid4()}


def begin(row: Assignment) -> None:
    save_answer(row, **_given(row), active_ms=0, answer={"marks": [mark(row.passage.text, "big", "half-typed")]})


def hand_in(row: Assignment, **marks: str) -> None:
    """big="large" marks the word with this substitute; nothing: there is nothing to improve."""
    said = {"marks": [mark(row.passage.text, word, *texts.split("; ")) for word, texts in marks.items()]}
    submit_assignment(row, **_given(row), active_ms=0, answer=said if marks else {"none": True})


def set_aside(row: Assignment) -> None:
    discard_assignment(row, **_given(row), reason="grammar")
