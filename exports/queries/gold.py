"""Gold on its way out: the current merge with the decisions laid over it, passage by passage."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count

from adjudication.domain.decisions import PassageVerdict
from adjudication.domain.gold import GoldTarget as Gold
from adjudication.domain.merge import MergeSettings, Verdict
from adjudication.models import Decision, Merge, PassageResult, Target
from adjudication.queries.gold import Standing, standings
from adjudication.queries.merges import current_merge
from annotator.bulk import without_collector
from annotator.domain.errors import Conflict
from annotator.domain.formats.sws_json import SwsSentence
from annotator.domain.language import made_tokens
from annotator.domain.tokens import StoredTokens, TokenBorders, spans_of, texts_of, unpack_tokens
from annotator.models import PassageTokens, Project
from exports.domain.rows import GoldRow, GoldSuggestion, GoldTarget, SplitCounts, sws_sentence
from exports.domain.scoring import names_by_code

CHUNK = 500  # passages in memory at once
SHOWN = 20  # names of targets in one message


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


class GoldRows:
    """The gold row by row, of all its passages or some; afterwards `check_whole` proves that nothing was taken away
    meanwhile."""

    def __init__(self, given: GoldInput) -> None:
        self.given = given
        self._kept_read = 0

    def of(self, passages: Sequence[int]) -> Iterator[GoldRow]:
        with without_collector():
            for start in range(0, len(passages), CHUNK):
                chunk = passages[start : start + CHUNK]
                tokens = kept_tokens(chunk)
                for standing in standings(self.given.merge, chunk, decided=self.given.decided, only_gold=True):
                    self._kept_read += sum(target.is_kept for target in standing.targets)
                    yield self._row(standing, tokens.get(standing.passage.pk))

    def __iter__(self) -> Iterator[GoldRow]:
        return self.of(self.given.passages)

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

    def _row(self, standing: Standing, tokens: StoredTokens | None) -> GoldRow:
        passage = standing.passage
        lang = passage.lang or self.given.merge.project.language
        stored = tokens if passage.tokens is None else passage.tokens
        if stored is None:  # the job that makes them has not come so far
            stored = made_tokens(passage.text, lang)
        borders = TokenBorders.of(spans_of(stored))
        return GoldRow(
            id=passage.external_id,
            group=passage.group,
            lang=lang,
            text=passage.text,
            tokens=tuple(texts_of(passage.text, stored)),
            context_before=passage.context_before,
            context_after=passage.context_after,
            targets=tuple(self._target(target, borders) for target in standing.gold.kept),
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
