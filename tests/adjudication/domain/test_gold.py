"""The gold: decisions laid over a merge. Worked by hand, and laws over random ones."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.decisions import Content, PassageVerdict, SpanVerdict, Written
from adjudication.domain.gold import Fate, GoldPassage, Origin, Ruling, Snapshot, gold_passage
from adjudication.domain.merge import MergedPassage, Verdict, merge_passage
from annotator.domain.answers import Answer
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import PEOPLE, SETTINGS, TEXT, crowds, mark, passage

ONE, TWO, ONE_TWO, FIVE = (0, 3), (4, 7), (0, 7), (20, 24)
KEEP, DROP, MOVED = SpanVerdict.KEEP, SpanVerdict.DROP, SpanVerdict.MOVED


def merged() -> MergedPassage:
    """“One” by three, “two” by one, “One two” by one."""
    said = passage(
        {
            "A01": [mark(*ONE, "uno", "unos")],
            "A02": [mark(*ONE, "uno"), mark(*TWO, "dos")],
            "A03": [mark(*ONE, "una"), mark(*ONE_TWO, "uno", type="diversify-expression")],
            "A04": [],
        }
    )
    return merge_passage(said.answers, SETTINGS)


def gold(
    rulings: dict[tuple[int, int], Content], verdict: PassageVerdict | None = None, of: MergedPassage | None = None
) -> GoldPassage:
    laid = {span: Ruling(content) for span, content in rulings.items()}
    return gold_passage(of or merged(), laid, verdict, text=TEXT, settings=SETTINGS)


def votes(found: GoldPassage) -> dict[str, dict[str, int]]:
    return {target.quote: {item.text: item.votes for item in target.suggestions} for target in found.kept}


def test_without_decisions_it_is_the_merge() -> None:
    assert votes(gold({})) == {"One": {"uno": 2, "una": 1, "unos": 1}}
    assert [target.fate for target in gold({}).targets] == [Fate.MERGED] * 3


def test_a_single_vote_is_kept_and_a_kept_target_dropped() -> None:
    assert votes(gold({TWO: Content(KEEP), ONE: Content(DROP)})) == {"two": {"dos": 1}}


def test_one_key_edits_several_join_and_none_adds() -> None:
    edited = Content(suggestions=(Written("Uno!", ("unos",)),))
    joined = Content(suggestions=(Written("uno", ("uno", "una", "unos")),))
    added = Content(suggestions=(Written("single"),))

    assert votes(gold({ONE: edited})) == {"One": {"uno": 2, "Uno!": 1, "una": 1}}
    assert votes(gold({ONE: joined})) == {"One": {"uno": 3}}  # A01 gave two of them and is one voter
    assert votes(gold({ONE: added})) == {"One": {"uno": 2, "una": 1, "unos": 1, "single": 0}}
    origins = [
        item.origin
        for item in gold({ONE: replace(joined, suggestions=joined.suggestions + added.suggestions)}).kept[0].suggestions
    ]
    assert origins == [Origin.JOINED, Origin.ADDED]


def test_a_removed_suggestion_is_gone_and_the_others_pass_through() -> None:
    found = gold({ONE: Content(removed=("una",))})

    assert votes(found) == {"One": {"uno": 2, "unos": 1}}
    assert found.kept[0].annotators == 3


def test_a_type_that_is_decided_is_no_tie_any_more() -> None:
    tie = merge_passage(
        passage({"A01": [mark(*ONE, "uno")], "A02": [mark(*ONE, "dos", type="diversify-expression")]}).answers, SETTINGS
    )
    before, after = gold({}, of=tie), gold({ONE: Content(type="diversify-expression")}, of=tie)

    assert (before.kept[0].type, before.kept[0].type_tie) == ("refine-usage", True)
    assert (after.kept[0].type, after.kept[0].type_tie) == ("diversify-expression", False)


def test_a_moved_target_gives_its_voters_and_suggestions() -> None:
    """“One two” by A03 alone goes to “One”, which A03 marked too: three voters, one more vote for “uno”."""
    found = gold({ONE_TWO: Content(MOVED, ONE), ONE: Content(KEEP)})

    assert votes(found) == {"One": {"uno": 3, "una": 1, "unos": 1}}
    [target] = found.kept
    assert (target.annotators, target.moved_from, target.type) == (3, (ONE_TWO,), "refine-usage")
    moved = next(target for target in found.targets if target.span == ONE_TWO)
    assert (moved.fate, moved.moved_to, moved.is_kept) == (Fate.MOVED, ONE, False)


def test_moved_where_nobody_marked_makes_a_target_there() -> None:
    found = gold({ONE_TWO: Content(MOVED, FIVE), TWO: Content(MOVED, FIVE), FIVE: Content(KEEP)})

    five = next(target for target in found.kept if target.span == FIVE)
    assert (five.quote, five.voters, votes(found)["five"]) == ("five", ("A02", "A03"), {"dos": 1, "uno": 1})
    assert five.type == "refine-usage"  # one voter each: the first of the project's types


def test_an_added_target_has_no_votes() -> None:
    [_, five] = gold({FIVE: Content(KEEP, suggestions=(Written("cinco"),), type="diversify-expression")}).kept

    assert (five.quote, five.annotators, five.fate, five.type) == ("five", 0, Fate.ADDED, "diversify-expression")
    assert [(item.text, item.votes, item.origin) for item in five.suggestions] == [("cinco", 0, Origin.ADDED)]


def test_a_kept_target_that_nobody_marks_any_more_offers_what_it_did() -> None:
    snapshot = Snapshot.of(next(target for target in merged().targets if (target.start, target.end) == TWO))
    nobody = merge_passage(passage({"A01": [], "A02": []}).answers, SETTINGS)
    ruling = Ruling(Content(KEEP, suggestions=(Written("pair"),)), Snapshot.from_dict(snapshot.as_dict()))

    [target] = gold_passage(nobody, {TWO: ruling}, None, text=TEXT, settings=SETTINGS).kept

    assert [(item.text, item.votes) for item in target.suggestions] == [("dos", 0), ("pair", 0)]
    assert (target.annotators, target.type, target.fate) == (0, "refine-usage", Fate.ADDED)


def test_a_suggestion_that_comes_to_be_offered_later_joins_what_was_edited_to_it() -> None:
    edited = Content(suggestions=(Written("Una", ("unos",)),))

    assert votes(gold({ONE: edited})) == {"One": {"Una": 2, "uno": 2}}


@pytest.mark.parametrize(
    ("verdict", "is_gold"),
    [(None, False), (PassageVerdict.KEEP, True), (PassageVerdict.SETTLED, False), (PassageVerdict.DISCARD, False)],
)
def test_a_passage_is_kept_against_discards(verdict: PassageVerdict | None, is_gold: bool) -> None:
    said = passage({"A01": [mark(*ONE, "uno")], "A02": [mark(*ONE, "uno"), mark(*TWO, "dos")]})
    against = merge_passage(said.answers, SETTINGS, discards=3)
    found = gold({}, verdict, of=against)

    assert against.verdict == Verdict.DISCARDED
    assert (found.is_gold, votes(found)) == (is_gold, {"One": {"uno": 2}} if is_gold else {})


def test_a_discarded_passage_has_no_gold() -> None:
    assert gold({TWO: Content(KEEP)}, PassageVerdict.DISCARD).kept == ()


_spans = st.sampled_from([(0, 3), (4, 7), (0, 7), (8, 13), (14, 18), (8, 18), (20, 24), (4, 13)])
_keys = st.sampled_from(["uno", "dos", "tres", "cuatro", "don't", "gone"])
_written = st.lists(
    st.builds(
        Written, st.sampled_from(["Uno", "dos", "tres", "new"]), st.lists(_keys, max_size=2, unique=True).map(tuple)
    ),
    max_size=3,
    unique_by=lambda item: item.text.casefold(),
).map(tuple)
_plain = st.builds(
    Content,
    verdict=st.sampled_from([None, KEEP, DROP]),
    type=st.sampled_from(["", *SETTINGS.types]),
    suggestions=_written,
    removed=st.lists(_keys, max_size=2, unique=True).map(tuple),
)
_moved = st.builds(Content, verdict=st.just(MOVED), span=_spans)
_people = st.lists(st.sampled_from(PEOPLE), max_size=2, unique=True).map(tuple)
_snapshots = st.builds(
    Snapshot,
    voters=_people,
    type=st.sampled_from(["", *SETTINGS.types]),
    suggestions=st.lists(st.tuples(st.sampled_from(["Uno", "uno", "dos", "gone"]), _people), max_size=3).map(tuple),
)
_rulings = st.dictionaries(_spans, st.builds(Ruling, st.one_of(_plain, _moved), _snapshots), max_size=6)
_verdicts = st.sampled_from([None, *PassageVerdict])


def _merged(found: AnsweredPassage) -> MergedPassage:
    return merge_passage(found.answers, SETTINGS, discards=len(found.discarded_by))


@given(crowds(), _rulings, _verdicts, st.randoms())
def test_laws(found: list[AnsweredPassage], rulings: dict, verdict: PassageVerdict | None, chance) -> None:
    for item in found:
        merged_one = _merged(item)
        made = gold_passage(merged_one, rulings, verdict, text=TEXT, settings=SETTINGS)
        shuffled = list(rulings.items())
        chance.shuffle(shuffled)
        backwards = replace(merged_one, targets=tuple(reversed(merged_one.targets)))
        assert gold_passage(backwards, dict(shuffled), verdict, text=TEXT, settings=SETTINGS) == made
        for target in made.targets:
            assert all(item.votes <= target.annotators <= target.of for item in target.suggestions)
            assert {voter for item in target.suggestions for voter in item.voters} <= set(target.voters)
            assert len({item.key for item in target.suggestions}) == len(target.suggestions)
            assert target.quote == TEXT[target.start : target.end]
        spans = [target.span for target in made.targets]
        assert spans == sorted(set(spans))
        decided = {span: ruling.content.verdict for span, ruling in rulings.items()}
        for target in made.targets:
            if decided.get(target.span) is not None:
                assert target.is_kept == (decided[target.span] == KEEP)


@given(crowds(), _rulings, _verdicts, st.integers(1, 3))
def test_equal_evidence_is_equal_gold(
    found: list[AnsweredPassage], rulings: dict, verdict: PassageVerdict | None, more: int
) -> None:
    """People who mark nothing change of how many, and nothing else."""
    for item in found:
        silent = {f"S{number:02d}": Answer(none=True) for number in range(more)}
        one, two = _merged(item), _merged(replace(item, answers={**item.answers, **silent}))
        if one.verdict != two.verdict:
            continue  # by now enough have answered it
        assert [target.evidence for target in one.targets] == [target.evidence for target in two.targets]
        before, after = (gold_passage(merged, rulings, verdict, text=TEXT, settings=SETTINGS) for merged in (one, two))
        assert after.is_gold == before.is_gold
        assert after.of == before.of + more
        assert after.targets == tuple(replace(target, of=after.of) for target in before.targets)


@given(crowds(), _rulings)
def test_what_nobody_marks_any_more_offers_what_it_did_without_a_vote(
    found: list[AnsweredPassage], rulings: dict
) -> None:
    for item in found:
        made = gold_passage(_merged(item), rulings, None, text=TEXT, settings=SETTINGS)
        for target in made.targets:
            if target.fate != Fate.ADDED:
                continue
            ruling = rulings[target.span]
            offered = {text.casefold() for text, _ in ruling.snapshot.suggestions} - ruling.content.named
            assert (target.annotators, target.votes) == (0, 0)
            assert {item.key for item in target.suggestions} == offered | {
                item.text.casefold() for item in ruling.content.suggestions
            }


@given(crowds())
def test_no_decisions_are_the_merge(found: list[AnsweredPassage]) -> None:
    for item in found:
        merged_one = _merged(item)
        made = gold_passage(merged_one, {}, None, text=TEXT, settings=SETTINGS)
        assert made.is_gold == (merged_one.verdict == Verdict.MERGED)
        assert [_said(target) for target in made.targets] == [_said(target) for target in merged_one.targets]


def _said(target: Any) -> tuple[Any, ...]:
    offered = [(item.text, item.voters) for item in target.suggestions]
    return target.start, target.end, target.voters, target.type, target.type_tie, target.is_kept, offered


@given(crowds(), _rulings)
def test_votes_are_neither_lost_nor_made_by_moving(found: list[AnsweredPassage], rulings: dict) -> None:
    """Whoever marked what was moved is among the voters of where it went."""
    for item in found:
        merged_one = _merged(item)
        made = {
            target.span: target
            for target in gold_passage(merged_one, rulings, None, text=TEXT, settings=SETTINGS).targets
        }
        for target in merged_one.targets:
            ruling = rulings.get((target.start, target.end))
            if ruling and ruling.content.span is not None:
                assert set(target.voters) <= set(made[ruling.content.span].voters)
