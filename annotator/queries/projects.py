"""A project in a few figures, for its leads."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotator.domain.jobs import percent
from annotator.domain.passages import PassageKind
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Event, Project, Question, User


@dataclass(frozen=True)
class Overview:
    """A project in a few figures, for its leads; voices' imported answers are not work to be done."""

    passages: int
    people: int
    annotators: int
    voices: int
    assigned: int
    submitted: int
    discarded: int
    open_questions: int

    @property
    def percent(self) -> int:
        return percent(self.submitted, self.assigned)


def overview_of(project: Project, *, by: User) -> Overview:
    members = project.memberships.active().aggregate(
        people=Count("pk", filter=Q(user__isnull=False)),
        annotators=Count("pk", filter=Q(user__isnull=False, is_annotator=True)),
        voices=Count("pk", filter=Q(user=None)),
    )
    states = AssignmentState
    work = Assignment.objects.filter(
        membership__project=project, membership__user__isnull=False, passage__kind=PassageKind.WORK
    )
    counted = work.exclude(state=states.WITHDRAWN).aggregate(
        assigned=Count("pk"),
        submitted=Count("pk", filter=Q(state=states.SUBMITTED)),
        discarded=Count("pk", filter=Q(state=states.DISCARDED)),
    )
    asked = Question.objects.visible_to(by).filter(assignment__passage__project=project, answered_at=None).count()
    return Overview(passages=project.passages.work().count(), open_questions=asked, **members, **counted)


def was_opened(project: Project) -> bool:
    """Whether it ever was; one that never was is still a draft when it comes out of the archive."""
    return Event.objects.of(project).filter(kind="project.open").exists()


def has_work(project: Project) -> bool:
    """Whether anything was ever saved, or came in from elsewhere."""
    work = Assignment.objects.filter(passage__project=project)
    return work.filter(Q(version__gt=0) | Q(submissions_made__gt=0)).exists()
