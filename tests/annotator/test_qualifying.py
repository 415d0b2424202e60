"""Practice and test passages: practice counts for nothing, and work opens after a pass."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from adjudication.queries.work import work_list
from annotator.actions.assignments import (
    discard_assignment,
    reopen_assignment,
    submit_assignment,
    undo_discard,
    withdraw_assignment,
)
from annotator.actions.people import add_member, change_roles
from annotator.actions.projects import add_passages
from annotator.actions.qualifying import set_key
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Membership
from annotator.queries.work import next_assignment, own_progress, place_of
from tests.annotator.test_commands import run
from tests.factories import Cast, make_user, mark

TESTS = {"t1": "This is a big house.", "t2": "He made a nice cake."}


@pytest.fixture
def tested(cast: Cast) -> Cast:
    """The project has two test passages with keys, and one to practise on."""
    passages = [NewPassage(name, text, kind="test") for name, text in TESTS.items()]
    passages.append(NewPassage("try", "Try this one first.", kind="practice"))
    for row in add_passages(cast.project, by=cast.lead, passages=passages):
        if row.kind == "test":
            word = {"t1": "big", "t2": "nice"}[row.external_id]
            set_key(row, by=cast.lead, answer={"marks": [mark(row.text, word, "large", "tasty")]})
    return cast


@pytest.fixture
def zoe(tested: Cast) -> Membership:
    return add_member(tested.project, user=make_user("zoe"), by=tested.lead, roles={"annotator"})


def kinds(member: Membership) -> list[str]:
    return list(member.assignments.order_by("number").values_list("passage__kind", flat=True))


def answer(member: Membership, external_id: str, *marks: dict[str, Any]) -> Assignment:
    rows = Assignment.objects.select_related("membership", "passage__project")
    row = rows.get(membership=member, passage__external_id=external_id)
    assert member.user is not None
    said = {"marks": list(marks)} if marks else {"none": True}
    submit_assignment(row, by=member.user, version=row.version, save_id=uuid4(), active_ms=0, answer=said)
    member.refresh_from_db()
    return row


def test_who_joins_is_tested_first(tested: Cast, zoe: Membership) -> None:
    assert zoe.qualification == "pending"
    assert kinds(zoe) == ["practice", "test", "test"]
    assert sorted(kinds(tested.membership("ann"))) == ["practice", "work", "work", "work", "work"]  # was here before


def test_work_opens_after_a_pass(tested: Cast, zoe: Membership, client_of: Any) -> None:
    answer(zoe, "t1", mark(TESTS["t1"], "big", "Large"))
    assert (zoe.qualification, kinds(zoe)) == ("pending", ["practice", "test", "test"])

    answer(zoe, "t2", mark(TESTS["t2"], "nice", "fine"))

    assert (zoe.qualification, zoe.qualification_result) == (
        "passed",
        {"f05": "1.0000", "hit": 2, "shared": 1, "wanted": 2, "beyond": 0, "is_passed": True},
    )
    assert kinds(zoe)[3:] == ["work"] * 4
    assert Event.objects.filter(kind="qualification.passed").count() == 1


def test_a_failure_gives_no_work_and_says_so(tested: Cast, zoe: Membership) -> None:
    answer(zoe, "t1", mark(TESTS["t1"], "house", "home"))
    answer(zoe, "t2")

    assert (zoe.qualification, kinds(zoe)) == ("failed", ["practice", "test", "test"])


def set_aside(member: Membership, external_id: str) -> None:
    rows = Assignment.objects.select_related("membership", "passage__project")
    row = rows.get(membership=member, passage__external_id=external_id)
    assert member.user is not None
    discard_assignment(row, by=member.user, version=row.version, save_id=uuid4(), reason="grammar")
    member.refresh_from_db()


def test_discarding_the_last_test_passage_ends_the_test_too(tested: Cast, zoe: Membership) -> None:
    answer(zoe, "t1", mark(TESTS["t1"], "big", "large"))

    set_aside(zoe, "t2")

    assert zoe.qualification == "passed"  # a mean of one half is enough
    assert kinds(zoe)[3:] == ["work"] * 4
    row = zoe.assignments.select_related("membership", "passage__project").get(passage__external_id="t2")
    assert zoe.user is not None
    with pytest.raises(Conflict, match="The test is over"):
        undo_discard(row, by=zoe.user, version=row.version, save_id=uuid4())


def test_a_test_that_is_only_discarded_or_withdrawn_is_over_too(tested: Cast, zoe: Membership) -> None:
    set_aside(zoe, "t1")
    row = zoe.assignments.select_related("membership", "passage__project").get(passage__external_id="t2")

    withdraw_assignment(row, by=tested.lead)

    zoe.refresh_from_db()
    assert zoe.qualification == "failed"


def test_what_was_submitted_in_a_test_stays(tested: Cast, zoe: Membership) -> None:
    row = answer(zoe, "t1", mark(TESTS["t1"], "big", "large"))
    assert zoe.user is not None
    given: dict[str, Any] = {"by": zoe.user, "version": row.version, "save_id": uuid4()}

    with pytest.raises(Conflict, match="stays as it was"):
        reopen_assignment(row, **given)
    with pytest.raises(Conflict, match="stays as it was"):
        discard_assignment(row, reason="context", **given)


def test_what_comes_next_is_the_test_then_work_and_never_practice(
    tested: Cast, zoe: Membership, client_of: Any
) -> None:
    def following() -> str:
        row = next_assignment(zoe)
        return row.passage.external_id if row else ""

    first = following()
    assert first in TESTS
    answer(zoe, "t1", mark(TESTS["t1"], "big", "large"))
    assert following() == "t2"
    place = [place_of(row)["place"] for row in zoe.assignments.select_related("passage").order_by("number")]
    assert [text.split(" ")[1] for text in place] == ["(practice)", "(test)", "(test)"]
    answer(zoe, "t2", mark(TESTS["t2"], "nice", "tasty"))

    row = next_assignment(zoe)

    assert row is not None
    assert row.passage.kind == "work"
    assert place_of(row)["place"] == "4 of 7"
    submitted = zoe.assignments.get(passage__external_id="t1")
    assert zoe.user is not None
    client = Client()
    client.force_login(zoe.user)
    assert "Reopen" not in client.get(f"/p/essays/work/{submitted.number}").content.decode()


def test_neither_practice_nor_tests_count(tested: Cast, zoe: Membership) -> None:
    answer(zoe, "try", mark("Try this one first.", "first", "now"))
    answer(zoe, "t1", mark(TESTS["t1"], "big", "large"))
    assert zoe.user is not None

    assert own_progress(zoe.user, tested.project).total == 0
    assert work_list(tested.project).answers == 0


def test_a_lead_who_becomes_an_annotator_is_tested_too(tested: Cast) -> None:
    change_roles(tested.membership("adjudicator"), by=tested.lead, roles={"annotator"})

    assert tested.membership("adjudicator").qualification == "pending"


def test_only_leads_set_keys_and_only_on_tests(tested: Cast) -> None:
    test = tested.project.passages.get(external_id="t1")
    work = tested.project.passages.get(external_id="essays-1")

    with pytest.raises(NotAllowed):
        set_key(test, by=tested.ann, answer={"none": True})
    with pytest.raises(Conflict, match="Only a test or control passage"):
        set_key(work, by=tested.lead, answer={"none": True})
    with pytest.raises(Invalid):
        set_key(test, by=tested.lead, answer={"marks": []})


def test_no_page_tells_the_key(tested: Cast, zoe: Membership, client_of: Any) -> None:
    from django.test import Client

    client = Client()
    assert zoe.user is not None
    client.force_login(zoe.user)
    for number in (1, 2, 3):
        body = client.get(f"/p/essays/work/{number}").content.decode()
        assert "tasty" not in body
    page = client.get("/p/essays/work").content.decode()
    assert "First comes a short test" in page


def test_tests_and_keys_come_from_files(cast: Cast, tmp_path: Path) -> None:
    texts, keys = tmp_path / "tests.csv", tmp_path / "keys.csv"
    texts.write_text("id,text\nt1,This is a big house.\n")
    keys.write_text(
        "sentence_id,annotator,word to change,substitutes,type\nt1,key,big,large,refine-usage\n", encoding="utf-8"
    )

    assert run("import_passages", "essays", str(texts), "--kind=test")["imported"] == 1
    assert run("import_annotations", "essays", str(keys), "--keys")["keys"] == 1

    row = cast.project.passages.get(external_id="t1")
    assert (row.kind, row.key_answer["marks"][0]["quote"]) == ("test", "big")
    assert not cast.project.memberships.filter(user=None).exists()
    keys.write_text(keys.read_text() + "t1,other,big,huge,refine-usage\n")
    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_annotations", "essays", str(keys), "--keys")
    with pytest.raises(CommandError, match="There is no kind “fun”"):
        call_command("import_passages", "essays", str(texts), "--kind=fun")
