"""Who is given what. Work is pushed to people, never pulled, so nobody's pace shows in anybody's queue."""

from collections import defaultdict

from django.db import transaction

from annotator.actions.log import locked, write
from annotator.domain.people import work_order
from annotator.models import Assignment, Project, User

BATCH = 500


@transaction.atomic
def assign_everyone(project: Project, *, by: User | None) -> int:
    """Give every annotator every work passage they lack. Idempotent; each person's order is shuffled by the seed,
    and what comes later is appended."""
    project = locked(project)
    passages = dict(project.passages.work().values_list("external_id", "pk"))
    given, last = _given_so_far(project)
    rows: list[Assignment] = []
    for membership in project.memberships.annotating():
        missing = [external_id for external_id, pk in passages.items() if pk not in given[membership.pk]]
        ordered = work_order(project.seed, membership.pseudonym, missing)
        rows += [
            Assignment(membership=membership, passage_id=passages[external_id], number=number)
            for number, external_id in enumerate(ordered, start=last[membership.pk] + 1)
        ]
    Assignment.objects.bulk_create(rows, batch_size=BATCH)
    if rows:
        write(project, "work.assigned", by=by, payload={"assignments": len(rows)})
    return len(rows)


def _given_so_far(project: Project) -> tuple[dict[int, set[int]], dict[int, int]]:
    given: dict[int, set[int]] = defaultdict(set)
    last: dict[int, int] = defaultdict(int)
    done = Assignment.objects.filter(membership__project=project).values_list("membership_id", "passage_id", "number")
    for membership_id, passage_id, number in done:
        given[membership_id].add(passage_id)
        last[membership_id] = max(last[membership_id], number)
    return given, last
