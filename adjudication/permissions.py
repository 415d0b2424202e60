"""May this user, now, bring several people's work together?"""

from annotator.domain.errors import Conflict
from annotator.domain.states import ProjectState
from annotator.models import Assignment, Project, User
from annotator.permissions import check_can_lead


def check_can_merge(user: User | None, project: Project) -> None:
    """Also before a project opens: a set of imported answers needs no annotating. Not in the archive."""
    check_can_lead(user, project)
    if project.state == ProjectState.ARCHIVED:
        raise Conflict("This project is archived: take it out of the archive first.", code="project_archived")


def check_can_measure_groups(user: User, project: Project) -> None:
    """Figures of a few passages would tell of those that one has still to annotate oneself."""
    if Assignment.objects.own_open(user).filter(passage__project=project).exists():
        raise Conflict(
            "You have passages here still to submit yourself: until then there are only figures of the whole project.",
            code="still_blind",
        )
