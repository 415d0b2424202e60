"""What everybody said, as the records of Assay JSONL."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, TextField, When
from django.db.models.functions import Cast

from adjudication.models import Comment, DecisionStep, Merge
from annotator.domain.formats.assay_jsonl import (
    PLAIN_PASSAGE_FIELDS,
    PROJECT_FIELDS,
    Record,
    ReleasedAssignment,
    StoredAssignment,
)
from annotator.models import Assignment, Event, Membership, Project, Question, Submission
from exports.models import Card

if TYPE_CHECKING:
    from adjudication.domain.shards import Shard  # loads arrays, which an export does without

CHUNK = 500  # passages in memory at once
ANSWERS_CHUNK = 1000  # assignments in memory at once


def everything_of(project: Project) -> Iterator[Record]:
    """The project, its passages, what everybody said, asked and decided, and its card, under pseudonyms: for moving a
    project."""
    yield _project_record(project)
    yield from _passage_records(project.passages.order_by("pk"))
    has_work = Exists(Assignment.objects.filter(membership=OuterRef("pk")))
    heard = list(project.memberships.filter(Q(is_annotator=True) | has_work))  # also who has another role by now
    steps = DecisionStep.objects.filter(decision__passage__project=project)
    comments = Comment.objects.filter(passage__project=project)
    speaking = {
        name for pair in comments.values_list("by__pseudonym", "resolved_by__pseudonym") for name in pair if name
    }
    yield from _people_records([membership.pseudonym for membership in heard], steps, speaking)
    for membership in sorted(heard, key=attrgetter("pseudonym")):  # not by the database's alphabet
        # Not by a cursor: PostgreSQL, right after an import, planned those to try every passage for every assignment.
        numbers = list(membership.assignments.in_order().values_list("number", flat=True))
        for start in range(0, len(numbers), ANSWERS_CHUNK):
            chunk = numbers[start : start + ANSWERS_CHUNK]
            yield from _assignments_of(membership, first=chunk[0], last=chunk[-1])
    yield from _question_records(project)
    yield from _decision_records(steps)
    yield from _comment_records(comments)
    yield from ({"card": row.values} for row in Card.objects.filter(project=project) if row.values)


def released_answers(
    merge: Merge, listed: "Shard", steps: QuerySet[DecisionStep], placed: Mapping[str, str]
) -> Iterator[Record]:
    """The same of what a release is made of: the answers that its merge counted and the discards it saw, without
    drafts, remarks and times; no test or practice passages. `placed`: by id the split of each passage in the gold."""
    project = merge.project
    yield _project_record(project)
    for record in _passage_records(project.passages.filter(pk__in=listed.passages.tolist()).order_by("pk")):
        about = record["passage"]
        about.pop("screening", None)  # what the merge counted is in the gold, whatever somebody has said of it since
        yield {"passage": about | {"split": placed.get(about["id"], ""), "key_answer": None, "archived_at": None}}
    yield from _people_records(listed.names, steps)
    for number, name in enumerate(listed.names):
        own = [*_counted(name, listed, number), *_discarded(name, listed, number, merge)]
        yield from sorted(own, key=attrgetter("number"))
    yield from _decision_records(steps)


def _project_record(project: Project) -> dict[str, Any]:
    about = {name: getattr(project, name) for name in PROJECT_FIELDS}
    return {"project": about | {"protocol": project.protocol.as_dict()}}


def _passage_records(passages: QuerySet[Any]) -> Iterator[dict[str, Any]]:
    own = ("external_id", "tokens", "key_answer", "archived_at", "screening", "screening_reason")
    names = (*own, *PLAIN_PASSAGE_FIELDS)
    for row in passages.values(*names).iterator(CHUNK):
        at = row["archived_at"]
        row |= {"id": row.pop("external_id"), "archived_at": _iso(at) if at else None}
        verdict, reason = row.pop("screening"), row.pop("screening_reason")
        if verdict:
            row["screening"] = reason or verdict
        yield {"passage": row}


def _people_records(
    annotators: Iterable[str], steps: QuerySet[DecisionStep], speaking: Iterable[str] = ()
) -> Iterator[dict[str, Any]]:
    heard = set(annotators)
    others = {*steps.values_list("by__pseudonym", flat=True).distinct(), *speaking} - heard
    for name in sorted(heard):
        yield {"annotator": name}
    for name in sorted(others):
        yield {"adjudicator": name}


def _counted(name: str, listed: "Shard", number: int) -> Iterator[ReleasedAssignment]:
    ids = listed.submission[listed.annotator == number].tolist()
    for start in range(0, len(ids), ANSWERS_CHUNK):
        rows = Submission.objects.filter(pk__in=ids[start : start + ANSWERS_CHUNK])
        found = rows.annotate(text=Cast("answer", TextField())).values_list(
            "assignment__number", "assignment__passage__external_id", "assignment__round", "text", "at"
        )
        for own_number, passage, round_, text, at in found:
            yield ReleasedAssignment(name, "", own_number, passage, round_, "submitted", [(text, _iso(at))])


def _discarded(name: str, listed: "Shard", number: int, merge: Merge) -> Iterator[ReleasedAssignment]:
    """With the reason that stood when the merge was listed, though the person may have taken it back since: the log has
    it. What came from a file was discarded there, and is nobody's to take back."""
    places = listed.discard_place[listed.discard_annotator == number].tolist()
    passages = [int(listed.passages[place]) for place in places]
    rows = Assignment.objects.filter(
        passage__in=passages, membership__pseudonym=name, membership__project=merge.project, is_repeat=False
    )
    names = ("pk", "discard_reason", "number", "passage__external_id", "round")
    found = list(rows.order_by("round").values_list(*names))
    told = _reasons([pk for pk, *_ in found], merge.listed_at_event)
    newest = {
        passage: (told.get(pk) or reason, own_number, passage, round_)
        for pk, reason, own_number, passage, round_ in found
        if pk in told or reason
    }
    for reason, own_number, passage, round_ in newest.values():
        yield ReleasedAssignment(name, reason, own_number, passage, round_, "discarded", [])


def _reasons(assignments: Sequence[int], event: int) -> dict[int, str]:
    """By assignment why it was discarded last before that event; after it, where it was not before."""
    rows = Event.objects.filter(
        subject=Assignment.subject_name(), subject_id__in=assignments, kind="assignment.discarded"
    )
    found: dict[int, str] = {}
    for pk, own, payload in rows.order_by("subject_id", "seq").values_list("pk", "subject_id", "payload"):
        if pk <= event or own not in found:
            found[own] = payload["reason"]
    return found


def _question_records(project: Project) -> Iterator[dict[str, Any]]:
    """By people and their own numbers. Whoever has answered is a person of this house, and is not told."""
    rows = Question.objects.filter(assignment__passage__project=project).values_list(
        *("assignment__membership__pseudonym", "assignment__number", "pk"),
        *("text", "asked_at", "answer", "answered_at"),
    )
    for annotator, number, _, text, asked_at, answer, answered_at in sorted(rows, key=itemgetter(0, 1, 2)):
        yield {
            "question": {
                "annotator": annotator,
                "number": number,
                "text": text,
                "asked_at": _iso(asked_at),
                "answer": answer,
                "answered_at": _iso(answered_at) if answered_at else None,
            }
        }


def _comment_records(comments: QuerySet[Comment]) -> Iterator[dict[str, Any]]:
    """By passages, as they were said."""
    for row in comments.select_related("passage", "by", "resolved_by").order_by("passage_id", "pk"):
        yield {
            "comment": {
                "passage": row.passage.external_id,
                "start": row.start,
                "end": row.end,
                "text": row.text,
                "by": row.by.pseudonym,
                "at": _iso(row.at),
                "resolved_by": row.resolved_by.pseudonym if row.resolved_by else None,
                "resolved_at": _iso(row.resolved_at) if row.resolved_at else None,
            }
        }


def _decision_records(steps: QuerySet[DecisionStep]) -> Iterator[dict[str, Any]]:
    """In order of passages and spans, that of a whole passage first."""
    rows = steps.select_related("decision__passage", "by").order_by(
        "decision__passage_id", F("decision__start").asc(nulls_first=True), "decision__end", "decision__seat", "number"
    )
    for decision, same in groupby(rows, key=attrgetter("decision")):
        yield {
            "decision": {
                "passage": decision.passage.external_id,
                "start": decision.start,
                "end": decision.end,
                "seat": decision.seat,
                "steps": [_step_record(step) for step in same],
            }
        }


def _step_record(step: DecisionStep) -> dict[str, Any]:
    names = ("cause", "content", "evidence", "is_proposal", "merge", "reason", "snapshot")
    return {
        **{name: getattr(step, name) for name in names},
        "act": str(step.act),
        "undoes": str(step.undoes) if step.undoes else None,
        "at": _iso(step.at),
        "by": step.by.pseudonym,
    }


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
            *("round", "state", "is_repeat", "answer_text", "submissions__at"),
        )
    )
    for number, same in groupby(rows, key=itemgetter(0)):
        found = list(same)
        _, active_ms, reason, remark, draft, passage, round_, state, is_repeat, answer, _ = found[0]
        draft = draft or answer
        submissions = [(answer, _iso(at)) for *_, answer, at in found if answer is not None]
        yield StoredAssignment(
            *(active_ms, membership.pseudonym, reason, remark, draft, is_repeat),
            *(number, passage, round_, state, submissions),
        )


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
