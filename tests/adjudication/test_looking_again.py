"""T24, kind by kind: a decision outlives every merge, and asks for a look exactly where its evidence changed."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from adjudication.actions.merging import merge_project
from adjudication.models import Decision, DecisionStep, Merge
from adjudication.queries.adjudicating import adjudication_document
from adjudication.queries.gold import GoldPassage
from adjudication.queries.queue import Queue
from tests.adjudication.conftest import submit
from tests.adjudication.test_deciding import (
    HOUSE,
    KEEP,
    PARTY,
    SUMMER,
    UNCLE,
    add_another,
    again,
    answer_again,
    decide,
    passage_of,
    standing,
)
from tests.factories import TEXT, TEXTS, Cast, mark

BIG = (TEXT.index("big"), TEXT.index("big") + 3)
ADD = {**KEEP, "suggestions": [{"text": "large", "from": []}]}
JOIN = {"verdict": None, "suggestions": [{"text": "relation", "from": ["relative", "kinsman"]}]}
MOVE = {"verdict": "moved", "span": list(HOUSE)}
DISCARD = {"verdict": "discard"}


def texts_of(gold: GoldPassage) -> dict[str, set[str]]:
    return {target.quote: {item.text for item in target.suggestions} for target in gold.kept}


Check = Callable[[GoldPassage], bool]
# What is decided, and what must stand in the gold whatever is said afterwards.
KINDS: dict[str, tuple[Any, dict[str, Any], Check]] = {
    "keep": (SUMMER, KEEP, lambda gold: "year" in texts_of(gold)["summer"]),
    "join": (UNCLE, JOIN, lambda gold: texts_of(gold)["uncle"].isdisjoint({"relative", "kinsman"})),
    "move": (PARTY, MOVE, lambda gold: "feast" in texts_of(gold)["house"] and "party" not in texts_of(gold)),
    "add": (BIG, ADD, lambda gold: "large" in texts_of(gold)["big"]),
    "discard": (None, DISCARD, lambda gold: not gold.is_gold),
}
# What somebody says besides; by which kinds of decisions rest on that word.
SAID = {"keep": ("summer", "season"), "join": ("uncle", "kin"), "move": ("party", "ball"), "add": ("big", "huge")}


@pytest.fixture
def decided(three: Cast, request: pytest.FixtureRequest) -> Cast:
    """Only this kind was decided, on the first passage."""
    merge_project(three.project, by=three.lead)
    span, content, _ = KINDS[request.param]
    decide(three, span, content, reason="A duplicate." if span is None else "")
    return three


def others(kind: str) -> list[dict[str, Any]]:
    """Something said about every word but the one that the decision is about."""
    return [mark(TEXT, word, text) for name, (word, text) in SAID.items() if name != kind]


@pytest.mark.parametrize(("decided", "kind"), [(kind, kind) for kind in KINDS], indirect=["decided"])
def test_t24_it_holds_and_asks_only_when_something_is_said_about_it(decided: Cast, kind: str) -> None:
    span, _, holds = KINDS[kind]
    stored = list(Decision.objects.order_by("pk").values())
    newcomer = add_another(decided)  # who finds nothing to say
    merge_project(decided.project, by=decided.lead)
    assert again(decided) == set()

    if span is not None:
        answer_again(decided, newcomer, *others(kind))
        merge_project(decided.project, by=decided.lead)
        assert again(decided) == set()
        assert holds(standing(decided).gold)
    word, text = SAID.get(kind, ("big", "huge"))  # of a passage anything that is said counts
    answer_again(decided, newcomer, *(others(kind) if span is not None else []), mark(TEXT, word, text))
    merge_project(decided.project, by=decided.lead)

    assert again(decided) == {span}
    assert holds(standing(decided).gold)
    assert list(Decision.objects.order_by("pk").values()) == stored


@pytest.mark.parametrize(("decided", "kind"), [(kind, kind) for kind in KINDS], indirect=["decided"])
def test_t24_it_holds_when_everybody_takes_back_what_they_said(decided: Cast, kind: str) -> None:
    """Its target is gone from the merge; a passage is as its answers are."""
    stored = list(Decision.objects.order_by("pk").values())
    for user in (decided.ann, decided.ben, decided.project.memberships.get(user__email="cleo@example.org").user):
        answer_again(decided, user)

    merge_project(decided.project, by=decided.lead)

    assert list(Decision.objects.order_by("pk").values()) == stored
    gold = standing(decided).gold
    if kind in ("keep", "add", "discard"):
        assert KINDS[kind][2](gold)
    asked = set() if kind == "add" else {KINDS[kind][0]}  # nobody had marked it before either
    assert asked <= again(decided) <= asked | {HOUSE}


@pytest.mark.parametrize(("decided", "kind"), [("keep", "keep")], indirect=["decided"])
def test_still_right_ends_it_until_something_is_said_again(decided: Cast, kind: str) -> None:
    span, content, _ = KINDS[kind]
    newcomer = add_another(decided)
    for times, text in ((2, "season"), (3, "sunny days")):
        answer_again(decided, newcomer, mark(TEXT, "summer", text))
        merge_project(decided.project, by=decided.lead)
        assert again(decided) == {span}
        decide(decided, span, content)
        assert again(decided) == set()
        assert DecisionStep.objects.count() == times


def test_a_passage_comes_back_to_the_queue_for_one_decision_of_several(three: Cast) -> None:
    submit(three, three.ann, mark(TEXTS[2], "good", "fine"), passage="essays-3")
    merge_project(three.project, by=three.lead)
    for span, content in ((UNCLE, JOIN), (SUMMER, KEEP)):
        decide(three, span, content)
    newcomer = add_another(three)
    answer_again(three, newcomer, mark(TEXT, "summer", "season"))
    merge_project(three.project, by=three.lead)

    merge = Merge.objects.of(three.project).current().select_related("project").get()
    lines, _ = Queue(merge, user=three.adjudicator).page()

    assert [(line.passage.external_id, line.reasons[0]) for line in lines] == [("essays-1", "look again")]


def test_a_settled_passage_shows_what_was_said_then_and_now_until_it_is_confirmed(three: Cast) -> None:
    merge_project(three.project, by=three.lead)
    decide(three, None, {"verdict": "settled"})
    document = partial(adjudication_document, passage_of(three), three.membership("adjudicator"))
    assert document()["standing"]["changes"] is None
    answer_again(three, add_another(three), mark(TEXT, "summer", "season"))
    merge_project(three.project, by=three.lead)

    changes = document()["standing"]["changes"]

    [row] = changes.pop("targets")
    assert changes == {"of": [3, 4], "discards": [0, 0]}
    assert row["quote"] == "summer"
    offered = [[item["text"] for item in row[time]["suggestions"]] for time in ("then", "now")]
    assert offered == [["year"], ["season", "year"]]
    assert [len(row[time]["voters"]) for time in ("then", "now")] == [1, 2]

    decide(three, None, {"verdict": "settled"})  # still right
    assert document()["standing"]["changes"] is None
    assert again(three) == set()


def test_a_passage_settled_before_snapshots_were_kept_still_asks(three: Cast) -> None:
    merge_project(three.project, by=three.lead)
    decide(three, None, {"verdict": "settled"})
    Decision.objects.update(snapshot={})
    answer_again(three, add_another(three), mark(TEXT, "summer", "season"))
    merge_project(three.project, by=three.lead)

    found = adjudication_document(passage_of(three), three.membership("adjudicator"))["standing"]

    assert (found["decision"]["looks_again"], found["changes"]) == (True, None)
