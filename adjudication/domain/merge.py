"""Merging answers into targets with their voting index (Wang et al. 2023, 3.2; method.md 5).

Pure: the same answers and settings give the same targets, whatever the order in which they came.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import Any

from adjudication.domain.signature import signature
from annotator.domain.answers import Answer, Substitute, united
from annotator.domain.protocols import Protocol
from annotator.domain.text import collapse_spaces
from annotator.domain.tokens import Span


@dataclass(frozen=True)
class MergeSettings:
    types: tuple[str, ...]  # in the project's order
    keep_at: int = 2
    min_answers: int = 2
    folds_substitutes: bool = True
    drops_discarded: bool = True  # a passage leaves the gold when discards outnumber submissions

    @classmethod
    def of(cls, protocol: Protocol) -> "MergeSettings":
        return cls(
            types=tuple(item.key for item in protocol.types),
            keep_at=protocol.keep_at,
            min_answers=protocol.min_answers,
            folds_substitutes=protocol.folds_substitutes,
            drops_discarded=protocol.drops_discarded,
        )

    def as_dict(self) -> dict[str, Any]:
        """As JSON gives it back."""
        return {**asdict(self), "types": list(self.types)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "MergeSettings":
        return cls(**{**data, "types": tuple(data["types"])})


def merge_signature(settings: MergeSettings) -> str:
    return signature("merge", settings.as_dict())


@dataclass(frozen=True)
class Suggestion:
    """`types`: what each voter gave it, in their order."""

    text: str
    voters: tuple[str, ...]
    key: str = ""
    types: tuple[str, ...] = ()

    @property
    def votes(self) -> int:
        return len(self.voters)


@dataclass(frozen=True)
class Target:
    """A merged span. `annotators` is its voting index, `of` how many submitted the passage."""

    start: int
    end: int
    quote: str
    voters: tuple[str, ...]
    of: int
    suggestions: tuple[Suggestion, ...]
    type: str
    type_tie: bool
    is_kept: bool

    @property
    def annotators(self) -> int:
        return len(self.voters)

    @cached_property
    def votes(self) -> int:
        return sum(len(suggestion.voters) for suggestion in self.suggestions)

    @cached_property
    def evidence(self) -> str:
        """A hash of who marked it and what they offered, as what: equal as long as nothing was said otherwise. Not of
        `of`: one more person who marks nothing here changes nothing."""
        said = [
            "\x1e".join(
                (item.key, *(f"{voter}\x1f{type_}" for voter, type_ in zip(item.voters, item.types, strict=True)))
            )
            for item in sorted(self.suggestions, key=lambda item: item.key)
        ]
        return evidence_of("\x1d".join(("\x1e".join(self.voters), *said)))

    @cached_property
    def dispute(self) -> int:
        """From 0 (all say the same) to 1,000: half of it for how near the voting index is to half of those asked, half
        for how far its best suggestion is from having everybody's vote."""
        count, of = self.annotators, self.of
        best = max((suggestion.votes for suggestion in self.suggestions), default=0)
        # 1000 × (min(count, of − count) / of + (count − best) / (2 × count)), in whole numbers.
        return 500 * (2 * count * min(count, of - count) + of * (count - best)) // (count * of)


def evidence_of(text: str) -> str:
    """128 bits. What people type holds no control characters, so those in `text` cannot be mistaken."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Verdict(StrEnum):
    MERGED = "merged"
    DISCARDED = "discarded"  # discards outnumber submissions
    TOO_FEW = "too few answers"


@dataclass(frozen=True)
class MergedPassage:
    verdict: Verdict
    of: int
    targets: tuple[Target, ...] = ()
    pa_det: int | None = None  # PA_det over its pairs, in thousandths; two empty answers agree

    @property
    def dispute(self) -> int:
        return max((target.dispute for target in self.targets), default=0)

    def evidence(self, discarded_by: Iterable[str]) -> str:
        """Of all its targets, and of who discarded it."""
        targets = [f"{target.start}\x1f{target.end}\x1f{target.evidence}" for target in self.targets]
        return evidence_of("\x1d".join(("\x1e".join(sorted(discarded_by)), *targets)))

    @property
    def kept(self) -> tuple[Target, ...]:
        return tuple(target for target in self.targets if target.is_kept)


@dataclass
class _Gathered:
    """What was said about one span: by annotator, the substitutes that count, by key."""

    quote: str
    said: dict[str, dict[str, Substitute]] = field(default_factory=dict)


def merge_passage(answers: Mapping[str, Answer], settings: MergeSettings, *, discards: int = 0) -> MergedPassage:
    """`answers`: of each annotator the newest submission. Not submitted is not empty: it is not among them. Of a
    passage that discards outnumber the targets are made too, and none is kept."""
    of = len(answers)
    verdict = verdict_of(of, discards, settings)
    if verdict == Verdict.TOO_FEW:
        return MergedPassage(verdict, of)
    gathered = _gather(answers, settings)
    keep_at = settings.keep_at if verdict == Verdict.MERGED else of + 1
    targets = [_target(span, gathered[span], of, keep_at, settings) for span in sorted(gathered)]
    return MergedPassage(verdict, of, tuple(targets), _detection_agreement(answers))


def _detection_agreement(answers: Mapping[str, Answer]) -> int | None:
    """PA_det of one passage (Wang et al. 2023, 3.4), in thousandths. Sets of spans are bits of a number."""
    bits: dict[Span, int] = {}
    sets = []
    for answer in answers.values():
        own = 0
        for mark in answer.marks:
            own |= 1 << bits.setdefault((mark.start, mark.end), len(bits))
        sets.append(own)
    pairs = [(one & two, one | two) for one, two in combinations(sets, 2)]
    if not pairs:
        return None
    shares = [common.bit_count() / either.bit_count() if either else 1.0 for common, either in pairs]
    return math.floor(1000 * math.fsum(shares) / len(shares) + 0.5)


def verdict_of(answers: int, discards: int, settings: MergeSettings) -> Verdict:
    """Whether a passage is in the gold at all."""
    if settings.drops_discarded and discards > answers:
        return Verdict.DISCARDED
    return Verdict.TOO_FEW if answers < settings.min_answers else Verdict.MERGED


def _gather(answers: Mapping[str, Answer], settings: MergeSettings) -> dict[Span, _Gathered]:
    quotes = {(mark.start, mark.end): mark.quote for answer in answers.values() for mark in answer.marks}
    gathered = {span: _Gathered(quote) for span, quote in quotes.items()}
    for annotator in sorted(answers):
        for span, own in united(answers[annotator], folds=settings.folds_substitutes).items():
            gathered[span].said[annotator] = own
    return gathered


def _target(span: Span, found: _Gathered, of: int, keep_at: int, settings: MergeSettings) -> Target:
    type_, is_tie = _type_of(found.said.values(), settings.types)
    return Target(
        start=span[0],
        end=span[1],
        quote=found.quote,
        voters=tuple(sorted(found.said)),
        of=of,
        suggestions=_suggestions(found, settings),
        type=type_,
        type_tie=is_tie,
        is_kept=len(found.said) >= keep_at,
    )


def _suggestions(found: _Gathered, settings: MergeSettings) -> tuple[Suggestion, ...]:
    """By falling votes, then by text."""
    said: dict[str, list[tuple[str, Substitute]]] = {}
    for annotator, own in found.said.items():  # in order of annotators
        for key, substitute in own.items():
            said.setdefault(key, []).append((annotator, substitute))
    made = [
        Suggestion(
            text=shown_form([_form(item.text, settings) for _, item in given], found.quote),
            voters=tuple(annotator for annotator, _ in given),
            key=key,
            types=tuple(item.type for _, item in given),
        )
        for key, given in said.items()
    ]
    return tuple(sorted(made, key=lambda suggestion: (-len(suggestion.voters), suggestion.text)))


def _form(text: str, settings: MergeSettings) -> str:
    return collapse_spaces(text) if settings.folds_substitutes else text


def shown_form(forms: Sequence[str], quote: str) -> str:
    """Of the forms typed: first letter cased as the quote's, then the one most typed, then code-point order."""
    if forms.count(forms[0]) == len(forms):
        return forms[0]
    counts = Counter(forms)
    wanted = _is_capital(quote)
    return min(counts, key=lambda form: (wanted is not None and _is_capital(form) != wanted, -counts[form], form))


def _is_capital(text: str) -> bool | None:
    """Of the first letter; None where there is no letter that has a case."""
    return next((char.isupper() for char in text if char.isupper() or char.islower()), None)


def _type_of(said: Iterable[Mapping[str, Substitute]], types: Sequence[str]) -> tuple[str, bool]:
    """The majority over annotators, each with the majority of their own substitutes; a tie is broken by all labels
    of the tied types, a tie again by the project's order. The second value tells that there was a tie."""
    people: dict[str, int] = {}
    labels: dict[str, int] = {}
    for own in said:
        counted = types_given(own)
        for type_, count in counted.items():
            labels[type_] = labels.get(type_, 0) + count
        if (majority := leader(counted)) is not None:
            people[majority] = people.get(majority, 0) + 1
    if (most := leader(people)) is not None:
        return most, False
    tied = _tied(labels if not people else {type_: labels[type_] for type_ in _tied(people)})
    in_order = [type_ for type_ in types if not tied or type_ in tied]
    return (in_order[0] if in_order else ""), bool(tied)


def types_given(own: Mapping[str, Substitute]) -> dict[str, int]:
    """How often somebody gave each type to one target; theirs is the `leader` of these."""
    counted: dict[str, int] = {}
    for substitute in own.values():
        counted[substitute.type] = counted.get(substitute.type, 0) + 1
    return counted


def _tied(counts: Mapping[str, int]) -> set[str]:
    if len(counts) <= 1:
        return set(counts)
    most = max(counts.values(), default=0)
    return {type_ for type_, count in counts.items() if count == most}


def leader(counts: Mapping[str, int]) -> str | None:
    """The one with most; None where there is none or a tie."""
    if len(counts) == 1:
        return next(iter(counts))
    tied = _tied(counts)
    return tied.pop() if len(tied) == 1 else None
