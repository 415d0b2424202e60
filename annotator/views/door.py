"""The private doors by which views reach what the signed-in person may see; anything else is a 404."""

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotator.models import Assignment, Membership, Project, User


def person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # LoginRequiredMiddleware has seen to it
    return request.user


def project_for_member(request: HttpRequest, slug: str) -> tuple[Project, Membership]:
    project = get_object_or_404(Project.objects.visible_to(person(request)), slug=slug)
    return project, project.memberships.of(person(request)).get()


def project_for_lead(request: HttpRequest, slug: str) -> Project:
    return get_object_or_404(Project.objects.led_by(person(request)), slug=slug)


def own_assignment(request: HttpRequest, slug: str, number: int) -> Assignment:
    """By one's own running number: no address tells of anybody else's work."""
    rows = Assignment.objects.own(person(request)).filter(passage__project__slug=slug, number=number)
    found = rows.select_related("membership", "passage__project").first()
    if found is None:
        raise Http404
    return found
