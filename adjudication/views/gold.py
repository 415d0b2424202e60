"""The gold: the result passage by passage, and one passage with all that was decided about it."""

import json
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from adjudication.domain.decisions import CAUSES
from adjudication.domain.excerpts import excerpt_of
from adjudication.doors import visible_passage
from adjudication.models import Decision
from adjudication.queries.gold import Standing, gold_entries
from adjudication.queries.gold_lines import gold_line
from adjudication.queries.gold_list import GOLD_FILTERS, CauseList, GoldList
from adjudication.queries.merges import current_merge
from adjudication.serializers.decisions import GoldLineSerializer
from annotator.domain.lengths import MAX_SEARCH_LENGTH
from annotator.domain.tokens import Span
from annotator.doors import person, project_for_adjudicator
from annotator.serializers.base import shown


@never_cache
@require_safe
def gold(request: HttpRequest, slug: str) -> HttpResponse:
    """The result, passage by passage, as the paper prints it; or only what was decided, or one by one what was decided
    for a cause."""
    project, membership = project_for_adjudicator(request, slug)
    merge = current_merge(project)
    context: dict[str, Any] = {"project": project, "membership": membership, "merge": merge}
    if merge is not None:
        user, asked = person(request), request.GET
        only = asked.get("only", "") if asked.get("only", "") in dict(GOLD_FILTERS) else ""
        cause = asked.get("cause", "") if asked.get("cause", "") in CAUSES else ""
        search = asked.get("search", "").strip()[:MAX_SEARCH_LENGTH]
        causes = CauseList(merge, user=user, cause=cause, search=search)
        found = GoldList(merge, user=user, only=only, search=search)
        context |= {
            **(_for_a_cause(causes, _place(request)) if cause else _passages(found, _place(request))),
            "filters": GOLD_FILTERS,
            "only": only,
            "cause": cause,
            "cause_label": CAUSES.get(cause, ""),
            "search": search,
            "hidden": len(found.blind),
            "causes": causes.counts(),
        }
    return render(request, "adjudication/gold.html", context)


def _place(request: HttpRequest) -> int:
    after = request.GET.get("after", "")
    return int(after) if after.isdecimal() and len(after) < 18 else 0


def _passages(found: GoldList, after: int) -> dict[str, Any]:
    lines, following = found.page(after)
    shown = [(standing, gold_entries(standing)) for standing in lines]
    return {"lines": shown, "following": following, "passages": found.total()}


def _for_a_cause(found: CauseList, after: int) -> dict[str, Any]:
    lines, following = found.page(after)
    shown = [(row, excerpt_of(row.passage.text, row.span) if row.span else None) for row in lines]
    return {"decisions": shown, "following": following, "times": found.total()}


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
    line = {key: value for key, value in shown(GoldLineSerializer, gold_line(standing)).items() if key != "uuid"}
    context = {
        "project": project,
        "membership": membership,
        "standing": standing,
        "entries": gold_entries(standing),
        "rows": [(target, _said(standing, target.span)) for target in standing.gold.targets],
        "about_all": _said(standing, None),
        "causes": CAUSES,
        "types": {item.key: item.label for item in project.protocol.types},
        "json": json.dumps(line, ensure_ascii=False, indent=2),
    }
    return render(request, "adjudication/gold_passage.html", context)


def _said(standing: Standing, span: Span | None) -> Decision | None:
    row = standing.decision(span)
    return row if row and row.says_something else None
