"""Reads that give something other than a QuerySet."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, Sum

from annotator.domain.states import EDITABLE, AssignmentState
from annotator.models import Assignment, Membership, Project, User


@dataclass(frozen=True)
class Progress:
    """One person's own progress; nothing in it depends on anybody else's work."""

    total: int
    submitted: int
    started: int
    discarded: int
    to_do: int
    marks: int
    substitutes: int

    @property
    def done(self) -> int:
        return self.submitted + self.discarded

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


def own_progress(user: User, project: Project) -> Progress:
    states = AssignmentState
    counted = (
        Assignment.objects.own(user)
        .filter(passage__project=project)
        .exclude(state=states.WITHDRAWN)
        .aggregate(
            total=Count("pk"),
            submitted=Count("pk", filter=Q(state=states.SUBMITTED)),
            started=Count("pk", filter=Q(state=states.STARTED)),
            discarded=Count("pk", filter=Q(state=states.DISCARDED)),
            to_do=Count("pk", filter=Q(state__in=EDITABLE)),
            marks=Sum("marks", default=0),
            substitutes=Sum("substitutes", default=0),
        )
    )
    return Progress(**counted)


def next_number(user: User, project: Project, *, after: int = 0) -> int | None:
    """The next own passage still to do: the first after `after`, else the first from the start."""
    own = Assignment.objects.own(user).filter(passage__project=project).to_do().in_order()
    numbers = own.values_list("number", flat=True)
    return numbers.filter(number__gt=after).first() or numbers.first()


@dataclass(frozen=True)
class PersonLine:
    membership: Membership
    label: str
    email: str


def people_of(project: Project) -> list[PersonLine]:
    """For a lead: names behind pseudonyms; voices by the name their file gave them."""
    rows = (
        project.memberships.active().select_related("user").order_by(F("user__name").asc(nulls_last=True), "pseudonym")
    )
    return [PersonLine(row, *((row.user.name, row.user.email) if row.user else (row.pseudonym, ""))) for row in rows]
