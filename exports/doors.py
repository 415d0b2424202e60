"""How the API reaches a release or a run by its id alone; anything else is a 404."""

from typing import Any
from uuid import UUID

from django.http import Http404

from annotator.doors import person, project_for_adjudicator, project_for_lead, project_for_scores
from exports.models import Release, SystemRun


def release_seen(request: Any, uuid: UUID, *, for_lead: bool = False) -> Release:
    rows = Release.objects.visible_to(person(request)).filter(uuid=uuid)
    found = rows.select_related("project", "merge", "made_by", "job").first()
    if found is None:
        raise Http404
    found.project, _ = (project_for_lead if for_lead else project_for_adjudicator)(request, found.project.slug)
    return found


def run_seen(request: Any, uuid: UUID) -> SystemRun:
    rows = SystemRun.objects.visible_to(person(request)).filter(uuid=uuid)
    found = rows.select_related("release__project", "by", "job").first()
    if found is None:
        raise Http404
    project_for_scores(request, found.release.project.slug)
    return found
