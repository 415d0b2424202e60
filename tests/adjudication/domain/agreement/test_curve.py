"""Fewer annotators: disjoint groups, by hand where there is just one way to draw them, and against plain sets."""

import numpy as np

from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.curve import MOST_PASSAGES, _sides, annotator_curve, sample
from adjudication.domain.agreement.marks import Marks, marks_of
from adjudication.domain.digest import Digests, pack_answer
from tests.adjudication.domain.answered import AnsweredPassage
from tests.adjudication.domain.crowds import SETTINGS, mark, passage


def arrays(passages: list[AnsweredPassage], people: tuple[str, ...]) -> Marks:
    said = [(n, people.index(name), a) for n, p in enumerate(passages) for name, a in sorted(p.answers.items())]
    return marks_of(
        Digests.of([pack_answer(answer, folds=True) for _, _, answer in said]),
        passages=len(passages),
        answer_passage=np.array([n for n, _, _ in said]),
        answer_annotator=np.array([who for _, who, _ in said]),
        types=AgreementSettings(merge=SETTINGS).merge.types,
    )


FOUR = ("A01", "A02", "A03", "A04")


def test_people_who_all_say_the_same_make_the_same_gold() -> None:
    same = {name: [mark(0, 3, "x"), mark(4, 7, "y", "z")] for name in FOUR}

    [row] = annotator_curve(arrays([passage(same)], FOUR), keep_at=2, seed="s")

    assert (row["k"], row["passages"], row["targets_f1"], row["suggestions_f1"]) == (2, 1, 1.0, 1.0)
    assert (row["kept"], row["suggestions"], row["kept_sd"]) == (2.0, 3.0, 0.0)


def test_two_camps_share_nothing_when_they_are_drawn_apart() -> None:
    """A01 and A02 mark one word, A03 and A04 another: a third of the draws parts them so, else nothing is kept."""
    camps = {name: [mark(0, 3, "x")] if name < "A03" else [mark(4, 7, "x")] for name in FOUR}

    [row] = annotator_curve(arrays([passage(camps)], FOUR), keep_at=2, seed="s")

    assert row["targets_f1"] == 0.0  # where it is defined at all
    assert 0.2 < row["kept"] < 0.5


def test_groups_are_disjoint_and_the_same_people_in_every_passage() -> None:
    everyone = {name: [mark(0, 3, "x")] for name in FOUR}
    marks = arrays([passage(everyone, id="p0"), passage(everyone, id="p1")], FOUR)

    sides = _sides(marks, 2, "seed").reshape(2, 4)

    assert sorted(sides[0].tolist()) == [0, 0, 1, 1]
    assert sides[0].tolist() == sides[1].tolist()
    assert len({tuple(_sides(marks, 2, f"{n}")[:4].tolist()) for n in range(30)}) > 3


def test_passages_with_too_few_answers_are_left_out() -> None:
    three = {name: [mark(0, 3, "x")] for name in FOUR[:3]}
    marks = arrays([passage({name: [mark(0, 3, "x")] for name in FOUR}), passage(three, id="q")], FOUR)

    [row] = annotator_curve(marks, keep_at=2, seed="s")

    assert row["passages"] == 1


def test_a_sample_is_drawn_once_for_ever() -> None:
    assert sample(10, seed="s") == list(range(10))
    drawn = sample(5000, seed="s")
    assert (len(drawn), drawn, drawn == sample(5000, seed="t")) == (MOST_PASSAGES, sorted(set(drawn)), False)
