"""Of tallies: each day's counters are what was submitted and discarded on it."""

from collections.abc import Iterator
from datetime import date

from annotator.domain.jobs import JobState
from annotator.domain.tallies import Sums
from annotator.models import Job, Membership, Tally
from annotator.queries.tallies import Counted
from exports.queries.examining.examined import Examined


def examine_tallies(found: Examined) -> Iterator[str]:
    """Counted anew. A project whose days nobody has counted yet, or is counting just now, is left alone; so is the
    working time, which a job sums a little later."""
    counts = Job.objects.whole().filter(kind="count_tallies").select_related("project")
    counts = counts if found.project is None else counts.filter(project=found.project)
    last = {job.project: job for job in counts.filter(state=JobState.DONE).order_by("started_at")}
    counted = {
        project for project, job in last.items() if project and (job.result or {}).get("time_zone") == project.time_zone
    }
    counted -= {job.project for job in counts.unfinished()}
    people = Membership.objects.filter(user__isnull=False, project__in=counted).select_related("project")
    for membership in people.order_by("pk"):
        found.looked_at += 1
        wrong = _wrong_days(membership)
        if wrong and _wrong_days(membership) == wrong:  # else somebody has worked between the two looks
            days = ", ".join(map(str, sorted(wrong)))
            yield f"{membership.project.slug}: the tallies of {membership.pseudonym} are wrong on {days}"


def _wrong_days(membership: Membership) -> set[date]:
    said = {row.day: Sums(*_counters(row)) for row in Tally.objects.filter(membership=membership)}
    true = Counted.of(membership).with_discards()
    return {day for day in said.keys() | true.keys() if said.get(day, Sums()) != true.get(day, Sums())}


def _counters(row: Tally) -> tuple[int, int, int, int, int, dict[str, int]]:
    return row.submitted, row.resubmitted, row.discarded, row.marks, row.substitutes, row.by_type
