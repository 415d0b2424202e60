"""The gold: the result passage by passage, and one passage with all that was decided about it."""

import json
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from adjudication.domain.decisions import CAUSES
from adjudication.doors import visible_passage
from adjudication.queries.gold import gold_entries, gold_line
from adjudication.queries.gold_list import GOLD_FILTERS, GoldList, causes_of
from adjudication.queries.merges import current_merge
from annotator.domain.lengths import MAX_SEARCH_LENGTH
from annotator.doors import person, project_for_adjudicator


@never_cache
@require_safe
def gold(request: HttpRequest, slug: str) -> HttpResponse:
    """The result, passage by passage, as the paper prints it; or only what was decided."""
    project, membership = project_for_adjudicator(request, slug)
    merge = current_merge(project)
    context: dict[str, Any] = {"project": project, "membership": membership, "merge": merge}
    if merge is not None:
        after, only = request.GET.get("after", ""), request.GET.get("only", "")
        search = request.GET.get("search", "").strip()[:MAX_SEARCH_LENGTH]
        cause = request.GET.get("cause", "") if request.GET.get("cause", "") in CAUSES else ""
        found = GoldList(merge, user=person(request), only=only, cause=cause, search=search)
        lines, following = found.page(int(after) if after.isdecimal() and len(after) < 18 else 0)
        context |= {
            "lines": [(standing, gold_entries(standing)) for standing in lines],
            "following": following,
            "filters": GOLD_FILTERS,
            "only": only if only in dict(GOLD_FILTERS) else "",
            "cause": cause,
            "cause_label": CAUSES.get(cause, ""),
            "search": search,
            "hidden": len(found.blind),
            "causes": causes_of(project, person(request)),
            "passages": found.total(),
        }
    return render(request, "adjudication/gold.html", context)


@never_cache
@require_safe
def gold_passage(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """One passage of the gold: every target with votes, voters and its decision, by whom, when and why."""
    project, membership = project_for_adjudicator(request, slug)
    merge = current_merge(project)
    passage = visible_passage(request, slug, uuid)
    standing = GoldList(merge, user=person(request)).one(passage) if merge else None
    if standing is None:
        raise Http404
    line = {key: value for key, value in gold_line(standing).items() if key != "uuid"}
    context = {
        "project": project,
        "membership": membership,
        "standing": standing,
        "entries": gold_entries(standing),
        "rows": [(target, standing.decision(target.span)) for target in standing.gold.targets],
        "about_all": standing.decision(None),
        "causes": CAUSES,
        "types": {item.key: item.label for item in project.protocol.types},
        "json": json.dumps(line, ensure_ascii=False, indent=2),
    }
    return render(request, "adjudication/gold_passage.html", context)
