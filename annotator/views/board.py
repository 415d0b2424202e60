"""The lead's first page: how the work goes, what is asked, what runs."""

import csv
import io
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotator.actions.questions import answer_question
from annotator.domain.board import MIDDLE, RULES
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.cells import neutral
from annotator.domain.guidelines import QUESTIONS, headings
from annotator.doors import person, project_for_lead
from annotator.forms.guidelines import BoardAnswerForm
from annotator.models import Event, Job, Membership, Project, Question, User
from annotator.queries.board import Board, board_of, rows_by_day
from annotator.queries.jobs import JobLine, has_worker, job_lines
from annotator.queries.questions import open_questions, questions_for
from annotator.queries.tallies import day_of, summed_at, zone_of
from annotator.views.drawing import coverage_bars, day_bars

ASKED_LISTED = 3
JOBS_LISTED = 4
FEW_TYPES = 2  # of so many the share of the first says it all


@never_cache
@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    return _board(request, found, membership)


def _board(
    request: HttpRequest, found: Project, membership: Membership, *, refused: dict[str, Any] | None = None
) -> HttpResponse:
    """`refused`: a question whose form is shown with what is wrong with it."""
    by = person(request)
    is_part = request.headers.get("HX-Request") == "true" and not refused
    told = board_of(found, by=by, is_part=is_part)
    context = {"project": found, "membership": membership, **_figures(request, found, told)}
    if not is_part:
        context |= {**_around(found, told), **_jobs(found, by), **_questions(found, by, refused)}
    name = "annotator/board.html#figures" if is_part else "annotator/board.html"
    return render(request, name, context, status=400 if refused else 200)


def _figures(request: HttpRequest, found: Project, told: Board) -> dict[str, Any]:
    answers, types = told.answers, found.protocol.types
    return {
        "board": told,
        "coverage": coverage_bars(answers.coverage, answers.per_passage),
        "has_names": request.GET.get("names") != "0",
        "has_checks": any(line.figures.checks.controls or line.figures.checks.repeats for line in told.lines),
        "has_quota": any(line.quota for line in told.lines),
        "types_head": types[0].label if 0 < len(types) <= FEW_TYPES else "Types",
        "has_all_types": len(types) > FEW_TYPES,
        "rules": RULES,
        "middle": MIDDLE,
        "summed_at": summed_at(found),
    }


def _around(found: Project, told: Board) -> dict[str, Any]:
    opening = Event.objects.of(found).filter(kind="project.open").first()
    return {
        "bars": day_bars(told.days, told.today),
        "in_days": sum(day.submitted for day in told.days),
        "looked_at": told.answers.done + told.discards.total,
        "opened": opening and opening.at,
        "files": _files(told.today),
    }


def _files(today: date) -> list[tuple[str, str]]:
    first = today.replace(day=1)
    before = (first - timedelta(days=1)).replace(day=1)
    return [
        (f"{first:%B} so far", f"?from={first}"),
        (f"{before:%B}", f"?from={before}&to={first - timedelta(days=1)}"),
        ("All days", ""),
    ]


def _jobs(found: Project, by: User) -> dict[str, Any]:
    """What is not over, and a few that were over last."""
    lines = job_lines(Job.objects.visible_to(by).filter(project=found).worth_listing())
    shown = [line for line in lines if not line.job.is_over]
    shown += [line for line in lines if line.job.is_over][: max(0, JOBS_LISTED - len(shown))]
    return {"jobs": shown, "is_busy": _is_busy(lines), "has_worker": has_worker()}


def _is_busy(lines: list[JobLine]) -> bool:
    return any(not line.job.is_over for line in lines)


def _questions(found: Project, by: User, refused: dict[str, Any] | None) -> dict[str, Any]:
    """The one that was refused is among them, though somebody else may have answered it since."""
    asked = open_questions(found, by=by)
    number, listed = asked.count(), list(asked[:ASKED_LISTED])
    lines = [refused if refused and row == refused["question"] else _line(row, _form(row)) for row in listed]
    if refused and refused["question"] not in listed:
        lines = [refused, *lines]
    return {"asked": number, "asked_more": number - len(listed), "questions": lines}


def _line(question: Question, form: BoardAnswerForm) -> dict[str, Any]:
    return {"question": question, "form": form, "about": _about(question)}


def _about(question: Question) -> str:
    """By which the browser knows what it has kept of the form: on the page of all questions it is the same."""
    return f"answer:{question.uuid}"


def _form(question: Question, data: Any = None) -> BoardAnswerForm:
    form = BoardAnswerForm(data, prefix=str(question.pk), initial={"version": question.version})
    found = headings(question.assignment.passage.project.guidelines)
    under = [(heading, heading) for heading in found if heading != QUESTIONS]
    form.fields["under"].widget.choices = [*under, ("", f"{QUESTIONS}, with the question")]
    return form


@never_cache
@require_safe
def board_jobs(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the board that tells of jobs, for whoever looks on."""
    found, membership = project_for_lead(request, slug)
    if request.headers.get("HX-Request") != "true":
        return redirect("jobs", slug)
    context = {"project": found, "membership": membership, **_jobs(found, person(request))}
    return render(request, "annotator/board/_jobs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def board_question(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Answered in place. Signing in after the session ran out leads here too, by GET: to where the form is."""
    found, membership = project_for_lead(request, slug)
    if request.method != "POST":
        return redirect("board", slug)
    question = get_object_or_404(questions_for(found, by=person(request)), uuid=uuid)
    form = _form(question, request.POST)
    is_part = request.headers.get("HX-Request") == "true"
    told = _answer(question, form, person(request))
    if not told and is_part:  # htmx shows no refusal: it comes as an answer
        return render(request, "annotator/board/_question.html", {"project": found, "line": _line(question, form)})
    if not told:
        return _board(request, found, membership, refused=_line(question, form))
    if is_part:
        asked = open_questions(found, by=person(request)).count()
        context = {"question": question, "about": _about(question), "told": told, "asked": asked}
        return render(request, "annotator/board/_answered.html", context)
    messages.success(request, told, extra_tags=f"sent:{_about(question)}")
    return redirect("board", slug)


def _answer(question: Question, form: BoardAnswerForm, by: User) -> str:
    """What is said of it; "" where it was refused, which the form says."""
    if not form.is_valid():
        return ""
    try:
        answer_question(question, by=by, **form.cleaned_data)
    except Invalid as refusal:
        for problem in refusal.problems:
            form.add_error("text" if problem.path == "text" else "adds", problem.message)
        return ""
    except Refused as refusal:
        form.add_error(None, refusal.message)
        return ""
    also = " It is in the guidelines, whose new version everybody is told of." if form.cleaned_data["adds"] else ""
    return f"Answered. The annotator sees it at the passage and in their list.{also}"


@never_cache
@require_safe
def board_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Hours and counts by person and day, for pay: `from` and `to` are days of the project's time zone."""
    found, _ = project_for_lead(request, slug)
    ends: list[date | None] = []
    for name in ("from", "to"):
        given = request.GET.get(name, "")
        try:
            ends.append(date.fromisoformat(given) if given else None)
        except ValueError:
            problem = f"“{name}” is a day, written as {day_of(timezone.now(), zone_of(found))}."
            return HttpResponse(f"{problem}\n", status=400, content_type="text/plain; charset=utf-8")
    first, last = ends
    text = _table(rows_by_day(found, first=first, last=last))
    disposition = f'attachment; filename="{slug}-hours.csv"'
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": disposition})


HEAD = ("day", "annotator", "name", "submitted", "resubmitted", "discarded", "marks", "substitutes", "seconds", "hours")


def _table(rows: list[dict[str, Any]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    names = list(rows[0]) if rows else list(HEAD)
    writer.writerow(map(neutral, names))
    writer.writerows([neutral(value) if isinstance(value, str) else value for value in row.values()] for row in rows)
    return buffer.getvalue()
