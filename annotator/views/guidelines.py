"""Guidelines, and the questions they leave open."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.questions import answer_question
from annotator.domain.errors import Refused
from annotator.domain.markdown import to_html
from annotator.forms import AnswerForm
from annotator.models import Question
from annotator.views.door import person, project_for_lead, project_for_member


@require_safe
def guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    """The page; for the panel of the workbench only its text."""
    found, membership = project_for_member(request, slug)
    context = {
        "project": found,
        "membership": membership,
        "text": mark_safe(to_html(found.guidelines)),  # noqa: S308 (to_html escapes everything)
        "is_new": membership.is_annotator and membership.guidelines_read < found.guidelines_version,
    }
    is_panel = request.headers.get("X-Assay-Panel") == "1"
    template = "annotator/guidelines.html#text" if is_panel else "annotator/guidelines.html"
    return render(request, template, context)


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
