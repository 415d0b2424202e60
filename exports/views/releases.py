"""Releases: the list, a draft with all that is to be known before it is frozen, the files, two of them compared."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from adjudication.queries.merges import current_merge
from annotator.domain.errors import Refused
from annotator.domain.markdown import to_html
from annotator.doors import person, project_for_adjudicator, project_for_lead
from annotator.models import Membership, Project
from annotator.queries.jobs import job_line
from exports.actions.releasing import (
    ask_to_build,
    change_card,
    draft_release,
    drop_draft,
    freeze_release,
    withdraw_release,
)
from exports.domain.releases import unstated
from exports.forms import CardForm, ReleaseForm, WithdrawForm
from exports.models import Card, Release
from exports.permissions import check_not_blind, is_still_blind
from exports.queries.releases import begun_with, changed_since_built, difference, newest_first, text_of

SHOWN = 200  # differences of each kind on the page
# Where a warning leads.
LEADS_TO = {
    "questions": "questions",
    "unsettled": "adjudicate",
    "again": "adjudicate",
    "stale": "merge",
    "rules": "merge",
    "twice": "adjudicate_twice",
    "proposals": "adjudicate",
    "agreement": "agreement",
}


@never_cache
@require_safe
def releases(request: HttpRequest, slug: str) -> HttpResponse:
    project, membership = project_for_adjudicator(request, slug)
    found = newest_first(project)
    context = {
        "project": project,
        "membership": membership,
        "releases": found,
        "draft": next((row for row in found if row.is_draft), None),
        "has_merge": current_merge(project) is not None,
    }
    return render(request, "exports/releases.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def release_new(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings of the draft: of a new one, or of the one there is."""
    project, membership = project_for_lead(request, slug)
    form = ReleaseForm(request.POST) if request.method == "POST" else ReleaseForm(initial=_begun_with(project))
    if request.method == "POST" and form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("name", "date", "notes")}
        try:
            draft = draft_release(project, by=person(request), settings=form.settings(), **given)
            ask_to_build(draft, by=person(request))
            return redirect("release", slug, draft.number)
        except Refused as error:
            form.add_error(None, error.message)
    context = {"project": project, "membership": membership, "form": form}
    return render(request, "exports/release_new.html", context, status=400 if form.errors else 200)


def _begun_with(project: Project) -> dict[str, Any]:
    found = begun_with(project)
    return {**found, "sizes": ",".join(f"{name}={size}" for name, size in found["sizes"])}


def _release(request: HttpRequest, slug: str, number: int, *, for_lead: bool = False) -> tuple[Release, Membership]:
    project, membership = (project_for_lead if for_lead else project_for_adjudicator)(request, slug)
    found = Release.objects.visible_to(person(request)).of(project).filter(number=number)
    release = found.select_related("merge", "made_by", "job").first()
    if release is None:
        raise Http404
    release.project = project
    return release, membership


@never_cache
@require_safe
def release(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One release: before it is frozen what is to be known, after it what it is."""
    found, membership = _release(request, slug, number)
    job = found.job
    line = job_line(job) if job and not job.is_over else None
    failed = job.message if job and job.state == "failed" and not found.sha256 else ""
    others = (
        Release.objects.of(found.project).filter(kind=found.kind).exclude(pk=found.pk).exclude(sha256="").numbered()
    )
    listed = found.listed  # as earlier versions built it, without a word on the policy
    not_stated, fields = unstated(listed.get("stated", {}), has_policy=listed.get("has_policy", True))
    context = {
        "project": found.project,
        "membership": membership,
        "release": found,
        "line": line,
        "failed": failed,
        **_readme(found),
        "not_stated": not_stated,
        "fields": fields,
        **_warnings(found, set(request.GET.getlist("ticked"))),
        "doctor": _verdict(found),
        "shares": _shares(found),
        "newer": changed_since_built(found) if found.is_draft and found.sha256 else [],
        "is_blind": is_still_blind(person(request), found.project),
        "others": others,
        "strata": _strata(found),
        "withdraw": WithdrawForm(),
        "gone": bool(found.sha256) and not found.path.exists(),
    }
    if request.headers.get("HX-Request") and line is not None:
        return render(request, "exports/release.html#progress", context)
    response = render(request, "exports/release.html", context)
    if request.headers.get("HX-Request"):
        response["HX-Refresh"] = "true"  # the job is over: the whole page is another
    return response


def _warnings(found: Release, ticked: set[str]) -> dict[str, Any]:
    """Ticked is what was ticked before freezing was refused, and after it what whoever froze it knew."""
    known = ticked if found.is_draft else set(found.ticked)
    rows = [
        {**row, "leads_to": LEADS_TO.get(row["code"], ""), "is_ticked": row["code"] in known} for row in found.warnings
    ]
    return {"warnings": rows, "ticked": sum(row["is_ticked"] for row in rows)}


def _verdict(found: Release) -> dict[str, Any]:
    """In how many parts the doctor looked, how long, and at how much in each."""
    took = found.counts.get("examined_ms")
    return {
        "parts": list(found.counts.get("looked_at", {}).items()),
        "seconds": None if took is None else took / 1000,
    }


def _shares(found: Release) -> list[dict[str, Any]]:
    """Of each split what was asked and what came of it; below them all."""
    rows = [{**row, "deviation": row["got"] - row["asked"]} for row in found.counts.get("shares", [])]
    if not rows:
        return []
    total = {name: sum(row[name] for row in rows) for name in ("asked", "got", "groups", "new")}
    means = {name: _mean([(row["got"], row[name]) for row in rows]) for name in ("words", "votes")}
    return [*rows, {"name": "all", "deviation": None, **total, **means}]


def _mean(rows: list[tuple[int, float | None]]) -> float | None:
    known = [(times, value) for times, value in rows if value is not None and times]
    return sum(times * value for times, value in known) / sum(times for times, _ in known) if known else None


def _readme(found: Release) -> dict[str, str]:
    """The card as people read it, and its head as data set hubs do."""
    if not found.sha256 or not found.path.exists():
        return {"readme": "", "head": ""}
    text = text_of(found, "README.md")
    head, ruler, body = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not ruler:
        head, body = "", text
    return {"readme": SafeString(to_html(body)), "head": head}


def _strata(found: Release) -> list[dict[str, Any]]:
    """Shares in per cent, and how far each split is from the whole."""
    rows = []
    totals = {row["name"]: row["got"] for row in found.counts.get("shares", [])}
    whole = sum(totals.values())
    for row in found.counts.get("strata", []):
        share = 100 * row["times"] / whole if whole else 0
        splits = [100 * row["by_split"].get(name, 0) / got if got else 0 for name, got in totals.items()]
        rows.append({"label": _label(**row), "all": share, "splits": [(own, own - share) for own in splits]})
    return rows


def _label(what: str, low: int, high: int | None, **_: Any) -> str:
    if high is None:
        return f"{low} {what} and more"
    return f"to {high} {what}" if not low else f"{low} {what}" if low == high else f"{low} to {high} {what}"


def _back(request: HttpRequest, found: Release, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("release", found.project.slug, found.number)


def _refused(request: HttpRequest, found: Release, error: Refused) -> HttpResponse:
    messages.error(request, error.message)
    return redirect("release", found.project.slug, found.number)


@require_POST
def release_build(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Again, from what stands now."""
    found, _ = _release(request, slug, number, for_lead=True)
    try:
        ask_to_build(found, by=person(request))
    except Refused as error:
        return _refused(request, found, error)
    return redirect("release", slug, number)


@require_POST
def release_freeze(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found, _ = _release(request, slug, number, for_lead=True)
    version, ticked = request.POST.get("version", ""), request.POST.getlist("ticked")
    try:
        freeze_release(
            found,
            by=person(request),
            version=int(version) if version.isdecimal() and len(version) < 9 else -1,
            ticked=ticked,
        )
    except Refused as error:
        messages.error(request, error.message)
        known = {row["code"] for row in found.warnings}
        query = urlencode({"ticked": sorted(known.intersection(ticked))}, doseq=True)
        return redirect(f"{reverse('release', args=[slug, number])}?{query}")
    return _back(request, found, f"Release {number} is frozen: it never changes from now on.")


@require_POST
def release_withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found, _ = _release(request, slug, number, for_lead=True)
    try:
        withdraw_release(found, by=person(request), version=found.version, why=request.POST.get("why", ""))
    except Refused as error:
        return _refused(request, found, error)
    return _back(request, found, f"Release {number} is withdrawn.")


@require_POST
def release_drop(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found, _ = _release(request, slug, number, for_lead=True)
    try:
        drop_draft(found, by=person(request))
    except Refused as error:
        return _refused(request, found, error)
    messages.success(request, "The draft is gone.")
    return redirect("releases", slug)


@never_cache
@require_safe
def release_file(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The zip, as an attachment. It tells the gold of every passage."""
    found, _ = _release(request, slug, number)
    try:
        check_not_blind(person(request), found.project)
    except Refused as error:
        return _refused(request, found, error)
    if not found.sha256 or not found.path.exists():
        raise Http404
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=f"{found.folder}.zip")


@never_cache
@require_safe
def release_compare(request: HttpRequest, slug: str, number: int, other: int) -> HttpResponse:
    """What changed from one release to another."""
    before, _ = _release(request, slug, other)
    after, membership = _release(request, slug, number)
    try:
        check_not_blind(person(request), after.project)
        found = difference(before, after)
    except Refused as error:
        return _refused(request, after, error)
    context = {
        "project": after.project,
        "membership": membership,
        "before": before,
        "after": after,
        "found": found,
        "shown": SHOWN,
        **{name: getattr(found, name)[:SHOWN] for name in ("changed", "added", "gone")},
    }
    return render(request, "exports/release_compare.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """What the README of every release of this project says about people, pay, licence and the like."""
    project, membership = project_for_lead(request, slug)
    row = Card.objects.filter(project=project).first()
    stands = {"version": row.version if row else 0, **(row.values if row else {})}
    form = CardForm(request.POST) if request.method == "POST" else CardForm(initial=stands)
    if request.method == "POST" and form.is_valid():
        try:
            change_card(project, by=person(request), version=form.cleaned_data["version"], values=form.values())
            messages.success(request, "The card is kept. The next build of a release tells it.")
            return redirect("releases", slug)
        except Refused as error:
            form.add_error(None, error.message)
    context = {"project": project, "membership": membership, "form": form}
    return render(request, "exports/card.html", context, status=400 if form.errors else 200)
