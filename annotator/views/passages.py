"""The passages of a project: the list, and one of them with all that became of it."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.passages import archive_passage, replace_passage
from annotator.api.door import status_of
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.reading import counted
from annotator.domain.lengths import MAX_SEARCH_LENGTH
from annotator.domain.passage_filter import KINDS, SCREENED
from annotator.domain.passage_findings import passage_findings, pieces
from annotator.domain.passages import PassageKind
from annotator.domain.states import DISCARD_REASONS, ProjectState
from annotator.doors import passage_for_lead, person, project_for_lead
from annotator.forms.passages import PassageFilterForm, ReplaceForm
from annotator.models import Passage, Question
from annotator.queries.passages import (
    free_id,
    groups_of,
    history_of,
    holders_of,
    page_of_passages,
    passages_found,
    splits_of,
    unfinished_on,
)
from annotator.queries.screening import accepted_unseen
from annotator.views.parts import asks_for_part


@never_cache
@require_safe
def passages(request: HttpRequest, slug: str) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    wanted = PassageFilterForm(request.GET).wanted()
    user = person(request)
    rows = passages_found(project, wanted, user=user)
    lines, following = page_of_passages(rows, user=user, after=_after(request))
    context = {
        "project": project,
        "membership": membership,
        "wanted": wanted,
        "query": wanted.as_query(),
        "lines": lines,
        "following": following,
        "is_first_page": not _after(request),
        "count": None if wanted.asks_of_work else rows.count(),
        "kinds": list(KINDS.items()),
        "screened": list(SCREENED.items()),
        "reasons": list(DISCARD_REASONS.items()),
        "groups": groups_of(project),
        "splits": splits_of(project),
        "longest_search": MAX_SEARCH_LENGTH,
        "is_draft": project.state == ProjectState.DRAFT,
    }
    name = "annotator/passages.html#list" if asks_for_part(request) else "annotator/passages.html"
    return render(request, name, context)


def _after(request: HttpRequest) -> int:
    after = request.GET.get("after", "0")
    return int(after) if after.isascii() and after.isdigit() and len(after) < 16 else 0


@never_cache
@require_safe
def passage(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    return _passage_page(request, slug, passage_for_lead(request, slug, uuid))


def _passage_page(
    request: HttpRequest, slug: str, found: Passage, form: ReplaceForm | None = None, status: int = 200
) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    user = person(request)
    holders = holders_of(found, user=user)
    context = {
        "project": project,
        "membership": membership,
        "passage": found,
        "pieces": list(pieces(found.text)),
        "findings": passage_findings(found.text, found.lang or project.language),
        "kind": KINDS[PassageKind(found.kind)],
        "screened": _screened(found),
        "holders": holders,
        "questions": Question.objects.visible_to(user)
        .filter(assignment__passage=found)
        .select_related("assignment__membership", "answered_by")
        .open_first(),
        "history": history_of(found),
        "replaced_by": Passage.objects.filter(replaces=found).first(),
        "unfinished": unfinished_on(found) if holders is not None else None,
        "about": f"replace-{found.uuid}",
        "form": form or ReplaceForm(initial={"text": found.text, "external_id": free_id(found)}),
    }
    return render(request, "annotator/passage.html", context, status=status)


def _screened(found: Passage) -> str:
    said = SCREENED[found.screening_reason or found.screening or "none"]
    return f"{said}, not looked at" if accepted_unseen(found.project).filter(pk=found.pk).exists() else said


@require_POST
def passage_archive(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = passage_for_lead(request, slug, uuid)
    try:
        withdrawn = archive_passage(found, by=person(request))
    except Refused as error:
        messages.error(request, error.message)
    else:
        also = f" {counted(withdrawn, 'unfinished answer')} went with it." if withdrawn else ""
        messages.success(request, f"“{found.external_id}” is archived.{also}")
    return redirect("passage", slug, uuid)


@require_POST
def passage_replace(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = passage_for_lead(request, slug, uuid)
    form = ReplaceForm(request.POST)
    if not form.is_valid():
        return _passage_page(request, slug, found, form, 400)
    try:
        made = replace_passage(found, by=person(request), **form.cleaned_data)
    except Invalid as error:
        told_of(form, error)
        return _passage_page(request, slug, found, form, status_of(error))
    except Refused as error:
        messages.error(request, error.message)
        return redirect("passage", slug, uuid)
    messages.success(
        request, f"“{made.external_id}” stands for “{found.external_id}” now.", extra_tags=f"sent:replace-{found.uuid}"
    )
    return redirect("passage", slug, made.uuid)


def told_of(form: Any, error: Invalid) -> None:
    """Each problem beside its field."""
    for problem in error.problems:
        form.add_error(problem.path if problem.path in form.fields else None, problem.message)
