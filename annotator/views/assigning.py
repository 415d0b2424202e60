"""Who is given what: how many people for a passage, who has how much, and a lead who moves what is not finished."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotator.actions.assigning import ask_for_plan, set_most_passages
from annotator.actions.moving import even_out, withdraw_work
from annotator.actions.protocols import change_protocol
from annotator.domain.effects import hindrance
from annotator.domain.errors import Refused
from annotator.doors import person, project_for_lead
from annotator.forms.assigning import AssignmentForm, WithdrawForm
from annotator.models import Membership, Project
from annotator.queries.assigning import preview, somebody_of, work_by_person, work_of_person


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: HttpRequest, slug: str) -> HttpResponse:
    """The rule, everybody's share, and what handing out would do. POST changes the rule and the limits."""
    found, membership = project_for_lead(request, slug)
    if _is_part(request):
        return render(request, "annotator/assignment.html#plan", _plan(found))
    lines = work_by_person(found)
    people = [line.membership for line in lines]
    initial = {"version": found.version, "answers_per_passage": found.protocol.answers_per_passage}
    form = AssignmentForm(request.POST if request.method == "POST" else None, people=people, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            _change(found, form, request)
            return redirect("assignment", slug)
        except Refused as error:
            form.add_error(None, error.message)
    plan = _plan(found)
    gets = dict(plan["gets"])
    context = {
        **plan,
        "membership": membership,
        "form": form,
        "lines": [(line, form.most_of(line.membership), gets.get(line.membership.pseudonym, 0)) for line in lines],
        "hindrance": hindrance(found.protocol),
        "passages": found.passages.work().count(),
    }
    return render(request, "annotator/assignment.html", context, status=422 if form.errors else 200)


def _plan(found: Project) -> dict[str, Any]:
    """What would happen: the part of the page that refreshes itself while it is worked out."""
    seen = preview(found)
    gets = sorted(seen.found.gets.items()) if seen.found else []
    return {"project": found, "k": found.protocol.answers_per_passage, "preview": seen, "gets": gets}


def _change(project: Project, form: AssignmentForm, request: HttpRequest) -> None:
    by, given = person(request), form.cleaned_data
    changes = {"answers_per_passage": given["answers_per_passage"]}
    changed = change_protocol(project, by=by, version=given["version"], changes=changes)
    limits = set_most_passages(project, by=by, most=form.most())
    if changed.version != given["version"] or limits:
        messages.success(request, "Changed. Nothing is given or taken by that: hand out work when you want it so.")
    else:
        messages.info(request, "Nothing was changed.")


@require_POST
def assignment_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Works out, by a job, what handing out would do, or withdrawing from somebody."""
    project, _ = project_for_lead(request, slug)
    given: dict[str, Any] = {}
    if "membership" in request.POST:
        given = {"withdrawn_from": _somebody(project, request.POST["membership"]), "with_begun": _with_begun(request)}
    try:
        ask_for_plan(project, by=person(request), **given)
    except Refused as error:
        messages.error(request, error.message)
    if not given:
        return redirect("assignment", slug)
    answer = redirect("assignment_withdraw", slug, given["withdrawn_from"].uuid)
    answer["Location"] += "" if given["with_begun"] else "?begun=0"
    return answer


@require_POST
def assignment_even(request: HttpRequest, slug: str) -> HttpResponse:
    project, _ = project_for_lead(request, slug)
    try:
        asked = even_out(project, by=person(request))
    except Refused as error:
        messages.error(request, error.message)
        return redirect("assignment", slug)
    return redirect("job", slug, asked.uuid)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def assignment_withdraw(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """What would become of somebody's unfinished work; POST withdraws it."""
    project, membership = project_for_lead(request, slug)
    somebody, with_begun = _somebody(project, str(uuid)), _with_begun(request)
    refusal = ""
    if request.method == "POST":
        try:
            asked = withdraw_work(somebody, by=person(request), with_begun=with_begun)
            return redirect("job", slug, asked.uuid)
        except Refused as error:
            refusal = error.message
    line = work_of_person(somebody)
    k = project.protocol.answers_per_passage
    seen = preview(project, withdrawn_from=somebody, with_begun=with_begun) if line.to_do and k else None
    context = {
        "project": project,
        "membership": membership,
        "somebody": somebody,
        "line": line,
        "with_begun": with_begun,
        "many": line.to_do if with_begun else line.untouched,
        "k": k,
        "preview": seen,
        "is_unknown": seen is not None and project.is_open and seen.is_awaited,
        "refusal": refusal,
    }
    template = "annotator/assignment_withdraw.html"
    name = f"{template}#plan" if _is_part(request) else template
    return render(request, name, context, status=409 if refusal else 200)


def _somebody(project: Project, uuid: str) -> Membership:
    try:
        return get_object_or_404(somebody_of(project), uuid=UUID(uuid))
    except ValueError:
        raise Http404 from None


def _with_begun(request: HttpRequest) -> bool:
    form = WithdrawForm(request.POST if request.method == "POST" else request.GET)
    return not form.is_valid() or form.cleaned_data["begun"] != "0"


def _is_part(request: HttpRequest) -> bool:
    """htmx asks for the part that moves; everybody else gets the page."""
    return request.method == "GET" and request.headers.get("HX-Request") == "true"
