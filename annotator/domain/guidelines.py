"""Guidelines as text: what they may hold, where something is added, and what changed between two versions."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from annotator.domain.errors import Problem
from annotator.domain.lengths import MAX_GUIDELINES_LENGTH, MAX_POLICY_LENGTH
from annotator.domain.text import line_problems

# Steps that difflib may need at the most, some 30 ns each: two texts of a thousand lines that are not much alike.
MAX_STEPS = 3_000_000
Pairs = list[tuple[int, int]]


def guidelines_problems(guidelines: str, look_up_policy: str) -> list[Problem]:
    return [
        *line_problems(guidelines, what="The guidelines", path="guidelines", most=MAX_GUIDELINES_LENGTH),
        *line_problems(look_up_policy, what="The look-up policy", path="look_up_policy", most=MAX_POLICY_LENGTH),
    ]


QUESTIONS = "Questions and answers"  # the heading under which both stand
_HEADING = re.compile(r"#{1,4}\s+(\S.*)")


def headings(guidelines: str) -> list[str]:
    """Under which something can be added, each once."""
    found = (_HEADING.fullmatch(line.strip()) for line in guidelines.splitlines())
    return list(dict.fromkeys(match[1].strip() for match in found if match))


def with_addition(guidelines: str, addition: str, *, under: str = "") -> str:
    """As the last thing said under a heading, in the list that stands there if there is one; at the end where there is
    no such heading, or none is named."""
    lines = guidelines.splitlines()
    places = [place for place, line in enumerate(lines) if _HEADING.fullmatch(line.strip())]
    here = next((place for place in places if lines[place].strip().lstrip("#").strip() == under), None)
    end = len(lines) if here is None else next((place for place in places if place > here), len(lines))
    while end and not lines[end - 1].strip():
        end -= 1
    text = " ".join(addition.split())
    is_list = bool(end) and lines[end - 1].lstrip().startswith(("- ", "* "))
    before = lines[:end] if is_list or not end else [*lines[:end], ""]
    after = lines[end:]
    added = f"- {text}" if is_list else text
    return "\n".join([*before, added, *([""] if after and after[0].strip() else []), *after]).strip()


def with_question(guidelines: str, question: str, answer: str) -> str:
    """Under a heading of their own at the end: the question in bold, below it the answer. Nothing says who asked."""
    if QUESTIONS not in headings(guidelines):
        guidelines = f"{guidelines.rstrip()}\n\n{_level(guidelines)} {QUESTIONS}".strip()
    asked = " ".join(question.replace("*", "").split())  # an asterisk would end the bold
    with_asked = with_addition(guidelines, f"**{asked}**", under=QUESTIONS) if asked else guidelines
    return with_addition(with_asked, answer, under=QUESTIONS)


def _level(guidelines: str) -> str:
    """How the headings of sections begin: a highest one that stands alone is the title."""
    found = (line.strip() for line in guidelines.splitlines())
    marks = [line.split()[0] for line in found if _HEADING.fullmatch(line)]
    top = min(marks, default="#")
    return top if marks.count(top) > 1 else f"{top}#"[:4]


class ChangedLine(NamedTuple):
    text: str
    is_new: bool  # else it is gone


def changed_lines(old: str, new: str) -> list[ChangedLine]:
    """Lines that are gone and lines that are new, in the order of the text; blank ones say nothing."""
    before, after = old.splitlines(), new.splitlines()
    ends = (-1, -1), (len(before), len(after))
    found = []
    for (i, j), (k, m) in pairwise([ends[0], *_kept(before, after), ends[1]]):
        found += [ChangedLine(line, is_new=False) for line in before[i + 1 : k] if line.strip()]
        found += [ChangedLine(line, is_new=True) for line in after[j + 1 : m] if line.strip()]
    return found


def _kept(before: Sequence[str], after: Sequence[str]) -> Pairs:
    """Where the lines that stay stand in both, in order. What is too long for difflib is first taken down to what lies
    between the first and the last change."""
    if _is_short(before, after):
        return _kept_in_blocks(before, after)
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    tail = next((n for n in range(most - head) if before[-1 - n] != after[-1 - n]), most - head)
    one, two = before[head : len(before) - tail], after[head : len(after) - tail]
    middle = _kept_in_blocks(one, two) if _is_short(one, two) else _kept_in_order(one, two)
    return [
        *((n, n) for n in range(head)),
        *((head + i, head + j) for i, j in middle),
        *((len(before) - n, len(after) - n) for n in range(tail, 0, -1)),
    ]


def _is_short(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether difflib is sure to be done soon: for every line that stays, it may look at all lines and at all pairs of
    equal ones. Like it, this leaves out what stands often in a long text."""
    times, lines = min(len(before), len(after)), len(before) + len(after)
    if times * lines > MAX_STEPS:
        return False
    counts = Counter(after)
    often = len(after) // 100 + 1 if len(after) >= 200 else len(after)
    equal = sum(here * counts[line] for line, here in Counter(before).items() if counts[line] <= often)
    return times * (lines + equal) <= MAX_STEPS


def _kept_in_blocks(before: Sequence[str], after: Sequence[str]) -> Pairs:
    blocks = SequenceMatcher(a=before, b=after).get_matching_blocks()
    return [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]


def _kept_in_order(before: Sequence[str], after: Sequence[str]) -> Pairs:
    """The n-th time a line stands here goes with its n-th time there; of these pairs, the most that are in order."""
    following, first = [-1] * len(after), dict[str, int]()
    for place, line in zip(range(len(after) - 1, -1, -1), reversed(after), strict=True):
        following[place] = first.get(line, -1)
        first[line] = place
    here, there = [], []
    for place, line in enumerate(before):
        if (partner := first.get(line, -1)) >= 0:
            here.append(place)
            there.append(partner)
            first[line] = following[partner]
    return [(here[number], there[number]) for number in _longest_rise(there)]


def _longest_rise(values: Sequence[int]) -> list[int]:
    """Where the values of a longest rising subsequence stand, by patience sorting."""
    tops: list[int] = []  # the value on top of each pile, which rise from pile to pile
    numbers: list[int] = []  # and where it stands
    below: list[int] = []  # of each value, where the one stands that it follows
    for number, value in enumerate(values):
        pile = bisect_left(tops, value)
        if pile == len(tops):
            tops.append(value)
            numbers.append(number)
        else:
            tops[pile], numbers[pile] = value, number
        below.append(numbers[pile - 1] if pile else -1)
    found, number = [], numbers[-1] if numbers else -1
    while number >= 0:
        found.append(number)
        number = below[number]
    return found[::-1]
