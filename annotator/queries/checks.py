"""What controls and repeats have told of each person, as far as they have been looked at."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery, Value

from annotator.domain.checks import Checks, Twice, summed
from annotator.domain.passages import PassageKind
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Check, Project, Submission

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
    columns = ("pk", "passage", "newest", "original", "told__submissions")
    found = []
    for is_repeat, rows in (
        (False, own.filter(is_repeat=False, passage__in=controls).annotate(original=Value(None))),
        (True, own.filter(is_repeat=True).annotate(original=Subquery(original.values("pk")[:1]))),
    ):
        for pk, passage, last, first, told in rows.annotate(newest=Subquery(newest)).values_list(*columns):
            made_from = [first, last] if is_repeat else [last]
            if None not in made_from and told != made_from:
                found.append(Due(pk, is_repeat, passage, made_from))
    return sorted(found, key=lambda due: due.assignment)
