"""Systems: the leaderboard of a release's split, one run, two of them side by side, predictions as they are sent."""

import json
import re
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from annotator.api.door import status_of
from annotator.domain.errors import Refused
from annotator.doors import person, project_for_scores, project_for_submitter
from annotator.models import Membership, Project
from annotator.queries.jobs import job_line
from annotator.uploads import KeptUpload
from annotator.views.receiving import with_a_file
from exports.actions.runs import submit_run
from exports.domain.bootstrap import DRAWS, SEED
from exports.domain.runs import BY_KEY, EVERY_FIGURE, FIGURES, MAIN, MAX_PREDICTIONS, Mistake, full_name
from exports.forms import RunForm
from exports.models import Release, SystemRun
from exports.permissions import check_not_blind, is_still_blind
from exports.queries.leaderboard import (
    Leaderboard,
    leaderboard,
    leaderboard_csv,
    leaderboard_json,
    leaderboard_latex,
)
from exports.queries.runs import (
    PAGE,
    chosen,
    compared_runs,
    measured_releases,
    passages_named,
    sentences_of,
    shown,
    type_names,
    wrong_sentences,
)
from exports.views.drawing import Bars, ndcg_chart, recall_bars

CURVES = 4  # systems in the chart
LISTED = 50
KINDS = {Mistake.MISSED: "Missed", Mistake.SPURIOUS: "Spurious", Mistake.OTHER: "Right word, other suggestion"}
FILES = {"csv": "text/csv", "json": "application/json", "tex": "text/plain"}


def _releases(request: HttpRequest, project: Project) -> list[Release]:
    return measured_releases(project, person(request))


def _chosen(request: HttpRequest, releases: list[Release]) -> tuple[Release, str]:
    """As the address asks."""
    found = chosen(releases, number=request.GET.get("release", ""), split=request.GET.get("split"))
    if found is None:
        raise Http404
    return found


def _board(request: HttpRequest, releases: list[Release]) -> Leaderboard:
    by = request.GET.get("by", MAIN)
    if by not in BY_KEY:
        raise Http404
    return leaderboard(*_chosen(request, releases), by=by)


@never_cache
@require_safe
def runs(request: HttpRequest, slug: str) -> HttpResponse:
    """The leaderboard, and the runs that one may see."""
    project, membership = project_for_scores(request, slug)
    releases = _releases(request, project)
    context: dict[str, Any] = {
        "project": project,
        "membership": membership,
        "releases": releases,
        "can_submit": membership.is_lead or membership.is_submitter,
        "is_blind": is_still_blind(person(request), project),
        "figures": FIGURES,
    }
    if releases:
        board = _board(request, releases)
        seen = SystemRun.objects.visible_to(person(request)).on(board.release, board.split).newest_first()
        listed = list(seen.select_related("by", "job").defer("errors", "by_sentence", "description")[:LISTED])
        context |= {
            "board": board,
            "lines": [(line, cells, _drawn(line.recall)) for line, cells in board.rows],
            "listed": listed,
            "visible": {row.pk for row in listed},
            "counts": dict(board.release.by_split).get(board.split, {}),
            "groups": _groups(),
            **_curves(request, board),
            "two": [line.run for line in board.lines[:2] if line.run and line.run.pk in {row.pk for row in listed}],
        }
    return render(request, "exports/runs.html", context)


def _groups() -> list[tuple[str, int]]:
    """Heads over the columns, and how many columns each has."""
    found: dict[str, int] = {}
    for figure in FIGURES:
        found[figure.group] = found.get(figure.group, 0) + 1
    return list(found.items())


def _drawn(recall: Mapping[str, float | None]) -> Bars | None:
    return recall_bars(recall, {}, width=68, height=20, gap=2)


def _curves(request: HttpRequest, board: Leaderboard) -> dict[str, Any]:
    """Those that the address names, else the best."""
    asked = set(request.GET.getlist("show"))
    chosen = [line for line in board.lines if not asked or line.title in asked][:CURVES]
    person = next(((line.title, line.figures) for line in board.people), None)
    return {"chosen": chosen, "chart": ndcg_chart([(line.title, line.figures) for line in chosen], person)}


@never_cache
@require_safe
def leaderboard_file(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """CSV for spreadsheets, JSON for scripts, rows for a table in LaTeX."""
    project, _ = project_for_scores(request, slug)
    releases = _releases(request, project)
    if kind not in FILES or not releases:
        raise Http404
    board = _board(request, releases)
    text = {"csv": leaderboard_csv, "json": leaderboard_json, "tex": leaderboard_latex}[kind](board)
    name = f"{board.release.folder}-{board.split}-leaderboard.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=f"{FILES[kind]}; charset=utf-8", headers=headers)


@never_cache
@require_safe
def split_sentences(request: HttpRequest, slug: str, number: int, split: str) -> HttpResponse:
    """What systems are asked about, as SWS JSON without its targets: no gold. Which passages are in it tells something
    of what others said of them."""
    project, _ = project_for_scores(request, slug)
    try:
        check_not_blind(person(request), project)
    except Refused as error:
        messages.error(request, error.message)
        return redirect("runs", slug)
    release = next((row for row in _releases(request, project) if row.number == number), None)
    if release is None or split not in release.splits:
        raise Http404
    text, name = sentences_of(release, split)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


@never_cache
@csrf_exempt  # `with_a_file` looks at the token
@require_http_methods(["GET", "HEAD", "POST"])
def run_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Predictions come in here; they are scored by a job."""
    project, membership = project_for_submitter(request, slug)
    releases = [row for row in _releases(request, project) if row.is_frozen]
    if not releases:
        return redirect("runs", slug)
    release, split = _chosen(request, releases)
    is_blind = is_still_blind(person(request), project)

    def refuse(why: str, status: int, form: RunForm | None = None) -> HttpResponse:
        context = {
            "project": project,
            "membership": membership,
            "release": release,
            "refusal": why,
            "is_blind": is_blind,
            "form": form or RunForm(splits=release.splits, initial={"split": split}),
            "most": MAX_PREDICTIONS // 1_000_000,
        }
        return render(request, "exports/run_new.html", context, status=status)

    def page(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return refuse("", 200)
        form, sent = RunForm(request.POST, splits=release.splits), request.FILES.get("file")
        if not isinstance(sent, KeptUpload) or not form.is_valid():
            return refuse("" if form.errors else "Choose a file.", 400, form)
        told = form.told()
        given = {"split": form.cleaned_data["split"], "system": told, "file": sent.take()}
        try:
            run = submit_run(release, by=person(request), **given)
        except Refused as error:
            return refuse(error.message, status_of(error), form)
        if (run.system, run.system_version) != (told.name, told.version):
            messages.warning(request, f"These very predictions were sent before, as “{run.title}”: it is one run.")
        return redirect("run", slug, run.uuid)

    return with_a_file(request, page, refuse=refuse, most=MAX_PREDICTIONS)


def _run(request: HttpRequest, slug: str, uuid: Any) -> tuple[SystemRun, Membership]:
    project, membership = project_for_scores(request, slug)
    rows = SystemRun.objects.visible_to(person(request)).filter(uuid=uuid, release__project=project)
    found = rows.select_related("release__project", "by", "job").first()
    if found is None:
        raise Http404
    return found, membership


@never_cache
@require_safe
def run(request: HttpRequest, slug: str, uuid: Any) -> HttpResponse:
    """One run: on its way, refused with all that is wrong, or every figure and what went wrong."""
    found, membership = _run(request, slug, uuid)
    waits = found.state == "waiting" and found.job is not None and not found.job.is_over
    context: dict[str, Any] = {
        "project": found.release.project,
        "membership": membership,
        "run": found,
        "line": job_line(found.job) if waits and found.job else None,
        "failed": "" if waits or found.state != "waiting" or not found.job else found.job.message,
    }
    if request.headers.get("HX-Request") and waits:
        return render(request, "exports/run.html#progress", context)
    if found.is_scored:
        seen = SystemRun.objects.visible_to(person(request)).on(found.release, found.split).scored()
        context |= {"others": seen.exclude(pk=found.pk).newest_first()[:LISTED]}
        context |= _of_scored(found) | _errors(request, found, membership)
    response = render(request, "exports/run.html", context)
    if request.headers.get("HX-Request"):
        response["HX-Refresh"] = "true"  # it is scored: the whole page is another
    return response


def _of_scored(found: SystemRun) -> dict[str, Any]:
    by = "annotators" if found.scores.get("r_detection_by_annotators") else "votes"
    recall = found.scores.get(f"r_detection_by_{by}") or {}
    targets = found.counts.get(f"targets_by_{by}", {})
    return {
        "figures": [
            (figure, found.scores[figure.key], found.scores.get(figure.once))
            for figure in EVERY_FIGURE
            if found.scores.get(figure.key) is not None
        ],
        "bars": recall_bars(recall, targets, width=400, height=96, gap=4),
        "bars_by": "persons" if by == "annotators" else "votes",
        "chart": ndcg_chart([(found.system, found.scores)]),
        "by_type": found.scores.get("by_type", {}),
    }


def _errors(request: HttpRequest, found: SystemRun, membership: Membership) -> dict[str, Any]:
    """Gold beside the system: for who sees everybody's work, and has none of it still to do."""
    if not (membership.is_lead or membership.is_adjudicator):
        return {"errors_hidden": "submitter"}
    if is_still_blind(person(request), found.release.project):
        return {"errors_hidden": "blind"}
    kind = request.GET.get("kind", Mistake.MISSED)
    if kind not in KINDS:
        raise Http404
    rows = wrong_sentences(found, Mistake(kind), after=_after(request.GET.get("after", "")), most=PAGE + 1)
    types = type_names(found.release)
    page = rows[:PAGE]
    last = page[-1] if len(rows) > PAGE else None
    passages = passages_named(found.release, [row.external_id for row in page])
    return {
        "kinds": [(key, label, found.counts["mistakes"][key]) for key, label in KINDS.items()],
        "kind": kind,
        "errors": [(shown(row, types), passages.get(row.external_id)) for row in page],
        "following": f"{getattr(last, f'{kind}_weight')}-{last.number}" if last else "",
        "is_first": "after" not in request.GET,
        "types": found.release.project.protocol.types,
    }


def _after(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    found = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)
    if found is None:
        raise Http404
    return int(found[1]), int(found[2])


@never_cache
@require_safe
def run_json(request: HttpRequest, slug: str, uuid: Any) -> HttpResponse:
    """The scorer's own keys, with what was counted."""
    found, _ = _run(request, slug, uuid)
    told = {
        "run": str(found.uuid),
        "system": found.system,
        "version": found.system_version,
        "release": found.release.number,
        "release_sha256": found.release.sha256,
        "split": found.split,
        "predictions_sha256": found.sha256,
        "state": found.state,
        "at": found.at.isoformat(),
        "scores": found.scores,
        "counts": found.counts,
        "problems": found.errors,
    }
    text = json.dumps(told, indent=2, ensure_ascii=False) + "\n"
    return HttpResponse(text, content_type="application/json")


@never_cache
@require_safe
def runs_compared(request: HttpRequest, slug: str, uuid: Any, other: Any) -> HttpResponse:
    """Two on the same sentences: how sure is it that one is better?"""
    one, membership = _run(request, slug, uuid)
    two, _ = _run(request, slug, other)
    context: dict[str, Any] = {
        "project": one.release.project,
        "membership": membership,
        "one": one,
        "two": two,
        "draws": DRAWS,
        "seed": SEED,
    }
    try:
        found = compared_runs(one, two)
    except Refused as error:
        context["refusal"] = error.message
        return render(request, "exports/runs_compared.html", context, status=status_of(error))
    keys = [figure for figure in EVERY_FIGURE if figure.key in found]
    context["rows"] = [(figure, full_name(figure), found[figure.key]) for figure in keys]
    context["main"] = [row for row in context["rows"] if row[0].key in MAIN_FIGURES]
    name = "exports/runs_compared.html#beside" if request.headers.get("HX-Request") else "exports/runs_compared.html"
    return render(request, name, context)


MAIN_FIGURES = ("f_detection_05", "acc_recommendation", "f_e2e_05")
