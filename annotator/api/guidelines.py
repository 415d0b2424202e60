"""What the work goes by: guidelines for people, and the rules that Assay keeps to."""

from django.http import Http404
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.guidelines import change_guidelines
from annotator.actions.protocols import change_protocol
from annotator.api.operation import operation
from annotator.domain.api_tokens import Scope
from annotator.domain.lengths import MAX_GUIDELINES_LENGTH, MAX_POLICY_LENGTH
from annotator.domain.protocol_changes import fixed_switches
from annotator.doors import person, project_for_lead, project_for_member
from annotator.models import Project
from annotator.queries.guidelines import GuidelinesText, guidelines_at
from annotator.queries.projects import has_work
from annotator.serializers.base import checked, if_match, shown
from annotator.serializers.guidelines import ChangedGuidelinesSerializer, GuidelinesQuery, GuidelinesSerializer
from annotator.serializers.rules import ChangedProtocolSerializer, ProtocolSerializer

MAX_GUIDELINES = 12 * (MAX_GUIDELINES_LENGTH + MAX_POLICY_LENGTH) + 1000  # bytes: each character escaped


@operation(
    "The guidelines",
    method="GET",
    query=GuidelinesQuery,
    gives=GuidelinesSerializer,
    gives_version=True,
    refuses=(404,),
    scopes=(Scope.ANNOTATE, Scope.READ),
)
@operation(
    "Write the next version of the guidelines",
    method="PUT",
    takes=ChangedGuidelinesSerializer,
    gives=GuidelinesSerializer,
    max_body=MAX_GUIDELINES,
    needs_version=True,
    gives_version=True,
    refuses=(404, 409, 412, 428),
    scopes=(Scope.LEAD,),
)
@api_view(["GET", "PUT"])
def guidelines(request: Request, slug: str) -> Response:
    """Versions are the guidelines' own. Every member reads them, a lead writes them; annotators are told of a new
    version."""
    if request.method == "PUT":
        project, _ = project_for_lead(request, slug)
        body, version = checked(ChangedGuidelinesSerializer, request.data), if_match(request.headers.get("If-Match"))
        project = change_guidelines(project, by=person(request), version=version, **body)
        return _guidelines(guidelines_at(project, project.guidelines_version))
    project, _ = project_for_member(request, slug)
    wanted = checked(GuidelinesQuery, request.query_params).get("version", project.guidelines_version)
    return _guidelines(guidelines_at(project, wanted))


def _guidelines(found: GuidelinesText | None) -> Response:
    if found is None:
        raise Http404
    return Response(shown(GuidelinesSerializer, found), headers={"ETag": f'"{found.version}"'})


@operation(
    "The rules of a project",
    method="GET",
    gives=ProtocolSerializer,
    gives_version=True,
    refuses=(404,),
    scopes=(Scope.READ,),
)
@operation(
    "Change the rules, as far as they can still be changed",
    method="PUT",
    takes=ChangedProtocolSerializer,
    gives=ProtocolSerializer,
    needs_version=True,
    gives_version=True,
    refuses=(404, 409, 412, 428),
    scopes=(Scope.LEAD,),
)
@api_view(["GET", "PUT"])
def protocol(request: Request, slug: str) -> Response:
    """What was given back as it was read changes nothing."""
    project, _ = project_for_lead(request, slug)
    if request.method == "PUT":
        changes = checked(ChangedProtocolSerializer, request.data)["protocol"]
        version = if_match(request.headers.get("If-Match"))
        project = change_protocol(project, by=person(request), version=version, changes=changes)
    return _protocol(project)


def _protocol(project: Project) -> Response:
    is_fixed = has_work(project)
    told = {"version": project.version, "has_work": is_fixed, "protocol": project.protocol.as_dict()}
    told["fixed"] = fixed_switches(has_work=is_fixed)
    return Response(shown(ProtocolSerializer, told), headers={"ETag": f'"{project.version}"'})
