"""What changed between two versions of the guidelines."""

import random
from collections import Counter
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain import guidelines
from annotator.domain.guidelines import changed_lines
from annotator.domain.lengths import MAX_GUIDELINES_LENGTH
from tests.annotator.domain.clock import cpu_seconds

lines = st.lists(st.sampled_from(["Mark verbs.", "Mark nouns.", "No names.", ""]), max_size=8).map("\n".join)


def test_gone_and_new_lines_in_order() -> None:
    found = changed_lines("# Do\n\nMark verbs.\nMark nouns.", "# Do\nMark verbs.\nMark names.\nTwo substitutes.")

    assert [(line.text, line.is_new) for line in found] == [
        ("Mark nouns.", False),
        ("Mark names.", True),
        ("Two substitutes.", True),
    ]


def by_difflib(old: str, new: str) -> list[tuple[str, bool]]:
    before, after = old.splitlines(), new.splitlines()
    found = []
    for tag, i, j, k, m in SequenceMatcher(a=before, b=after).get_opcodes():
        if tag != "equal":
            found += [(line, False) for line in before[i:j]] + [(line, True) for line in after[k:m]]
    return [(line, is_new) for line, is_new in found if line.strip()]


@given(lines, lines)
def test_ordinary_changes_are_told_as_difflib_tells_them(old: str, new: str) -> None:
    assert changed_lines(old, new) == by_difflib(old, new)


@given(lines, lines, st.booleans())
def test_what_is_gone_stood_in_the_old_text_and_what_is_new_stands_in_the_new(
    old: str, new: str, is_long: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if is_long:
            patch.setattr(guidelines, "MAX_STEPS", 0)
        found = changed_lines(old, new)

    gone, added = (Counter(line.text for line in found if line.is_new == is_new) for is_new in (False, True))
    texts = [Counter(line for line in text.splitlines() if line.strip()) for text in (old, new)]
    assert gone <= texts[0]
    assert texts[0] - gone + added == texts[1]


def test_of_a_long_text_only_the_change_is_told() -> None:
    """Too long for difflib, whether the change lies in one place or all over."""
    old = [f"Line {n}" for n in range(4_000)]
    once = [*old[:2_000], "Here.", *old[2_001:]]
    all_over = [line for n, line in enumerate(old) if n % 100] + ["The end."]

    assert changed_lines("\n".join(old), "\n".join(once)) == [("Line 2000", False), ("Here.", True)]
    assert changed_lines("\n".join(old), "\n".join(all_over)) == [
        *((f"Line {n}", False) for n in range(0, 4_000, 100)),
        ("The end.", True),
    ]


def many_lines(alphabet: int) -> list[str]:
    drawn = random.Random(1)
    return [chr(0x4E00 + drawn.randrange(alphabet)) + "." for _ in range(MAX_GUIDELINES_LENGTH // 3)]


@pytest.mark.parametrize("alphabet", [1, 2, 26, 20_000])
@pytest.mark.parametrize("change", ["shuffled", "reversed", "doubled", "thinned", "every other", "all"])
def test_the_longest_guidelines_are_compared_at_once(alphabet: int, change: str) -> None:
    """About 70 ms in the worst case; difflib does not end."""
    old = many_lines(alphabet)
    changed = {
        "shuffled": random.Random(2).sample(old, len(old)),
        "reversed": old[::-1],
        "doubled": old[: len(old) // 2] * 2,
        "thinned": [line for n, line in enumerate(old) if n % 7],
        "every other": [line if n % 2 else "x" for n, line in enumerate(old)],
        "all": ["x"] * len(old),
    }[change]

    assert cpu_seconds(lambda: changed_lines("\n".join(old), "\n".join(changed)), enough=0.2) < 0.2


@pytest.mark.parametrize(("lines", "alike"), [(180, 2), (199, 5), (700, 1), (1_000, 1), (1_000, 3), (1_200, 8)])
def test_what_difflib_is_given_is_done_soon(lines: int, alike: int) -> None:
    """Around the limit up to which it is asked: lines that stay stand alone, each between two that change."""
    old = [f"Line {n // alike}" for n in range(lines)]
    new = [line if n % 2 else f"{line}." for n, line in enumerate(old)]

    assert cpu_seconds(lambda: changed_lines("\n".join(old), "\n".join(new)), enough=0.2) < 0.2
