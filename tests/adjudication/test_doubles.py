"""Passages settled by two, blind to each other: drawn, settled, measured, united."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage, decide_span, undo_decisions
from adjudication.actions.doubles import MOST_DOUBLES, draw_doubles, unite_double
from adjudication.actions.settling import Elsewhere, decide_elsewhere, settle_quiet
from adjudication.actions.steps import Decided
from adjudication.models import Comment, Decision, DecisionStep, Double, Merge
from adjudication.queries.adjudicating import adjudication_document
from adjudication.queries.doubles import double_report
from adjudication.queries.gold import merge_now, standing_now, standing_of
from adjudication.queries.same_words import words_elsewhere
from annotator.actions.people import add_member
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.models import Event, Membership, User
from config.doctor import examine
from tests.adjudication.test_deciding import PARTY, UNCLE, passage_of
from tests.adjudication.test_decision_api import Door
from tests.adjudication.test_queue import crowd, names, queue  # noqa: F401 (a fixture)
from tests.factories import Cast, make_user

KEEP: dict[str, Any] = {"verdict": "keep"}
DROP: dict[str, Any] = {"verdict": "drop"}
SETTLED: dict[str, Any] = {"verdict": "settled"}


@pytest.fixture
def two(crowd: Cast) -> Cast:  # noqa: F811
    """essays-1 and essays-3 are to be settled by two; `eve` is a second adjudicator."""
    add_member(crowd.project, user=make_user("eve"), by=crowd.lead, roles={"adjudicator"})
    assert draw_doubles(crowd.project, by=crowd.lead, wanted=10) == 2
    return crowd


def eve_of(cast: Cast) -> User:
    return User.objects.get(email="eve@example.org")


def membership_of(cast: Cast, user: User) -> Membership:
    return Membership.objects.get(project=cast.project, user=user)


def decide(
    cast: Cast, span: tuple[int, int] | None, content: dict[str, Any], by: User, act: UUID | None = None, **given: Any
) -> Decided:
    passage = passage_of(cast, given.pop("passage", "essays-1"))
    row = standing_now(passage, membership_of(cast, by)).decision(span)
    about = {"version": row.version if row else 0, "act": act or uuid4(), "content": content, "by": by, **given}
    return decide_passage(passage, **about) if span is None else decide_span(passage, span, **about)


def counting(cast: Cast) -> dict[str, Any]:
    found = standing_of(passage_of(cast), merge_now(cast.project))
    assert found is not None
    return {target.quote: target.is_kept for target in found.gold.targets}


def both_settle(cast: Cast) -> None:
    decide(cast, PARTY, KEEP, cast.adjudicator)
    decide(cast, None, SETTLED, cast.adjudicator)
    decide(cast, PARTY, KEEP, eve_of(cast), reason="a feast indeed")
    decide(cast, UNCLE, DROP, eve_of(cast))
    decide(cast, None, SETTLED, eve_of(cast))


def test_what_asks_and_nobody_has_decided_is_drawn(crowd: Cast) -> None:  # noqa: F811
    decide_passage(
        passage_of(crowd, "essays-3"), by=crowd.adjudicator, version=0, act=uuid4(), content={"verdict": "settled"}
    )

    assert draw_doubles(crowd.project, by=crowd.lead, wanted=5) == 1
    assert Double.objects.get().passage.external_id == "essays-1"
    [event] = Event.objects.filter(kind="doubles.drawn")
    assert event.payload == {"wanted": 5, "before": 0, "now": 1}


def test_fewer_lets_go_what_nobody_has_begun_on(two: Cast) -> None:
    decide(two, PARTY, KEEP, two.adjudicator)

    assert draw_doubles(two.project, by=two.lead, wanted=0) == 1
    assert Double.objects.get().passage.external_id == "essays-1"
    assert draw_doubles(two.project, by=two.lead, wanted=1) == 1


@pytest.mark.parametrize("wanted", [-1, MOST_DOUBLES + 1])
def test_a_senseless_number_is_named(crowd: Cast, wanted: int) -> None:  # noqa: F811
    with pytest.raises(Invalid, match="Between 0 and"):
        draw_doubles(crowd.project, by=crowd.lead, wanted=wanted)


def test_only_a_lead_draws(crowd: Cast) -> None:  # noqa: F811
    with pytest.raises(NotAllowed):
        draw_doubles(crowd.project, by=crowd.adjudicator, wanted=1)


def test_neither_sees_the_other_and_nothing_counts_until_it_is_united(two: Cast) -> None:
    before = counting(two)
    decide(two, PARTY, KEEP, two.adjudicator, reason="mine alone")
    add_comment(passage_of(two), by=two.adjudicator, text="mine alone, too")

    eve = eve_of(two)
    document = adjudication_document(passage_of(two), membership_of(two, eve))
    assert document["history"] == []
    assert document["comments"] == []
    assert document["standing"]["double"] is None
    party = next(row for row in document["standing"]["targets"] if row["quote"] == "party")
    assert (party["decision"], party["is_kept"]) == (None, False)
    assert b"mine alone" not in Door(two, eve).get().content
    assert not Comment.objects.visible_to(eve).exists()
    assert not Decision.objects.visible_to(eve).exists()
    assert not Decision.objects.visible_to(two.lead).exists()
    assert Decision.objects.visible_to(two.adjudicator).count() == 1
    assert "comment" not in str(queue(two, eve).page()[0])
    assert counting(two) == before


def test_each_takes_a_seat_with_the_first_act_and_a_third_is_told(two: Cast) -> None:
    decide(two, PARTY, KEEP, two.adjudicator)
    decide(two, PARTY, DROP, eve_of(two))

    double = Double.objects.get(passage=passage_of(two))
    assert (double.seat_1, double.seat_2) == (membership_of(two, two.adjudicator), membership_of(two, eve_of(two)))
    with pytest.raises(Conflict) as refusal:
        decide(two, PARTY, KEEP, two.lead)
    assert refusal.value.code == "others_settle"
    assert names(queue(two, two.lead)) == ["essays-3"]
    assert Door(two, two.lead).get().status_code == 409
    assert [event.seq for event in Event.objects.of(double).order_by("seq")] == [1, 2]


def test_what_one_has_settled_leaves_their_queue_and_comes_back_to_be_united(two: Cast) -> None:
    decide(two, None, SETTLED, two.adjudicator)

    mine, eves = queue(two), queue(two, eve_of(two))
    assert names(mine) == ["essays-3"]
    assert names(eves) == ["essays-3", "essays-1"]
    assert (mine.counts["waiting"], eves.counts["waiting"]) == (1, 2)
    assert names(queue(two, settled="me")) == ["essays-1"]
    told = adjudication_document(passage_of(two), membership_of(two, two.adjudicator))["standing"]["double"]
    assert told == {"is_done": False, "sides": []}

    decide(two, None, SETTLED, eve_of(two))
    for user in (two.adjudicator, two.lead, eve_of(two)):
        found = queue(two, user, flag="unite")
        assert names(found) == ["essays-1"]
        assert found.page()[0][0].reasons[0] == "settled twice"
        assert found.counts["unite"] == found.left == 1


def test_it_can_be_opened_again_until_the_other_has_settled_it(two: Cast) -> None:
    act = decide(two, None, SETTLED, two.adjudicator).act
    assert act is not None
    assert Double.objects.get(passage=passage_of(two)).done_1 is not None

    undo_decisions(passage_of(two), by=two.adjudicator, act=uuid4(), undoes=act)
    assert Double.objects.get(passage=passage_of(two)).done_1 is None

    again = decide(two, None, SETTLED, two.adjudicator).act
    assert again is not None
    decide(two, None, SETTLED, eve_of(two))
    with pytest.raises(Conflict, match="unite"):
        undo_decisions(passage_of(two), by=two.adjudicator, act=uuid4(), undoes=again)


def test_who_goes_on_deciding_while_the_other_settles_is_told(two: Cast) -> None:
    first = decide(two, PARTY, KEEP, two.adjudicator)
    decide(two, None, SETTLED, two.adjudicator)
    decide(two, None, SETTLED, eve_of(two))

    with pytest.raises(Conflict) as refusal:
        decide_span(passage_of(two), PARTY, by=two.adjudicator, version=first.version, act=uuid4(), content=DROP)
    assert refusal.value.code == "unite"
    # A lost response to what did arrive is answered as it was.
    assert first.act is not None
    again = decide_span(passage_of(two), PARTY, by=two.adjudicator, version=0, act=first.act, content=KEEP | EMPTY_REST)
    assert again == first


EMPTY_REST: dict[str, Any] = {"suggestions": [], "removed": []}


def test_what_both_say_is_taken_in_one_act_and_taken_back_by_one(two: Cast) -> None:
    both_settle(two)
    assert [found.problems for found in examine() if found.check in ("decisions", "event chains")] == [[], []]
    before, act = counting(two), uuid4()

    unite_double(passage_of(two), by=two.lead, act=act, take="both")
    assert counting(two) == {**before, "party": True}
    assert unite_double(passage_of(two), by=two.lead, act=act, take="both").act == act  # sent again
    assert DecisionStep.objects.of_act(act).count() == 1
    with pytest.raises(Conflict, match="nothing to take"):
        unite_double(passage_of(two), by=two.lead, act=uuid4(), take="both")

    undo_decisions(passage_of(two), by=two.lead, act=uuid4(), undoes=act)
    assert counting(two) == before


def test_all_of_one_is_taken_and_settles_the_passage(two: Cast) -> None:
    both_settle(two)
    eve = membership_of(two, eve_of(two))

    unite_double(passage_of(two), by=two.adjudicator, act=uuid4(), take=eve.pseudonym)

    assert counting(two) == {"uncle": False, "party": True, "summer": False}
    assert names(queue(two)) == ["essays-3"]
    row = Decision.objects.counting().get(start=PARTY[0])
    assert (row.reason, row.by) == ("a feast indeed", membership_of(two, two.adjudicator))


def test_where_both_say_the_same_the_passage_is_settled_with_it(two: Cast) -> None:
    for user in (two.adjudicator, eve_of(two)):
        decide(two, UNCLE, DROP, user)
        decide(two, None, SETTLED, user)

    unite_double(passage_of(two), by=two.adjudicator, act=uuid4(), take="both")

    assert Decision.objects.counting().about_passages().get().verdict == "settled"
    [line] = double_report(merge_now(two.project), two.lead).lines
    assert (line.is_same, line.is_united) == (True, True)


def test_only_what_both_have_settled_is_united_and_only_by_names_that_are_there(two: Cast) -> None:
    with pytest.raises(Conflict, match="first"):
        unite_double(passage_of(two), by=two.lead, act=uuid4(), take="both")
    both_settle(two)
    with pytest.raises(Invalid, match="One takes “both”"):
        unite_double(passage_of(two), by=two.lead, act=uuid4(), take="nobody")


def test_the_report_is_of_what_both_have_settled(two: Cast) -> None:
    both_settle(two)

    report = double_report(merge_now(two.project), two.lead)

    assert (report.drawn, report.untouched, report.begun, len(report.lines)) == (2, 1, 0, 1)
    figures = report.twice
    # uncle: kept and dropped; party: kept by both; summer: dropped by both.
    assert figures.verdict == pytest.approx(2 / 3)
    assert figures.verdict_touched == pytest.approx(1 / 2)
    assert (figures.type, figures.suggestion) == (1.0, 1.0)


def test_nobody_settles_such_a_passage_from_elsewhere(two: Cast) -> None:
    merge = Merge.objects.of(two.project).current().select_related("project").get()
    for name in ("essays-2", "essays-4"):
        Double.objects.create(passage=passage_of(two, name))
    settle_quiet(two.project, by=two.lead, act=uuid4(), dispute=1000)

    assert not Decision.objects.exists()
    with pytest.raises(Conflict) as refusal:
        decide_elsewhere(
            two.project, by=two.lead, act=uuid4(), targets=[Elsewhere(passage_of(two), UNCLE, 0)], content=DROP
        )
    assert refusal.value.code == "twice"
    other = standing_of(passage_of(two, "essays-2"), merge)
    assert other is not None
    assert words_elsewhere(other, UNCLE, two.lead)["results"] == []


def test_the_door_unites(two: Cast) -> None:
    both_settle(two)
    door = Door(two)
    told = door.get().json()["standing"]["double"]
    assert [len(side["decisions"]) for side in told["sides"]] == [1, 2]

    answer = door.post("/decisions/unite", {"act": str(uuid4()), "take": "both"})

    assert answer.status_code == 200
    assert {row["quote"]: row["is_kept"] for row in answer.json()["passage"]["targets"]}["party"] is True
    assert door.post("/decisions/unite", {"act": str(uuid4()), "take": "nobody"}).status_code == 422


def test_the_page_draws_and_tells(two: Cast, client: Any) -> None:
    client.force_login(two.lead)
    both_settle(two)

    page = client.get("/p/essays/adjudicate/twice").content.decode()
    assert "66.7 %" in page
    assert "(2 targets), the verdicts agree in 50.0 %" in page
    assert "<b>to unite</b>" in page
    answer = client.post("/p/essays/adjudicate/twice", {"wanted": "many"}, follow=True).content.decode()
    assert "“many” is not a number of passages." in answer
    answer = client.post("/p/essays/adjudicate/twice", {"wanted": "7"}, follow=True).content.decode()
    assert "2 passages to be settled by two; 7 were asked for." in answer
    client.force_login(two.adjudicator)
    assert client.post("/p/essays/adjudicate/twice", {"wanted": "0"}, follow=True).status_code == 200
    assert Double.objects.count() == 2
