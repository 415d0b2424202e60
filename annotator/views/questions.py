"""What annotators ask their leads."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.questions import answer_question
from annotator.domain.errors import Refused
from annotator.forms import AnswerForm
from annotator.models import Question
from annotator.views.door import person, project_for_lead


@require_safe
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    found = project_for_lead(request, slug)
    rows = Question.objects.filter(assignment__passage__project=found).visible_to(person(request)).open_first()
    rows = rows.select_related("assignment__passage", "assignment__membership__user", "answered_by")[:200]
    lines = [
        (row, AnswerForm(initial={"version": row.version, "text": row.answer}, prefix=str(row.pk))) for row in rows
    ]
    membership = found.memberships.of(person(request)).get()
    return render(request, "annotator/questions.html", {"project": found, "membership": membership, "lines": lines})


@require_POST
def question_answer(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = project_for_lead(request, slug)
    rows = Question.objects.filter(assignment__passage__project=found).visible_to(person(request))
    question = get_object_or_404(rows.select_related("assignment__passage__project"), uuid=uuid)
    form = AnswerForm(request.POST, prefix=str(question.pk))
    try:
        if not form.is_valid():
            raise Refused("Write an answer of at most 2,000 characters.")
        answer_question(question, by=person(request), **form.cleaned_data)
        messages.success(request, "Answered. The annotator sees it at the passage and in their list.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("questions", slug)
