"""May this user, now, bring several people's work together?"""

from annotator.domain.errors import Conflict, NotAllowed
from annotator.domain.states import ProjectState
from annotator.models import Assignment, Membership, Passage, Project, User
from annotator.permissions import check_can_lead


def check_can_merge(user: User | None, project: Project) -> None:
    """Also before a project opens: a set of imported answers needs no annotating. Not in the archive."""
    check_can_lead(user, project)
    _check_not_archived(project)


def _check_not_archived(project: Project) -> None:
    if project.state == ProjectState.ARCHIVED:
        raise Conflict("This project is archived: take it out of the archive first.", code="project_archived")


def check_can_adjudicate(user: User, passage: Passage) -> Membership:
    """An adjudicator or lead, and not of a passage that they have still to annotate themselves: as whom."""
    membership = check_can_adjudicate_in(user, passage.project)
    if Assignment.objects.own_open(user).filter(passage=passage).exists():
        raise NotAllowed("This is a passage that you have still to annotate yourself.")
    check_all_have_submitted(passage)
    return membership


def check_all_have_submitted(passage: Passage) -> None:
    """Under consensus its annotators meet over a passage, once each has said alone what they think."""
    awaited = Assignment.objects.awaited().filter(passage=passage)
    if passage.project.protocol.needs_consensus and (left := awaited.count()):
        message = f"{left} of its annotators {'has' if left == 1 else 'have'} still to submit this passage."
        raise Conflict(message, code="not_all_submitted")


def check_can_adjudicate_in(user: User, project: Project) -> Membership:
    """Somewhere in this project; of each passage `check_can_adjudicate` is asked, or its list leaves out what is
    hidden."""
    membership = Membership.objects.of(user).seeing_all().filter(project=project).first()
    if membership is None:
        raise NotAllowed("Only an adjudicator or a lead of this project may do that.")
    _check_not_archived(project)
    return membership


def check_can_draw_doubles(user: User, project: Project) -> None:
    check_can_lead(user, project)
    _check_not_archived(project)


def check_can_measure_some(user: User, project: Project) -> None:
    """Figures of some groups, or of what some people have in common, would tell of passages that one has still to
    annotate oneself."""
    if Assignment.objects.own_open(user).filter(passage__project=project).exists():
        raise Conflict(
            "You have passages here still to submit yourself: until then there are only figures of the whole project.",
            code="still_blind",
        )
