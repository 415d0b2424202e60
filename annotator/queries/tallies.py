"""What tallies must say: counted anew from what was submitted and discarded, and from the events of saves."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import Max, Min

from annotator.domain.answers import Counts, count_stored
from annotator.domain.jobs import JobState
from annotator.domain.passages import LOOK_LIKE_WORK
from annotator.domain.states import AssignmentState
from annotator.domain.tallies import Sums, of_submission
from annotator.models import Assignment, Event, Job, Membership, Project, Submission
from annotator.models.work import SubmissionQuerySet

CHUNK = 1000  # answers in memory at once
EVENTS = 10_000  # likewise


def zone_of(project: Project) -> ZoneInfo:
    return ZoneInfo(project.time_zone)


def day_of(at: datetime, zone: ZoneInfo) -> date:
    return at.astimezone(zone).date()


@dataclass
class Counted:
    """One person's work by day, as far as it was looked at."""

    membership: Membership
    zone: ZoneInfo
    seen: set[int] = field(default_factory=set)  # submissions
    days: dict[date, Sums] = field(default_factory=lambda: defaultdict(Sums))
    last: dict[int, dict[int, Counts]] = field(default_factory=lambda: defaultdict(dict))  # by assignment and number

    @classmethod
    def of(cls, membership: Membership) -> "Counted":
        """All that has been submitted by now."""
        found = cls(membership, zone_of(membership.project))
        found.count_new()
        return found

    def count_new(self) -> None:
        """What was submitted since: submissions never change."""
        new = sorted(set(self._submissions().values_list("pk", flat=True)) - self.seen)
        for start in range(0, len(new), CHUNK):
            rows = Submission.objects.filter(pk__in=new[start : start + CHUNK]).order_by("assignment_id", "number")
            for pk, assignment, number, at, answer in rows.values_list("pk", "assignment_id", "number", "at", "answer"):
                self.seen.add(pk)
                self._add(assignment, number, day_of(at, self.zone), count_stored(answer))

    def _submissions(self) -> SubmissionQuerySet:
        return Submission.objects.filter(
            assignment__membership=self.membership, assignment__passage__kind__in=LOOK_LIKE_WORK
        )

    def _add(self, assignment: int, number: int, day: date, counts: Counts) -> None:
        """Submissions of one passage may lie in two chunks, and come in any order of their ids."""
        own = self.last[assignment]
        own[number] = counts
        if number == 1 or number - 1 in own:
            self.days[day].add(of_submission(number, counts, own.get(number - 1, Counts(0, 0, {}))))
        else:
            before = Submission.objects.get(assignment=assignment, number=number - 1)
            self.days[day].add(of_submission(number, counts, count_stored(before.answer)))

    def with_discards(self) -> dict[date, Sums]:
        """And what is discarded just now: a discard is of the day on which it was made, until it is taken back."""
        found: dict[date, Sums] = defaultdict(Sums)
        for day, sums in self.days.items():
            found[day].add(sums)
        discards = Assignment.all_rows.filter(
            membership=self.membership, passage__kind__in=LOOK_LIKE_WORK, state=AssignmentState.DISCARDED
        )
        for at in discards.values_list("changed_at", flat=True):
            found[day_of(at, self.zone)].add(Sums(discarded=1))
        return found


@dataclass
class Times:
    """How long somebody was at work on one day, in whatever passages, and when they last did anything."""

    active_ms: int = 0
    last_at: datetime | None = None


def times_by_day(
    project: Project, people: dict[int, int], *, since: datetime | None = None
) -> dict[tuple[int, date], Times]:
    """By membership and day, from the events of saves; `people`: memberships by user. `since`: only later ones."""
    zone, found = zone_of(project), defaultdict[tuple[int, date], Times](Times)
    for by, at, payload in _events(project, since):
        if by not in people:
            continue
        times = found[people[by], day_of(at, zone)]
        times.active_ms += payload.get("active_ms", 0)
        times.last_at = at if times.last_at is None else max(times.last_at, at)
    return dict(found)


def _events(project: Project, since: datetime | None) -> Iterator[tuple[int | None, datetime, dict[str, int]]]:
    """Of assignments, some thousands at a time: a project may have millions."""
    last = first_event_since(project, since) - 1 if since else 0
    columns = ("pk", "subject", "by_id", "at", "payload")
    while rows := list(
        Event.objects.in_project(project).filter(pk__gt=last).order_by("pk").values_list(*columns)[:EVENTS]
    ):
        for _, subject, by, at, payload in rows:
            if subject == Assignment.subject_name() and (since is None or at >= since):
                yield by, at, payload
        last = rows[-1][0]


def first_event_since(project: Project, since: datetime) -> int:
    """From which id on a project's events are of that time or later. Ids rise with time, so it is found by halving."""
    rows = Event.objects.in_project(project)
    ends = rows.aggregate(low=Min("pk"), high=Max("pk"))
    low, high = ends["low"] or 0, (ends["high"] or 0) + 1
    while low < high:
        middle = (low + high) // 2
        row = rows.filter(pk__gte=middle).order_by("pk").values_list("pk", "at").first()
        if row is None or row[1] >= since:
            high = middle
        else:
            low = row[0] + 1
    return low


def summed_at(project: Project) -> datetime | None:
    """When the working time was summed last."""
    sums = Job.objects.whole().filter(project=project, kind="count_tallies", state=JobState.DONE)
    return sums.order_by("-started_at").values_list("started_at", flat=True).first()


def people_counted(project: Project) -> list[Membership]:
    """Everybody with an account who ever was in the project: voices only came with their answers."""
    return list(project.memberships.filter(user__isnull=False).select_related("project").order_by("pk"))


def by_user(people: Iterable[Membership]) -> dict[int, int]:
    return {row.user_id: row.pk for row in people if row.user_id is not None}
