"""The step for the qualification test: passages, keys, what a pass takes, and trying it."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from annotator.actions.choosing import choose_tests
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state
from annotator.actions.qualifying import set_key
from annotator.domain.errors import Conflict
from annotator.domain.passages import NewPassage, PassageKind
from annotator.models import Passage, Project, User
from annotator.queries.setup import setup_of
from tests.factories import TEXTS, make_user, mark
from tests.kept import everything_stored


@pytest.fixture
def passages(draft: Project, lead: User) -> list[Passage]:
    return add_passages(draft, by=lead, passages=[NewPassage(f"e{n}", text) for n, text in enumerate(TEXTS, start=1)])


def uuids(passages: list[Passage]) -> list[UUID]:
    return [row.uuid for row in passages]


def state_of(project: Project) -> tuple[str, str]:
    found = setup_of(Project.objects.get(pk=project.pk)).step("test")
    return str(found.state), found.note


def an_answer(passage: Passage, *substitutes: str) -> dict[str, Any]:
    return {"marks": [mark(passage.text, passage.text.split()[1], *(substitutes or ("better",)))]}


def with_keys(draft: Project, lead: User, passages: list[Passage]) -> list[Passage]:
    choose_tests(draft, by=lead, passages=uuids(passages))
    rows = list(draft.passages.filter(kind=PassageKind.TEST).order_by("pk"))
    for row in rows:
        set_key(row, by=lead, answer=an_answer(row))
    return rows


def test_the_step_follows_what_is_chosen(draft: Project, lead: User, passages: list[Passage]) -> None:
    assert state_of(draft) == ("todo", "no test passages chosen")

    choose_tests(draft, by=lead, passages=uuids(passages[:2]))
    assert state_of(draft) == ("part", "0 of 2 with a key")

    for row in draft.passages.filter(kind=PassageKind.TEST):
        set_key(row, by=lead, answer=an_answer(row))
    assert state_of(draft) == ("done", "2 passages with a key")


def test_passages_are_chosen_and_taken_out_again(at_desk: Client, draft: Project, passages: list[Passage]) -> None:
    at_desk.post("/p/novels/setup/test/choose", {"passages": [str(row.uuid) for row in passages[:2]]})
    assert draft.passages.filter(kind=PassageKind.TEST).count() == 2

    at_desk.post("/p/novels/setup/test/choose", {"out": str(passages[0].uuid)})
    assert [row.uuid for row in draft.passages.filter(kind=PassageKind.TEST)] == [passages[1].uuid]


@pytest.mark.parametrize("given", [{}, {"passages": ["no uuid"]}, {"out": str(uuid4())}])
def test_what_is_no_choice_changes_nothing(at_desk: Client, draft: Project, given: Any, passages: Any) -> None:
    at_desk.post("/p/novels/setup/test/choose", given)

    assert not draft.passages.filter(kind=PassageKind.TEST).exists()


def test_what_somebody_has_been_given_stays_work(draft: Project, lead: User, passages: list[Passage]) -> None:
    add_member(draft, user=make_user("nils"), by=lead, roles={"annotator"})
    change_project_state(draft, by=lead, act="open")

    with pytest.raises(Conflict, match="has been given to somebody"):
        choose_tests(draft, by=lead, passages=uuids(passages[:1]))


def test_a_passage_of_another_project_is_out_of_reach(at_desk: Client, draft: Project, lead: User) -> None:
    from annotator.actions.projects import create_project

    other = create_project(by=None, slug="other", preset="sws", lead=make_user("else_lead"))
    [row] = add_passages(other, by=None, passages=[NewPassage("x", "A dog.")])

    assert choose_tests(draft, by=lead, passages=[row.uuid]) == 0
    assert at_desk.get(f"/p/novels/setup/test/{row.uuid}/key").status_code == 404


def test_candidates_are_searched_and_come_by_pages(at_desk: Client, draft: Project, lead: User) -> None:
    texts = [NewPassage(f"n{n}", f"Passage number {n}.") for n in range(25)]
    add_passages(draft, by=lead, passages=texts)

    first = at_desk.get("/p/novels/setup/test")
    second = at_desk.get("/p/novels/setup/test", {"after": first.context["following"]})
    found = at_desk.get("/p/novels/setup/test", {"q": "number 7"})

    assert [len(page.context["candidates"]) for page in (first, second, found)] == [20, 5, 1]


def test_what_a_pass_takes_is_saved(at_desk: Client, draft: Project) -> None:
    given = {"version": draft.version, "qualify_f05": "0.65", "qualify_shared": "", "test_passages": "5"}

    at_desk.post("/p/novels/setup/test", given)

    protocol = Project.objects.get(slug="novels").protocol
    assert (protocol.qualify_f05, protocol.qualify_shared, protocol.test_passages) == ("0.65", "", 5)


def test_a_share_above_one_is_said_beside_its_field(at_desk: Client, draft: Project) -> None:
    given = {"version": draft.version, "qualify_f05": "65", "qualify_shared": "0.5", "test_passages": "0"}

    shown = at_desk.post("/p/novels/setup/test", given)

    assert shown.status_code == 400
    assert shown.context["form"].errors["qualify_f05"]


def test_a_key_is_made_in_the_workbench(at_desk: Client, draft: Project, lead: User, passages: list[Passage]) -> None:
    choose_tests(draft, by=lead, passages=uuids(passages[:1]))
    page = f"/p/novels/setup/test/{passages[0].uuid}/key"
    key = an_answer(passages[0])

    shown = at_desk.get(page).content.decode()
    saved = at_desk.post(page, {"answer": json.dumps(key)})

    assert "<assay-trial>" in shown
    assert "Save the key" in shown
    assert saved["Location"] == "/p/novels/setup/test"
    assert draft.passages.get(uuid=passages[0].uuid).key_answer == key


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('{"marks": []}', "Nothing is marked."),
        ("{", "JSON"),
        ("", "JSON"),
        (
            '{"marks": [{"start": 0, "end": 1, "quote": "x", "note": "", "unsure": false, "substitutes": []}]}',
            "not “x”",
        ),
    ],
)
def test_what_is_no_key_is_said_and_not_saved(
    at_desk: Client, draft: Project, lead: User, passages: list[Passage], answer: str, said: str
) -> None:
    choose_tests(draft, by=lead, passages=uuids(passages[:1]))

    shown = at_desk.post(f"/p/novels/setup/test/{passages[0].uuid}/key", {"answer": answer})

    assert 400 <= shown.status_code < 500
    assert said in " ".join(shown.context["problems"])
    assert draft.passages.get(uuid=passages[0].uuid).key_answer is None


def test_a_lead_tries_the_test_and_nothing_is_kept(
    at_desk: Client, draft: Project, lead: User, passages: list[Passage]
) -> None:
    tests = with_keys(draft, lead, passages[:2])
    before = everything_stored()
    page = "/p/novels/setup/test/try"

    first = at_desk.get(page)
    given = {"passage": str(tests[0].uuid), "so_far": "{}", "answer": json.dumps(an_answer(tests[0]))}
    second = at_desk.post(page, given)
    given = {"passage": str(tests[1].uuid), "so_far": second.context["so_far"], "answer": '{"none": true}'}
    result = at_desk.post(page, given)

    assert "Passage 1 of 2" in first.content.decode()
    assert "Passage 2 of 2" in second.content.decode()
    found = result.context["result"]
    assert (found.hit, found.shared, found.is_passed) == (1, 1, True)
    assert found.as_dict()["f05"] == "0.5000"
    assert everything_stored() == before


def test_an_answer_that_cannot_be_handed_in_comes_back_with_what_is_wrong(
    at_desk: Client, draft: Project, lead: User, passages: list[Passage]
) -> None:
    [test] = with_keys(draft, lead, passages[:1])

    shown = at_desk.post("/p/novels/setup/test/try", {"passage": str(test.uuid), "answer": '{"marks": []}'})

    assert shown.status_code == 422
    assert "Nothing is marked." in shown.content.decode()


def test_without_a_test_there_is_nothing_to_try(at_desk: Client) -> None:
    assert at_desk.get("/p/novels/setup/test/try")["Location"] == "/p/novels/setup/test"


def test_who_joined_before_there_was_a_test_is_told_of_and_tested_when_the_lead_says_so(
    at_desk: Client, draft: Project, lead: User, passages: list[Passage]
) -> None:
    early = add_member(draft, user=make_user("nils"), by=lead, roles={"annotator"})
    with_keys(draft, lead, passages[:1])
    shown = at_desk.get("/p/novels/setup/test")
    assert shown.context["early"] == 1
    assert "would not be tested" in setup_of(draft).step("test").lacks

    at_desk.post("/p/novels/setup/test/early")

    early.refresh_from_db()
    assert early.qualification == "pending"
    assert at_desk.get("/p/novels/setup/test").context["early"] == 0
    assert setup_of(draft).step("test").lacks == ""
