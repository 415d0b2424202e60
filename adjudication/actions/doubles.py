"""Passages that two settle blind to each other: drawing them, and uniting what both decided."""

from collections.abc import Sequence
from uuid import UUID

from django.db import IntegrityError, transaction

from adjudication.actions.steps import Decided, Step, _with_evidence, _write_one
from adjudication.domain.decisions import decides_nothing
from adjudication.domain.doubles import drawn
from adjudication.models import Comment, Decision, DecisionStep, Double, Merge, PassageResult
from adjudication.permissions import check_can_adjudicate, check_can_draw_doubles
from adjudication.queries.gold import Standing, merge_now, standing_now
from annotator.actions.log import Overtaken, locked, write
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.tokens import Span
from annotator.models import Passage, Project, User

MOST_DOUBLES = 500  # in a project
BOTH = "both"


@transaction.atomic
def draw_doubles(project: Project, *, by: User, wanted: int) -> int:
    """So many passages are to be settled by two, drawn from what asks for somebody and nobody has decided or said
    anything about. Fewer than before: those that nobody has begun on are let go. How many there are now."""
    check_can_draw_doubles(by, project)
    if not 0 <= wanted <= MOST_DOUBLES:
        raise Invalid.of("wanted", f"Between 0 and {MOST_DOUBLES} passages can be settled twice.", "wanted")
    merge = merge_now(project)
    held = locked(project)
    there = Double.objects.of(project)
    before = there.count()
    if wanted < before:
        _let_go(list(there.untouched().select_related("passage")), before - wanted, seed=held.seed)
    elif wanted > before:
        found = {str(row.uuid): row for row in _undecided(merge)}
        chosen = drawn(list(found), wanted - before, seed=held.seed)
        Double.objects.bulk_create(Double(passage=found[name]) for name in chosen)
    now = there.count()
    if now != before:
        write(held, "doubles.drawn", by=by, payload={"wanted": wanted, "before": before, "now": now})
    return now


def _let_go(rows: Sequence[Double], times: int, *, seed: str) -> None:
    """In the order opposite to that in which they were drawn."""
    by_name = {str(row.passage.uuid): row for row in rows}
    last = drawn(list(by_name), len(by_name), seed=seed)[::-1][:times]
    Double.objects.filter(pk__in=[by_name[name].pk for name in last]).delete()


def _undecided(merge: Merge) -> list[Passage]:
    asking = PassageResult.objects.filter(merge=merge, asks=True, passage__archived_at=None, passage__double=None)
    decided = Decision.objects.of(merge.project).values("passage")
    discussed = Comment.objects.filter(passage__project=merge.project).values("passage")  # whoever read it is not blind
    rows = asking.exclude(passage__in=decided).exclude(passage__in=discussed)
    return [row.passage for row in rows.select_related("passage")]


def unite_double(passage: Passage, *, by: User, act: UUID, take: str) -> Decided:
    """Of a passage that both have settled: what both decided alike (`both`), or all that one of them did, by pseudonym,
    becomes what counts, in one act. What is decided for all already stays."""
    membership = check_can_adjudicate(by, passage)
    if again := DecisionStep.objects.of_act(act).filter(by=membership, decision__passage=passage).first():
        return Decided(again.number, act)  # sent again
    for _look in range(2):
        standing = standing_now(passage, membership)
        steps = [_with_evidence(step, standing) for step in _taken(standing, take)]
        try:
            with transaction.atomic():
                done = [_write_one(standing, step, by=membership, act=act) for step in steps]
            return done[0]
        except (Overtaken, IntegrityError):
            continue
    raise Conflict("Somebody decided about this passage at the same moment: look again.", code="overtaken")


def _taken(standing: Standing, take: str) -> list[Step]:
    if standing.double is None or not standing.double.is_done:
        raise Conflict("Two people settle this passage first: then what they decided is united.", code="not_settled")
    sides = _sides(standing)
    if take != BOTH and take not in sides:
        raise Invalid.of("take", f"One takes “{BOTH}”, or all of {' or '.join(sorted(sides))}.", "take")
    steps = _alike(*sides.values()) if take == BOTH else list(sides[take].values())
    there = {row.span for row in standing.decisions if not decides_nothing(standing.said(row).content)}
    if wanted := [step for step in steps if step.span not in there]:
        return wanted
    raise Conflict("There is nothing to take that is not decided already.", code="nothing_to_take")


def _sides(standing: Standing) -> dict[str, dict[Span | None, Step]]:
    assert standing.double is not None
    rows = Decision.objects.filter(passage=standing.passage, seat__gt=0).saying_something().in_order()
    names = {seat: holder.pseudonym for seat in (1, 2) if (holder := standing.double.holder(seat))}
    found: dict[str, dict[Span | None, Step]] = {name: {} for name in names.values()}
    for row in rows:
        found[names[row.seat]][row.span] = Step(row.span, row.content, row.reason, row.cause)
    return found


def _alike(one: dict[Span | None, Step], two: dict[Span | None, Step]) -> list[Step]:
    """What both decided about the same target; the passage itself only where nothing is left to unite."""
    same = [step for span, step in one.items() if span in two and two[span].content == step.content]
    is_all = len(same) == len(one) == len(two)
    return [step for step in same if step.span is not None or is_all]
