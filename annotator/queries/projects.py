"""What was ever done in a project."""

from django.db.models import Q

from annotator.models import Assignment, Event, Project


def was_opened(project: Project) -> bool:
    """Whether it ever was; one that never was is still a draft when it comes out of the archive."""
    return Event.objects.of(project).filter(kind="project.open").exists()


def has_work(project: Project) -> bool:
    """Whether anything was ever saved, or came in from elsewhere."""
    work = Assignment.objects.filter(passage__project=project)
    return work.filter(Q(version__gt=0) | Q(submissions_made__gt=0)).exists()
