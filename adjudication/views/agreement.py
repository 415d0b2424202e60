"""How far people agree: the report, a pair's passages, a person's."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from adjudication.actions.curves import CURVE
from adjudication.actions.measuring import AGREEMENT, agreement_settings, ask_for_agreement
from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.look import MIDDLE, RULES
from adjudication.domain.agreement.meanings import MEANINGS
from adjudication.domain.agreement.orders import Order, ordered
from adjudication.domain.agreement.resampling import FEW_UNITS, is_hint
from adjudication.models import AgreementReport
from adjudication.queries.reports import (
    PERSON_SIEVES,
    SIEVES,
    PairPage,
    PersonPage,
    choice_problems,
    merged_among,
    newest_report,
    pair_page,
    told,
)
from adjudication.queries.standing import (
    changed_since,
    failed_job,
    found_nothing_new,
    hidden_from,
    job_for,
    names_behind,
)
from adjudication.queries.work import submitters
from adjudication.views.drawing import histogram, matrix, percent, spark
from adjudication.views.nothing import nothing
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.cells import neutral
from annotator.domain.lengths import MAX_ID_LENGTH
from annotator.doors import person, project_for_adjudicator, project_for_lead
from annotator.models import Job, Membership, Project
from annotator.queries.checks import checks_seen_by
from annotator.queries.jobs import job_line

MOST_IN_MATRIX = 60  # people; more are listed
ROOM = 12  # people whose matrix has room beside other figures, with names of up to
LONG_NAME = 6  # code points
GROUPS_LISTED = 200  # to be ticked; others are named by whoever wants them
LISTED = 500  # pairs on the page where there are more people
FIRST_COLUMNS = ("name", "a", "b", "pa_det", "n", "pa_sug", "m")  # of a table; the others follow by name


@dataclass(frozen=True)
class Choice:
    """Whom and what a report is about, as the address says it."""

    people: tuple[str, ...]
    groups: tuple[str, ...]
    names: bool = False  # those behind the pseudonyms are asked for, too

    @classmethod
    def of(cls, query: QueryDict) -> "Choice":
        people, groups = (tuple(sorted(set(filter(None, query.getlist(name))))) for name in ("people", "groups"))
        return cls(people, groups, query.get("names") == "1")

    def settings(self, project: Project) -> AgreementSettings:
        return agreement_settings(project, people=self.people, groups=self.groups)

    @property
    def query(self) -> str:
        """As every link goes on with it."""
        return "&".join(filter(None, [self.plain_query, "names=1" if self.names else ""]))

    @property
    def plain_query(self) -> str:
        return urlencode([("people", name) for name in self.people] + [("groups", name) for name in self.groups])

    @property
    def is_all(self) -> bool:
        return not self.people and not self.groups


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest report on what the address asks for; a POST by a lead asks for a new one."""
    if request.method == "POST":
        return _refresh(request, slug)
    project, membership = project_for_adjudicator(request, slug)
    choice = Choice.of(request.GET)
    settings = choice.settings(project)
    chosen = settings.as_dict()
    job = job_for(project, AGREEMENT.name, chosen)
    if request.headers.get("HX-Request") == "true":
        return _progress(request, project, membership, job)
    report = newest_report(project, settings, user=person(request))
    is_blind = bool(hidden_from(person(request), project))
    must_wait = is_blind and not choice.is_all  # figures of some would tell of what is still to be annotated
    groups, of = _groups(project, choice.groups)
    context = {
        "project": project,
        "membership": membership,
        "choice": choice,
        "report": report,
        "line": job_line(job) if job else None,
        "address": _address("agreement", slug, choice),
        "problems": choice_problems(project, settings),
        "groups": groups,
        "more_groups": of - len(groups),
        "longest_group": MAX_ID_LENGTH,
        "is_blind": is_blind,
        "must_wait": must_wait,
        "annotators": _annotators(project),
        "failed": None if must_wait else failed_job(project, AGREEMENT.name, chosen),
        "nothing_new": not must_wait and found_nothing_new(project, AGREEMENT.name, chosen),
        "checks": checks_seen_by(person(request), project),
    }
    is_enough = report is not None
    if report is None:
        context["submitters"] = some = submitters(project, people=choice.people, groups=choice.groups)
        is_enough = len(some) >= 2
    else:
        context |= _of_report(request, project, membership, report)
    context["can_be_measured"] = is_enough and not must_wait and not context["problems"]
    return render(request, "adjudication/agreement.html", context)


def _refresh(request: HttpRequest, slug: str) -> HttpResponse:
    project, _ = project_for_lead(request, slug)
    choice = Choice.of(request.POST)
    try:
        ask_for_agreement(project, by=person(request), settings=choice.settings(project))
    except Refused as error:
        if not isinstance(error, Invalid):  # what is wrong with a choice its page says by itself
            messages.error(request, error.message)
    return redirect(_address("agreement", slug, choice))


def _progress(request: HttpRequest, project: Project, membership: Membership, job: Job | None) -> HttpResponse:
    """The part that moves; when the job is over, the page comes anew."""
    if job is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = {"project": project, "membership": membership, "line": job_line(job), "address": request.get_full_path()}
    return render(request, "adjudication/agreement.html#progress", context)


def _address(name: str, slug: str, choice: Choice, *words: str) -> str:
    path = reverse(name, args=[slug, *words])
    return f"{path}?{choice.query}" if choice.query else path


def _annotators(project: Project) -> list[str]:
    return sorted(project.memberships.filter(is_annotator=True).values_list("pseudonym", flat=True))


def _groups(project: Project, chosen: Sequence[str]) -> tuple[list[str], int]:
    """The first by name, with those that are chosen, and how many there are in all."""
    found = sorted(project.passages.work().exclude(group="").order_by().values_list("group", flat=True).distinct())
    return sorted({*found[:GROUPS_LISTED], *(name for name in chosen if name in found)}), len(found)


def _of_report(
    request: HttpRequest, project: Project, membership: Membership, report: AgreementReport
) -> dict[str, Any]:
    result = report.result
    order = Order(request.GET["order"]) if request.GET.get("order") in list(Order) else Order.NAME
    names = ordered(result["annotators"], result["pairs"], order)
    heard = [name for name in names if any(row["name"] == name and row["passages"] for row in result["annotators"])]
    human = result["human_performance"]
    behind = names_behind(project) if _shows_names(request, project, membership) else {}
    people = [_person_line(row, project, behind) for row in result["annotators"]]
    keep_at = report.settings["merge"]["keep_at"]
    is_small = len(heard) <= MOST_IN_MATRIX
    outliers = {row["name"] for row in people if row["look"]}
    return {
        "result": result,
        "is_small": is_small,
        "is_large": len(heard) > ROOM or any(len(name) > LONG_NAME for name in heard),
        "names": heard,
        "matrix": matrix(heard, result["pairs"], result["units"]["are"], outliers=outliers) if is_small else [],
        "pairs": sorted(result["pairs"], key=lambda row: (row["pa_det"] is None, row["pa_det"]))[:LISTED],
        "pairs_listed": min(LISTED, len(result["pairs"])),
        "hints": _hints(result),
        "order": order,
        "orders": [(Order.NAME, "name"), (Order.PA, "agreement"), (Order.LIKENESS, "likeness")],
        "people": people,
        "looks": [row for row in people if row["look"]],
        "rules": RULES,
        "middle": MIDDLE,
        "few_units": FEW_UNITS,
        "behind": behind,
        "can_show_names": _may_show_names(project, membership),
        "bars": histogram(result["by_annotators"], keep_at, width=400, height=96),
        "keep_at": keep_at,
        "changed": changed_since(
            project, report.listed_at_event, people=report.settings["people"], groups=report.settings["groups"]
        ),
        "curve_job": job_for(project, CURVE.name),
        "curve": getattr(report, "curve", None),
        "human": human,
        "m": MEANINGS,
        "first_type": result["types"]["types"][0] if result["types"]["types"] else "",
        "types": _types(result, project),
        "took": report.took_ms / 1000,
        "choice_query": Choice.of(request.GET).query,
        "plain_query": Choice.of(request.GET).plain_query,
    }


def _hints(result: Mapping[str, Any]) -> list[str]:
    """The figures whose intervals rest on too few units to be more than a hint."""
    units, around = result["units"], result["intervals"]
    return [name for name in ("pa_det", "pa_sug") if is_hint(around[name], units[name])]


def _may_show_names(project: Project, membership: Membership) -> bool:
    return membership.is_lead or project.shows_names_to_adjudicators


def _shows_names(request: HttpRequest, project: Project, membership: Membership) -> bool:
    return request.GET.get("names") == "1" and _may_show_names(project, membership)


def _person_line(row: dict[str, Any], project: Project, behind: dict[str, str]) -> dict[str, Any]:
    substitutes = row["substitutes"]
    first = next(iter(row["types"].values()), 0)
    return {
        **row,
        "real": behind.get(row["name"], ""),
        "each": _each(row),
        "first_share": first / substitutes if substitutes else None,
        "mix": "substitutes: " + ", ".join(f"{_label(project, key)} {count:,}" for key, count in row["types"].items()),
        "spark": spark(row["windows"]),
    }


def _label(project: Project, key: str) -> str:
    found = project.protocol.type_named(key)
    return found.label if found else key


def _types(result: dict[str, Any], project: Project) -> list[tuple[str, list[int]]]:
    found = result["types"]
    return [(_label(project, key), row) for key, row in zip(found["types"], found["matrix"], strict=True)]


def _report_or_404(request: HttpRequest, slug: str) -> tuple[Project, Membership, Choice, AgreementReport]:
    project, membership = project_for_adjudicator(request, slug)
    choice = Choice.of(request.GET)
    report = newest_report(project, choice.settings(project), user=person(request))
    if report is None:
        raise Http404
    return project, membership, choice, report


@never_cache
@require_safe
def agreement_json(request: HttpRequest, slug: str) -> HttpResponse:
    """What `manage.py agreement --json` prints."""
    _, _, _, report = _report_or_404(request, slug)
    found = told(report, user=person(request))
    return _file(json.dumps(found) + "\n", f"{slug}-agreement.json", "application/json")


@never_cache
@require_safe
def agreement_csv(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """Pairs or people as a table; pseudonyms only."""
    _, _, _, report = _report_or_404(request, slug)
    rows = report.figures["pairs" if what == "pairs" else "annotators"]
    return _file(_table(rows), f"{slug}-{what}.csv", "text/csv; charset=utf-8")


def _file(text: str, name: str, kind: str) -> HttpResponse:
    return HttpResponse(text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _table(rows: list[dict[str, Any]]) -> str:
    buffer = io.StringIO()
    there = [name for name in (rows[0] if rows else {}) if name not in ("windows", "look", "is_hidden")]
    names = [*(name for name in FIRST_COLUMNS if name in there), *(name for name in there if name not in FIRST_COLUMNS)]
    writer = csv.writer(buffer)
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in names])
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    """Lists in one cell; what a spreadsheet would take for a formula gets a quote before it."""
    if isinstance(value, list | dict):
        value = (
            "; ".join(map(str, value)) if isinstance(value, list) else "; ".join(f"{k} {v}" for k, v in value.items())
        )
    return neutral(value) if isinstance(value, str) else value


def not_in_report(result: Mapping[str, Any], *asked: str) -> str:
    """Why a report has nothing to show of these people."""
    known = {row["name"] for row in result["annotators"]}
    unknown = [f"“{name}”" for name in dict.fromkeys(asked) if name not in known]
    if unknown:
        return f"There is no annotator {' or '.join(unknown)} in this report."
    if len(set(asked)) == 1:
        return f"A pair is two annotators: this is “{asked[0]}” twice."
    return f"{' and '.join(f'“{name}”' for name in asked)} have no passage in common in this report."


def _nobody(request: HttpRequest, project: Project, membership: Membership, choice: Choice, says: str) -> HttpResponse:
    address = _address("agreement", project.slug, choice)
    return nothing(request, project, membership, title="Nothing here", says=says, address=address, label="Agreement")


@never_cache
@require_safe
def agreement_pair(request: HttpRequest, slug: str, a: str, b: str) -> HttpResponse:
    """Where two people differ, most different first."""
    project, membership, choice, report = _report_or_404(request, slug)
    a, b = sorted((a, b))
    row = next((row for row in report.result["pairs"] if (row["a"], row["b"]) == (a, b)), None)
    if row is None:
        return _nobody(request, project, membership, choice, not_in_report(report.result, a, b))
    sieve = request.GET.get("show", "differ")
    page = PairPage(report, a, b, user=person(request), sieve=sieve if sieve in SIEVES else "differ")
    only = request.GET.get("bin", "")
    found = page.bins(only, _number(request.GET.get("after")))
    people = {item["name"]: item for item in report.result["annotators"]}
    context = {
        "project": project,
        "membership": membership,
        "report": report,
        "choice": choice,
        "row": row,
        "a": people[a],
        "b": people[b],
        "page": page,
        "found": found,
        "merged": merged_among(project, [line for part in found for line in part.lines]),
        "only": only,
        "sieve": page.sieve,
        "behind": names_behind(project) if _shows_names(request, project, membership) else {},
        "can_show_names": _may_show_names(project, membership),
        "shows_names": _shows_names(request, project, membership),
        "annotators": [item["name"] for item in report.result["annotators"] if item["passages"]],
        "types": project.protocol.types,
        "marks": [_each(people[name]) for name in (a, b)],
        "shares": [_first_share(people[name]) for name in (a, b)],
        "first_label": _label(project, next(iter(people[a]["types"]), "")),
        "m": MEANINGS,
    }
    return render(request, "adjudication/agreement_pair.html", context)


@never_cache
@require_safe
def agreement_pair_csv(request: HttpRequest, slug: str, a: str, b: str) -> HttpResponse:
    """The passages of two people, as far as one may see them, in the order of the report."""
    _, _, _, report = _report_or_404(request, slug)
    page = pair_page(report, a, b, user=person(request))
    return _file(_table(page.listed(page.rows)), f"{slug}-pair.csv", "text/csv; charset=utf-8")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 10 else None


def _each(row: dict[str, Any]) -> float | None:
    return row["marks"] / row["passages"] if row["passages"] and row["marks"] is not None else None


def _first_share(row: dict[str, Any]) -> str:
    first = next(iter(row["types"].values()), 0)
    return percent(first / row["substitutes"] if row["substitutes"] else None, 0)


@never_cache
@require_safe
def agreement_person(request: HttpRequest, slug: str, a: str) -> HttpResponse:
    """One person's passages against what the others chose."""
    project, membership, choice, report = _report_or_404(request, slug)
    row = next((row for row in report.result["annotators"] if row["name"] == a), None)
    if row is None:
        return _nobody(request, project, membership, choice, not_in_report(report.result, a))
    sieve = request.GET.get("show", "all")
    page = PersonPage(report, a, user=person(request), sieve=sieve if sieve in PERSON_SIEVES else "all")
    lines, following = page.page(_number(request.GET.get("after")))
    behind = names_behind(project) if _shows_names(request, project, membership) else {}
    context = {
        "project": project,
        "membership": membership,
        "report": report,
        "choice": choice,
        "row": _person_line(row, project, behind),
        "pairs": sorted(
            (_beside(pair, a) for pair in report.result["pairs"] if a in (pair["a"], pair["b"])),
            key=lambda pair: (pair["pa_det"] is None, pair["pa_det"]),
        ),
        "page": page,
        "sieve": page.sieve,
        "merged": merged_among(project, lines),
        "lines": lines,
        "following": following,
        "types": project.protocol.types,
        "keep_at": report.settings["merge"]["keep_at"],
        "m": MEANINGS,
        "checks": next((c for c in checks_seen_by(person(request), project) if c.membership.pseudonym == a), None),
    }
    return render(request, "adjudication/agreement_person.html", context)


def _beside(pair: dict[str, Any], name: str) -> dict[str, Any]:
    return {**pair, "other": pair["b"] if pair["a"] == name else pair["a"]}
