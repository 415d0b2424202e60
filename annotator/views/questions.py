"""What annotators ask their leads."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotator.actions.questions import answer_question
from annotator.domain.errors import Refused
from annotator.domain.lengths import MAX_QUESTION_LENGTH
from annotator.doors import person, project_for_lead
from annotator.forms.guidelines import AnswerForm
from annotator.models import Assignment, Question


@never_cache  # nor does the browser show one person's typing to the next
@require_safe
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    rows = Question.objects.filter(assignment__passage__project=found).visible_to(person(request)).open_first()
    rows = rows.select_related("assignment__passage", "assignment__membership__user", "answered_by")[:200]
    lines = [
        (row, AnswerForm(initial={"version": row.version, "text": row.answer}, prefix=str(row.pk)), _about(row))
        for row in rows
    ]
    context = {
        "project": found,
        "membership": membership,
        "lines": lines,
        "own_open": Assignment.objects.own_open(person(request)).filter(passage__project=found).count(),
    }
    return render(request, "annotator/questions.html", context)


def _about(question: Question) -> str:
    """By which the browser knows what it has kept of the form, until it is told that this was sent."""
    return f"answer:{question.uuid}"


@require_http_methods(["GET", "HEAD", "POST"])
def question_answer(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Signing in after the session ran out leads here too, by GET: to where the form is, and what was typed."""
    found, _ = project_for_lead(request, slug)
    if request.method != "POST":
        return redirect("questions", slug)
    rows = Question.objects.filter(assignment__passage__project=found).visible_to(person(request))
    question = get_object_or_404(rows.select_related("assignment__passage__project"), uuid=uuid)
    form = AnswerForm(request.POST, prefix=str(question.pk))
    try:
        if not form.is_valid():
            raise Refused(f"Write an answer of at most {MAX_QUESTION_LENGTH:,} characters.")
        answer_question(question, by=person(request), **form.cleaned_data)
        told = "Answered. The annotator sees it at the passage and in their list."
        messages.success(request, told, extra_tags=f"sent:{_about(question)}")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("questions", slug)
