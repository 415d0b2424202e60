"""The votes of all: what would be merged, what was, what changed, and every passage's dictionary."""

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from adjudication.actions.merging import MERGE, ask_to_merge
from adjudication.domain.agreement.meanings import MEANINGS
from adjudication.queries.merges import (
    CHANGES,
    FLAGS,
    HAD_VOTES,
    MergePassages,
    current_merge,
    dictionary_of,
    stale,
    what_counts,
    why_nothing_merged,
)
from adjudication.queries.standing import changed_since, failed_job, found_nothing_new, hidden_from, job_for
from adjudication.views.drawing import by_index, charts, thresholds
from adjudication.views.nothing import nothing
from annotator.domain.errors import Refused
from annotator.domain.lengths import MAX_SEARCH_LENGTH
from annotator.doors import person, project_for_adjudicator, project_for_lead
from annotator.models import Membership, Passage, Project
from annotator.queries.jobs import job_line


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str) -> HttpResponse:
    """The current merge with what a threshold would keep; a POST by a lead merges anew."""
    if request.method == "POST":
        return _ask(request, slug)
    project, membership = project_for_adjudicator(request, slug)
    job = job_for(project, MERGE.name)
    if request.headers.get("HX-Request") == "true":
        if job is None:
            return HttpResponse(headers={"HX-Refresh": "true"})
        part = {"project": project, "membership": membership, "line": job_line(job)}
        return render(request, "adjudication/merge.html#progress", part)
    found = current_merge(project)
    context: dict[str, Any] = {
        "project": project,
        "membership": membership,
        "merge": found,
        "line": job_line(job) if job else None,
        "hidden": len(hidden_from(person(request), project)),
        "failed": failed_job(project, MERGE.name),
        "nothing_new": found_nothing_new(project, MERGE.name),
        "m": MEANINGS,
    }
    changed = changed_since(project, found.listed_at_event) if found else 0
    if found is None or changed or not found.answers:
        context["counts"] = what_counts(project)  # over all assignments: only where it says something new
    if found is not None:
        keep_at = found.settings["keep_at"]
        rows = thresholds(found.by_annotators, keep_at)
        flags = MergePassages(found, user=person(request)).flags()
        context |= {
            "keep_at": keep_at,
            "rows": rows,
            "charts": charts(rows, keep_at),
            "by_index": by_index(found.by_annotators),
            "changes": [(key, label, found.changes.get(key, 0)) for key, label in CHANGES] if found.changes else [],
            "asking": [flag for flag in flags if flag[-1]],
            "others": [flag for flag in flags if not flag[-1]],
            "stale": stale(found),
            "why_nothing": why_nothing_merged(found),
            "changed": changed,
            "took": found.took_ms / 1000,
        }
    return render(request, "adjudication/merge.html", context)


def _ask(request: HttpRequest, slug: str) -> HttpResponse:
    project, _ = project_for_lead(request, slug)
    try:
        ask_to_merge(project, by=person(request))
    except Refused as error:
        messages.error(request, error.message)
    return redirect("merge", slug)


@never_cache
@require_safe
def merge_passages(request: HttpRequest, slug: str) -> HttpResponse:
    """Every passage's dictionary, as the paper prints it; or those with a change or a flag."""
    project, membership = project_for_adjudicator(request, slug)
    found = current_merge(project)
    if found is None:
        return _not_merged(request, project, membership)
    change, flag = request.GET.get("change", ""), request.GET.get("flag", "")
    search, after = request.GET.get("q", "").strip()[:MAX_SEARCH_LENGTH], request.GET.get("after", "")
    page = MergePassages(found, user=person(request), change=change, flag=flag, search=search)
    lines, following = page.page(int(after) if after.isdecimal() and len(after) < 18 else 0)
    context = {
        "project": project,
        "membership": membership,
        "merge": found,
        "lines": lines,
        "following": following,
        "hidden": page.hidden,
        "change": dict(CHANGES).get(change, ""),
        "has_before": change in HAD_VOTES,
        "lacks_before": page.lacks_before,
        "change_key": change if change in dict(CHANGES) else "",
        "flag": dict(FLAGS).get(flag, ""),
        "flag_key": flag if flag in dict(FLAGS) else "",
        "flags": FLAGS,
        "q": search,
        "gone": page.gone() if change == "gone" else [],
        "gone_unlisted": page.gone_unlisted if change == "gone" else 0,
    }
    return render(request, "adjudication/merge_passages.html", context)


@never_cache
@require_safe
def merge_passage(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """One passage: its targets with votes and voters, as the paper prints it and as JSON."""
    project, membership = project_for_adjudicator(request, slug)
    found = current_merge(project)
    if found is None:
        return _not_merged(request, project, membership, status=404)
    passage = get_object_or_404(Passage.objects.filter(project=project), uuid=uuid)
    line = MergePassages(found, user=person(request)).line(passage)
    if line is None:
        raise Http404
    context = {
        "project": project,
        "membership": membership,
        "merge": found,
        "line": line,
        "json": json.dumps(dictionary_of(line), ensure_ascii=False, indent=2),
    }
    return render(request, "adjudication/merge_passage.html", context)


def _not_merged(request: HttpRequest, project: Project, membership: Membership, *, status: int = 200) -> HttpResponse:
    says = "Passages are listed here with their votes as soon as a lead has merged."
    address = reverse("merge", args=[project.slug])
    return nothing(
        request, project, membership, title="No merge yet", says=says, address=address, label="Merge", status=status
    )
