"""Questions to the lead, findings and the place of a passage: one's own and nobody else's."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from annotator.actions.questions import answer_question, ask_question
from annotator.domain.answers import MAX_MARKS, MAX_SUBSTITUTES
from annotator.domain.errors import Invalid, NotAllowed, Stale
from annotator.domain.lengths import MAX_NOTE_LENGTH, MAX_QUESTION_LENGTH, MAX_REMARK_LENGTH, MAX_SUBSTITUTE_LENGTH
from annotator.models import Project, Question, Submission
from annotator.queries.work import next_assignment, own_pace, own_quota, place_of
from tests.conftest import Api, nothing_written
from tests.factories import Cast, answer_for, mark, save_body


def ask(cast: Cast, name: str = "ann", text: str = "Is this a name?") -> Question:
    return ask_question(cast.assignment(name), by=cast.person(name), text=text)


def test_a_question_is_answered_and_both_are_seen_by_who_asked(cast: Cast, client_of: Any) -> None:
    question = ask(cast)
    page = client_of("lead").get("/p/essays/questions").content.decode()
    assert "Is this a name?" in page

    answer_question(question, by=cast.lead, version=1, text="It is.\r\nLeave it.")

    row = cast.assignment("ann")
    assert place_of(row)["questions"] == [{"text": "Is this a name?", "answer": "It is.\nLeave it."}]
    assert Api(cast.ann).call("GET", f"/api/v1/assignments/{row.uuid}").json()["questions"][0]["answer"]
    assert "It is." in client_of("ann").get("/p/essays/work").content.decode()


def test_times_are_those_of_the_time_zone_of_the_project(cast: Cast, client_of: Any) -> None:
    Project.objects.filter(pk=cast.project.pk).update(time_zone="Asia/Tokyo")
    asked_at = ask(cast).asked_at.astimezone(ZoneInfo("Asia/Tokyo"))

    assert f"{asked_at:%H:%M}" in client_of("lead").get("/p/essays/questions").content.decode()


def test_signing_in_again_after_an_answer_leads_to_the_page_of_questions(cast: Cast, client_of: Any) -> None:
    """The answer itself was sent to an address that has no page; the browser has kept its text."""
    path = f"/p/essays/questions/{ask(cast).uuid}"

    sent = client_of(None).post(path, {"text": "Yes."})

    assert sent["Location"] == f"/log-in?next={path}"
    assert client_of("lead").get(path)["Location"] == "/p/essays/questions"


def test_nobody_else_learns_of_a_question(cast: Cast, client_of: Any) -> None:
    ask(cast)

    for name in ("ben", "adjudicator", "former", "stranger", "other_lead"):
        assert not Question.objects.visible_to(cast.person(name)).exists()
    assert place_of(cast.assignment("ben"))["questions"] == []
    assert "Is this a name?" not in client_of("ben").get("/p/essays/work").content.decode()


def test_two_leads_do_not_overwrite_each_other(cast: Cast) -> None:
    question = ask(cast)
    answer_question(question, by=cast.lead, version=1, text="Yes.")

    with pytest.raises(Stale):
        answer_question(question, by=cast.lead, version=1, text="No.")
    question.refresh_from_db()
    assert question.answer == "Yes."


@pytest.mark.parametrize("text", ["", " \n\u200b", "x" * 2001, "a\x00b"])
def test_what_cannot_be_asked(cast: Cast, text: str) -> None:
    with pytest.raises(Invalid):
        ask(cast, text=text)
    assert not Question.objects.exists()


def test_only_about_ones_own_and_only_leads_answer(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        ask_question(cast.assignment("ann"), by=cast.ben, text="May I?")
    with pytest.raises(NotAllowed):
        answer_question(ask(cast), by=cast.adjudicator, version=1, text="Yes.")


def test_questions_are_not_endless(cast: Cast) -> None:
    for number in range(20):
        ask(cast, text=f"Question {number}")

    with pytest.raises(Invalid, match="many open questions"):
        ask(cast)


def test_findings_read_only(cast: Cast) -> None:
    row = cast.assignment("ann")
    text = row.passage.text
    word = text.split()[1]
    answer = {"marks": [mark(text, word, f"{word}, other")]}
    api = Api(cast.ann)

    with nothing_written():
        found = api.call("POST", f"/api/v1/assignments/{row.uuid}/findings", {"answer": answer}).json()["findings"]

    assert "comma" in [item["code"] for item in found]
    assert found[0]["fix"]["mark"]["substitutes"][0]["text"] == word
    bad = api.call("POST", f"/api/v1/assignments/{row.uuid}/findings", {"answer": {"marks": [{}]}})
    assert bad.status_code == 422


def test_types_come_in_an_order_of_ones_own_unless_fixed(cast: Cast) -> None:
    orders = {}
    for number in range(40):
        name = f"A{number}"
        cast.membership("ann")
        cast.project.memberships.filter(user=cast.ann).update(pseudonym=name)
        page = Api(cast.ann).call("GET", f"/api/v1/assignments/{cast.assignment('ann').uuid}").json()
        types = page["rules"]["types"]
        orders[name] = tuple(item["key"] for item in types)
        assert {item["key"]: item["line"] for item in types} == {"refine-usage": 0, "diversify-expression": 1}
    assert len(set(orders.values())) == 2
    Project.objects.filter(pk=cast.project.pk).update(
        protocol_data={**cast.project.protocol_data, "fixes_type_order": True}
    )
    page = Api(cast.ann).call("GET", f"/api/v1/assignments/{cast.assignment('ann').uuid}").json()
    assert [item["key"] for item in page["rules"]["types"]] == ["refine-usage", "diversify-expression"]


def test_the_page_is_told_the_rules_it_works_by(cast: Cast) -> None:
    page = Api(cast.ann).call("GET", f"/api/v1/assignments/{cast.assignment('ann').uuid}").json()

    rules = page["rules"]
    assert (rules["separator"], rules["folds"], rules["max_substitutes"]) == (";", True, None)
    assert rules["warn_below_marks"] == cast.project.protocol.warn_below_marks
    assert rules["lengths"] == {
        "substitute": MAX_SUBSTITUTE_LENGTH,
        "note": MAX_NOTE_LENGTH,
        "remark": MAX_REMARK_LENGTH,
        "question": MAX_QUESTION_LENGTH,
        "marks": MAX_MARKS,
        "substitutes": MAX_SUBSTITUTES,
    }
    assert not {"types", "separator", "warn_below_marks"} & set(page)


def test_the_next_passage_is_the_next_still_to_do(cast: Cast) -> None:
    member = cast.membership("ann")
    for number in (1, 3):
        row = cast.assignment("ann", number)
        Api(cast.ann).act(row, "submit", save_body(answer_for(row)), 0)

    assert [getattr(next_assignment(member, after=after), "number", None) for after in (0, 1, 2, 4)] == [2, 2, 4, 2]
    assert place_of(cast.assignment("ann", 2))["following"]["number"] == 4
    assert place_of(cast.assignment("ann", 4))["place"] == "4 of 4"


def test_a_page_loaded_for_the_next_passage_tells_once_what_became_of_the_last(cast: Cast, client_of: Any) -> None:
    row = cast.assignment("ann")
    Api(cast.ann).act(row, "submit", save_body(answer_for(row)), 0)
    client = client_of("ann")
    said = 'Passage 1 is submitted. <a href="/p/essays/work/1">Look at it again</a>'

    assert said in client.get("/p/essays/work/next?after=1&over", follow=True).content.decode()
    for address in ("/p/essays/work/2", "/p/essays/work/next?after=1", "/p/essays/work/next?after=2&over"):
        assert "Look at it again" not in client.get(address, follow=True).content.decode()


def test_the_quota_counts_ones_own_substitutes(cast: Cast) -> None:
    row = cast.assignment("ann")
    Api(cast.ann).save(row, save_body(answer_for(row, "one", "two")), 0)

    quota = own_quota(cast.membership("ann"))

    assert quota is not None
    assert (quota.label, quota.given, quota.wanted) == ("Refine usage", 2, 6)  # 1.5 for each of four
    found = Api(cast.ann).call("GET", "/api/v1/projects/essays/progress").json()
    assert (found["quota"]["given"], found["total"], found["done"]) == (2, 4, 0)
    Api(cast.ann).act(row, "discard", {"save_id": str(uuid4()), "reason": "grammar"}, 1)
    quota = own_quota(cast.membership("ann"))
    assert quota is not None
    assert (quota.given, quota.wanted) == (0, 5)  # what is set aside neither gives nor asks


def test_the_pace_counts_the_days_of_work_before_today_in_the_projects_time_zone(cast: Cast) -> None:
    Project.objects.filter(pk=cast.project.pk).update(time_zone="Pacific/Auckland")
    member = cast.membership("ann")
    today = timezone.now().astimezone(ZoneInfo("Pacific/Auckland")).replace(hour=0, minute=0, second=0, microsecond=0)

    def hand_in(number: int, at: datetime) -> None:
        row = cast.assignment("ann", number)
        Submission.objects.create(assignment=row, number=1, answer=answer_for(row), sha256="0" * 64, at=at)

    hand_in(1, today)
    assert own_pace(member) is None  # the first day tells nothing yet
    hand_in(2, today - timedelta(minutes=1))
    assert own_pace(member) == 1
    hand_in(3, today - timedelta(days=1))
    assert own_pace(member) == 2  # the same day, from its first minute to its last
    hand_in(4, today - timedelta(days=15))
    assert own_pace(member) == 2
    assert Api(cast.ann).call("GET", "/api/v1/projects/essays/progress").json()["pace"] == 2
