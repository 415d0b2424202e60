"""Decisions: written whole or not at all, never undone by a merge (T24), nobody's act lost."""

import threading
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from adjudication.actions.deciding import Decided, decide_passage, decide_span, undo_decisions
from adjudication.actions.merging import merge_project
from adjudication.models import Decision, DecisionStep, Merge
from adjudication.queries.gold import Standing, looking_again, standing_of
from annotator.actions.people import add_member
from annotator.actions.protocols import change_protocol
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Stale
from annotator.domain.protocol_changes import with_changed_type
from annotator.models import Assignment, Event, Passage, Project
from tests.adjudication.conftest import assignment_of, merge_all, submit
from tests.factories import TEXT, Cast, load_cast, make_user, mark
from tests.kept import once

UNCLE, PARTY, SUMMER = ((TEXT.index(word), TEXT.index(word) + len(word)) for word in ("uncle", "party", "summer"))
HOUSE = (TEXT.index("house"), TEXT.index("house") + 5)
KEEP: dict[str, Any] = {"verdict": "keep"}


@pytest.fixture
def merged(three: Cast) -> Cast:
    once(merge_all, three)
    return load_cast()


def passage_of(cast: Cast, name: str = "essays-1") -> Passage:
    return Passage.objects.select_related("project").get(project=cast.project, external_id=name)


def standing(cast: Cast, name: str = "essays-1") -> Standing:
    merge = Merge.objects.of(cast.project).current().get()
    found = standing_of(passage_of(cast, name), merge)
    assert found is not None
    return found


def decide(cast: Cast, span: tuple[int, int] | None, content: dict[str, Any], **given: Any) -> Decided:
    by = given.pop("by", cast.adjudicator)
    passage = passage_of(cast, given.pop("passage", "essays-1"))
    row = Decision.objects.filter(passage=passage, start=span and span[0], end=span and span[1]).first()
    given = {"act": uuid4(), "version": row.version if row else 0, **given}
    if span is None:
        return decide_passage(passage, by=by, content=content, **given)
    return decide_span(passage, span, by=by, content=content, **given)


def votes(cast: Cast) -> dict[str, dict[str, int]]:
    kept = standing(cast).gold.kept
    return {target.quote: {item.text: item.votes for item in target.suggestions} for target in kept}


def test_a_decision_says_who_when_why_and_on_what(merged: Cast) -> None:
    done = decide(merged, PARTY, KEEP, reason="A party is no feast.\r\n", cause="ambiguous")

    row, step = Decision.objects.get(), DecisionStep.objects.get()
    assert (done.version, row.version, step.number) == (1, 1, 1)
    assert (step.reason, step.cause, step.by.user) == ("A party is no feast.", "ambiguous", merged.adjudicator)
    assert step.evidence == standing(merged).by_span[PARTY].evidence != ""
    assert [item["text"] for item in step.snapshot["suggestions"]] == ["feast"]
    assert step.merge == Merge.objects.get().input_hash
    [event] = Event.objects.of(row)
    assert (event.kind, event.project, event.payload["act"]) == ("decision.made", merged.project, str(done.act))
    assert votes(merged) == {"uncle": {"relative": 3, "kinsman": 1}, "party": {"feast": 1}}


@pytest.mark.parametrize("span", [None, PARTY])
def test_there_is_one_decision_of_each_seat_about_a_span_and_one_about_a_passage(merged: Cast, span: Any) -> None:
    """The database sees to it, also where both ends are null, which elsewhere count as different."""
    start, end = span or (None, None)
    row: dict[str, Any] = {"passage": passage_of(merged), "start": start, "end": end, "content": {}}
    for seat in (0, 1):
        Decision.objects.create(**row, seat=seat)
        with pytest.raises(IntegrityError), transaction.atomic():
            Decision.objects.create(**row, seat=seat)

    assert Decision.objects.count() == 2


def test_the_same_again_writes_nothing(merged: Cast) -> None:
    first = decide(merged, PARTY, KEEP)

    assert decide(merged, PARTY, KEEP) == first
    assert DecisionStep.objects.count() == 1


def test_the_same_move_again_writes_nothing(merged: Cast) -> None:
    moved = {"verdict": "moved", "span": list(UNCLE)}
    first = decide(merged, PARTY, moved)

    assert decide(merged, PARTY, moved) == first
    assert DecisionStep.objects.count() == 2


def test_a_lost_response_is_answered_again(merged: Cast) -> None:
    act = uuid4()
    first = decide(merged, PARTY, KEEP, act=act, version=0)

    assert decide(merged, PARTY, KEEP, act=act, version=0) == first
    with pytest.raises(Stale):
        decide(merged, PARTY, {"verdict": "drop"}, act=act, version=0)
    with pytest.raises(Invalid, match="another body"):
        decide(merged, UNCLE, KEEP, act=act, version=0)
    assert DecisionStep.objects.count() == 1


def test_who_has_seen_an_older_decision_is_shown_the_newer(merged: Cast) -> None:
    decide(merged, PARTY, KEEP, by=merged.lead, reason="mine")

    with pytest.raises(Stale) as refusal:
        decide(merged, PARTY, {"verdict": "drop"}, version=0)

    stored = refusal.value.stored
    assert (stored["version"], stored["content"]["verdict"], stored["reason"]) == (1, "keep", "mine")
    assert (stored["keys"], stored["has_arrived"]) == (["feast"], False)
    assert DecisionStep.objects.count() == 1


def test_an_act_that_arrived_and_was_overtaken_is_told_so(merged: Cast) -> None:
    act = uuid4()
    decide(merged, PARTY, KEEP, act=act)
    decide(merged, PARTY, {"verdict": "drop"}, by=merged.lead)

    with pytest.raises(Stale) as refusal:
        decide(merged, PARTY, KEEP, act=act, version=0)

    assert refusal.value.stored["has_arrived"] is True


def test_a_move_writes_both_and_the_target_it_goes_to_wins(merged: Cast) -> None:
    decide(merged, UNCLE, {"verdict": "keep", "type": "diversify-expression"})
    decide(merged, PARTY, {"verdict": "moved", "span": list(UNCLE)})

    assert votes(merged) == {"uncle": {"relative": 3, "feast": 1, "kinsman": 1}}
    [target] = standing(merged).gold.kept
    assert (target.annotators, target.type) == (3, "diversify-expression")
    assert len(set(DecisionStep.objects.filter(number=1, decision__start=PARTY[0]).values_list("act", flat=True))) == 1


def test_moves_make_no_chains(merged: Cast) -> None:
    decide(merged, PARTY, {"verdict": "moved", "span": list(UNCLE)})

    for span, to in ((SUMMER, PARTY), (UNCLE, SUMMER)):
        with pytest.raises(Invalid) as refusal:
            decide(merged, span, {"verdict": "moved", "span": list(to)})
        assert refusal.value.problems[0].code == "chain"


def test_a_move_is_undone_whole_and_done_again(merged: Cast) -> None:
    before = votes(merged)
    moved = decide(merged, PARTY, {"verdict": "moved", "span": list(UNCLE)})
    after = votes(merged)
    assert moved.act is not None
    undo = uuid4()

    undo_decisions(passage_of(merged), by=merged.adjudicator, act=undo, undoes=moved.act)
    assert votes(merged) == before
    assert Decision.objects.counting().count() == 0
    undo_decisions(passage_of(merged), by=merged.adjudicator, act=undo, undoes=moved.act)  # sent again
    undo_decisions(passage_of(merged), by=merged.adjudicator, act=uuid4(), undoes=undo)

    assert votes(merged) == after
    assert DecisionStep.objects.count() == 6
    for row in Decision.objects.all():
        assert list(Event.objects.of(row).values_list("seq", flat=True)) == [1, 2, 3]


def test_nobody_takes_back_what_was_decided_anew_or_by_another(merged: Cast) -> None:
    first = decide(merged, PARTY, KEEP)
    assert first.act is not None
    with pytest.raises(Conflict, match="Only whoever"):
        undo_decisions(passage_of(merged), by=merged.lead, act=uuid4(), undoes=first.act)
    decide(merged, PARTY, {"verdict": "drop"}, by=merged.lead)

    with pytest.raises(Stale):
        undo_decisions(passage_of(merged), by=merged.adjudicator, act=uuid4(), undoes=first.act)
    with pytest.raises(Conflict, match="no such act"):
        undo_decisions(passage_of(merged), by=merged.adjudicator, act=uuid4(), undoes=uuid4())

    assert DecisionStep.objects.count() == 2


def test_a_passage_is_discarded_with_a_reason_only(merged: Cast) -> None:
    with pytest.raises(Invalid, match="needs a reason"):
        decide(merged, None, {"verdict": "discard"}, reason=" ")
    with pytest.raises(Invalid, match="discards outnumber"):
        decide(merged, None, {"verdict": "keep"})

    decide(merged, None, {"verdict": "discard"}, reason="Not English.")

    assert votes(merged) == {}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"reason": "x" * 2001}, "too_long"),
        ({"reason": "a\u0007"}, "forbidden_character"),
        ({"cause": "nonsense"}, "cause"),
    ],
)
def test_words_about_a_decision_are_checked(merged: Cast, given: dict[str, str], code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        decide(merged, PARTY, KEEP, **given)

    assert refusal.value.problems[0].code == code
    assert not Decision.objects.exists()


@pytest.mark.parametrize("span", [(0, 999), (5, 5), (9, 4)])
def test_a_span_outside_the_text_is_named(merged: Cast, span: tuple[int, int]) -> None:
    with pytest.raises(Invalid, match="not a span of the passage"):
        decide(merged, span, {"verdict": "keep", "suggestions": [{"text": "x", "from": []}]})


def test_a_suggestion_that_is_gone_is_a_412_with_what_stands_there(merged: Cast) -> None:
    with pytest.raises(Stale, match="not offered here any more") as refusal:
        decide(merged, UNCLE, {"verdict": None, "suggestions": [{"text": "kin", "from": ["kinsman", "aunt"]}]})

    assert refusal.value.stored["keys"] == ["kinsman", "relative"]
    with pytest.raises(Invalid, match="another target"):
        decide(merged, UNCLE, {"verdict": None, "suggestions": [{"text": "kin", "from": ["kinsman", "feast"]}]})
    assert not Decision.objects.exists()


def test_whoever_has_still_to_answer_a_passage_does_not_decide_it(merged: Cast) -> None:
    both = make_user("both")
    add_member(merged.project, user=both, by=merged.lead, roles={"adjudicator", "annotator"})

    with pytest.raises(NotAllowed, match="still to annotate yourself"):
        decide(merged, PARTY, KEEP, by=both)
    for name in ("ann", "stranger", "other_lead", "former"):
        with pytest.raises(NotAllowed, match="Only an adjudicator"):
            decide(merged, PARTY, KEEP, by=merged.person(name))
    assert not Decision.objects.exists()


def test_without_a_merge_there_is_nothing_to_decide(three: Cast) -> None:
    with pytest.raises(Conflict, match="no merge yet"):
        decide(three, PARTY, KEEP)


def test_steps_are_kept_by_the_database(merged: Cast) -> None:
    decide(merged, PARTY, KEEP)

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        DecisionStep.objects.update(reason="forged")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        DecisionStep.objects.all()._raw_delete("default")


def answer_again(cast: Cast, user: Any, *marks: dict[str, Any]) -> None:
    """Reopening is for the annotator alone; here the row is put back by hand and submitted anew."""
    row = assignment_of(user, "essays-1")
    Assignment.objects.filter(pk=row.pk).update(state="started")
    submit(cast, user, *marks)


def test_t24_a_merge_undoes_no_decision(merged: Cast) -> None:
    """T24: a keep, a join, a move, an added target and a discarded passage outlive a re-merge; look again is asked
    exactly where the evidence changed."""
    decide(merged, SUMMER, KEEP)
    decide(merged, UNCLE, {"verdict": None, "suggestions": [{"text": "relation", "from": ["relative", "kinsman"]}]})
    decide(merged, PARTY, {"verdict": "moved", "span": list(HOUSE)})
    added = (TEXT.index("big"), TEXT.index("big") + 3)
    decide(merged, added, {"verdict": "keep", "suggestions": [{"text": "large", "from": []}]})
    decide(merged, None, {"verdict": "discard"}, reason="A duplicate.", passage="essays-2")
    stored = list(Decision.objects.order_by("pk").values("pk", "content", "version"))
    before = votes(merged)
    assert before == {
        "uncle": {"relation": 3},
        "big": {"large": 0},
        "house": {"feast": 1},
        "summer": {"year": 1},
    }
    cleo = add_another(merged)

    merge_project(merged.project, by=merged.lead)  # one more says nothing here: nothing has changed
    assert again(merged) == set()
    assert votes(merged) == before

    answer_again(merged, cleo, mark(TEXT, "uncle", "relative", "kin"))
    merge_project(merged.project, by=merged.lead)

    assert list(Decision.objects.order_by("pk").values("pk", "content", "version")) == stored
    assert votes(merged) == {
        "uncle": {"relation": 4, "kin": 1},
        "big": {"large": 0},
        "house": {"feast": 1},
        "summer": {"year": 1},
    }
    assert again(merged) == {UNCLE}
    assert standing(merged, "essays-2").gold.is_gold is False

    decide(merged, UNCLE, Decision.objects.get(start=UNCLE[0]).content)  # still right
    assert again(merged) == set()
    assert DecisionStep.objects.filter(decision__start=UNCLE[0]).count() == 2


def test_t24_a_kept_target_that_nobody_marks_any_more(merged: Cast) -> None:
    decide(merged, PARTY, KEEP)

    answer_again(merged, merged.ann, mark(TEXT, "uncle", "relative"))
    merge_project(merged.project, by=merged.lead)

    assert votes(merged)["party"] == {"feast": 0}
    assert again(merged) == {PARTY}


def add_another(cast: Cast) -> Any:
    dora = make_user("dora")
    add_member(cast.project, user=dora, by=cast.lead, roles={"annotator"})
    submit(cast, dora)
    return dora


def again(cast: Cast) -> set[Any]:
    """By the statement over all decisions, which must say what each passage says."""
    merge = Merge.objects.of(cast.project).current().get()
    found = {(row.passage_id, row.span) for row in Decision.objects.counting().filter(looking_again(merge))}
    by_passage = set()
    for name in ("essays-1", "essays-2"):
        one = standing(cast, name)
        by_passage |= {(one.passage.pk, row.span) for row in one.decisions if one.asks_to_look_again(row)}
    assert found == by_passage
    return {span for _, span in found}


def test_a_settled_passage_is_to_be_looked_at_again_when_somebody_says_more(merged: Cast) -> None:
    decide(merged, None, {"verdict": "settled"})
    assert again(merged) == set()

    answer_again(merged, merged.ann, mark(TEXT, "uncle", "relative"))
    merge_project(merged.project, by=merged.lead)

    assert again(merged) == {None}


def test_a_retired_type_is_refused_and_what_was_decided_before_stays(merged: Cast) -> None:
    decide(merged, UNCLE, {"verdict": None, "type": "diversify-expression"})
    project = Project.objects.get(pk=merged.project.pk)
    changes = with_changed_type(project.protocol, "diversify-expression", is_retired=True)
    change_protocol(project, by=merged.lead, version=project.version, changes=changes)

    with pytest.raises(Conflict, match="has been removed"):
        decide(merged, PARTY, {"verdict": None, "type": "diversify-expression"})

    assert standing(merged).gold.kept[0].type == "diversify-expression"


def test_two_at_once_one_is_told(three_committed: Cast) -> None:
    """Both have seen the same; one writes, the other is shown what stands there. Nothing is half written."""
    cast = three_committed
    merge_project(cast.project, by=cast.lead)
    passage, start, found = passage_of(cast), threading.Barrier(2), []

    def run(by: Any, verdict: str) -> None:
        try:
            start.wait(10)
            found.append(decide_span(passage, PARTY, by=by, version=0, act=uuid4(), content={"verdict": verdict}))
        except Stale as refusal:
            found.append(refusal)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in ((cast.lead, "keep"), (cast.adjudicator, "drop"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    done = [item for item in found if isinstance(item, Decided)]
    [told] = [item for item in found if isinstance(item, Stale)]
    assert len(done) == 1
    assert told.stored["content"] == Decision.objects.get().content
    assert DecisionStep.objects.count() == Decision.objects.get().version == 1


def test_restoring_what_was_moved_unmakes_the_target_that_the_move_made(merged: Cast) -> None:
    before = votes(merged)
    wide = (UNCLE[0], UNCLE[1] + 4)
    decide(merged, UNCLE, {"verdict": "moved", "span": list(wide)})
    assert list(votes(merged)) == ["uncle has"]

    decide(merged, UNCLE, KEEP)

    assert votes(merged) == before
    assert Decision.objects.counting().count() == 1
    decide(merged, UNCLE, {"verdict": "moved", "span": list(wide)})
    decide(merged, wide, {"verdict": "keep", "suggestions": [{"text": "kin has", "from": []}]})
    decide(merged, UNCLE, KEEP)
    assert set(votes(merged)) == {"uncle", "uncle has"}  # somebody has put something of their own there


def test_a_kept_target_keeps_a_suggestion(merged: Cast) -> None:
    bare = {"verdict": None, "removed": ["relative", "kinsman"]}
    with pytest.raises(Invalid, match="would be kept without a suggestion"):
        decide(merged, UNCLE, bare)
    decide(merged, UNCLE, {**bare, "verdict": "drop"})
    assert DecisionStep.objects.count() == 1
