"""The board: how the work of a project goes, from its counters."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Case, When
from django.utils import timezone

from annotator.domain.board import Figures, days_to_go, listed, look
from annotator.domain.checks import Checks, together
from annotator.domain.jobs import percent
from annotator.domain.passages import PassageKind
from annotator.domain.protocols import Protocol
from annotator.domain.states import DISCARD_REASONS, EDITABLE, AssignmentState
from annotator.domain.tallies import COUNTERS, Sums, summed
from annotator.models import Assignment, Membership, Passage, Project, Tally, User, unless_blind
from annotator.queries.checks import checks_of
from annotator.queries.like_work import states_of, times_of
from annotator.queries.pace import came, covered
from annotator.queries.tallies import day_of, zone_of
from annotator.queries.work import PACE_DAYS

DAYS = 30
OFTEN, OFTEN_LISTED = 3, 8  # discards of one passage that are worth a look, and how many of such are named


@dataclass(frozen=True)
class Day:
    """Of everybody together."""

    day: date
    submitted: int
    resubmitted: int
    discarded: int
    active_ms: int

    @property
    def is_weekend(self) -> bool:
        return self.day.weekday() >= 5


@dataclass
class Worked:
    """What one person has done: in all, and this week."""

    sums: Sums = field(default_factory=Sums)
    week: int = 0
    timed: int = 0  # passages that are submitted just now, and how long these took: hours for pay are more
    active_ms: int = 0


@dataclass(frozen=True)
class Line:
    """One person's work. `given` and `done` are of what looks like work to them; marks and types of all of it that they
    submitted, time of what is submitted just now."""

    membership: Membership
    given: int
    done: int
    week: int
    figures: Figures
    discards: int
    mix: list[tuple[str, float]]  # share of each type
    quota: tuple[int, int] | None  # substitutes of the wanted type, and how many are wanted
    reasons: list[str]

    @property
    def name(self) -> str:
        return self.membership.pseudonym

    @property
    def real_name(self) -> str:
        return self.membership.user.name if self.membership.user else ""

    @property
    def state(self) -> str:
        return "removed" if self.membership.removed_at else "paused" if self.membership.paused_at else ""

    @property
    def says(self) -> str:
        return listed(self.reasons)


@dataclass(frozen=True)
class Answers:
    """Of work passages: how many are wanted, are there, and how the passages stand by the number they have."""

    passages: int
    per_passage: int  # 0: from everybody
    wanted: int
    done: int
    discarded: int
    coverage: dict[int, int]
    pace: float  # a day, of answers and discards that bring the end nearer, over whole days before today
    done_by: date | None
    today: int  # submitted so far, which the pace does not count yet

    @property
    def percent(self) -> int:
        return percent(self.done, self.wanted)

    @property
    def to_go(self) -> int:
        return max(0, self.wanted - self.done - self.discarded)

    @property
    def full(self) -> int:
        """Passages that have all the answers they are to have, where a number is wanted."""
        k = self.per_passage
        return sum(number for answers, number in self.coverage.items() if answers >= k) if k else 0


@dataclass(frozen=True)
class Recent:
    """The days of which the pace is made."""

    days: int
    since: datetime
    until: datetime


@dataclass(frozen=True)
class Discards:
    """`often`: passages that `least` people or more have set aside."""

    total: int
    recent: int
    reasons: list[tuple[str, str, int]]  # key, label and number
    least: int
    often: list[tuple[Passage, int]]


@dataclass(frozen=True)
class Board:
    answers: Answers
    lines: list[Line]
    all: Line | None
    days: list[Day]
    discards: Discards
    today: date


def board_of(project: Project, *, by: User, is_part: bool = False) -> Board:
    """`is_part`: answers and people alone are shown."""
    zone, protocol = zone_of(project), project.protocol
    today = day_of(timezone.now(), zone)
    people = _people(project)
    states = states_of(project, [row.pk for row in people])
    worked = _worked(project, people, today)
    days = _days(people, today)
    lines = _lines(people, states, worked, checks_of(project), protocol)
    recent = _recent(days, zone)
    discards = _discards(project, recent, by=None if is_part else by)
    answers = _answers(project, people, states, discards, recent, days[-1])
    return Board(answers, lines, _all(lines, worked, protocol), days, discards, today)


def _people(project: Project) -> list[Membership]:
    """Everybody who annotates, or has left something behind."""
    rows = project.memberships.filter(user__isnull=False).select_related("user").order_by("pseudonym")
    have_worked = set(Tally.objects.filter(membership__project=project).values_list("membership", flat=True).distinct())
    return [row for row in rows if (row.is_annotator and not row.removed_at) or row.pk in have_worked]


def _worked(project: Project, people: Sequence[Membership], today: date) -> dict[int, Worked]:
    found: dict[int, Worked] = defaultdict(Worked)
    monday = today - timedelta(days=today.weekday())
    columns = ("membership", "day", *COUNTERS, "by_type")
    for membership, day, *sums in Tally.objects.filter(membership__in=people).values_list(*columns):
        own, here = found[membership], Sums(*sums)
        own.sums.add(here)
        own.week += here.submitted if day >= monday else 0
    for pk, (passages, active_ms) in times_of(project, [row.pk for row in people]).items():
        found[pk].timed, found[pk].active_ms = passages, active_ms
    return found


def _days(people: Sequence[Membership], today: date) -> list[Day]:
    """The last thirty, of everybody; also those on which nobody worked."""
    first = today - timedelta(days=DAYS - 1)
    names = ("submitted", "resubmitted", "discarded", "active_ms")
    found: dict[date, list[int]] = defaultdict(lambda: [0] * len(names))
    rows = Tally.objects.filter(membership__in=people, day__gte=first, day__lte=today).values_list("day", *names)
    for day, *numbers in rows:
        found[day] = [one + other for one, other in zip(found[day], numbers, strict=True)]
    return [Day(day, *found[day]) for day in (first + timedelta(days=number) for number in range(DAYS))]


def _lines(
    people: Sequence[Membership],
    states: Mapping[int, Counter[str]],
    worked: Mapping[int, Worked],
    checks: Mapping[int, Checks],
    protocol: Protocol,
) -> list[Line]:
    figures = {row.pk: _figures(row.pseudonym, worked[row.pk], checks.get(row.pk, Checks())) for row in people}
    reasons = look(list(figures.values()))
    return [
        _line(row, states[row.pk], worked[row.pk], figures[row.pk], protocol, reasons.get(row.pseudonym, []))
        for row in people
    ]


def _figures(name: str, worked: Worked, checks: Checks) -> Figures:
    seconds = worked.active_ms / 1000 / worked.timed if worked.timed and worked.active_ms else None
    return Figures(name, worked.sums.submitted, worked.sums.marks, seconds, checks)


def _line(
    row: Membership, states: Counter[str], worked: Worked, figures: Figures, protocol: Protocol, reasons: list[str]
) -> Line:
    given = states.total() - states[AssignmentState.WITHDRAWN]
    discards = states[AssignmentState.DISCARDED]
    done = states[AssignmentState.SUBMITTED] + discards
    mix = _mix(worked.sums.by_type, protocol)
    quota = _quota(worked.sums.by_type, given - discards, protocol)
    return Line(row, given, done, worked.week, figures, discards, mix, quota, reasons)


def _mix(by_type: Mapping[str, int], protocol: Protocol) -> list[tuple[str, float]]:
    """In the project's order of types; what is not in it any more is left out."""
    total = sum(by_type.values())
    return [(item.label, by_type.get(item.key, 0) / total) for item in protocol.types] if total else []


def _quota(by_type: Mapping[str, int], passages: int, protocol: Protocol) -> tuple[int, int] | None:
    kind = protocol.type_named(protocol.quota_type)
    if kind is None or not protocol.quota_per_passage:
        return None
    return by_type.get(kind.key, 0), ceil(Decimal(protocol.quota_per_passage) * passages)


def _all(lines: Sequence[Line], worked: Mapping[int, Worked], protocol: Protocol) -> Line | None:
    """The sum of all lines; None where a sum would say nothing."""
    if len(lines) < 2:
        return None
    every = Worked(summed(worked[line.membership.pk].sums for line in lines))
    every.timed = sum(worked[line.membership.pk].timed for line in lines)
    every.active_ms = sum(worked[line.membership.pk].active_ms for line in lines)
    checks = together([line.figures.checks for line in lines])
    quotas = [line.quota for line in lines if line.quota]
    return Line(
        membership=lines[0].membership,
        given=sum(line.given for line in lines),
        done=sum(line.done for line in lines),
        week=sum(line.week for line in lines),
        figures=_figures("All", every, checks),
        discards=sum(line.discards for line in lines),
        mix=_mix(every.sums.by_type, protocol),
        quota=(sum(given for given, _ in quotas), sum(wanted for _, wanted in quotas)) if quotas else None,
        reasons=[],
    )


def _answers(
    project: Project,
    people: Sequence[Membership],
    states: Mapping[int, Counter[str]],
    discards: Discards,
    recent: Recent,
    today: Day,
) -> Answers:
    k, found = project.protocol.answers_per_passage, covered(project)
    to_do = sum(sum(states[row.pk][state] for state in EDITABLE) for row in people if not row.removed_at)
    done, discarded = found.done(k), discards.total
    wanted = k * found.passages if k else done + discarded + to_do - _planted_to_do(project, people)
    new = came(project, found, since=recent.since, until=recent.until) + discards.recent if recent.days else 0
    pace = new / recent.days if recent.days else 0.0
    left = days_to_go(max(0, wanted - done - discarded), pace)
    done_by = None if left is None or not wanted else today.day + timedelta(days=left)
    return Answers(found.passages, k, wanted, done, discarded, found.by_number, pace, done_by, today.submitted)


def _planted_to_do(project: Project, people: Sequence[Membership]) -> int:
    """Controls and repeats that somebody has still to do: nobody wants their answers for the set."""
    protocol = project.protocol
    if not (protocol.controls_per_hundred or protocol.repeats_per_hundred):
        return 0
    own = Assignment.all_rows.filter(membership__in=people, membership__removed_at=None, state__in=EDITABLE)
    controls = project.passages.filter(kind=PassageKind.CONTROL).values_list("pk", flat=True)
    return own.filter(is_repeat=True).count() + own.filter(is_repeat=False, passage__in=list(controls)).count()


def _recent(days: Sequence[Day], zone: ZoneInfo) -> Recent:
    """The fortnight before today, idle days too; from the first of the days on which anybody worked, where that was
    later."""
    recent = days[-PACE_DAYS - 1 : -1]
    while recent and not (recent[0].submitted or recent[0].discarded):
        recent = recent[1:]
    first = recent[0].day if recent else days[-1].day
    return Recent(len(recent), datetime.combine(first, time(), zone), datetime.combine(days[-1].day, time(), zone))


def _discards(project: Project, recent: Recent, *, by: User | None) -> Discards:
    """By reason: whole-project sums. Passages are named only to whoever may see what others did to them; to nobody
    where there is no `by`."""
    everybody = list(project.memberships.values_list("pk", flat=True))
    rows = Assignment.objects.discarded().filter(membership__in=everybody).order_by()
    is_recent = Case(When(changed_at__gte=recent.since, changed_at__lt=recent.until, then=1), default=0)
    found = list(rows.values_list("passage", "discard_reason", is_recent))
    counts, times = Counter(reason for _, reason, _ in found), Counter(passage for passage, *_ in found)
    least = min(OFTEN, project.protocol.answers_per_passage or OFTEN)  # more than are given a passage never discard it
    often = {passage: number for passage, number in times.items() if number >= least}
    seen = Passage.objects.filter(unless_blind(by, passage="pk"), pk__in=often) if by is not None and often else ()
    named = sorted(seen, key=lambda passage: (-often[passage.pk], passage.pk))[:OFTEN_LISTED]
    reasons = [(key, label, counts[key]) for key, label in DISCARD_REASONS.items() if counts[key]]
    return Discards(
        total=counts.total(),
        recent=sum(new for *_, new in found),
        reasons=sorted(reasons, key=lambda item: -item[2]),
        least=least,
        often=[(passage, often[passage.pk]) for passage in named],
    )


def rows_by_day(project: Project, *, first: date | None, last: date | None) -> list[dict[str, Any]]:
    """For a table of hours and counts: a row for each person and day, by day."""
    rows = Tally.objects.filter(membership__project=project).select_related("membership__user")
    if first:
        rows = rows.filter(day__gte=first)
    if last:
        rows = rows.filter(day__lte=last)
    kinds = _kinds(project.protocol, rows.values_list("by_type", flat=True))
    return [
        {
            "day": row.day.isoformat(),
            "annotator": row.membership.pseudonym,
            "name": row.membership.user.name if row.membership.user else "",
            **{name: getattr(row, name) for name in COUNTERS},
            **{label: row.by_type.get(key, 0) for key, label in kinds},
            "seconds": round(row.active_ms / 1000),
            "hours": f"{row.active_ms / 3_600_000:.2f}",
        }
        for row in rows.order_by("day", "membership__pseudonym")
    ]


def _kinds(protocol: Protocol, used: Collection[Mapping[str, int]]) -> list[tuple[str, str]]:
    """Types with the heads of their columns, those too that are not in the protocol any more."""
    known = {item.key for item in protocol.types}
    gone = sorted({key for by_type in used for key in by_type} - known)
    return [(key, f"type {key}") for key in [*(item.key for item in protocol.types), *gone]]
