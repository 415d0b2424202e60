"""What controls and repeats have told of each person, as far as they have been looked at."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery

from annotator.domain.checks import Checks, Twice, summed
from annotator.domain.jobs import percent
from annotator.domain.passages import PassageKind
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Check, Membership, Project, Submission, User

COUNTING = [AssignmentState.SUBMITTED, AssignmentState.STARTED]  # a reopened answer counts until the next submit


def checks_of(project: Project) -> dict[int, Checks]:
    """By membership."""
    controls: dict[int, list[bool]] = defaultdict(list)
    repeats: dict[int, list[Twice]] = defaultdict(list)
    columns = ("assignment__membership", "assignment__is_repeat", "is_met", "spans_shared", "spans_either", "words")
    rows = Check.objects.filter(assignment__membership__project=project).order_by("assignment_id")
    for membership, is_repeat, met, shared, either, words in rows.values_list(*columns):
        if is_repeat:
            repeats[membership].append(Twice(shared, either, tuple((a, b) for a, b in words)))
        elif met is not None:
            controls[membership].append(met)
    return {pk: summed(controls[pk], repeats[pk]) for pk in controls.keys() | repeats.keys()}


@dataclass(frozen=True)
class PersonsChecks:
    membership: Membership
    checks: Checks

    @property
    def met(self) -> int:
        """Of the controls that were looked at, in percent."""
        return percent(self.checks.met, self.checks.controls)

    @property
    def spans(self) -> float | None:
        return None if self.checks.spans is None else 100 * self.checks.spans

    @property
    def words(self) -> float | None:
        return None if self.checks.words is None else 100 * self.checks.words


def checks_by_person(project: Project) -> list[PersonsChecks]:
    """Of everybody who annotates, and whoever else has been looked at."""
    found = checks_of(project)
    people = project.memberships.filter(user__isnull=False).select_related("user").order_by("pseudonym")
    return [
        PersonsChecks(row, found.get(row.pk, Checks()))
        for row in people
        if row.pk in found or (row.is_annotator and not row.removed_at)
    ]


def checks_seen_by(user: User | None, project: Project) -> list[PersonsChecks]:
    """For whoever sees everybody's work: of whom there is anything to tell, without themself. By how many of their own
    have been looked at they could tell which passage was one. None: an operator at the shell."""
    own = user.pk if user else None
    return [line for line in checks_by_person(project) if line.checks != Checks() and line.membership.user_id != own]


def checks_told(user: User | None, project: Project) -> list[dict[str, Any]]:
    """The same as it leaves the house."""
    return [
        {
            "name": line.membership.pseudonym,
            "controls": line.checks.controls,
            "met": line.checks.met,
            "repeats": line.checks.repeats,
            "pa_det": line.checks.spans,
            "pa_sug": line.checks.words,
        }
        for line in checks_seen_by(user, project)
    ]


@dataclass(frozen=True)
class Due:
    """A submitted control or repeat that has not been looked at, or was submitted again since: what it is made from."""

    assignment: int
    is_repeat: bool
    passage: int
    submissions: list[int]  # of a repeat the original's first


def due_checks(project: Project) -> list[Due]:
    """Of everybody in a project, in order of assignments."""
    newest = Submission.objects.filter(assignment=OuterRef("pk"), number=OuterRef("submissions_made")).values("pk")
    original = Submission.objects.counting().filter(
        assignment__membership=OuterRef("membership"), assignment__passage=OuterRef("passage")
    )
    controls = project.passages.in_use().filter(kind=PassageKind.CONTROL, key_answer__isnull=False)
    own = Assignment.objects.filter(membership__project=project, state__in=COUNTING, submissions_made__gt=0)
    own = own.annotate(newest=Subquery(newest))
    again = own.filter(is_repeat=True).annotate(original=Subquery(original.values("pk")[:1]))
    columns = ("pk", "passage", "told__submissions", "newest")
    found = [
        Due(pk, False, passage, [last])
        for pk, passage, told, last in own.filter(is_repeat=False, passage__in=controls).values_list(*columns)
        if told != [last]
    ]
    found += [
        Due(pk, True, passage, [first, last])
        for pk, passage, told, last, first in again.values_list(*columns, "original")
        if first is not None and told != [first, last]
    ]
    return sorted(found, key=lambda due: due.assignment)
