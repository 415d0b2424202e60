"""Screening as a lead goes through it: what has been looked at, and what comes before and after a passage."""

from dataclasses import dataclass

from django.db.models import Count, F, OuterRef, Q, Subquery, Value, Window
from django.db.models.functions import Coalesce, RowNumber

from annotator.domain.jobs import percent
from annotator.domain.passages import PassageKind
from annotator.domain.screening import Screening
from annotator.models import Event, Passage, Project
from annotator.models.projects import PassageQuerySet


def to_screen(project: Project) -> PassageQuerySet:
    """All that is screened, whatever was said of it: passages of work that are not archived."""
    return Passage.objects.filter(project=project, kind=PassageKind.WORK, archived_at=None)


def not_screened(project: Project) -> PassageQuerySet:
    return to_screen(project).filter(screening=Screening.NONE)


def duplicates(project: Project) -> PassageQuerySet:
    """What nobody has screened and is the same text as an earlier passage in use, by the rule of the look at a file."""
    # First the few texts that there are twice, in an index: of 20,000 there is mostly none.
    twice = Passage.all_rows.filter(project=project).values("text_digest").annotate(number=Count("pk"))
    texts = list(twice.filter(number__gt=1).order_by().values_list("text_digest", flat=True))
    if not texts:
        return Passage.objects.none()
    in_use = to_screen(project).exclude(screening=Screening.REFUSED).filter(text_digest__in=texts)
    place = Window(RowNumber(), partition_by=F("text_digest"), order_by=F("pk").asc())
    later = in_use.annotate(place=place).filter(place__gt=1).values("pk")
    return not_screened(project).filter(pk__in=later)


def same_text(passage: Passage) -> Passage | None:
    """An earlier one in use that says the same."""
    rows = to_screen(passage.project).exclude(screening=Screening.REFUSED)
    return rows.filter(text_digest=passage.text_digest, pk__lt=passage.pk).order_by("pk").first()


def accepted_unseen(project: Project) -> PassageQuerySet:
    """Accepted with the rest, all at once: of such a passage the project has an event, and the passage has none. A copy
    that stands for another was read by whoever wrote it."""
    if not _times_at_once(project):
        return Passage.objects.none()
    said = Event.objects.filter(subject=Passage.subject_name(), subject_id=OuterRef("pk"), kind__in=_ONE_BY_ONE)
    rows = to_screen(project).filter(screening=Screening.ACCEPTED)
    last = rows.annotate(said=Coalesce(Subquery(said.order_by("-seq").values("kind")[:1]), Value("")))
    unseen = last.exclude(said="passage.accepted").exclude(said="", replaces__isnull=False)
    return rows.filter(pk__in=unseen.values("pk"))


def unseen_count(project: Project) -> int:
    """How many were accepted without being looked at. One that came accepted with its project has no event either."""
    most = _times_at_once(project)
    return min(most, accepted_unseen(project).count()) if most else 0


_ONE_BY_ONE = ("passage.accepted", "passage.refused", "passage.unscreened")


def _times_at_once(project: Project) -> int:
    """How often a passage was accepted with the rest, and that was not taken back."""
    signs = {"passages.screened": 1, "passages.unscreened": -1}
    acts = Event.objects.of(project).filter(kind__in=signs).values_list("kind", "payload")
    return sum(signs[kind] * int(payload.get(Screening.ACCEPTED.value, 0)) for kind, payload in acts)


@dataclass(frozen=True)
class Counts:
    of: int
    accepted: int
    unseen: int  # of the accepted
    refused: int
    duplicates: int

    @property
    def seen(self) -> int:
        return self.accepted + self.refused

    @property
    def left(self) -> int:
        return self.of - self.seen

    @property
    def percent(self) -> int:
        return percent(self.seen, self.of)


def screening_counts(project: Project) -> Counts:
    found = to_screen(project).aggregate(
        of=Count("pk"),
        accepted=Count("pk", filter=Q(screening=Screening.ACCEPTED)),
        refused=Count("pk", filter=Q(screening=Screening.REFUSED)),
    )
    return Counts(**found, unseen=unseen_count(project), duplicates=duplicates(project).count())


@dataclass(frozen=True)
class Place:
    """A passage among its neighbours."""

    passage: Passage
    number: int
    before: Passage | None
    after: Passage | None


def place_to_screen(project: Project, at: Passage | None) -> Place | None:
    """At this passage, else at the first that nobody has screened, else at the first of all."""
    rows = to_screen(project).order_by("pk")
    passage = at or rows.filter(screening=Screening.NONE).first() or rows.first()
    if passage is None:
        return None
    earlier, later = rows.filter(pk__lt=passage.pk), rows.filter(pk__gt=passage.pk)
    return Place(passage, earlier.count() + 1, earlier.last(), later.first())


def next_to_screen(passage: Passage) -> Passage | None:
    """The next that nobody has screened, or the first of them."""
    left = not_screened(passage.project).order_by("pk")
    return left.filter(pk__gt=passage.pk).first() or left.exclude(pk=passage.pk).first()
