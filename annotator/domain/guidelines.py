"""Guidelines as text: what they may hold, and what changed between two versions."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from annotator.domain.errors import Problem
from annotator.domain.text import line_problems

MAX_GUIDELINES = 100_000  # code points
MAX_POLICY = 2_000


def guidelines_problems(guidelines: str, look_up_policy: str) -> list[Problem]:
    return [
        *line_problems(guidelines, what="The guidelines", path="guidelines", most=MAX_GUIDELINES),
        *line_problems(look_up_policy, what="The look-up policy", path="look_up_policy", most=MAX_POLICY),
    ]


@dataclass(frozen=True)
class ChangedLine:
    text: str
    is_new: bool  # else it is gone


def changed_lines(old: str, new: str) -> list[ChangedLine]:
    """Lines that are gone and lines that are new, in the order of the text; blank ones say nothing."""
    before, after = old.splitlines(), new.splitlines()
    found = []
    for tag, i, j, k, m in SequenceMatcher(a=before, b=after).get_opcodes():
        if tag != "equal":
            found += [ChangedLine(line, is_new=False) for line in before[i:j]]
            found += [ChangedLine(line, is_new=True) for line in after[k:m]]
    return [line for line in found if line.text.strip()]
