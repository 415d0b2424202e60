"""The passages of a project as its leads see them: in a list, and one with all that became of it."""

from dataclasses import dataclass
from itertools import count
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.domain.lengths import MAX_ID_LENGTH
from annotator.domain.passage_filter import PassageFilter
from annotator.domain.screening import SCREENING_REASONS, Screening
from annotator.domain.states import DISCARD_REASONS, AssignmentState
from annotator.models import Assignment, Event, Membership, Passage, Project, Question, User, unless_blind
from annotator.models.projects import PassageQuerySet

PAGE = 50
MOST_LINES = 200  # of the history of one passage
MOST_GROUPS = 200  # offered as a filter
HISTORY = {
    "passage.archived": "archived",
    "passage.replaced": "replaced",
    "passage.put_back": "put back instead of its copy",
    "passage.accepted": "accepted at screening",
    "passage.refused": "refused at screening",
    "passage.unscreened": "put back to be screened",
    "passage.kind_changed": "made a passage of another kind",
    "passage.key_set": "given a key",
}


@dataclass(frozen=True)
class PassageLine:
    """`answers` and `discards` are None where its reader has still to annotate the passage themselves."""

    passage: Passage
    given: int
    answers: int | None
    discards: int | None
    questions: int | None


def passages_found(project: Project, wanted: PassageFilter, *, user: User) -> PassageQuerySet:
    rows = Passage.objects.filter(project=project, archived_at__isnull=not wanted.archived)
    if wanted.search:
        rows = rows.filter(Q(external_id__icontains=wanted.search) | Q(text__icontains=wanted.search))
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    if wanted.screening in SCREENING_REASONS:
        rows = rows.filter(screening_reason=wanted.screening)
    elif wanted.screening:
        rows = rows.filter(screening=Screening.NONE if wanted.screening == "none" else wanted.screening)
    if wanted.split:
        rows = rows.filter(split=wanted.split)
    if wanted.group:
        rows = rows.filter(group=wanted.group)
    if wanted.asks_of_work:
        rows = rows.filter(unless_blind(user, passage="pk"))
    if wanted.questions:
        asked = Question.objects.filter(assignment__passage__project=project)
        rows = rows.filter(pk__in=asked.values("assignment__passage"))  # few, whatever there is to look through
    if wanted.answers == 0:
        rows = rows.filter(~Exists(Assignment.objects.with_answers().filter(passage=OuterRef("pk"))))
    elif wanted.answers is not None:
        counting = Assignment.objects.with_answers().filter(passage__project=project)
        rows = rows.filter(pk__in=_by_times(counting, times=wanted.answers))
    if wanted.discarded or wanted.reason:
        # From the few discards, which an index gives of each person; to ask each passage for its own takes longer.
        people = list(project.memberships.values_list("pk", flat=True))
        discards = _discarding().filter(membership__in=people)
        if wanted.reason:
            discards = discards.filter(discard_reason=wanted.reason)
        rows = rows.filter(pk__in=_by_times(discards, times__gte=wanted.discarded or 1))
    return rows


def _discarding() -> Any:
    return Assignment.objects.filter(is_repeat=False, state=AssignmentState.DISCARDED)


def _by_times(rows: QuerySet[Any], **times: int) -> Any:
    """Passages of which there are so many of these."""
    return rows.order_by().values("passage").annotate(times=Count("pk")).filter(**times).values("passage")


def page_of_passages(rows: PassageQuerySet, *, user: User, after: int) -> tuple[list[PassageLine], int | None]:
    """From a key on, and the key that the next page begins after."""
    found = list(rows.filter(pk__gt=after).order_by("pk")[: PAGE + 1])
    following = found[PAGE - 1].pk if len(found) > PAGE else None
    return passage_lines(found[:PAGE], user=user), following


def passage_lines(passages: list[Passage], *, user: User) -> list[PassageLine]:
    ids = [passage.pk for passage in passages]
    hidden = set(Assignment.objects.own_open(user).filter(passage__in=ids).values_list("passage", flat=True))
    holding = Assignment.objects.filter(is_repeat=False, passage__in=ids).exclude(state=AssignmentState.WITHDRAWN)
    given = _counted(holding)
    answers = _counted(Assignment.objects.with_answers().filter(passage__in=ids))
    discards = _counted(_discarding().filter(passage__in=ids))
    asked = Question.objects.filter(assignment__passage__in=ids).order_by()
    questions = dict(asked.values_list("assignment__passage").annotate(times=Count("pk")))

    def line(passage: Passage) -> PassageLine:
        pk = passage.pk
        if pk in hidden:
            return PassageLine(passage, given.get(pk, 0), None, None, None)
        return PassageLine(passage, given.get(pk, 0), answers.get(pk, 0), discards.get(pk, 0), questions.get(pk, 0))

    return [line(passage) for passage in passages]


def _counted(rows: Any) -> dict[int, int]:
    return dict(rows.order_by().values_list("passage").annotate(times=Count("pk")))


def groups_of(project: Project) -> list[str]:
    rows = project.passages.exclude(group="").order_by("group").values_list("group", flat=True).distinct()
    return list(rows[:MOST_GROUPS])


def splits_of(project: Project) -> list[str]:
    return list(project.passages.exclude(split="").order_by("split").values_list("split", flat=True).distinct())


@dataclass(frozen=True)
class Holder:
    """One person's state of a passage, under the pseudonym."""

    membership: Membership
    state: str
    is_repeat: bool
    submissions: int
    reason: str  # of a discard
    remark: str


@dataclass(frozen=True)
class Told:
    at: Any
    who: str
    what: str


def holders_of(passage: Passage, *, user: User) -> list[Holder] | None:
    """None where its reader has still to annotate it themselves."""
    if is_hidden(passage, user):
        return None
    rows = Assignment.objects.filter(passage=passage).select_related("membership")
    rows = rows.order_by("membership__pseudonym", "pk")
    return [
        Holder(
            row.membership,
            row.state,
            row.is_repeat,
            row.submissions_made,
            DISCARD_REASONS.get(row.discard_reason, ""),
            row.discard_remark,
        )
        for row in rows
    ]


def is_hidden(passage: Passage, user: User) -> bool:
    return Assignment.objects.own_open(user).filter(passage=passage).exists()


def unfinished_on(passage: Passage) -> int:
    """How many would lose work that is not submitted."""
    return Assignment.objects.filter(passage=passage).to_do().count()


def history_of(passage: Passage) -> list[Told]:
    """What leads did to it, newest first, and how it came."""
    rows = Event.objects.of(passage).select_related("by").order_by("-seq")[:MOST_LINES]
    told = [Told(row.at, row.by.name if row.by else "an operator", _what(row)) for row in rows]
    arrival = passage.arrival
    if arrival is not None:
        came = Told(passage.created_at, arrival.by.name if arrival.by else "an operator", f"came with “{arrival.name}”")
    else:
        came = Told(
            passage.created_at, "", "was made" if passage.replaces_id is None else "was made to replace another"
        )
    return [*told, came]


def _what(event: Event) -> str:
    said = HISTORY.get(event.kind, event.kind.removeprefix("passage.").replace("_", " "))
    if reason := SCREENING_REASONS.get(str(event.payload.get("reason", ""))):
        said += f" ({reason.lower()})"
    if kind := event.payload.get("kind"):
        said += f": {kind}"
    if withdrawn := event.payload.get("withdrawn"):
        said += f"; {withdrawn} unfinished {'answer' if withdrawn == 1 else 'answers'} withdrawn"
    return said


def free_id(passage: Passage) -> str:
    """What the one that stands for it is called where nobody says: e1-v2, and after that e1-v3."""
    stem, _, number = passage.external_id.rpartition("-v")
    stem = stem if stem and number.isdigit() else passage.external_id
    stem = stem[: MAX_ID_LENGTH - 8]
    same = Passage.all_rows.filter(project=passage.project_id, external_id__startswith=f"{stem}-v")
    taken = set(same.values_list("external_id", flat=True))
    return next(name for number in count(2) if (name := f"{stem}-v{number}") not in taken)
