"""Gold on its way out: the current merge with the decisions laid over it, passage by passage."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count, Sum, TextField
from django.db.models.functions import Cast

from adjudication.domain.decisions import PassageVerdict
from adjudication.domain.gold import Fate
from adjudication.domain.gold import GoldTarget as Gold
from adjudication.domain.merge import MergeSettings, Verdict
from adjudication.models import Decision, Merge, PassageResult, Target
from adjudication.queries.gold import standings
from adjudication.queries.merges import current_merge
from annotator.bulk import without_collector
from annotator.domain.errors import Conflict
from annotator.domain.formats.sws_json import SwsSentence
from annotator.domain.language import made_tokens
from annotator.domain.tokens import StoredTokens, TokenBorders, spans_of, texts_of, unpack_tokens, words_in
from annotator.models import Passage, PassageTokens, Project
from exports.domain.rows import GoldRow, GoldSuggestion, GoldTarget, SplitCounts, sws_sentence
from exports.domain.scoring import names_by_code

CHUNK = 500  # passages in memory at once
SHOWN = 20  # names of targets in one message
NAMES = ("pk", "external_id", "group")


def merge_to_export(project: Project) -> Merge:
    merge = current_merge(project)
    if merge is None:
        raise Conflict(f"There is no merge yet: run `manage.py merge {project.slug}`.", code="no_merge")
    return merge


def is_up_to_date(merge: Merge) -> bool:
    """Whether merging now would give the same gold."""
    # Arrays, which most commands do without, take a tenth of a second to load.
    from adjudication.queries.work import merge_input_hash, work_list

    settings = MergeSettings.of(merge.project.protocol)
    return merge.input_hash == merge_input_hash(work_list(merge.project), settings)


def kept_tokens(passages: Sequence[int]) -> dict[int, StoredTokens]:
    rows = PassageTokens.objects.fitting().filter(pk__in=passages).values_list("pk", "spans", "rewritten")
    return {pk: unpack_tokens(bytes(spans), rewritten) for pk, spans, rewritten in rows}


@dataclass(frozen=True)
class GoldInput:
    """All that gold is made of, of one moment: nothing that happens while it is written changes it."""

    merge: Merge
    decided: Mapping[int, Sequence[Decision]]  # by passage, what counts

    @classmethod
    def now(cls, merge: Merge, *, with_decisions: bool = True) -> "GoldInput":
        decided: dict[int, list[Decision]] = {}
        if with_decisions:
            for row in Decision.objects.counting().of(merge.project).in_order().select_related("by"):
                decided.setdefault(row.passage_id, []).append(row)
        return cls(merge, decided)

    @cached_property
    def passages(self) -> list[int]:
        """Those in the gold, in order: merged and not discarded by a decision, or kept against the discards."""
        rows = PassageResult.objects.filter(merge=self.merge).in_order().values_list("passage", "verdict")
        return [passage for passage, verdict in rows if self._is_in(verdict, self._verdict(passage))]

    def _verdict(self, passage: int) -> str:
        return next((row.verdict for row in self.decided.get(passage, ()) if row.span is None), "")

    def _is_in(self, merged: str, decided: str) -> bool:
        if decided == PassageVerdict.DISCARD:
            return False
        return merged == Verdict.MERGED or (merged == Verdict.DISCARDED and decided == PassageVerdict.KEEP)

    @cached_property
    def codes(self) -> dict[str, int]:
        """By the rules that the merge was made by; a type that a decision gave may have come later."""
        return {item.key: item.code for item in self.merge.project.protocol.types} | dict(self.merge.types)

    @property
    def type_names(self) -> dict[int, str]:
        return names_by_code(self.codes)


class PassageTexts(NamedTuple):
    """What of a passage's row the gold is made of: whole rows of many passages take several times longer to read."""

    pk: int
    external_id: str
    group: str
    lang: str
    text: str
    tokens: list[list[int | str]] | None
    context_before: str
    context_after: str


class GoldRows:
    """The gold row by row, of all its passages or some; afterwards `check_whole` proves that nothing was taken away
    meanwhile."""

    def __init__(self, given: GoldInput) -> None:
        self.given = given
        self._kept_read = 0

    def of(self, passages: Sequence[int]) -> Iterator[GoldRow]:
        with without_collector():
            for start in range(0, len(passages), CHUNK):
                yield from self._rows(passages[start : start + CHUNK])

    def __iter__(self) -> Iterator[GoldRow]:
        return self.of(self.given.passages)

    def _rows(self, chunk: Sequence[int]) -> Iterator[GoldRow]:
        tokens, decided = kept_tokens(chunk), self.given.decided
        laid = {
            standing.passage.pk: standing
            for standing in standings(
                self.given.merge, [pk for pk in chunk if pk in decided], decided=decided, only_gold=True
            )
        }
        voted = self._voted([pk for pk in chunk if pk not in decided])
        for passage in _texts_of(chunk):
            borders, words = self._tokens(passage, tokens.get(passage.pk))
            if standing := laid.get(passage.pk):
                self._kept_read += sum(target.is_kept for target in standing.targets)
                targets = [self._target(target, borders) for target in standing.gold.kept]
            else:
                found = voted.get(passage.pk, ())
                self._kept_read += len(found)
                targets = [self._voted_target(target, borders) for target in found]
            yield GoldRow(
                id=passage.external_id,
                group=passage.group,
                lang=passage.lang or self.given.merge.project.language,
                text=passage.text,
                tokens=words,
                context_before=passage.context_before,
                context_after=passage.context_after,
                targets=tuple(targets),
            )

    def _tokens(self, passage: PassageTexts, kept: StoredTokens | None) -> tuple[TokenBorders, tuple[str, ...]]:
        stored: Iterable[Sequence[int | str]] | None = kept if passage.tokens is None else passage.tokens
        if stored is None:  # the job that makes them has not come so far
            stored = made_tokens(passage.text, passage.lang or self.given.merge.project.language)
        return TokenBorders.of(spans_of(stored)), tuple(texts_of(passage.text, stored))

    def _voted(self, passages: Sequence[int]) -> dict[int, list["_Voted"]]:
        """Of passages that nobody has decided about, which are most: what was merged is the gold, read straight into
        what is written."""
        import msgspec  # most commands do without

        decode = msgspec.json.Decoder(tuple[GoldSuggestion, ...]).decode
        rows = Target.objects.filter(merge=self.given.merge, passage__in=passages).kept().in_order()
        found: dict[int, list[_Voted]] = {}
        names = _Voted._fields[:-1]
        for *plain, text in rows.annotate(written=Cast("suggestions", TextField())).values_list(*names, "written"):
            found.setdefault(plain[0], []).append(_Voted._make((*plain, decode(text))))
        return found

    def check_whole(self) -> None:
        """After the last row: a later merge may have taken this one's rows away meanwhile (T20)."""
        merge, inside = self.given.merge, set(self.given.passages)
        kept = Target.objects.filter(merge=merge).kept().values_list("passage").annotate(times=Count("pk"))
        wanted = sum(times for passage, times in kept if passage in inside)
        outside = sum(times for passage, times in kept if passage not in inside)
        is_there = Merge.objects.finished().filter(pk=merge.pk).exists()
        if not is_there or self._kept_read != wanted or wanted + outside != merge.kept:
            raise Conflict(
                "Another merge took the place of this one while it was written: try again.", code="overtaken"
            )

    def _voted_target(self, target: "_Voted", borders: TokenBorders) -> GoldTarget:
        return GoldTarget(
            start=target.start,
            end=target.end,
            quote=target.quote,
            tokens=borders.span(target.start, target.end),
            type=target.type,
            code=self.given.codes[target.type],
            annotators=target.annotators,
            of=target.of,
            fate=Fate.MERGED.value,
            suggestions=target.suggestions,
        )

    def _target(self, target: Gold, borders: TokenBorders) -> GoldTarget:
        return GoldTarget(
            start=target.start,
            end=target.end,
            quote=target.quote,
            tokens=borders.span(target.start, target.end),
            type=target.type,
            code=self.given.codes[target.type],
            annotators=len(target.voters),
            of=target.of,
            fate=target.fate.value,
            suggestions=tuple(
                GoldSuggestion(item.text, len(item.voters), item.voters, item.origin.value)
                for item in target.suggestions
            ),
        )


class _Voted(NamedTuple):
    """What of a target's row is written where nobody has decided about its passage."""

    passage_id: int
    start: int
    end: int
    quote: str
    type: str
    annotators: int
    of: int
    suggestions: tuple[GoldSuggestion, ...]


def _texts_of(passages: Sequence[int]) -> list[PassageTexts]:
    """In the order asked for."""
    rows = Passage.objects.filter(pk__in=passages).values_list(*PassageTexts._fields)
    found = {row[0]: PassageTexts._make(row) for row in rows}
    return [found[pk] for pk in passages if pk in found]


@dataclass(frozen=True)
class GoldMeasures:
    """What splits are drawn by, of one passage of the gold."""

    pk: int
    id: str
    group: str
    words: int
    votes: int


def gold_measures(given: GoldInput) -> Iterator[GoldMeasures]:
    """Of every passage of the gold, in order: as its row would tell it, from sums where nobody has decided about it and
    all its tokens are words of the text."""
    for start in range(0, len(given.passages), CHUNK):
        chunk = given.passages[start : start + CHUNK]
        plain = [pk for pk in chunk if pk not in given.decided]
        words, votes = _words_of(plain), _votes_of(given.merge, plain)
        names = {pk: (name, group) for pk, name, group in Passage.objects.filter(pk__in=chunk).values_list(*NAMES)}
        others = [pk for pk in chunk if pk not in words]
        rows = dict(zip(others, GoldRows(given).of(others), strict=True))
        for pk in chunk:
            row = rows.get(pk)
            counts = (row.words, row.votes) if row else (words[pk], votes.get(pk, 0))
            yield GoldMeasures(pk, *names[pk], *counts)


def _words_of(passages: Sequence[int]) -> dict[int, int]:
    """Of those whose tokens are kept and nowhere another text than the passage has."""
    rows = PassageTokens.objects.fitting().filter(pk__in=passages, rewritten={})
    return {pk: words_in(bytes(spans)) for pk, spans in rows.values_list("pk", "spans")}


def _votes_of(merge: Merge, passages: Sequence[int]) -> dict[int, int]:
    rows = Target.objects.filter(merge=merge, passage__in=passages).kept().order_by()
    return dict(rows.values_list("passage").annotate(times=Sum("votes")))


class SwsGold:
    """The gold as SWS JSON has it; afterwards `counts` tells what was written and what is no span of tokens."""

    def __init__(self, given: GoldInput, *, split: str = "") -> None:
        """`split`: only of its passages."""
        self.given, self.rows, self.counts = given, GoldRows(given), SplitCounts()
        self.inside = None
        if split:
            placed = given.merge.project.passages.filter(split=split)
            self.inside = set(placed.values_list("external_id", flat=True))

    def __iter__(self) -> Iterator[SwsSentence]:
        for row in self.rows:
            if self.inside is None or row.id in self.inside:
                self.counts.count(row)
                yield sws_sentence(row)

    @property
    def targets(self) -> int:
        return self.counts.targets - len(self.counts.off_tokens)

    @property
    def off_borders_named(self) -> str:
        names = self.counts.off_tokens
        more = f", and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
        return ", ".join(names[:SHOWN]) + more
