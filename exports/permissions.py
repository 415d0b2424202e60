"""May this user, now, let something leave the house?"""

from annotator.domain.errors import Conflict
from annotator.domain.states import ProjectState
from annotator.models import Project, User
from annotator.permissions import check_can_lead


def check_can_release(user: User | None, project: Project) -> None:
    """None: an operator at the shell."""
    check_can_lead(user, project)
    if project.state == ProjectState.ARCHIVED:
        raise Conflict("This project is archived: take it out of the archive first.", code="project_archived")
