"""System runs: what may be said of a system, which figures stand on the leaderboard, and what a system got wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from adjudication.domain.scoring.sws import CUTS, PredictedSentence
from annotator.domain.errors import Invalid, Problem
from annotator.domain.formats.reading import counted
from annotator.domain.formats.sws_json import SwsSentence
from annotator.domain.text import is_blank, line_problems

MAX_SYSTEM = 80
MAX_SYSTEM_VERSION = 40
MAX_DESCRIPTION = 2_000
MAX_URL = 300
MAX_PREDICTIONS = 50_000_000  # bytes
MOST_KEPT = 1_000  # problems of a refused file; the rest is counted


class RunState(StrEnum):
    WAITING = "waiting"
    SCORED = "scored"
    REFUSED = "refused"  # the file does not fit the gold: its problems are kept, it is not


@dataclass(frozen=True)
class Figure:
    """`key` is the scorer's (method.md 7)."""

    key: str
    label: str
    group: str
    meaning: str

    @property
    def once(self) -> str:
        """Its twin, where there is one, that counts what is repeated once."""
        return f"{self.key}_dedup"


# Every figure of a whole run, in the order pages show them.
EVERY_FIGURE = (
    Figure("p_detection", "P", "Detection", "of the spans it marks, how many are targets"),
    Figure("r_detection", "R", "Detection", "of the targets, how many it marks"),
    Figure("f_detection", "F1", "Detection", "precision and recall in one"),
    Figure("f_detection_05", "F0.5", "Detection", "precision and recall in one, precision counting double"),
    Figure("weighted_acc_detection", "WA", "Detection", "of all votes, those on targets it marks"),
    Figure("weighted_acc_detection_annotators", "WA by persons", "Detection", "the same by who marked the targets"),
    Figure("acc_recommendation", "Accuracy", "Suggestion", "of the targets it marks, those whose first word is right"),
    Figure("p_recommendation", "P", "Suggestion", "of its words for targets, those that somebody gave"),
    Figure("r_recommendation", "R", "Suggestion", "of the words that people gave there, those it has"),
    Figure("f_recommendation", "F1", "Suggestion", "the two in one"),
    Figure("f_recommendation_05", "F0.5", "Suggestion", "the two in one, precision counting double"),
    Figure("p_e2e", "P", "End to end", "of the spans it marks, targets whose first word is right"),
    Figure("r_e2e", "R", "End to end", "of the targets, those it marks with a first word that is right"),
    Figure("f_e2e", "F1", "End to end", "the two in one"),
    Figure("f_e2e_05", "F0.5", "End to end", "the two in one, precision counting double"),
    *(
        Figure(f"ndcg_{cut}", f"NDCG@{cut}", "Ranking", f"of the votes that the best {counted(cut, 'word')} would have")
        for cut in CUTS
    ),
    Figure("ndcg_recommendation", "NDCG", "Ranking", "the same of all its words, against a list as long"),
    Figure("substitute_rate", "Rate", "Size", "of the words of the sentences, those it would replace"),
)
BY_KEY = {figure.key: figure for figure in EVERY_FIGURE}
_ON_BOARD = (
    "p_detection r_detection f_detection_05 weighted_acc_detection acc_recommendation p_e2e r_e2e f_e2e_05 ndcg_4"
)
FIGURES = tuple(BY_KEY[key] for key in _ON_BOARD.split())  # of the leaderboard
MAIN = "f_e2e_05"  # the leaderboard is sorted by it unless somebody asks otherwise


def full_name(figure: Figure) -> str:
    is_plain = figure.key == "acc_recommendation" or figure.group == "Ranking"
    return figure.label if is_plain else f"{figure.group} {figure.label}"


@dataclass(frozen=True)
class System:
    """What its maker says about it."""

    name: str
    version: str = ""
    description: str = ""
    url: str = ""


def checked_system(system: System) -> System:
    found = System(*(text.replace("\r\n", "\n").strip() for text in astuple(system)))
    problems = []
    if is_blank(found.name):
        problems.append(Problem("system", "Say what the system is called.", "system"))
    problems += line_problems(found.name, what="The system's name", path="system", most=MAX_SYSTEM)
    problems += line_problems(found.version, what="Its version", path="version", most=MAX_SYSTEM_VERSION)
    problems += line_problems(found.description, what="The description", path="description", most=MAX_DESCRIPTION)
    problems += line_problems(found.url, what="The address", path="url", most=MAX_URL)
    if found.url and not _is_address(found.url):
        problems.append(Problem("url", "The address begins with http:// or https://.", "url"))
    if problems:
        raise Invalid(problems)
    return found


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and not any(map(str.isspace, text))


class Mistake(StrEnum):
    MISSED = "missed"  # a target that it did not mark
    SPURIOUS = "spurious"  # a span of its own that is no target
    OTHER = "other"  # the right word, and a first suggestion that nobody made


@dataclass(frozen=True)
class Looked:
    """One sentence of the gold beside what a system said: both as spans of the text, and how much is wrong. `weights`
    order the sentences of a kind: votes for what was missed or said otherwise, spans for what is spurious."""

    id: str
    content: Mapping[str, Any]
    mistakes: Mapping[Mistake, int]
    weights: Mapping[Mistake, int]


def looked_at(sentence: SwsSentence, predicted: PredictedSentence) -> Looked:
    gold = {target.span: target for target in sentence.targets if target.suggestions}
    offers = dict(predicted.spans)
    votes = {span: sum(times for _, times in target.suggestions) for span, target in gold.items()}
    missed = [span for span in gold if span not in offers]
    spurious = [span for span in offers if span not in gold]
    other = [span for span in gold if span in offers and not _is_first_right(offers[span], gold[span].suggestions)]

    def placed(span: tuple[int, int]) -> list[int]:
        return [sentence.spans[span[0]][0], sentence.spans[span[1] - 1][1]]

    content = {
        "text": sentence.text,
        "gold": [
            {"span": placed(span), "type": target.type, "suggestions": [list(item) for item in target.suggestions]}
            for span, target in sorted(gold.items())
        ],
        "system": [{"span": placed(span), "suggestions": list(offer)} for span, offer in sorted(offers.items())],
    }
    return Looked(
        sentence.id,
        content,
        {Mistake.MISSED: len(missed), Mistake.SPURIOUS: len(spurious), Mistake.OTHER: len(other)},
        {
            Mistake.MISSED: sum(votes[span] for span in missed),
            Mistake.SPURIOUS: len(spurious),
            Mistake.OTHER: sum(votes[span] for span in other),
        },
    )


def _is_first_right(offer: Sequence[str], suggestions: Sequence[tuple[str, int]]) -> bool:
    return bool(offer) and offer[0] in dict(suggestions)
