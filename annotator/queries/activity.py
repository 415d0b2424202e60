"""Who did what in a project, newest first, for its leads."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, cached_property
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db.models import F, Q, QuerySet

from annotator.domain.activity import GROUPS, NOT_TOLD, ROUTINE, kinds_of, place_of, places, said_of
from annotator.domain.jobs import label_of
from annotator.models import Assignment, Event, Project, Subject, User
from annotator.models.events import EventQuerySet

PAGE = 50
AT_ONCE_APART = timedelta(minutes=5)  # events are written in nearly the order of their times, and surely within this


@dataclass(frozen=True)
class Wanted:
    """What the list is left to: one person's doing, one day of the project's time zone, one group of kinds."""

    person: User | None = None
    day: date | None = None
    group: str = ""


@dataclass(frozen=True)
class Line:
    event: Event
    who: str
    did: str
    times: int = 1  # one after the other, on the same day


class Activity:
    """What somebody may read of it: nothing about a passage that they have still to submit themself."""

    def __init__(self, project: Project, *, user: User, wanted: Wanted) -> None:
        self.project, self.user, self.wanted = project, user, wanted

    def page(self, before: int | None = None, *, most: int | None = None) -> tuple[list[Line], int | None]:
        """Of so many events, from an event's key on; and where the next page begins."""
        most = most or PAGE
        rows = self._rows()
        if before is not None:
            rows = rows.filter(pk__lt=before)
        found = list(self._newest_first(rows).select_related("by")[: most + 1])
        following = found[most - 1].pk if len(found) > most else None
        return list(self._lines(found[:most])), following

    def _rows(self) -> EventQuerySet:
        rows = Event.objects.in_project(self.project).exclude(kind__in=NOT_TOLD)
        if self._are_few:
            # Their own rows lead to them; asked for the project too, a database walks through all of its events.
            rows = Event.objects.exclude(kind__in=NOT_TOLD)
        wanted = self.wanted
        if wanted.person is not None:
            rows = rows.filter(by=wanted.person)
        rows = rows.filter(self._of_group(wanted.group)) if wanted.group else rows.exclude(kind__in=ROUTINE)
        if wanted.day is not None:
            rows = self._on(rows, wanted.day)
        if self._hidden.exists():
            rows = rows.exclude(self._about_hidden())
        return rows

    def _newest_first(self, rows: EventQuerySet) -> EventQuerySet:
        return rows.order_by((F("pk") + 0).desc() if self._are_few else "-pk")

    @property
    def _are_few(self) -> bool:
        """Events of one group, that are found by the rows they are about and then put in order: to walk back through
        those of the project until there are enough would take a look at every save. A day is walked through at once."""
        is_many = any(place.is_many and place.group == self.wanted.group for _, place in places())
        return bool(self.wanted.group) and not is_many and self.wanted.day is None

    def _of_group(self, group: str) -> Q:
        """By the rows that events are about: there is an index for that, and none for kinds."""
        others = kinds_of(group)
        found = Q(subject="project", subject_id=self.project.pk, kind__in=others)
        for subject, place in places():
            if place.group == group and place.is_many:
                found |= Q(subject=subject)
            elif place.group == group:
                ids = _model(subject)._base_manager.filter(**{place.project: self.project.pk}).values("pk")
                elsewhere = [kind for kind in _kinds_elsewhere(subject) if kind not in others]
                found |= Q(subject=subject, subject_id__in=ids) & ~Q(kind__in=elsewhere)
        return found

    def _on(self, rows: EventQuerySet, day: date) -> EventQuerySet:
        if day.year in (date.min.year, date.max.year):
            return rows.none()  # the day before or after may be none that can be written
        zone = ZoneInfo(self.project.time_zone)
        start = datetime.combine(day, time(), zone)
        end = datetime.combine(day + timedelta(days=1), time(), zone)
        first, last = self._key_at(start - AT_ONCE_APART), self._key_at(end + AT_ONCE_APART)
        return rows.filter(at__gte=start, at__lt=end, pk__gte=first, pk__lt=last)

    def _key_at(self, moment: datetime) -> int:
        """The key of the first event from then on, found by halving: there is no index on times, and keys follow
        them."""
        own = Event.objects.in_project(self.project)
        newest = own.order_by("-pk").first()
        low, high = 0, newest.pk + 1 if newest else 0
        while low < high:
            middle = (low + high) // 2
            there = own.filter(pk__gte=middle).order_by("pk").first()
            if there is None or there.at >= moment:
                high = middle
            else:
                low = there.pk + 1
        return low

    @cached_property
    def _hidden(self) -> QuerySet[Any]:
        return Assignment.objects.own_open(self.user).filter(passage__project=self.project).values("passage")

    def _about_hidden(self) -> Q:
        found = Q()
        for subject, place in places():
            if place.passage:
                rows = _model(subject)._base_manager.filter(**{f"{place.passage}__in": self._hidden})
                found |= Q(subject=subject, subject_id__in=rows.values("pk")) & ~Q(by=self.user)
        return found

    def _lines(self, events: list[Event]) -> Iterator[Line]:
        names, zone = _names(events), ZoneInfo(self.project.time_zone)

        def told(event: Event) -> tuple[str, str, date]:
            about, whose = names.get((event.subject, event.subject_id), ("", ""))
            who = event.by.name if event.by else "Assay, or its operator"
            return who, said_of(event.kind, about, whose, event.payload), event.at.astimezone(zone).date()

        for (who, did, _), same in groupby(events, key=told):
            first, *others = same
            yield Line(first, who, did, 1 + len(others))


@cache
def _model(subject: str) -> type[Subject]:
    """Of any app: this one cannot name those above it."""
    return next(row for row in apps.get_models() if issubclass(row, Subject) and row.subject_name() == subject)


def _kinds_elsewhere(subject: str) -> list[str]:
    """Kinds of this subject's events that are told in another group: those of a project, mostly."""
    if subject != "project":
        return []
    return [kind for group in GROUPS for kind in kinds_of(group)]


def _names(events: Iterable[Event]) -> dict[tuple[str, int], tuple[str, str]]:
    """What the rows of a page are called: a query for each kind of row."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for event in events:
        wanted[event.subject].add(event.subject_id)
    found: dict[tuple[str, int], tuple[str, str]] = {}
    for subject, ids in wanted.items():
        place = place_of(subject)
        if place is None or not place.called:
            continue
        if not place.names:
            found |= {(subject, pk): (place.called, "") for pk in ids}
            continue
        for pk, *values in _model(subject)._base_manager.filter(pk__in=ids).values_list("pk", *place.names):
            shown = [label_of(value) if subject == "job" else value for value in values]
            if subject == "membership" and values[1] is None:  # a voice
                found[subject, pk] = (values[0], "")
            else:
                found[subject, pk] = (place.called.format(*shown), place.whose.format(*shown))
    return found
