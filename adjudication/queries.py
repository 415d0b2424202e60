"""Reads over several people's work: one fixed list of what counts, then rows by id, outside any transaction."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudication.domain.answered import AnsweredPassage
from adjudication.domain.merge import MergeSettings
from adjudication.domain.signature import METHOD_VERSION
from adjudication.models import Merge
from annotator.domain.answers import stored_answer
from annotator.domain.canonical import sha256_of
from annotator.domain.tokens import spans_of
from annotator.models import Assignment, Membership, Passage, Project, Submission

CHUNK = 200  # passages whose answers are in memory at once


@dataclass(frozen=True)
class Counted:
    """A submission that counts. Rows never change, so what is loaded by these ids later is what was listed."""

    submission: int
    membership: int
    round: int
    assignment: int
    number: int
    sha256: str


@dataclass(frozen=True)
class WorkList:
    """What merge and agreement are made from: by passage the submissions that count and who discarded it."""

    project: Project
    passages: Sequence[int]
    counted: Mapping[int, Sequence[Counted]]
    discarded_by: Mapping[int, Sequence[int]]
    pseudonyms: Mapping[int, str]

    @property
    def answers(self) -> int:
        return sum(map(len, self.counted.values()))

    @property
    def annotators(self) -> list[str]:
        heard = {item.membership for items in self.counted.values() for item in items}
        return sorted(self.pseudonyms[membership] for membership in heard)

    def fingerprint(self) -> list[object]:
        """What the hash of the input is made of: assignments, versions and contents."""
        counted = sorted(
            (item.assignment, item.number, item.sha256) for items in self.counted.values() for item in items
        )
        discards = sorted((passage, who) for passage, people in self.discarded_by.items() for who in people)
        return [list(self.passages), counted, discards]


def work_list(project: Project, *, first_round_only: bool = False) -> WorkList:
    """The newest submissions and the discards, in one statement each; of each person and passage the latest round, or
    the first round only: an answer given after seeing others' is no agreement."""
    passages = list(project.passages.work().order_by("pk").values_list("pk", flat=True))
    fields = ("pk", "assignment__membership_id", "assignment__round", "assignment_id", "number", "sha256")
    rows = Submission.objects.counting().filter(assignment__passage__project=project)
    discards = Assignment.objects.discarded().filter(passage__project=project)
    if first_round_only:
        rows, discards = rows.filter(assignment__round=1), discards.filter(round=1)
    latest: dict[int, dict[int, Counted]] = defaultdict(dict)
    for passage, *values in rows.values_list("assignment__passage_id", *fields).iterator(chunk_size=5000):
        item = Counted(*values)
        before = latest[passage].get(item.membership)
        if before is None or before.round < item.round:
            latest[passage][item.membership] = item
    discarded: dict[int, set[int]] = defaultdict(set)
    for passage, membership in discards.values_list("passage_id", "membership_id"):
        if membership not in latest.get(passage, {}):
            discarded[passage].add(membership)
    return WorkList(
        project=project,
        passages=passages,
        counted={passage: sorted(found.values(), key=lambda c: c.membership) for passage, found in latest.items()},
        discarded_by={passage: sorted(people) for passage, people in discarded.items()},
        pseudonyms=dict(Membership.objects.filter(project=project).values_list("pk", "pseudonym")),
    )


def merge_input_hash(work: WorkList, settings: MergeSettings) -> str:
    return sha256_of(["merge", METHOD_VERSION, settings.as_dict(), work.fingerprint()])


def answered_passages(
    work: WorkList, passages: Sequence[int], *, with_text: bool = True
) -> Iterator[tuple[int, AnsweredPassage]]:
    """The passages with their answers, a chunk in memory at a time. Merging needs no text: each mark has its quote."""
    for start in range(0, len(passages), CHUNK):
        chunk = passages[start : start + CHUNK]
        wanted = [item.submission for passage in chunk for item in work.counted.get(passage, ())]
        answers = dict(Submission.objects.filter(pk__in=wanted).values_list("pk", "answer"))
        texts = Passage.objects.in_bulk(chunk) if with_text else {}
        for pk in chunk:
            said = {
                work.pseudonyms[item.membership]: stored_answer(answers[item.submission])
                for item in work.counted.get(pk, ())
            }
            gone = frozenset(work.pseudonyms[membership] for membership in work.discarded_by.get(pk, ()))
            row = texts.get(pk)
            if row is None:
                yield pk, AnsweredPassage(str(pk), "", said, gone)
                continue
            yield (
                pk,
                AnsweredPassage(
                    id=row.external_id,
                    text=row.text,
                    answers=said,
                    discarded_by=gone,
                    group=row.group,
                    lang=row.lang or work.project.language,
                    given_tokens=None if row.tokens is None else spans_of(row.tokens),
                ),
            )


def current_merge(project: Project) -> Merge | None:
    return Merge.objects.of(project).current().first()
