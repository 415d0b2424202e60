"""One person's own work: how far, how fast, what comes next. Nothing in it depends on anybody else's."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotator.domain.jobs import percent
from annotator.domain.passages import LOOK_LIKE_WORK, PassageKind
from annotator.domain.qualification import Qualification
from annotator.domain.states import EDITABLE, AssignmentState
from annotator.models import Assignment, Membership, Project, Question, Submission, User
from annotator.models.work import WORK_WAITS


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
        return percent(self.done, self.total)


def own_progress(user: User, project: Project) -> Progress:
    states = AssignmentState
    counted = (
        Assignment.objects.own(user)
        .like_work()
        .in_use()
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


@dataclass(frozen=True)
class OwnTest:
    """The try at the qualification test that somebody is at."""

    total: int
    done: int


def own_test(membership: Membership) -> OwnTest | None:
    if membership.qualification != Qualification.PENDING:
        return None
    tests = membership.assignments.filter(passage__kind=PassageKind.TEST, number__gte=membership.tests_from)
    given = tests.exclude(state=AssignmentState.WITHDRAWN)
    return OwnTest(**given.aggregate(total=Count("pk"), done=Count("pk", filter=~Q(state__in=EDITABLE))))


PACE_DAYS = 14


def own_pace(membership: Membership) -> int | None:
    """Passages a day, over the days of the fortnight before today on which any was handed in; None without such."""
    zone = ZoneInfo(membership.project.time_zone)
    today = timezone.now().astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    firsts = Submission.objects.filter(assignment__membership=membership, assignment__passage__kind__in=LOOK_LIKE_WORK)
    recent = firsts.filter(number=1, at__gte=today - timedelta(days=PACE_DAYS), at__lt=today)
    found = recent.aggregate(passages=Count("pk"), days=Count(TruncDate("at", tzinfo=zone), distinct=True))
    return round(found["passages"] / found["days"]) if found["days"] else None


def next_number(user: User, project: Project, *, after: int = 0) -> int | None:
    """The next own passage still to do: the first after `after`, else the first from the start."""
    membership = Membership.objects.of(user).annotating().filter(project=project).first()
    found = membership and next_assignment(membership, after=after)
    return found.number if found else None


def next_assignment(membership: Membership, *, after: int = 0) -> Assignment | None:
    """State by state: each is one step into an index, however much work there is. Practice only when asked for."""
    own = membership.assignments.in_order().exclude(passage__kind=PassageKind.PRACTICE)
    if membership.qualification in WORK_WAITS:
        own = own.exclude(passage__kind__in=LOOK_LIKE_WORK)
    for rows in (own.filter(number__gt=after), own):
        found = [row for state in EDITABLE if (row := rows.filter(state=state).first())]
        if found:
            return min(found, key=lambda row: row.number)
    return None


def place_of(assignment: Assignment) -> dict[str, Any]:
    """Where an own passage stands among one's own: how many there are, which comes next, what was asked about it."""
    membership = assignment.membership
    following = next_assignment(membership, after=assignment.number)
    if following == assignment:
        following = None
    return {
        "place": _place(assignment),
        "following": {"uuid": str(following.uuid), "number": following.number} if following else None,
        "questions": [
            {"text": text, "answer": answer}
            for text, answer in Question.objects.filter(assignment=assignment)
            .order_by("pk")
            .values_list("text", "answer")
        ],
    }


def _place(assignment: Assignment) -> str:
    """28 of 72; test and practice passages stand apart."""
    if assignment.kind_shown != PassageKind.WORK:
        return f"{assignment.number} ({assignment.kind_shown})"
    last = assignment.membership.assignments.like_work().order_by("-number").values_list("number", flat=True).first()
    return f"{assignment.number} of {last}"


@dataclass(frozen=True)
class Quota:
    """At least so many substitutes of one type, as the project's protocol asks for."""

    label: str
    given: int
    wanted: int

    @property
    def percent(self) -> int:
        return percent(min(self.given, self.wanted), self.wanted)


def own_quota(membership: Membership) -> Quota | None:
    protocol = membership.project.protocol
    kind = protocol.type_named(protocol.quota_type)
    if kind is None or not protocol.quota_per_passage:
        return None
    own = (
        membership.assignments.like_work()
        .in_use()
        .exclude(state__in=[AssignmentState.WITHDRAWN, AssignmentState.DISCARDED])
    )
    counted = list(own.values_list("substitutes_by_type", flat=True))
    wanted = ceil(Decimal(protocol.quota_per_passage) * len(counted))
    return Quota(kind.label, sum(by_type.get(kind.key, 0) for by_type in counted), wanted)
