"""The private doors by which pages and the API, of every app, reach what the signed-in person may see; anything else is
a 404."""

from typing import Any
from uuid import UUID

from django.http import Http404

from annotator.models import Assignment, Membership, Passage, Project, User
from annotator.models.people import MembershipQuerySet

Admitted = tuple[Project, Membership]


def person(request: Any) -> User:
    assert isinstance(request.user, User)  # LoginRequiredMiddleware, or IsAuthenticated, has seen to it
    return request.user


def own_memberships(request: Any) -> MembershipQuerySet:
    """The projects that somebody is in, each with what they are there."""
    return Membership.objects.of(person(request)).select_related("project")


def project_by_name(request: Any, slug: str) -> Admitted:
    """Also for whom its name is all that may be shown (`awaits_opening`)."""
    return _admitted(Membership.objects.of(person(request)), slug)


def project_for_member(request: Any, slug: str) -> Admitted:
    return _opened(project_by_name(request, slug))


def project_for_annotator(request: Any, slug: str) -> Admitted:
    return _opened(_admitted(Membership.objects.of(person(request)).annotating(), slug))


def _opened(admitted: Admitted) -> Admitted:
    if admitted[1].awaits_opening:
        raise Http404
    return admitted


def project_for_adjudicator(request: Any, slug: str) -> Admitted:
    """Adjudicators and leads: who sees everybody's work."""
    return _admitted(Membership.objects.of(person(request)).seeing_all(), slug)


def project_for_scores(request: Any, slug: str) -> Admitted:
    """Who sees how systems score: whoever sees everybody's work, and who brings systems."""
    return _admitted(Membership.objects.of(person(request)).seeing_scores(), slug)


def project_for_submitter(request: Any, slug: str) -> Admitted:
    """Submitters and leads: who brings systems."""
    return _admitted(Membership.objects.of(person(request)).bringing_systems(), slug)


def project_for_lead(request: Any, slug: str) -> Admitted:
    return _admitted(Membership.objects.of(person(request)).leading(), slug)


def passage_for_lead(request: Any, slug: str, uuid: UUID) -> Passage:
    """Of any kind, archived ones too."""
    project, _ = project_for_lead(request, slug)
    rows = Passage.objects.select_related("project", "arrival__by", "replaces")
    found = rows.filter(project=project, uuid=uuid).first()
    if found is None:
        raise Http404
    return found


def _admitted(rows: MembershipQuerySet, slug: str) -> Admitted:
    found = rows.filter(project__slug=slug).select_related("project").first()
    if found is None:
        raise Http404
    return found.project, found


def own_assignment(request: Any, slug: str, number: int) -> Assignment:
    """By one's own running number: no address tells of anybody else's work."""
    rows = Assignment.objects.own(person(request)).filter(passage__project__slug=slug, number=number)
    found = rows.select_related("membership", "passage__project").first()
    if found is None:
        raise Http404
    return found
