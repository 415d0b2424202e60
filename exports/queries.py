"""Gold on its way out: the current merge with the decisions laid over it, passage by passage."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, TextField, When
from django.db.models.functions import Cast

from adjudication.domain.merge import MergeSettings
from adjudication.models import Merge, PassageResult, Target
from adjudication.queries.gold import Standing, in_gold, standings
from adjudication.queries.merges import current_merge
from annotator.bulk import without_collector
from annotator.domain.errors import Conflict
from annotator.domain.formats.assay_jsonl import PLAIN_PASSAGE_FIELDS, PROJECT_FIELDS, StoredAssignment
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget
from annotator.domain.language import made_tokens
from annotator.domain.tokens import StoredTokens, TokenBorders, spans_of, texts_of, unpack_tokens
from annotator.models import Assignment, Membership, PassageTokens, Project

CHUNK = 500  # passages in memory at once
ANSWERS_CHUNK = 1000  # assignments in memory at once
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


def everything_of(project: Project) -> Iterator[dict[str, Any] | StoredAssignment]:
    """The records of Assay JSONL: the project, its passages, and what everybody said, under pseudonyms."""
    yield {
        "project": {name: getattr(project, name) for name in PROJECT_FIELDS} | {"protocol": project.protocol.as_dict()}
    }
    passages = project.passages.order_by("pk")
    for row in passages.values("external_id", "tokens", "key_answer", "archived_at", *PLAIN_PASSAGE_FIELDS).iterator(
        CHUNK
    ):
        at = row["archived_at"]
        row |= {"id": row.pop("external_id"), "archived_at": _iso(at) if at else None}
        yield {"passage": row}
    has_work = Exists(Assignment.objects.filter(membership=OuterRef("pk")))
    heard = project.memberships.filter(Q(is_annotator=True) | has_work)  # also who has another role by now
    memberships = sorted(heard, key=lambda membership: membership.pseudonym)  # not by the database's alphabet
    for membership in memberships:
        yield {"annotator": membership.pseudonym}
    for membership in memberships:
        # Not by a cursor: PostgreSQL, right after an import, planned those to try every passage for every assignment.
        numbers = list(membership.assignments.in_order().values_list("number", flat=True))
        for start in range(0, len(numbers), ANSWERS_CHUNK):
            chunk = numbers[start : start + ANSWERS_CHUNK]
            yield from _assignments_of(membership, first=chunk[0], last=chunk[-1])


def _assignments_of(membership: Membership, *, first: int, last: int) -> Iterator[StoredAssignment]:
    """In plain rows, one for each submission, with JSON left as text: the ORM's objects would take most of the time.
    A draft that is that submission's answer is not sent a second time."""
    is_answer = When(draft=F("submissions__answer"), then=None)
    rows = (
        membership.assignments.filter(number__range=(first, last))
        .order_by("number", "submissions__number")
        .annotate(
            draft_text=Case(is_answer, default=Cast("draft", TextField()), output_field=TextField()),
            answer_text=Cast("submissions__answer", TextField()),
        )
        .values_list(
            *("number", "active_ms", "discard_reason", "discard_remark", "draft_text", "passage__external_id"),
            *("round", "state", "answer_text", "submissions__at"),
        )
    )
    for number, same in groupby(rows, key=itemgetter(0)):
        found = list(same)
        _, active_ms, reason, remark, draft, passage, round_, state, answer, _ = found[0]
        draft = draft or answer
        submissions = [(answer, _iso(at)) for *_, answer, at in found if answer is not None]
        yield StoredAssignment(
            active_ms, membership.pseudonym, reason, remark, draft, number, passage, round_, state, submissions
        )


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def kept_tokens(passages: Sequence[int]) -> dict[int, StoredTokens]:
    rows = PassageTokens.objects.fitting().filter(pk__in=passages).values_list("pk", "spans", "rewritten")
    return {pk: unpack_tokens(bytes(spans), rewritten) for pk, spans, rewritten in rows}


@dataclass
class SwsGold:
    """Sentences as they are asked for; afterwards `off_borders` names the targets that are no span of tokens, and
    `targets` counts those that are. `added`: suggestions that nobody voted for, written with one vote."""

    merge: Merge
    with_decisions: bool = True
    off_borders: list[str] = field(default_factory=list)
    sentences: int = 0
    targets: int = 0
    added: int = 0
    _kept_read: int = 0

    def __iter__(self) -> Iterator[SwsSentence]:
        results = (
            in_gold(self.merge) if self.with_decisions else PassageResult.objects.filter(merge=self.merge).merged()
        )
        ids = list(results.in_order().values_list("passage", flat=True))
        with without_collector():
            for start in range(0, len(ids), CHUNK):
                yield from self._sentences(ids[start : start + CHUNK])

    def _sentences(self, passages: Sequence[int]) -> Iterator[SwsSentence]:
        tokens = kept_tokens(passages)
        for standing in standings(self.merge, passages, with_decisions=self.with_decisions, only_gold=True):
            self.sentences += 1
            self._kept_read += sum(target.is_kept for target in standing.targets)
            yield self._sentence(standing, tokens.get(standing.passage.pk))

    def check_whole(self) -> None:
        """After the last sentence: a later merge may have taken this one's rows away meanwhile (T20)."""
        kept = Target.objects.filter(merge=self.merge).kept()
        discarded = kept.exclude(passage__in=in_gold(self.merge).values("passage"))
        left_out = discarded.count() if self.with_decisions else 0
        is_there = Merge.objects.finished().filter(pk=self.merge.pk).exists()
        if not is_there or self._kept_read + left_out != self.merge.kept:
            raise Conflict(
                "Another merge took the place of this one while it was written: try again.", code="overtaken"
            )

    @cached_property
    def codes(self) -> dict[str, int]:
        """By the rules that the merge was made by; a type that a decision gave may have come later."""
        return {item.key: item.code for item in self.merge.project.protocol.types} | dict(self.merge.types)

    @property
    def type_names(self) -> dict[int, str]:
        """By the number that stands in the file, which types may share."""
        found: dict[int, str] = {}
        for key, code in self.codes.items():
            found[code] = f"{found[code]}, {key}" if code in found else key
        return found

    @property
    def off_borders_named(self) -> str:
        more = f", and {len(self.off_borders) - SHOWN:,} more" if len(self.off_borders) > SHOWN else ""
        return ", ".join(self.off_borders[:SHOWN]) + more

    def _sentence(self, standing: Standing, tokens: StoredTokens | None) -> SwsSentence:
        passage = standing.passage
        stored = tokens if passage.tokens is None else passage.tokens
        if stored is None:  # the job that makes them has not come so far
            stored = made_tokens(passage.text, passage.lang or self.merge.project.language)
        borders = TokenBorders.of(spans_of(stored))
        found = []
        for target in standing.gold.kept:
            span = borders.span(target.start, target.end)
            if span is None:
                self.off_borders.append(f"{passage.external_id} [{target.start}, {target.end}) “{target.quote}”")
                continue
            self.added += sum(not item.votes for item in target.suggestions)
            votes = tuple((item.text, max(item.votes, 1)) for item in target.suggestions)
            found.append(SwsTarget(span, votes, self.codes[target.type], target.annotators))
        self.targets += len(found)
        return SwsSentence(passage.external_id, passage.text, tuple(texts_of(passage.text, stored)), tuple(found))
