"""What annotators have asked, for the leads who answer it."""

from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.questions import answer_question
from annotator.api.operation import operation
from annotator.api.pagination import NumberPagination
from annotator.domain.api_tokens import Scope
from annotator.doors import person, project_for_lead
from annotator.queries.questions import open_questions, questions_for, questions_led_by
from annotator.serializers.base import checked, if_match, shown
from annotator.serializers.questions import (
    AnswerQuestionSerializer,
    ProjectQuestionSerializer,
    QuestionsQuery,
    QuestionsSerializer,
)


@operation(
    "Questions that annotators have asked",
    query=QuestionsQuery,
    gives=QuestionsSerializer,
    refuses=(404,),
    scopes=(Scope.READ,),
)
@api_view(["GET"])
def project_questions(request: Request, slug: str) -> Response:
    """In the order in which they were asked; none about passages that you have still to annotate yourself."""
    project, _ = project_for_lead(request, slug)
    given, pages, by = checked(QuestionsQuery, request.query_params), NumberPagination(), person(request)
    rows = open_questions(project, by=by) if given.get("state") == "open" else questions_for(project, by=by)
    if given.get("state") == "answered":
        rows = rows.filter(answered_at__isnull=False)
    found = pages.paginate_queryset(rows, request, limit=given["limit"], after=given.get("after"))
    return pages.get_paginated_response([shown(ProjectQuestionSerializer, row) for row in found])


@operation(
    "Answer a question, or change the answer",
    takes=AnswerQuestionSerializer,
    gives=ProjectQuestionSerializer,
    needs_version=True,
    gives_version=True,
    refuses=(404, 409, 412, 428),
    scopes=(Scope.LEAD,),
)
@api_view(["POST"])
def question_answer(request: Request, uuid: UUID) -> Response:
    """The annotator sees it at the passage and in their list."""
    question = get_object_or_404(questions_led_by(person(request)), uuid=uuid)
    given, version = checked(AnswerQuestionSerializer, request.data), if_match(request.headers.get("If-Match"))
    answered = answer_question(
        question,
        by=person(request),
        version=version,
        text=given["text"],
        adds=given["add_to_guidelines"],
        under=given["under"],
    )
    return Response(shown(ProjectQuestionSerializer, answered), headers={"ETag": f'"{answered.version}"'})
