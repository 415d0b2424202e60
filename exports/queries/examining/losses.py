"""Of work that has vanished without anybody's doing: the log knows what a save or a submit left, the rows what is there
now."""

from collections import Counter
from collections.abc import Iterator, Sequence

from annotator.models import Assignment, Event, Membership
from exports.queries.examining.examined import CHUNK, Examined

SAYING = ("assignment.saved", "assignment.submitted")  # how many marks an answer has


def examine_losses(found: Examined) -> Iterator[str]:
    """Nobody has half of the marks, or fewer, that their last saves left: no event takes marks away but a save (T4)."""
    rows = found.rows(Assignment.objects.order_by("membership", "pk"), "passage__project").filter(version__gt=0)
    own: dict[int, list[int]] = {}
    for pk, membership in rows.values_list("pk", "membership_id").iterator(chunk_size=CHUNK):
        found.looked_at += 1
        own.setdefault(membership, []).append(pk)
    for membership, ids in own.items():
        # A second look: somebody may have saved between that at the rows and that at the log.
        if _has_lost(*_marks(ids)) and _has_lost(*(counts := _marks(ids))):
            told, stored = counts
            who = Membership.all_rows.select_related("project").get(pk=membership)
            found_now = f"{who.pseudonym} of “{who.project.slug}” has {stored} marks, and their saves left {told}"
            yield f"{found_now}: work was taken away without an event"


def _has_lost(told: int, stored: int) -> bool:
    return told > 0 and 2 * stored <= told


def _marks(ids: Sequence[int]) -> tuple[int, int]:
    """As the last save of each says, and as its row does; of those that were never saved here, neither."""
    told: Counter[int] = Counter()
    stored = 0
    for start in range(0, len(ids), CHUNK):
        some = ids[start : start + CHUNK]
        marks = dict(Assignment.objects.filter(pk__in=some).values_list("pk", "marks"))
        events = Event.objects.filter(subject=Assignment.subject_name(), subject_id__in=some, kind__in=SAYING)
        said = events.order_by("subject_id", "seq").values_list("subject_id", "payload__marks")
        last = {pk: count for pk, count in said.iterator(chunk_size=CHUNK) if count is not None}
        told.update(last)
        stored += sum(marks.get(pk, 0) for pk in last)
    return told.total(), stored
