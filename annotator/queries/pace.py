"""How far the answers are that a project wants, and how fast they come: what counts in the one counts in the other."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from annotator.models import Assignment, Project, Submission
from annotator.queries.checks import COUNTING


@dataclass(frozen=True)
class Covered:
    """How many answers that count each work passage has, of voices too. Those without any are only counted."""

    passages: int
    answers: dict[int, int]  # by passage

    @property
    def by_number(self) -> dict[int, int]:
        """How many passages have so many."""
        found = Counter(self.answers.values())
        found[0] = self.passages - len(self.answers)
        return {number: found[number] for number in range(max(found) + 1)} if self.passages else {}

    def done(self, k: int) -> int:
        """Of those that are wanted: no more of one passage than `k`, where that is not 0."""
        return sum(min(number, k) if k else number for number in self.answers.values())


def covered(project: Project) -> Covered:
    """Counted in one index, and passages that are no work taken off again: to ask for each takes longer."""
    rows = Assignment.objects.with_answers().filter(passage__project=project).order_by()
    answers = dict(rows.values_list("passage").annotate(number=Count("pk")))
    work = project.passages.work()
    for pk in project.passages.exclude(pk__in=work.values("pk")).values_list("pk", flat=True):
        answers.pop(pk, None)
    return Covered(work.count(), answers)


def came(project: Project, found: Covered, *, since: datetime, until: datetime) -> int:
    """How many answers people handed in between the two moments, for the first time, of those that `found` has: neither
    of controls nor of repeats, nor set aside since, nor of a passage that had all that are wanted."""
    k, voices = project.protocol.answers_per_passage, project.memberships.filter(user=None).values_list("pk", flat=True)
    # By time alone, and the project's picked out here: SQLite, asked for both, would walk through all its answers.
    rows = (
        Submission.objects.filter(number=1, at__gte=since)
        .filter(assignment__is_repeat=False, assignment__state__in=COUNTING)
        .exclude(assignment__membership__in=list(voices))
        .order_by()
    )
    total, later = 0, Count("pk", filter=Q(at__gte=until))
    for passage, number, after in rows.values_list("assignment__passage").annotate(answers=Count("pk"), later=later):
        if passage in found.answers:
            then, new = found.answers[passage] - after, number - after
            total += min(then, k) - min(then - new, k) if k else new
    return total
