"""Is everything as it should be? What is stored of all projects, and what belongs to the whole house."""

from collections.abc import Iterator

from django.conf import settings
from django.db import connection

from annotator.guards import guarded, missing_guards
from annotator.models import Arrival, Assignment, Job, Membership, Passage
from config.proxies import ADVICE, mark
from exports.queries.examining.examined import Check, Examined, Progress, examined_by
from exports.queries.examining.projects import OF_PROJECTS
from exports.queries.examining.tallies import examine_tallies


def examine(progress: Progress = lambda done, total: None) -> list[Examined]:
    return examined_by(CHECKS, progress=progress)


def _guards(found: Examined) -> Iterator[str]:
    found.looked_at = len(guarded())
    for name in sorted(missing_guards(connection)):
        yield f"the guard {name} is missing: `manage.py up` installs it"


def _arrivals(found: Examined) -> Iterator[str]:
    """Nothing is left of imports that are over, unless a job is removing it."""
    removing = Job.objects.unfinished().filter(kind="clear_arrival").exists()
    for arrival in Arrival.objects.filter(over_at__isnull=False).order_by("pk"):
        found.looked_at += 1
        rows = (Passage.all_rows, Membership.all_rows, Assignment.all_rows)
        if not removing and any(table.filter(arrival=arrival).exists() for table in rows):
            yield f"rows of “{arrival.name}”, which is over, are left: the next import into the project removes them"


def _proxies(found: Examined) -> Iterator[str]:
    found.looked_at = 1
    if not settings.PROXIES and mark().exists():
        yield (
            f"forwarded requests came and ASSAY_PROXIES is 0, so their senders count as one address: {ADVICE}; "
            f"if there is none, somebody made them up: delete {mark()}"
        )


CHECKS: dict[str, Check] = {
    "guards": _guards,
    **OF_PROJECTS,
    "tallies": examine_tallies,
    "arrivals": _arrivals,
    "proxies": _proxies,
}
