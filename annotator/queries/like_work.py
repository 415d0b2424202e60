"""What people have of what looks like work to them, counted: all they have, without the few passages that do not. Asked
so that an index alone answers it: to look at the passage of each takes a hundred times as long. Nobody with an account
has rows of a file that is still coming in, so none need be left out."""

from collections import Counter, defaultdict
from collections.abc import Collection

from django.db.models import Count, Sum

from annotator.domain.passages import LOOK_LIKE_WORK
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Project


def states_of(project: Project, people: Collection[int]) -> dict[int, Counter[str]]:
    """How many passages in each state, by membership."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    every = Assignment.all_rows.order_by()
    for rows, sign in ((every.filter(membership__in=people), 1), (every.filter(passage__in=_apart(project)), -1)):
        for membership, state, number in rows.values_list("membership", "state").annotate(number=Count("pk")):
            found[membership][state] += sign * number
    return found


def times_of(project: Project, people: Collection[int]) -> dict[int, tuple[int, int]]:
    """How many passages are submitted, and how many milliseconds they took, by membership."""
    found: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    every = Assignment.all_rows.filter(state=AssignmentState.SUBMITTED).order_by()
    for rows, sign in ((every.filter(membership__in=people), 1), (every.filter(passage__in=_apart(project)), -1)):
        counted = rows.values_list("membership").annotate(number=Count("pk"), active_ms=Sum("active_ms"))
        for membership, number, active_ms in counted:
            passages, before = found[membership]
            found[membership] = (passages + sign * number, before + sign * active_ms)
    return found


def _apart(project: Project) -> list[int]:
    return list(project.passages.exclude(kind__in=LOOK_LIKE_WORK).values_list("pk", flat=True))
