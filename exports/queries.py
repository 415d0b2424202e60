"""Gold on its way out: the current merge, passage by passage."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from django.db.models import Exists, OuterRef, Q

from adjudication.domain.merge import MergeSettings
from adjudication.models import Merge, Target
from adjudication.queries import current_merge, merge_input_hash, work_list
from annotator.domain.errors import Conflict
from annotator.domain.formats.assay_jsonl import ASSIGNMENT_FIELDS, PLAIN_PASSAGE_FIELDS, PROJECT_FIELDS
from annotator.domain.formats.sws_json import SwsSentence, SwsTarget
from annotator.domain.language import made_tokens
from annotator.domain.tokens import TokenBorders, spans_of, texts_of
from annotator.models import Assignment, Passage, Project

CHUNK = 500  # passages in memory at once


def merge_to_export(project: Project) -> Merge:
    merge = current_merge(project)
    if merge is None:
        raise Conflict(f"There is no merge yet: run `manage.py merge {project.slug}`.", code="no_merge")
    return merge


def is_up_to_date(merge: Merge) -> bool:
    """Whether merging now would give the same gold."""
    settings = MergeSettings.of(merge.project.protocol)
    return merge.input_hash == merge_input_hash(work_list(merge.project), settings)


def everything_of(project: Project) -> Iterator[dict[str, Any]]:
    """The records of Assay JSONL: the project, its passages, and what everybody said, under pseudonyms."""
    yield {
        "project": {name: getattr(project, name) for name in PROJECT_FIELDS} | {"protocol": project.protocol.as_dict()}
    }
    for passage in project.passages.order_by("pk").iterator(chunk_size=CHUNK):
        yield {"passage": _passage_record(passage)}
    has_work = Exists(Assignment.objects.filter(membership=OuterRef("pk")))
    heard = project.memberships.filter(Q(is_annotator=True) | has_work)  # also who has another role by now
    memberships = sorted(heard, key=lambda membership: membership.pseudonym)  # not by the database's alphabet
    for membership in memberships:
        yield {"annotator": membership.pseudonym}
    for membership in memberships:
        rows = membership.assignments.select_related("passage").prefetch_related("submissions").order_by("number")
        for row in rows.iterator(chunk_size=CHUNK):
            yield {"assignment": _assignment_record(row, membership.pseudonym)}


def _passage_record(passage: Passage) -> dict[str, Any]:
    archived_at = passage.archived_at.astimezone(UTC).isoformat() if passage.archived_at else None
    texts = {name: getattr(passage, name) for name in PLAIN_PASSAGE_FIELDS}
    return {
        **texts,
        "id": passage.external_id,
        "tokens": passage.tokens,
        "key_answer": passage.key_answer,
        "archived_at": archived_at,
    }


def _assignment_record(row: Assignment, pseudonym: str) -> dict[str, Any]:
    submissions = sorted(row.submissions.all(), key=lambda submission: submission.number)
    return {
        **{name: getattr(row, name) for name in ASSIGNMENT_FIELDS},
        "passage": row.passage.external_id,
        "annotator": pseudonym,
        "submissions": [{"answer": item.answer, "at": item.at.astimezone(UTC).isoformat()} for item in submissions],
    }


@dataclass
class SwsGold:
    """Sentences as they are asked for; afterwards `off_borders` names the targets that are no span of tokens, and
    `targets` counts those that are."""

    merge: Merge
    off_borders: list[str] = field(default_factory=list)
    sentences: int = 0
    targets: int = 0

    def __iter__(self) -> Iterator[SwsSentence]:
        codes = {item.key: item.code for item in self.merge.project.protocol.types}
        ids = self.merge.passage_ids
        for start in range(0, len(ids), CHUNK):
            chunk = ids[start : start + CHUNK]
            kept = defaultdict(list)
            for target in Target.objects.filter(merge=self.merge, passage__in=chunk).kept().in_order():
                kept[target.passage_id].append(target)
            passages = Passage.objects.in_bulk(chunk)
            for pk in chunk:
                self.sentences += 1
                yield self._sentence(passages[pk], kept[pk], codes)

    def check_whole(self) -> None:
        """After the last sentence: a later merge may have taken this one's rows away meanwhile."""
        if self.targets + len(self.off_borders) != self.merge.kept:
            raise Conflict(
                "Another merge took the place of this one while it was written: try again.", code="overtaken"
            )

    def _sentence(self, passage: Passage, targets: list[Target], codes: dict[str, int]) -> SwsSentence:
        stored = passage.tokens
        if stored is None:
            stored = made_tokens(passage.text, passage.lang or self.merge.project.language)
        borders = TokenBorders.of(spans_of(stored))
        found = []
        for target in targets:
            span = borders.span(target.start, target.end)
            if span is None:
                self.off_borders.append(f"{passage.external_id} [{target.start}, {target.end}) “{target.quote}”")
                continue
            votes = tuple((item["text"], item["votes"]) for item in target.suggestions)
            found.append(SwsTarget(span, votes, codes[target.type]))
        self.targets += len(found)
        return SwsSentence(passage.external_id, passage.text, tuple(texts_of(passage.text, stored)), tuple(found))
