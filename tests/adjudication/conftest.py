"""A project in which several people have said something."""

from typing import Any
from uuid import uuid4

import pytest

from adjudication.actions.merging import merge_project
from annotator.actions.assignments import submit_assignment
from annotator.actions.people import add_member
from annotator.models import Assignment, User
from tests.factories import TEXT, Cast, load_cast, make_user, mark
from tests.kept import once


def assignment_of(user: User, passage: str) -> Assignment:
    rows = Assignment.objects.select_related("membership", "passage__project")
    return rows.get(membership__user=user, passage__external_id=passage)


def submit(cast: Cast, user: User, *marks: dict[str, Any], passage: str = "essays-1") -> Assignment:
    row = assignment_of(user, passage)
    answer = {"marks": list(marks)} if marks else {"none": True}
    submit_assignment(row, by=user, version=row.version, save_id=uuid4(), active_ms=0, answer=answer)
    row.refresh_from_db()
    return row


@pytest.fixture
def three(cast: Cast) -> Cast:
    once(_answer, cast)
    return load_cast()


def merge_all(cast: Cast) -> None:
    merge_project(cast.project, by=cast.lead)


@pytest.fixture
def three_committed(cast_committed: Cast) -> Cast:
    """In a database whose transactions are real."""
    once(_answer, cast_committed)
    return load_cast()


def _answer(cast: Cast) -> None:
    """ann, ben and cleo have answered the first passage, ann and ben the second too."""
    cleo = make_user("cleo")
    add_member(cast.project, user=cleo, by=cast.lead, roles={"annotator"})
    uncle = mark(TEXT, "uncle", "relative", "kinsman")
    submit(cast, cast.ann, uncle, mark(TEXT, "party", "feast"))
    submit(cast, cast.ben, mark(TEXT, "uncle", "Relative", type="diversify-expression"))
    submit(cast, cleo, mark(TEXT, "uncle", "relative"), mark(TEXT, "summer", "year"))
    submit(cast, cast.ann, passage="essays-2")
    submit(cast, cast.ben, passage="essays-2")
