"""The gold or everything of a project, as one file."""

from django.http import FileResponse
from rest_framework.decorators import api_view, throttle_classes
from rest_framework.request import Request

from annotator.api.operation import operation
from annotator.api.throttles import ExportThrottle, ReadsByToken
from annotator.domain.api_tokens import Scope
from annotator.doors import person, project_for_lead
from annotator.serializers.base import checked
from exports.api.files import ANY_FILE, whole_file
from exports.permissions import check_can_export
from exports.queries.exporting import exported
from exports.serializers.releases import ExportQuery


@operation(
    "The gold as SWS JSON, or everything as Assay JSONL",
    query=ExportQuery,
    gives_file=ANY_FILE,
    refuses=(404, 409, 422, 429),
    scopes=(Scope.READ,),
)
@api_view(["GET"])
@throttle_classes([ReadsByToken, ExportThrottle])
def export(request: Request, slug: str) -> FileResponse:
    """As it stands now, written whole before the first of it is sent. What is too much for one request is refused: a
    release has it, too."""
    project, _ = project_for_lead(request, slug)
    given = checked(ExportQuery, request.query_params)
    check_can_export(person(request), project)
    return whole_file(*exported(project, **given))
