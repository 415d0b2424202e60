"""The adjudicators' desk: the queue, a passage, what is quiet, what two settle blind to each other."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from adjudication.actions.doubles import MOST_DOUBLES, draw_doubles
from adjudication.actions.settling import AT_ONCE, SETTLE_QUIET, UNDO_ACT, settle_quiet, undo_act
from adjudication.domain.decisions import CAUSES, MAX_REASON_LENGTH
from adjudication.doors import passage_to_settle, visible_passage
from adjudication.models import Merge, PassageResult
from adjudication.queries.adjudicating import adjudication_document
from adjudication.queries.doubles import double_report
from adjudication.queries.merges import current_merge
from adjudication.queries.queue import ASKING, MORE, OTHER, Queue, quiet_passages
from adjudication.queries.standing import changed_since, job_for
from adjudication.queries.taking_back import SettledAtOnce, settled_at_once
from adjudication.serializers.decisions import AdjudicationSerializer
from adjudication.views.queue_filter import dispute_of, filter_of
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.reading import counted
from annotator.domain.lengths import MAX_COMMENT_LENGTH, MAX_SUBSTITUTE_LENGTH
from annotator.doors import person, project_for_adjudicator
from annotator.models import Project
from annotator.queries.jobs import job_line
from annotator.queries.passages import MOST_GROUPS
from annotator.serializers.base import shown

SAMPLES = 20
QUIET_AT = 250  # of a thousand: what the form offers first


@never_cache
@require_safe
def adjudicate(request: HttpRequest, slug: str) -> HttpResponse:
    """What asks for somebody, most disputed first."""
    project, membership = project_for_adjudicator(request, slug)
    merge = current_merge(project)
    context: dict[str, Any] = {"project": project, "membership": membership, "merge": merge}
    if merge is None:
        return render(request, "adjudication/queue.html", context)
    wanted, unheard = filter_of(request.GET)
    queue = Queue(merge, user=person(request), wanted=wanted)
    lines, following = queue.page(_place(request))
    counts = queue.counts
    filters = [(key, label, counts[key]) for key, label in {**ASKING, **OTHER, **MORE}.items()]
    if not project.protocol.needs_consensus:
        filters = [row for row in filters if row[0] != "proposed"]
    job = job_for(project, SETTLE_QUIET.name) or job_for(project, UNDO_ACT.name)
    context |= {
        "wanted": wanted,
        "unheard": unheard,
        "query": wanted.as_query(),
        "lines": lines,
        "after": f"{following[0]}-{following[1]}" if following else "",
        "left": counts["waiting"] if queue.is_whole else queue.left,
        "counts": counts,
        "filters": filters,
        "more": [(key, label, counts[key]) for key, label in MORE.items()],
        "hidden": len(queue.blind),
        "elsewhere": len(queue.doubles.closed),
        "awaited": queue.awaited,
        "types": project.protocol.types,
        "groups": _groups(project),
        "people": _people(project),
        "changed": changed_since(project, merge.listed_at_event, apart_from=queue.blind),
        "line": job_line(job) if job else None,
        "settled_at_once": _settled_at_once(request, project),
        "percent": 100 * counts["done"] // max(1, counts["done"] + counts["waiting"]),
    }
    return render(request, "adjudication/queue.html", context)


def _settled_at_once(request: HttpRequest, project: Project) -> SettledAtOnce | None:
    return settled_at_once(project, person(request), settling=SETTLE_QUIET.name, undoing=UNDO_ACT.name)


def _place(request: HttpRequest) -> tuple[int, int] | None:
    dispute, _, passage = request.GET.get("after", "").partition("-")
    is_sound = dispute.isdecimal() and passage.isdecimal() and len(dispute) < 6 and len(passage) < 18
    return (int(dispute), int(passage)) if is_sound else None


def _groups(project: Project) -> list[str]:
    rows = project.passages.work().exclude(group="").order_by("group").values_list("group", flat=True)
    return list(rows.distinct()[:MOST_GROUPS])


def _people(project: Project) -> list[str]:
    return sorted(project.memberships.filter(is_annotator=True).values_list("pseudonym", flat=True))


@never_cache
@require_safe
def adjudicate_passage(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """One passage: everybody's marks, the votes, and what is decided."""
    passage, membership = passage_to_settle(request, slug, uuid)
    project = passage.project
    merge = current_merge(project)
    if merge is None:
        return redirect("adjudicate", slug)
    try:
        document = shown(AdjudicationSerializer, adjudication_document(passage, membership))
    except Refused as error:
        messages.error(request, error.message)
        return redirect("adjudicate", slug)
    wanted, _ = filter_of(request.GET)
    queue = Queue(merge, user=person(request), wanted=wanted)
    lines, _ = queue.page()
    context = {
        "project": project,
        "membership": membership,
        "merge": merge,
        "passage": passage,
        "query": wanted.as_query(),
        "lines": lines,
        "left": queue.left,
        "page": {
            **document,
            "project": project.slug,
            "time_zone": project.time_zone,
            "query": wanted.as_query(),
            "types": [
                {"key": item.key, "label": item.label, "is_retired": item.is_retired} for item in project.protocol.types
            ],
            "causes": [{"key": key, "label": label} for key, label in CAUSES.items()],
            "separator": project.protocol.separator,
            "lengths": {
                "suggestion": MAX_SUBSTITUTE_LENGTH,
                "reason": MAX_REASON_LENGTH,
                "comment": MAX_COMMENT_LENGTH,
            },
            **_around(queue, merge, passage.pk),
        },
        "person": {"user": str(person(request).uuid), "name": person(request).name, "is": membership.pseudonym},
    }
    return render(request, "adjudication/adjudicate.html", context)


def _around(queue: Queue, merge: Merge, passage: int) -> dict[str, Any]:
    result = PassageResult.objects.filter(merge=merge, passage=passage).first()
    following = queue.next_of(result)
    before = queue.before(result) if result else None
    return {
        "next": str(following.uuid) if following and following.pk != passage else None,
        "before": str(before.uuid) if before else None,
        "left": queue.left,
    }


@never_cache
@require_safe
def adjudicate_next(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """What comes before and after a passage in the queue, and how many are left: as JSON, for the page."""
    project, _ = project_for_adjudicator(request, slug)
    merge = current_merge(project)
    passage = visible_passage(request, slug, uuid)
    if merge is None:
        raise Http404
    wanted, _ = filter_of(request.GET)
    queue = Queue(merge, user=person(request), wanted=wanted)
    return JsonResponse(_around(queue, merge, passage.pk))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def adjudicate_quiet(request: HttpRequest, slug: str) -> HttpResponse:
    """Settle the quiet ones: the rule, how many, twenty of them; a POST does it."""
    project, membership = project_for_adjudicator(request, slug)
    merge = current_merge(project)
    if merge is None:
        return redirect("adjudicate", slug)
    given = request.POST if request.method == "POST" else request.GET
    at, unheard = dispute_of(given, QUIET_AT)
    for line in unheard:
        messages.error(request, line)
    if request.method == "POST" and unheard:
        return redirect("adjudicate_quiet", slug)
    if request.method == "POST":
        return _settle(request, project, at)
    rows = quiet_passages(merge, user=person(request), dispute=at)
    context = {
        "project": project,
        "membership": membership,
        "dispute": at,
        "times": rows.count(),
        "at_once": AT_ONCE,
        "settled_at_once": _settled_at_once(request, project),
        "samples": rows.select_related("passage").order_by("-dispute", "passage_id")[:SAMPLES],
    }
    return render(request, "adjudication/quiet.html", context)


def _settle(request: HttpRequest, project: Project, dispute: int) -> HttpResponse:
    act = uuid4()  # sent twice, the second finds nothing left
    try:
        job = settle_quiet(project, by=person(request), act=act, dispute=dispute)
    except Refused as error:
        messages.error(request, error.message)
    else:
        if job.is_over:  # else the queue tells how far it is
            messages.success(request, job_line(job).says)
    return redirect("adjudicate", project.slug)


@require_POST
def adjudicate_undo(request: HttpRequest, slug: str, act: UUID) -> HttpResponse:
    """Take a whole act back, wherever it was."""
    project, _ = project_for_adjudicator(request, slug)
    try:
        job = undo_act(project, by=person(request), act=uuid4(), undoes=act)
        if job.is_over:
            messages.success(request, job_line(job).says)
    except Refused as error:
        messages.error(request, error.message)
    return redirect("adjudicate", slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def adjudicate_twice(request: HttpRequest, slug: str) -> HttpResponse:
    """What two settle blind to each other, and how far they agree; a lead says how many passages."""
    project, membership = project_for_adjudicator(request, slug)
    merge = current_merge(project)
    if merge is None:
        return redirect("adjudicate", slug)
    if request.method == "POST":
        return _draw(request, project)
    report = double_report(merge, person(request))
    context = {
        "project": project,
        "membership": membership,
        "report": report,
        "figures": report.twice,
        "most": MOST_DOUBLES,
        "has_two": project.memberships.seeing_all().filter(user__isnull=False).count() > 1,
    }
    return render(request, "adjudication/twice.html", context)


def _draw(request: HttpRequest, project: Project) -> HttpResponse:
    wanted = request.POST.get("wanted", "")
    try:
        if not (wanted.isdecimal() and len(wanted) < 6):
            raise Invalid.of("wanted", f"“{wanted[:20]}” is not a number of passages.", "wanted")
        times = draw_doubles(project, by=person(request), wanted=int(wanted))
    except Refused as error:
        messages.error(request, error.message)
    else:
        fewer = f"; {int(wanted):,} were asked for" if times != int(wanted) else ""
        messages.success(request, f"{counted(times, 'passage')} to be settled by two{fewer}.")
    return redirect("adjudicate_twice", project.slug)
