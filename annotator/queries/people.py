"""A project's people, line by line, for its leads."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Max, Q, When
from django.db.models.functions import Coalesce, Lower

from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Invitation, Membership, Project, Tally, User
from annotator.models.people import MembershipQuerySet
from annotator.permissions import helpable_by
from annotator.queries.like_work import states_of

PEOPLE_LISTED = 50
MOST_INVITATIONS = 200  # listed; a search finds the others
OVER = (AssignmentState.SUBMITTED, AssignmentState.DISCARDED)


@dataclass(frozen=True)
class PersonLine:
    """`done` of `given`: what looks like work to them, controls and repeats among it, as their own page counts."""

    membership: Membership
    done: int
    given: int
    last_at: datetime | None
    can_be_helped: bool  # with a forgotten password, by who looks

    @property
    def to_do(self) -> int:
        return self.given - self.done

    @property
    def label(self) -> str:
        return self.membership.user.name if self.membership.user else self.membership.pseudonym

    @property
    def email(self) -> str:
        return self.membership.user.email if self.membership.user else ""


@dataclass(frozen=True)
class PeoplePage:
    lines: list[PersonLine]
    following: str  # what comes after these, as the address has it; "" at the end


def people_page(
    rows: MembershipQuerySet, project: Project, *, by: User, after: str = "", most: int | None = None
) -> PeoplePage:
    """The next of `rows` by name, voices last."""
    most = most or PEOPLE_LISTED
    ordered = _named(rows).select_related("user").order_by("is_last", "sort_name", "pk")
    # Where the last page ended may be a person who is not among these any more.
    ends = _named(project.memberships.all()).filter(uuid=after) if after else None
    if ends is not None and (end := ends.values("is_last", "sort_name", "pk").first()):
        behind = Q(sort_name__gt=end["sort_name"]) | Q(sort_name=end["sort_name"], pk__gt=end["pk"])
        here = Q(is_last=end["is_last"]) & behind
        ordered = ordered.filter(here if end["is_last"] else here | Q(is_last=1))
    found = list(ordered[: most + 1])
    page = found[:most]
    return PeoplePage(_lines(page, project, by), str(page[-1].uuid) if len(found) > most else "")


def _named(rows: MembershipQuerySet) -> Any:
    return rows.annotate(
        is_last=Case(When(user=None, then=1), default=0), sort_name=Lower(Coalesce("user__name", "pseudonym"))
    )


def _lines(page: list[Membership], project: Project, by: User) -> list[PersonLine]:
    people = [row.pk for row in page if row.user_id]
    states = states_of(project, people)
    last, helpable = _last_at(people), set(helpable_by(by).filter(memberships__in=people).values_list("pk", flat=True))
    return [
        PersonLine(
            row,
            done=sum(states[row.pk][state] for state in OVER),
            given=states[row.pk].total() - states[row.pk][AssignmentState.WITHDRAWN],
            last_at=last.get(row.pk),
            can_be_helped=row.user_id in helpable,
        )
        for row in page
    ]


def _last_at(people: list[int]) -> dict[int, datetime]:
    """By membership: when they last handed in, set aside, or saved what is not finished."""
    found: dict[int, datetime] = {}
    handed_in = Tally.objects.filter(membership__in=people, last_at__isnull=False)
    begun = Assignment.all_rows.filter(membership__in=people, state=AssignmentState.STARTED)
    for rows, name in ((handed_in, "last_at"), (begun, "changed_at")):
        for pk, at in rows.values_list("membership").annotate(last=Max(name)).order_by():
            found[pk] = max(at, found.get(pk, at))
    return found


def invitations_of(project: Project, *, q: str = "") -> tuple[list[Invitation], int]:
    """Open ones, newest first, those that ran out among them; and how many there are."""
    rows = project.invitations.unanswered()
    found = rows.filter(email__icontains=q) if q else rows
    return list(found.order_by("-pk")[:MOST_INVITATIONS]), found.count()
