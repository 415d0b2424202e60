"""May this user, now, let something leave the house, or measure a system against what has left it?"""

from django.conf import settings

from adjudication.models import Comment, Decision
from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.states import ProjectState
from annotator.models import Assignment, Membership, Project, User
from annotator.permissions import check_can_lead


def check_can_release(user: User | None, project: Project) -> None:
    """None: an operator at the shell."""
    check_can_lead(user, project)
    _check_not_archived(project)


def _check_not_archived(project: Project) -> None:
    if project.state == ProjectState.ARCHIVED:
        raise Conflict("This project is archived: take it out of the archive first.", code="project_archived")


def is_still_blind(user: User, project: Project) -> bool:
    return Assignment.objects.own_open(user).filter(passage__project=project).exists()


def check_not_blind(user: User, project: Project) -> None:
    """A release tells the gold of every passage: not to somebody who has some of them still to annotate."""
    if is_still_blind(user, project):
        raise Conflict(
            "You have passages here still to submit yourself: this would tell you what others said of them.",
            code="still_blind",
        )


def check_can_export(user: User, project: Project) -> None:
    """Everything that anybody said and decided."""
    check_can_lead(user, project)
    check_not_blind(user, project)
    decided, talked = Decision.objects.of(project), Comment.objects.filter(passage__project=project)
    hidden = decided.filter(seat__gt=0).exclude(pk__in=decided.visible_to(user).values("pk"))
    if hidden.exists() or talked.exclude(pk__in=talked.visible_to(user).values("pk")).exists():
        raise Conflict(
            "Passages are being settled by two, blind to each other: this would tell what one of them says.",
            code="settled_by_two",
        )


def check_can_submit_runs(user: User | None, project: Project) -> None:
    """A lead or a submitter. Scores of predictions made for it would tell the gold, word by word."""
    if user is not None:
        if not Membership.objects.of(user).bringing_systems().filter(project=project).exists():
            raise NotAllowed("Only a lead or a submitter of this project may do that.")
        check_not_blind(user, project)
    _check_not_archived(project)


def check_can_tell(user: User | None, project: Project) -> None:
    """A lead may have other programs told, where the operator has named hosts. None: an operator at the shell."""
    check_can_lead(user, project)
    if not settings.WEBHOOK_HOSTS:
        raise Conflict("The operator has named no host that may be called: ASSAY_WEBHOOK_HOSTS.", code="no_webhooks")
