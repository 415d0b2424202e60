"""May this user, now, bring several people's work together?"""

from annotator.domain.errors import Conflict
from annotator.domain.states import ProjectState
from annotator.models import Project, User
from annotator.permissions import check_can_lead


def check_can_merge(user: User | None, project: Project) -> None:
    """Also before a project opens: a set of imported answers needs no annotating. Not in the archive."""
    check_can_lead(user, project)
    if project.state == ProjectState.ARCHIVED:
        raise Conflict("This project is archived: take it out of the archive first.", code="project_archived")
