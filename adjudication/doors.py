"""How pages and the API of this app reach a passage whose others' work somebody may see; anything else is a 404."""

from typing import Any
from uuid import UUID

from django.http import Http404

from annotator.doors import person, project_for_adjudicator
from annotator.models import Membership, Passage, Project, unless_blind
from annotator.models.projects import PassageQuerySet


def visible_passages(request: Any, project: Project) -> PassageQuerySet:
    rows: PassageQuerySet = Passage.objects.work().filter(project=project)
    return rows.filter(unless_blind(person(request), passage="pk")).select_related("project")


def visible_passage(request: Any, slug: str, uuid: UUID) -> Passage:
    return passage_to_settle(request, slug, uuid)[0]


def passage_to_settle(request: Any, slug: str, uuid: UUID) -> tuple[Passage, Membership]:
    """With who is about to settle it."""
    project, membership = project_for_adjudicator(request, slug)
    passage = visible_passages(request, project).filter(uuid=uuid).first()
    if passage is None:
        raise Http404
    membership.user = person(request)  # at hand: not to be read once more
    return passage, membership
