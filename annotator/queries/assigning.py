"""Who has been given what in a project, and what they are to be given beside it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from annotator.domain.jobs import JobState
from annotator.domain.passages import PassageKind
from annotator.domain.people import work_order
from annotator.domain.planning import Candidate, Way, moves, plan
from annotator.domain.planting import Place, Planting, Sequel
from annotator.domain.qualification import Qualification
from annotator.domain.states import EDITABLE, AssignmentState
from annotator.models import Assignment, Job, Membership, Project
from annotator.models.people import MembershipQuerySet
from annotator.models.work import AssignmentQuerySet
from annotator.queries.like_work import states_of

LOOKED_AT_ONCE = 20_000  # cells of passages × people; to look through more is a job, or others' saves would wait


@dataclass(frozen=True)
class Lack:
    """What somebody is to be given beside what they have, in their own order."""

    membership: Membership
    places: list[Place]  # of passages by their external ids
    work: int  # how many of them are work passages, for the first time


PLANS_LOOKED_AT = 20  # the newest, for one of the same question
# What somebody has looked into, or may have.
BEGUN = (AssignmentState.STARTED, AssignmentState.SUBMITTED, AssignmentState.DISCARDED)
IN_USE = ("external_id", "kind", "key_answer__isnull")


class _Row(NamedTuple):
    number: int
    passage: str
    kind: str
    state: str
    is_repeat: bool


@dataclass
class Holdings:
    """Who has what, read once."""

    project: Project
    in_use: set[str] = field(default_factory=set)  # passages, by external id
    by_kind: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    keyed: set[str] = field(default_factory=set)
    rows: dict[int, list[_Row]] = field(default_factory=lambda: defaultdict(list))  # by membership
    given: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # of work: who has it
    barred: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # from whom it was withdrawn
    kept: int = 0  # answers that wait for others than whom `lacks` was asked about

    @classmethod
    def of(cls, project: Project, *, unfinished_of: int | None = None, with_begun: bool = True) -> "Holdings":
        """As it stands; or as if what `unfinished_of` (a membership) has not finished, or not begun, were withdrawn
        from them."""
        gone = EDITABLE if with_begun else {AssignmentState.ASSIGNED}
        found = cls(project)
        passages = dict[int, tuple[str, str]]()
        for pk, *named in project.passages.values_list("pk", "external_id", "kind"):
            passages[pk] = (named[0], named[1])
        for external_id, kind, has_no_key in project.passages.in_use().values_list(*IN_USE):
            found.in_use.add(external_id)
            found.by_kind[kind].append(external_id)
            if not has_no_key:
                found.keyed.add(external_id)
        people = dict(project.memberships.values_list("pk", "pseudonym"))
        columns = ("membership_id", "number", "passage_id", "state", "is_repeat")
        rows = Assignment.objects.filter(membership__project=project, round=1).order_by().values_list(*columns)
        for membership, number, passage, state, is_repeat in rows.iterator(chunk_size=10_000):
            if membership == unfinished_of and state in gone:
                state = AssignmentState.WITHDRAWN
            name, kind = passages[passage]
            found.rows[membership].append(_Row(number, name, kind, state, is_repeat))
            if kind == PassageKind.WORK and not is_repeat:
                held = found.barred if state == AssignmentState.WITHDRAWN else found.given
                held[name].add(people[membership])
        return found

    def lacks(self, people: Iterable[Membership], *, without: int | None = None) -> list[Lack]:
        """Of these people, in the order in which they joined. Who is tested or invited just now keeps a share, so that
        whoever comes first is not given everything; `without` (a membership) gets none."""
        members = sorted(people, key=lambda membership: membership.pk)
        working = [row for row in members if PassageKind.WORK in row.kinds_given]
        given_now = {row.pseudonym for row in working}
        k = self.project.protocol.answers_per_passage
        sharing = self._sharing(without) if k else [self._candidate(row) for row in working]
        work = self.by_kind[PassageKind.WORK]
        new = plan(work, sharing, self.given, k, self.project.seed, barred=self.barred)
        self.kept = sum(len(own) for name, own in new.items() if name not in given_now)
        return [self._lack(row, new[row.pseudonym] if row.pseudonym in given_now else []) for row in members]

    def _sharing(self, without: int | None) -> list[Candidate]:
        """Who is to have a share of the work: all who are given some, who are being tested, and who are invited."""
        rows = [row for row in receivers(self.project) if row.pk != without]
        found = [self._candidate(row) for row in rows if row.qualification != Qualification.FAILED]
        return found + [Candidate(f"invited {uuid}") for uuid in _invited(self.project)]

    def even(self, people: Iterable[Membership]) -> list[Way]:
        """Which passages that nobody has begun would go from whom to whom for all to have as much to do.
        Where everybody annotates everything, none: what is withdrawn from somebody they are never given again."""
        if not self.project.protocol.answers_per_passage:
            return []
        working = [row for row in people if PassageKind.WORK in row.kinds_given]
        untouched, to_do = {}, {}
        for membership in working:
            own = sorted(r for r in self._work_of(membership) if r.state in EDITABLE and r.passage in self.in_use)
            again = {r.passage for r in self.rows[membership.pk] if r.is_repeat and r.state in BEGUN}
            to_do[membership.pseudonym] = len(own)
            untouched[membership.pseudonym] = [
                r.passage for r in own if r.state == AssignmentState.ASSIGNED and r.passage not in again
            ]
        had = {name: self.given[name] | self.barred[name] for name in self.by_kind[PassageKind.WORK]}
        return moves(untouched, [self._candidate(row) for row in working], to_do, had)

    def without_work(self, people: Iterable[Membership]) -> set[str]:
        """Who is given work, and has none."""
        working = [self._candidate(row) for row in people if PassageKind.WORK in row.kinds_given]
        return {person.name for person in working if not person.load}

    def left_behind(self, without: int | None) -> list[tuple[str, str, int]]:
        """By whom who does not annotate any more: pseudonym, uuid, and how many passages of work nobody else is given
        because they have them."""
        there, found = self.project.memberships.annotating(), []
        gone = self.project.memberships.filter(user__isnull=False).exclude(pk__in=there.values("pk"))
        for row in gone.order_by("pseudonym") if self.project.protocol.answers_per_passage else ():
            own = [r for r in self._work_of(row) if r.state in EDITABLE and r.passage in self.in_use]
            if own and row.pk != without:
                found.append((row.pseudonym, str(row.uuid), len(own)))
        return found

    def _candidate(self, membership: Membership) -> Candidate:
        load = sum(row.state != AssignmentState.WITHDRAWN for row in self._work_of(membership))
        return Candidate(membership.pseudonym, load, membership.most_passages)

    def _work_of(self, membership: Membership) -> list[_Row]:
        return [row for row in self.rows[membership.pk] if row.kind == PassageKind.WORK and not row.is_repeat]

    def _lack(self, membership: Membership, work: list[str]) -> Lack:
        rows = self.rows[membership.pk]
        had = {row.passage for row in rows}
        practice = [name for name in self.by_kind[PassageKind.PRACTICE] if name not in had]
        first = [*self._in_order(membership, practice), *self._tests(membership, rows, had)]
        places = [*map(Place, first), *self._planted(membership, work, rows, len(first))]
        return Lack(membership, places, len(work))

    def _in_order(self, membership: Membership, names: Iterable[str]) -> list[str]:
        return work_order(self.project.seed, membership.pseudonym, names)

    def _tests(self, membership: Membership, rows: list[_Row], had: Collection[str]) -> list[str]:
        """Of those with a key, for whoever is to be tested: as many as one try takes, none twice."""
        if membership.qualification != Qualification.PENDING:
            return []
        unused = [name for name in self.by_kind[PassageKind.TEST] if name in self.keyed and name not in had]
        ordered, wanted = self._in_order(membership, unused), self.project.protocol.test_passages
        if not wanted:
            return ordered
        is_now = [
            row.number >= membership.tests_from and row.state != AssignmentState.WITHDRAWN
            for row in rows
            if row.kind == PassageKind.TEST
        ]
        return ordered[: max(0, wanted - sum(is_now))]

    def _planted(self, membership: Membership, work: list[str], rows: list[_Row], before: int) -> list[Place]:
        protocol = self.project.protocol
        controls, repeats = protocol.controls_per_hundred, protocol.repeats_per_hundred
        if not work or not (controls or repeats):
            return [Place(name) for name in work]
        is_over = {row.passage for row in rows if row.is_repeat or row.state == AssignmentState.WITHDRAWN}
        so_far = Sequel(
            work=[(row.number, row.passage) for row in sorted(self._work_of(membership))],
            not_again=is_over | {row.passage for row in rows if row.passage not in self.in_use},
            controls={row.passage for row in rows if row.kind == PassageKind.CONTROL},
            next_number=max((row.number for row in rows), default=0) + before + 1,
        )
        keyed = [name for name in self.by_kind[PassageKind.CONTROL] if name in self.keyed]
        planting = Planting(self.project.seed, membership.pseudonym, controls, repeats)
        return planting.planted(work, keyed, so_far)


@dataclass(frozen=True)
class Planned:
    """What handing out would do: by pseudonym how many work passages each gets; how many answers are kept for people
    who are tested or invited just now; how many are wanted that nobody is left to give; and who would pass on how many
    to whom if it were evened out. Beside it: how many passages more people have than the rule asks for; who has no
    work and would get none; and who annotates no more and keeps how many unfinished passages from others (pseudonym,
    uuid)."""

    gets: dict[str, int]
    kept: int
    short: int
    even: list[tuple[str, str, int]]
    over: int = 0
    idle: list[str] = field(default_factory=list)
    left: list[tuple[str, str, int]] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        even, left = [list(way) for way in self.even], [list(line) for line in self.left]
        counts = {"kept": self.kept, "short": self.short, "over": self.over}
        return {"gets": self.gets, **counts, "even": even, "idle": self.idle, "left": left}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Planned":
        even = [(giver, taker, many) for giver, taker, many in data["even"]]
        # Not in what a job found before they were counted.
        over, idle = data.get("over", 0), data.get("idle", [])
        left = [(name, uuid, many) for name, uuid, many in data.get("left", [])]
        return cls(data["gets"], data["kept"], data["short"], even, over, idle, left)


def planned(project: Project, *, withdrawn_from: int | None = None, with_begun: bool = True) -> Planned:
    """As it would be now; or after a person's unfinished work was withdrawn, for the others."""
    holdings = Holdings.of(project, unfinished_of=withdrawn_from, with_begun=with_begun)
    people = [row for row in receivers(project) if row.pk != withdrawn_from]
    lacks = holdings.lacks(people, without=withdrawn_from)
    gets = {lack.membership.pseudonym: lack.work for lack in lacks if lack.work}
    k = project.protocol.answers_per_passage
    names = holdings.by_kind[PassageKind.WORK]
    wanted = sum(max(0, k - len(holdings.given[name])) for name in names) if k else 0
    ways = Counter((giver, taker) for _, giver, taker in holdings.even(people))
    even = sorted((giver, taker, many) for (giver, taker), many in ways.items())
    kept = holdings.kept
    over = sum(len(holdings.given[name]) > k for name in names) if k else 0
    idle = holdings.without_work(people) - gets.keys() if names else set()
    short = max(0, wanted - kept - sum(gets.values()))
    return Planned(gets, kept, short, even, over, sorted(idle), holdings.left_behind(withdrawn_from))


@dataclass(frozen=True)
class Preview:
    """What handing out would do, as it stands; of a large project as a job found it, or the job that is at it."""

    found: Planned | None = None
    job: Job | None = None

    @property
    def is_due(self) -> bool:
        """Nobody has worked it out yet."""
        return self.found is None and (self.job is None or self.job.is_over)

    @property
    def is_awaited(self) -> bool:
        """It can still be worked out."""
        return self.found is None and (self.job is None or self.job.state != JobState.FAILED)


def preview(project: Project, *, withdrawn_from: Membership | None = None, with_begun: bool = True) -> Preview:
    if is_quick(project):
        pk = None if withdrawn_from is None else withdrawn_from.pk
        return Preview(planned(project, withdrawn_from=pk, with_begun=with_begun))
    params = {} if withdrawn_from is None else {"membership": withdrawn_from.pk, "with_begun": with_begun}
    asked = project.jobs.filter(kind="plan_work").newest_first()[:PLANS_LOOKED_AT]
    job = next((job for job in asked if job.params == params), None)
    is_done = job is not None and job.state == JobState.DONE
    return Preview(Planned.from_dict(job.result) if job and is_done and job.result else None, job)


@dataclass(frozen=True)
class PersonsWork:
    """How much somebody has of what looks like work."""

    membership: Membership
    given: int
    done: int
    begun: int
    untouched: int

    @property
    def to_do(self) -> int:
        return self.begun + self.untouched


def work_by_person(project: Project) -> list[PersonsWork]:
    """Of everybody who annotates, or has unfinished work though they do not any more."""
    people = list(project.memberships.filter(user__isnull=False).select_related("user").order_by("pseudonym"))
    counts = states_of(project, [row.pk for row in people])
    found = [_work(row, counts[row.pk]) for row in people]
    return [line for line in found if line.to_do or (line.membership.is_annotator and not line.membership.removed_at)]


def work_of_person(membership: Membership) -> PersonsWork:
    return _work(membership, states_of(membership.project, [membership.pk])[membership.pk])


def _work(row: Membership, count: Counter[str]) -> PersonsWork:
    states = AssignmentState
    given = count.total() - count[states.WITHDRAWN]
    done = count[states.SUBMITTED] + count[states.DISCARDED]
    return PersonsWork(row, given, done, begun=count[states.STARTED], untouched=count[states.ASSIGNED])


def _invited(project: Project) -> list[UUID]:
    """Annotators to be."""
    return list(project.invitations.pending().filter(is_annotator=True).order_by("uuid").values_list("uuid", flat=True))


def is_quick(project: Project) -> bool:
    """Whether who gets what is worked out while somebody waits."""
    people = project.memberships.given_work().count() + len(_invited(project))
    return project.passages.in_use().count() * people <= LOOKED_AT_ONCE


def handing_out(project: Project) -> Job | None:
    """The job by which everybody is given their work, where there was too much to give at once."""
    return project.jobs.waiting().filter(kind="assign_everyone").newest_first().first() if project.is_open else None


def somebody_of(project: Project) -> MembershipQuerySet:
    """In the project, or once in it: what somebody who left has not finished can be given to others."""
    return project.memberships.filter(user__isnull=False).select_related("project", "user")


def receivers(project: Project, **only: Any) -> list[Membership]:
    return list(project.memberships.given_work().filter(**only).order_by("pk"))


def unfinished_of(membership: Membership, *, with_begun: bool) -> AssignmentQuerySet:
    """What somebody has been given as work and not begun, or not finished."""
    states = EDITABLE if with_begun else [AssignmentState.ASSIGNED]
    return Assignment.objects.like_work().filter(membership=membership, state__in=states)
