"""What was ever done in a project."""

from django.db.models import Q

from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Event, Project


def was_opened(project: Project) -> bool:
    """Whether it ever was; one that never was is still a draft when it comes out of the archive."""
    return Event.objects.of(project).filter(kind="project.open").exists()


def has_work(project: Project) -> bool:
    """Whether anything was ever saved, or came in from elsewhere."""
    # Whatever was begun is in another state than assigned: of a large project that is asked of an index.
    begun = [state for state in AssignmentState if state != AssignmentState.ASSIGNED]
    work = Assignment.objects.filter(membership__project=project, state__in=begun)
    return work.filter(Q(version__gt=0) | Q(submissions_made__gt=0)).exists()
