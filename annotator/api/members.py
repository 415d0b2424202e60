"""A project's people: who is in it, what a lead does about each, and who is invited."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.invitations import invite_many, renew_invitation, revoke_invitation
from annotator.actions.people import change_member
from annotator.api.operation import operation
from annotator.api.pagination import MOST_LISTED, NumberPagination, beginning_after
from annotator.domain.api_tokens import Scope
from annotator.doors import person, project_for_lead
from annotator.links import invitation_link
from annotator.models import Invitation
from annotator.queries.people import people_page
from annotator.serializers.base import checked, shown
from annotator.serializers.members import (
    ChangedMemberSerializer,
    InvitationSerializer,
    InvitationsQuery,
    InvitationsSerializer,
    InvitedManySerializer,
    InvitedSerializer,
    InviteSerializer,
    MemberSerializer,
    MembersQuery,
    MembersSerializer,
    RenewSerializer,
    RevokeSerializer,
)

MANY_ADDRESSES = 100_000  # bytes of a body that names two hundred


@operation("A project's people", query=MembersQuery, gives=MembersSerializer, refuses=(404,), scopes=(Scope.READ,))
@api_view(["GET"])
def members(request: Request, slug: str) -> Response:
    """By name, voices last; with what each has been given and done."""
    project, _ = project_for_lead(request, slug)
    given = checked(MembersQuery, request.query_params)
    most, after = min(given.pop("limit"), MOST_LISTED), str(given.pop("after", ""))
    rows = project.memberships.all().narrowed(**given)
    page = people_page(rows, project, by=person(request), after=after, most=most)
    following = beginning_after(request, page.following) if page.following else None
    return Response({"results": [shown(MemberSerializer, line) for line in page.lines], "next": following})


@operation(
    "Change somebody's roles or limit, pause or remove them, or bring them back",
    takes=ChangedMemberSerializer,
    gives=MemberSerializer,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
)
@api_view(["PATCH"])
def member(request: Request, slug: str, uuid: UUID) -> Response:
    """Several things at once are all done, or none of them; each is told as an act of its own."""
    project, _ = project_for_lead(request, slug)
    rows = project.memberships.select_related("project")
    found, wanted = get_object_or_404(rows, uuid=uuid), checked(ChangedMemberSerializer, request.data)
    change_member(found, by=person(request), wanted=wanted)
    [line] = people_page(project.memberships.filter(pk=found.pk), project, by=person(request)).lines
    return Response(shown(MemberSerializer, line))


@operation(
    "Open invitations",
    method="GET",
    query=InvitationsQuery,
    gives=InvitationsSerializer,
    refuses=(404,),
    scopes=(Scope.READ,),
)
@operation(
    "Invite one or many",
    method="POST",
    takes=InviteSerializer,
    gives=InvitedManySerializer,
    status=201,
    max_body=MANY_ADDRESSES,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
    secrets=("link",),
)
@api_view(["GET", "POST"])
def invitations(request: Request, slug: str) -> Response:
    """In the order in which they were made, those that ran out among them. A link is shown once: only its hash is
    kept."""
    project, _ = project_for_lead(request, slug)
    if request.method == "POST":
        done = invite_many(project, by=person(request), **checked(InviteSerializer, request.data))
        results = [_invited(*made) for made in done.made]
        told = {"results": results, "left_out": [one.as_dict() for one in done.left_out], "job": done.job}
        return Response(shown(InvitedManySerializer, told), status=201)
    given, pages = checked(InvitationsQuery, request.query_params), NumberPagination()
    rows = project.invitations.unanswered()
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(InvitationSerializer, row) for row in found])


@operation(
    "A new link for an invitation",
    takes=RenewSerializer,
    gives=InvitedSerializer,
    status=201,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
    creates=True,
    secrets=("link",),
)
@api_view(["POST"])
def invitation_renew(request: Request, slug: str, uuid: UUID) -> Response:
    """The old link is over; one that ran out can be renewed, too."""
    found = _invitation(request, slug, uuid)
    made = renew_invitation(found, by=person(request), **checked(RenewSerializer, request.data))
    return Response(shown(InvitedSerializer, _invited(*made)), status=201)


@operation(
    "Take an invitation back",
    takes=RevokeSerializer,
    gives=InvitationSerializer,
    refuses=(404, 409),
    scopes=(Scope.LEAD,),
)
@api_view(["PATCH"])
def invitation(request: Request, slug: str, uuid: UUID) -> Response:
    """Its link opens nothing any more."""
    found = _invitation(request, slug, uuid)
    if checked(RevokeSerializer, request.data)["is_revoked"]:
        revoke_invitation(found, by=person(request))
    return Response(shown(InvitationSerializer, found))


def _invitation(request: Request, slug: str, uuid: UUID) -> Invitation:
    project, _ = project_for_lead(request, slug)
    return get_object_or_404(project.invitations.select_related("project"), uuid=uuid)


def _invited(invitation: Invitation, token: str) -> dict[str, Any]:
    """`token` is "" where it goes by e-mail: the job makes it."""
    return {**shown(InvitationSerializer, invitation), "link": invitation_link(token) if token else None}
