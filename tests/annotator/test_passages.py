"""One passage of a project and all of them: what a lead finds, archives and replaces."""

from typing import Any
from uuid import uuid4

import pytest

from annotator.actions.assignments import (
    discard_assignment,
    reopen_assignment,
    save_answer,
    submit_assignment,
    withdraw_assignment,
)
from annotator.actions.passages import archive_passage, replace_passage
from annotator.actions.people import change_roles
from annotator.actions.projects import add_passages
from annotator.actions.questions import ask_question
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Passage, Submission
from annotator.queries.work import next_number, own_progress
from tests.annotator.working import a_project, own
from tests.conftest import nothing_written
from tests.factories import TEXTS, Cast, answer_for


def of(row: Assignment) -> dict[str, Any]:
    return {"by": row.membership.user, "version": row.version, "save_id": uuid4()}


def submitted(row: Assignment) -> Assignment:
    submit_assignment(row, active_ms=0, answer=answer_for(row), **of(row))
    return row


def passage_of(cast: Cast, number: int = 1) -> Passage:
    return Passage.objects.select_related("project").get(external_id=f"essays-{number}")


def row_of(cast: Cast, name: str, passage: Passage) -> Assignment:
    rows = Assignment.objects.select_related("membership__user", "passage__project")
    return rows.get(membership__user=cast.person(name), passage=passage)


class List:
    def __init__(self, client: Any) -> None:
        self.client = client

    def ids(self, query: str = "") -> list[str]:
        with nothing_written():
            page = self.client.get(f"/p/essays/passages{query}").content.decode()
        return [part.partition("<")[0] for part in page.split('">')[1:] if part.startswith("essays-")]

    def page(self, query: str = "") -> str:
        return str(self.client.get(f"/p/essays/passages{query}").content.decode())


@pytest.fixture
def shown(client_of: Any) -> List:
    return List(client_of("lead"))


def test_the_list_finds_by_words_and_by_id(cast: Cast, shown: List) -> None:
    assert shown.ids() == [f"essays-{n}" for n in range(1, 5)]
    assert shown.ids("?search=WEATHER") == ["essays-2"]
    assert shown.ids("?search=essays-3") == ["essays-3"]
    assert shown.ids("?search=100%25") == []
    assert "No passage fits" in shown.page("?search=nothing+like+it")


def test_what_makes_no_sense_filters_nothing(shown: List) -> None:
    query = "?kind=secret&screening=perhaps&answers=-1&discarded=0&questions=&after=x&split=&user__password=a"

    assert len(shown.ids(query)) == 4


def test_filters_say_what_people_did(cast: Cast, shown: List) -> None:
    one, two, three = (passage_of(cast, n) for n in (1, 2, 3))
    for name in ("ann", "ben"):
        submitted(row_of(cast, name, one))
    submitted(row_of(cast, "ann", two))
    row = row_of(cast, "ben", three)
    discard_assignment(row, reason="grammar", **of(row))
    ask_question(row_of(cast, "ann", three), by=cast.ann, text="Is this a name?")

    assert shown.ids("?answers=2") == ["essays-1"]
    assert shown.ids("?answers=1") == ["essays-2"]
    assert shown.ids("?answers=0") == ["essays-3", "essays-4"]
    assert shown.ids("?discarded=1") == ["essays-3"]
    assert shown.ids("?discarded=2") == []
    assert shown.ids("?reason=grammar") == shown.ids("?reason=grammar&discarded=1") == ["essays-3"]
    assert (shown.ids("?reason=other"), shown.ids("?reason=grammar&discarded=2")) == ([], [])
    assert shown.ids("?questions=yes") == ["essays-3"]


def test_filters_say_what_a_passage_is(cast: Cast, shown: List) -> None:
    add_passages(cast.project, by=cast.lead, passages=[NewPassage("essays-t", "A test of it.", group="g", kind="test")])
    Passage.objects.filter(external_id="essays-1").update(screening="refused", screening_reason="unclear", split="dev")
    Passage.objects.filter(external_id="essays-2").update(screening="accepted")

    assert shown.ids("?kind=test") == ["essays-t"]
    assert shown.ids("?group=g") == ["essays-t"]
    assert shown.ids("?split=dev") == ["essays-1"]
    assert shown.ids("?screening=refused") == shown.ids("?screening=unclear") == ["essays-1"]
    assert shown.ids("?screening=accepted") == ["essays-2"]
    assert shown.ids("?screening=none&kind=work") == ["essays-3", "essays-4"]


def test_pages_go_on_from_a_key(cast: Cast, shown: List) -> None:
    many = [NewPassage(f"essays-m{n}", f"Number {n} of many.") for n in range(60)]
    add_passages(cast.project, by=cast.lead, passages=many)

    first = shown.page("?search=essays-")
    assert len(shown.ids("?search=essays-")) == 50
    following = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")

    assert "search=essays-" in following
    assert len(shown.ids(following.removeprefix("/p/essays/passages"))) == 14


def test_who_annotates_too_is_told_nothing_of_what_they_have_still_to_submit(cast: Cast, client_of: Any) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    passage = passage_of(cast)
    submitted(row_of(cast, "ann", passage))
    mine = List(client_of("lead"))

    assert "yours to do first" in mine.page()
    assert mine.ids("?answers=1") == []
    page = client_of("lead").get(f"/p/essays/passages/{passage.uuid}").content.decode()
    assert "Yours to annotate first" in page
    assert cast.membership("ann").pseudonym not in page.partition("Who has it")[2]

    submitted(row_of(cast, "lead", passage))
    assert mine.ids("?answers=2") == ["essays-1"]


def test_the_page_of_a_passage_says_who_has_it_under_pseudonyms(cast: Cast, client_of: Any) -> None:
    passage = passage_of(cast)
    submitted(row_of(cast, "ann", passage))
    ask_question(row_of(cast, "ben", passage), by=cast.ben, text="Is <b>this</b> a name?")

    lead = client_of("lead")
    with nothing_written():
        page = lead.get(f"/p/essays/passages/{passage.uuid}").content.decode()

    assert TEXTS[0] in page
    assert cast.membership("ann").pseudonym in page
    assert '<span class="tag submitted">submitted</span>' in page
    assert "Is &lt;b&gt;this&lt;/b&gt; a name?" in page
    assert cast.ann.email not in page


def test_archiving_takes_unfinished_work_with_it(cast: Cast) -> None:
    passage = passage_of(cast)
    submitted(row_of(cast, "ann", passage))
    row = row_of(cast, "ben", passage)
    save_answer(row, active_ms=0, answer=answer_for(row), **of(row))

    withdrawn = archive_passage(passage, by=cast.lead)

    assert withdrawn == 2  # also that of a former member
    row.refresh_from_db()
    assert (row.state, row.draft["marks"][0]["substitutes"][0]["text"]) == ("withdrawn", "better")
    assert row_of(cast, "ann", passage).state == "submitted"
    assert not Submission.objects.counting().filter(assignment__passage=passage).exists()
    event = Event.objects.of(passage_of(cast)).last()
    assert event is not None
    assert (event.kind, event.payload) == ("passage.archived", {"withdrawn": 2})
    with pytest.raises(Conflict, match="archived already"):
        archive_passage(passage, by=cast.lead)


def test_what_is_archived_leaves_lists_and_progress_and_what_comes_next(cast: Cast, client_of: Any) -> None:
    first = cast.assignment("ann")
    before = own_progress(cast.ann, cast.project)
    submitted(cast.assignment("ann", 2))

    for number in (1, 2):
        archive_passage(cast.assignment("ann", number).passage, by=cast.lead)

    now = own_progress(cast.ann, cast.project)
    assert (before.total, now.total, now.submitted) == (4, 2, 0)
    assert next_number(cast.ann, cast.project) == 3
    ann = client_of("ann")
    assert first.passage.text not in ann.get("/p/essays/work").content.decode()
    assert len(ann.get("/api/v1/assignments").json()["results"]) == 2


def test_what_is_archived_is_not_taken_up_again(cast: Cast) -> None:
    row = submitted(cast.assignment("ann"))
    archive_passage(row.passage, by=cast.lead)
    row = cast.assignment("ann")

    with pytest.raises(Conflict, match="not in use any more"):
        reopen_assignment(row, **of(row))
    assert not row.can_come_back


def test_a_replacement_stands_for_the_old_one_and_is_handed_out(cast: Cast) -> None:
    passage = passage_of(cast)
    submitted(row_of(cast, "ann", passage))

    made = replace_passage(passage, by=cast.lead, text="My uncle has a big house.\r\nWe go there.  ")

    passage.refresh_from_db()
    assert passage.archived_at is not None
    assert (made.text, made.external_id, made.replaces_id) == (
        "My uncle has a big house.\nWe go there.", "essays-1-v2", passage.pk,
    )  # fmt: skip
    assert made.screening == "accepted"
    given = Assignment.objects.filter(passage=made).values_list("membership__user__name", flat=True)
    assert sorted(given) == ["Ann", "Ben"]
    assert row_of(cast, "ben", passage).state == "withdrawn"
    assert replace_passage(made, by=cast.lead, text="Once more.").external_id == "essays-1-v3"


def test_a_replacement_goes_to_who_had_the_old_one_unfinished(cast: Cast) -> None:
    project, (idle, busy) = a_project(cast, passages=4, people=2, answers_per_passage=1)
    for row in own(idle):
        withdraw_assignment(row, by=cast.lead)

    made = replace_passage(own(busy)[0].passage, by=cast.lead, text="A better one.")

    assert [row.membership for row in Assignment.objects.filter(passage=made)] == [busy]
    given = Event.objects.of(project).filter(kind="work.assigned").values_list("payload", flat=True)
    assert {"assignments": 1} in given


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"text": TEXTS[0]}, "This is the text that it has."),
        ({"text": " \n"}, "The passage has no text."),
        ({"text": "A\x00b"}, "control character"),
        ({"text": "x" * 20_001}, "20,000 are the most"),
        ({"text": "Good.", "external_id": "essays-2"}, "The id “essays-2” is there already."),
        ({"text": "Good.", "external_id": "a\tb"}, "line end or a tab"),
    ],
)
def test_a_replacement_that_is_no_passage_changes_nothing(cast: Cast, given: dict[str, str], message: str) -> None:
    before = list(Passage.objects.values())

    with pytest.raises(Invalid) as refused:
        replace_passage(passage_of(cast), by=cast.lead, **given)

    assert message in refused.value.problems[0].message
    assert list(Passage.objects.values()) == before


def test_what_was_typed_stands_beside_what_is_wrong_with_it(cast: Cast, client_of: Any) -> None:
    here = f"/p/essays/passages/{passage_of(cast).uuid}"

    got = client_of("lead").post(f"{here}/replace", {"text": "A better one.", "external_id": "essays-2"})

    page = got.content.decode()
    assert got.status_code == 422
    assert "The id “essays-2” is there already." in page
    assert "A better one.</textarea>" in page


def test_pages_archive_and_replace(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")
    one, two = passage_of(cast), passage_of(cast, 2)

    lead.post(f"/p/essays/passages/{one.uuid}/archive")
    got = lead.post(f"/p/essays/passages/{two.uuid}/replace", {"text": "A better one.", "external_id": ""})

    made = Passage.objects.get(replaces=two)
    assert got["Location"] == f"/p/essays/passages/{made.uuid}"
    assert "“essays-1” is archived. 3 unfinished answers went with it." in lead.get("/p/essays/people").content.decode()
    shown = List(lead)
    assert shown.ids() == ["essays-3", "essays-4", "essays-2-v2"]
    assert shown.ids("?archived=yes") == ["essays-1", "essays-2"]
    old = lead.get(f"/p/essays/passages/{two.uuid}").content.decode()
    assert "essays-2-v2</a> stands for it." in old
    assert "Replaced; 3 unfinished answers withdrawn" in old
    assert "Was made to replace another" in lead.get(f"/p/essays/passages/{made.uuid}").content.decode()


def test_the_key_of_a_test_goes_with_its_text(cast: Cast) -> None:
    row = Passage.objects.create(
        project=cast.project, external_id="t1", text="A test.", kind="control", key_answer={"none": True}
    )

    made = replace_passage(row, by=cast.lead, text="Another test.")

    assert (made.kind, made.key_answer) == ("test", None)
