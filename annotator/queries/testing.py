"""The qualification test of one person: what they have been given, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.answers import Answer, Substitute, stored_answer, united
from annotator.domain.passages import PassageKind
from annotator.domain.qualification import Assessment, assess
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Membership, Submission, User
from annotator.models.work import AssignmentQuerySet


def tests_of(membership: Membership) -> AssignmentQuerySet:
    """Of every try."""
    return Assignment.objects.filter(membership=membership, passage__kind=PassageKind.TEST).in_order()


def unused_tests(membership: Membership) -> int:
    """Test passages with a key that somebody has never been given."""
    given = Assignment.all_rows.filter(membership=membership).values("passage")
    return membership.project.passages.keyed_tests().exclude(pk__in=given).count()


@dataclass(frozen=True)
class SpanLine:
    """What key and answer say of one place; "" where one of them does not mark it."""

    quote: str
    key: str
    own: str
    is_shared: bool  # a substitute in common


@dataclass(frozen=True)
class TriedPassage:
    """One test passage of somebody: what the key says beside what they said, once they have done with it."""

    assignment: Assignment
    found: Assessment | None
    spans: Sequence[SpanLine]
    is_earlier: bool  # of an earlier try

    @property
    def f05(self) -> float | None:
        return None if self.found is None else float(self.found.f05)


def test_lines(membership: Membership, *, by: User) -> list[TriedPassage]:
    """For a lead: without what they have still to submit themselves, and without keys before somebody has done with
    the passage."""
    visible = tests_of(membership).filter(pk__in=Assignment.objects.visible_to(by).values("pk"))
    rows = list(visible.select_related("membership__project", "passage"))
    submitted = {row.assignment_id: row for row in Submission.objects.filter(assignment__in=rows).order_by("number")}
    found = []
    for row in rows:
        said, is_earlier = submitted.get(row.pk), row.number < membership.tests_from
        if said is None or row.state != AssignmentState.SUBMITTED or row.passage.key_answer is None:
            found.append(TriedPassage(row, None, [], is_earlier))
            continue
        key, own = stored_answer(row.passage.key_answer), stored_answer(said.answer)
        protocol = membership.project.protocol
        spans = _spans(row.passage.text, key, own, folds=protocol.folds_substitutes)
        found.append(TriedPassage(row, assess([(key, own)], protocol), spans, is_earlier))
    return found


def _spans(text: str, key: Answer, own: Answer, *, folds: bool) -> list[SpanLine]:
    """In the order of the text."""
    wanted, given = united(key, folds=folds), united(own, folds=folds)
    found = []
    for start, end in sorted(wanted.keys() | given.keys()):
        of_key, of_own = wanted.get((start, end), {}), given.get((start, end), {})
        is_shared = bool(of_key.keys() & of_own.keys())
        found.append(SpanLine(text[start:end], _listed(of_key), _listed(of_own), is_shared))
    return found


def _listed(said: Mapping[str, Substitute]) -> str:
    return "; ".join(item.text for item in said.values())
