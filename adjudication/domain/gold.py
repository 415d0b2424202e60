"""The gold of a passage: what was merged, with what was decided laid over it (method.md 5).

Pure. Without decisions it is the merge; the order of decisions does not matter; a suggestion has no more votes than its
target has annotators, and that no more than answered the passage.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from adjudication.domain.decisions import Content, PassageVerdict, SpanVerdict
from adjudication.domain.merge import MergedPassage, MergeSettings, Suggestion, Target, Verdict
from annotator.domain.text import substitute_key
from annotator.domain.tokens import Span


class Origin(StrEnum):
    """Where a suggestion comes from."""

    MERGED = "merged"
    EDITED = "edited"
    JOINED = "joined"
    ADDED = "added"


class Fate(StrEnum):
    """What became of a target, and by whom."""

    MERGED = "merged"  # nobody decided about it
    DECIDED = "decided"
    ADDED = "added"  # nobody marked it, or nobody does any more
    MOVED = "moved"  # to another span


@dataclass(frozen=True)
class Snapshot:
    """What stood at a span when it was decided about: shown beside what stands there now, and what a kept target
    still offers once nobody marks it any more."""

    voters: tuple[str, ...] = ()
    type: str = ""
    suggestions: tuple[tuple[str, tuple[str, ...]], ...] = ()  # text, voters

    @classmethod
    def of(cls, target: Target | None) -> "Snapshot":
        if target is None:
            return cls()
        return cls(target.voters, target.type, tuple((item.text, item.voters) for item in target.suggestions))

    def as_dict(self) -> dict[str, Any]:
        suggestions = [{"text": text, "voters": list(voters)} for text, voters in self.suggestions]
        return {"voters": list(self.voters), "type": self.type, "suggestions": suggestions}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Snapshot":
        suggestions = tuple((item["text"], tuple(item["voters"])) for item in data.get("suggestions", ()))
        return cls(tuple(data.get("voters", ())), data.get("type", ""), suggestions)


@dataclass(frozen=True)
class Ruling:
    """A decision about a span, as far as it counts."""

    content: Content
    snapshot: Snapshot = Snapshot()


@dataclass(frozen=True)
class GoldSuggestion:
    text: str
    key: str
    voters: tuple[str, ...]
    origin: Origin = Origin.MERGED

    @property
    def votes(self) -> int:
        return len(self.voters)


@dataclass(frozen=True)
class GoldTarget:
    start: int
    end: int
    quote: str
    voters: tuple[str, ...]
    of: int
    suggestions: tuple[GoldSuggestion, ...]
    type: str
    type_tie: bool  # and nobody has decided it
    is_kept: bool
    fate: Fate = Fate.MERGED
    moved_to: Span | None = None
    moved_from: tuple[Span, ...] = ()

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def annotators(self) -> int:
        return len(self.voters)

    @property
    def votes(self) -> int:
        return sum(item.votes for item in self.suggestions)


@dataclass(frozen=True)
class GoldPassage:
    is_gold: bool  # else too few answered it, or it was discarded
    of: int
    targets: tuple[GoldTarget, ...]

    @property
    def kept(self) -> tuple[GoldTarget, ...]:
        return tuple(target for target in self.targets if target.is_kept) if self.is_gold else ()


@dataclass
class _Base:
    """What a span has before its own decision: what was merged there, and what was moved to it."""

    merged: Target | None = None
    voters: set[str] = field(default_factory=set)
    texts: dict[str, set[str]] = field(default_factory=dict)  # by key the forms that were moved here
    votes: dict[str, set[str]] = field(default_factory=dict)  # by key the voters
    types: Counter[str] = field(default_factory=Counter)  # of what was moved here, by voters
    moved_from: list[Span] = field(default_factory=list)

    def take(self, target: Target) -> None:
        self.voters |= set(target.voters)
        self.types[target.type] += len(target.voters)
        for item in target.suggestions:
            self.texts.setdefault(item.key, set()).add(item.text)
            self.votes.setdefault(item.key, set()).update(item.voters)

    def text_of(self, key: str) -> str:
        own = {item.key: item.text for item in self.merged.suggestions} if self.merged else {}
        return own[key] if key in own else min(self.texts[key])


def gold_passage(
    merged: MergedPassage,
    rulings: Mapping[Span, Ruling],
    verdict: PassageVerdict | None,
    *,
    text: str,
    settings: MergeSettings,
) -> GoldPassage:
    """`rulings` by span; `verdict`: about the passage."""
    is_kept_anyway = merged.verdict == Verdict.DISCARDED and verdict == PassageVerdict.KEEP
    is_gold = (merged.verdict == Verdict.MERGED or is_kept_anyway) and verdict != PassageVerdict.DISCARD
    if not rulings and not is_kept_anyway:
        in_order = sorted(merged.targets, key=lambda target: (target.start, target.end))
        return GoldPassage(is_gold, merged.of, tuple(_as_merged(target) for target in in_order))
    bases = _bases(merged.targets, rulings)
    spans = {*bases, *(span for span, ruling in rulings.items() if ruling.content.verdict == SpanVerdict.KEEP)}
    laid = _Laying(merged.of, text, settings, counts_again=is_kept_anyway)
    targets = [laid.target(span, bases.get(span, _Base()), rulings.get(span)) for span in sorted(spans)]
    return GoldPassage(is_gold, merged.of, tuple(targets))


def _as_merged(target: Target) -> GoldTarget:
    """Nobody has decided anything about its passage: most have none."""
    return GoldTarget(
        start=target.start,
        end=target.end,
        quote=target.quote,
        voters=target.voters,
        of=target.of,
        suggestions=tuple(GoldSuggestion(item.text, item.key, item.voters) for item in target.suggestions),
        type=target.type,
        type_tie=target.type_tie,
        is_kept=target.is_kept,
    )


def offers(merged: MergedPassage, rulings: Mapping[Span, Ruling]) -> dict[Span, tuple[GoldSuggestion, ...]]:
    """What is offered at each span before its own decision: what that may name. By falling votes, then by text."""
    return {
        span: tuple(
            sorted(
                (GoldSuggestion(base.text_of(key), key, tuple(sorted(who))) for key, who in base.votes.items()),
                key=lambda item: (-item.votes, item.text),
            )
        )
        for span, base in _bases(merged.targets, rulings).items()
    }


def _bases(targets: Iterable[Target], rulings: Mapping[Span, Ruling]) -> dict[Span, _Base]:
    bases: dict[Span, _Base] = {}
    for target in targets:
        own = bases.setdefault((target.start, target.end), _Base())
        own.merged = target
        own.take(target)
        own.types.clear()  # its type is the merge's
    for target in targets:
        ruling = rulings.get((target.start, target.end))
        if ruling and ruling.content.span is not None:
            base = bases.setdefault(ruling.content.span, _Base())
            base.take(target)
            base.moved_from.append((target.start, target.end))
    return bases


@dataclass(frozen=True)
class _Laying:
    of: int
    text: str
    settings: MergeSettings
    counts_again: bool  # the merge kept nothing, because discards outnumber answers: the threshold decides anew

    def target(self, span: Span, base: _Base, ruling: Ruling | None) -> GoldTarget:
        content = ruling.content if ruling else Content()
        if content.verdict == SpanVerdict.KEEP and not base.votes and ruling:
            base = self._as_it_stood(ruling.snapshot)
        is_moved = content.verdict == SpanVerdict.MOVED
        return GoldTarget(
            start=span[0],
            end=span[1],
            quote=base.merged.quote if base.merged else self.text[span[0] : span[1]],
            voters=tuple(sorted(base.voters)),
            of=self.of,
            suggestions=self._suggestions(base, content),
            type=content.type or self._type(base),
            type_tie=bool(base.merged and base.merged.type_tie) and not content.type,
            is_kept=not is_moved and self._is_kept(base, content),
            fate=self._fate(base, content),
            moved_to=content.span,
            moved_from=tuple(sorted(base.moved_from)),
        )

    def _is_kept(self, base: _Base, content: Content) -> bool:
        if content.verdict is not None:
            return content.verdict == SpanVerdict.KEEP
        is_merged = base.merged is not None and base.merged.is_kept
        counts = self.counts_again or bool(base.moved_from)
        return is_merged or (counts and len(base.voters) >= self.settings.keep_at)

    def _fate(self, base: _Base, content: Content) -> Fate:
        if content.verdict == SpanVerdict.MOVED:
            return Fate.MOVED
        if not base.voters:
            return Fate.ADDED
        return Fate.MERGED if content.is_empty and not base.moved_from else Fate.DECIDED

    def _type(self, base: _Base) -> str:
        """The merge's; of what was moved here that with most voters, of equals the first in the project's order."""
        if base.merged is not None:
            return base.merged.type
        order = {type_: number for number, type_ in enumerate(self.settings.types)}
        found = sorted(base.types, key=lambda type_: (-base.types[type_], order.get(type_, len(order)), type_))
        return found[0] if found else next(iter(self.settings.types), "")

    def _as_it_stood(self, snapshot: Snapshot) -> _Base:
        """What a kept target offered, without votes: nobody marks it any more."""
        base = _Base()
        base.types[snapshot.type] = 1 if snapshot.type else 0
        base.types += Counter()  # without what is not there
        for text, _ in snapshot.suggestions:
            key = self._key(text)
            base.texts.setdefault(key, set()).add(text)
            base.votes.setdefault(key, set())
        return base

    def _suggestions(self, base: _Base, content: Content) -> tuple[GoldSuggestion, ...]:
        """By falling votes, then by text."""
        found: dict[str, GoldSuggestion] = {}
        for item in content.suggestions:
            key = self._key(item.text)
            voters = set().union(*(base.votes.get(source, set()) for source in item.sources))
            origin = (Origin.ADDED, Origin.EDITED)[len(item.sources)] if len(item.sources) < 2 else Origin.JOINED
            found[key] = GoldSuggestion(item.text, key, tuple(sorted(voters)), origin)
        for key in base.votes.keys() - content.named:
            if key in found:  # it came to be offered later: its voters offer what the decision has
                both = {*found[key].voters, *base.votes[key]}
                found[key] = GoldSuggestion(found[key].text, key, tuple(sorted(both)), found[key].origin)
                continue
            origin = Origin.MERGED if base.voters else Origin.ADDED
            found[key] = GoldSuggestion(base.text_of(key), key, tuple(sorted(base.votes[key])), origin)
        return tuple(sorted(found.values(), key=lambda item: (-item.votes, item.text)))

    def _key(self, text: str) -> str:
        return substitute_key(text, folds=self.settings.folds_substitutes)


def merged_suggestion(text: str, voters: Iterable[str], settings: MergeSettings) -> Suggestion:
    """As a merge's row has it: the key of a shown form is the key of them all."""
    return Suggestion(text, tuple(voters), substitute_key(text, folds=settings.folds_substitutes))
