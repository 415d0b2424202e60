"""An annotator's own work: the list, and the page for one passage."""

from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.assignments import discard_assignment, reopen_assignment, undo_discard
from annotator.api.throttles import ReopenThrottle, check_rate
from annotator.domain.errors import Refused
from annotator.domain.passages import PassageKind
from annotator.doors import own_assignment, person, project_for_annotator, project_for_member
from annotator.forms.work import DiscardForm, SeenForm, WorkFilterForm
from annotator.models import Assignment, Question
from annotator.permissions import NO_LONGER_BLIND, can_answer_anew
from annotator.queries.work import next_number, own_pace, own_progress, own_quota, own_test, place_of
from annotator.serializers.assignments import AssignmentSerializer

PAGE = 50


@require_safe
def my_work(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_annotator(request, slug)
    form = WorkFilterForm(request.GET)
    own = Assignment.objects.own(person(request)).in_use().filter(passage__project=found)
    own = own.select_related("passage").in_order()
    own = form.narrow(own)
    first = _after(request)
    rows = list(own.filter(number__gt=first)[: PAGE + 1])
    context = {
        "project": found,
        "membership": membership,
        "rows": rows[:PAGE],
        "following": rows[PAGE - 1].number if len(rows) > PAGE else None,
        "is_first_page": first == 0,
        "form": form,
        "query": form.query(),
        "quota": own_quota(membership),
        "practice": membership.assignments.filter(passage__kind=PassageKind.PRACTICE).in_order()[:5],
        "questions": Question.objects.filter(assignment__in=Assignment.objects.own(person(request)))
        .filter(assignment__passage__project=found)
        .select_related("assignment")
        .order_by("-pk")[:20],
        "progress": own_progress(person(request), found),
        "pace": own_pace(membership),
        "test": own_test(membership),
        "next_number": next_number(person(request), found),
    }
    return render(request, "annotator/my_work.html", context)


def _after(request: HttpRequest) -> int:
    after = request.GET.get("after", "0")
    return int(after) if after.isascii() and after.isdigit() and len(after) < 10 else 0


@never_cache
@require_safe
def work(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One passage. Reading writes nothing: the first save starts the assignment."""
    assignment = own_assignment(request, slug, number)
    found = assignment.passage.project
    page = AssignmentSerializer(assignment, context={"place": place_of(assignment)}).data
    is_settled = assignment.can_come_back and not can_answer_anew(assignment)
    context = {
        "project": found,
        "membership": assignment.membership,
        "assignment": assignment,
        "passage": assignment.passage,
        "can_come_back": assignment.can_come_back and not is_settled,
        "no_longer_blind": NO_LONGER_BLIND if is_settled else "",
        "page": page,
        "person": {"user": str(person(request).uuid), "name": person(request).name},
        "discard_form": DiscardForm(),
        "seen_form": SeenForm(initial={"version": assignment.version, "save_id": uuid4()}),
    }
    return render(request, "annotator/work.html", context)


@require_safe
def next_work(request: HttpRequest, slug: str) -> HttpResponse:
    """On to the next passage still to do, or to the list when all is done; `over` tells what became of the last."""
    found, _ = project_for_member(request, slug)
    last = _after(request)
    if "over" in request.GET:
        _say_over(request, slug, last)
    number = next_number(person(request), found, after=last)
    return redirect("work", slug, number) if number else redirect("my_work", slug)


def _say_over(request: HttpRequest, slug: str, number: int) -> None:
    last = Assignment.objects.own(person(request)).filter(passage__project__slug=slug, number=number).first()
    if last is None or last.is_editable:
        return
    page = reverse("work", args=[slug, number])
    said = 'Passage {} is {}. <a href="{}">Look at it again</a>'
    messages.success(request, format_html(said, number, last.state, page))


@require_POST
def work_act(request: HttpRequest, slug: str, number: int, act: str) -> HttpResponse:
    """discard, undo-discard and reopen as plain forms, for a browser whose scripts do not run."""
    assignment = own_assignment(request, slug, number)
    seen = SeenForm(request.POST)
    try:
        if not seen.is_valid():
            raise Refused("The form was incomplete. Look again, then try again.")
        given = {"by": person(request), **seen.cleaned_data}
        if act == "discard":
            form = DiscardForm(request.POST)
            if not form.is_valid():
                raise Refused("Choose a reason from the list.")
            discard_assignment(assignment, **form.cleaned_data, **given)
            messages.success(request, "The passage is discarded. You can undo that.")
        elif act == "undo-discard":
            undo_discard(assignment, **given)
        else:
            check_rate(ReopenThrottle(), request)
            reopen_assignment(assignment, **given)
    except Refused as error:
        messages.error(request, error.message)
    return redirect("work", slug, number)
