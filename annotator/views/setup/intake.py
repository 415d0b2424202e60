"""Files of passages and of answers: sent here, looked at, then taken in. In a draft this is a step of the set-up."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.actions.importing.previews import begin_preview, give_up_preview, look_again, take_in
from annotator.api.door import status_of
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.cells import neutral
from annotator.domain.formats.columns import ROLES
from annotator.domain.formats.looking import keeps_out, report_lines
from annotator.domain.formats.reading import counted
from annotator.domain.passage_findings import FINDINGS, Piece, pieces
from annotator.domain.states import ProjectState
from annotator.doors import person, project_for_lead
from annotator.forms.importing import HowForm
from annotator.models import Membership, Preview, Project
from annotator.queries.jobs import job_line
from annotator.uploads import MAX_UPLOAD, KeptUpload
from annotator.views.receiving import with_a_file
from annotator.views.setup.frame import frame

LISTED = 50
PAGE = 50  # rows of a preview
ERRORS = 10  # below the rows; all of them by a page of their own
TABS = ("first", "found", "errors")


def around(project: Project, membership: Membership, step: str, *, unseen: int | None = None) -> dict[str, Any]:
    """What stands around a step: in a draft the set-up, later nothing."""
    if project.state == ProjectState.DRAFT:
        return {**frame(project, membership, step, unseen=unseen), "layout": "annotator/setup/_frame.html"}
    return {"project": project, "membership": membership, "layout": "annotator/setup/_later.html"}


@never_cache
@require_safe
def setup_passages(request: HttpRequest, slug: str) -> HttpResponse:
    return _send_page(request, slug)


@never_cache
@csrf_exempt  # `with_a_file` looks at the token
@require_http_methods(["GET", "HEAD", "POST"])
def passages_add(request: HttpRequest, slug: str) -> HttpResponse:
    project_for_lead(request, slug)

    def refuse(why: str, status: int) -> HttpResponse:
        return _send_page(request, slug, why, status)

    return with_a_file(request, _sent, slug, refuse=refuse, most=MAX_UPLOAD)


def _sent(request: HttpRequest, slug: str) -> HttpResponse:
    project, _ = project_for_lead(request, slug)
    if request.method != "POST":
        return _send_page(request, slug)
    sent = request.FILES.get("file")
    if not isinstance(sent, KeptUpload):
        return _send_page(request, slug, "Choose a file.", 400)
    try:
        preview = begin_preview(project, by=person(request), file=sent.take(), name=sent.name)
    except Refused as error:
        return _send_page(request, slug, said_by(error), status_of(error))
    return redirect("preview", slug, preview.uuid)


def _send_page(request: HttpRequest, slug: str, refusal: str = "", status: int = 200) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    context = {
        **around(project, membership, "passages"),
        "refusal": refusal,
        "own": project.previews.filter(by=person(request), upload__arrival=None).exclude(upload=None).first(),
        "arrivals": project.arrivals.select_related("job", "by").order_by("-started_at")[:LISTED],
        "count": project.passages.work().count(),
        "most": MAX_UPLOAD // 1_000_000,
    }
    return render(request, "annotator/setup/passages.html", context, status=status)


@dataclass(frozen=True)
class Cell:
    role: str
    text: str

    @property
    def is_text(self) -> bool:
        return self.role == "text"

    @property
    def pieces(self) -> list[Piece]:
        return list(pieces(self.text))


@dataclass(frozen=True)
class Row:
    line: int
    id: str  # where the file has none
    cells: list[Cell]
    said: list[str]


@never_cache
@require_safe
def preview(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = _preview(request, slug, uuid)
    return _preview_page(request, slug, found)


def _preview_page(
    request: HttpRequest, slug: str, found: Preview, refusal: str = "", status: int = 200, chosen: Sequence[str] = ()
) -> HttpResponse:
    """`chosen`: the columns as they were to be, where that was refused."""
    project, membership = project_for_lead(request, slug)
    line = job_line(found.job) if found.job else None
    is_fragment = request.headers.get("HX-Request") == "true"
    result, is_anew = found.result, "anew" in request.GET
    if result is None:
        context = {**around(project, membership, "passages"), "preview": found, "line": line, "refusal": refusal}
        context["is_anew"] = is_anew
        template = "annotator/setup/preview_waits.html"
        return render(request, f"{template}#waiting" if is_fragment else template, context, status=status)
    if is_fragment:
        return HttpResponse(headers={"HX-Refresh": "true"})  # it has been looked at
    tab = request.GET.get("rows") if request.GET.get("rows") in TABS else "first"
    kind = request.GET.get("kind") if request.GET.get("kind") in FINDINGS else ""
    rows = result[str(tab)]
    if tab == "found" and kind:
        rows = [row for row in rows if any(code == kind for code, _ in row["said"])]
    after = _after(request)
    columns = [
        {**column, "chosen": chosen[place] if place < len(chosen) else column["role"]}
        for place, column in enumerate(result["columns"])
    ]
    is_answers = found.kind == ArrivalKind.ANSWERS
    context = {
        **around(project, membership, "passages"),
        "preview": found,
        "suffix": PurePath(found.name).suffix.removeprefix(".").upper()[:5],
        "result": result,
        "counts": result["counts"],
        "kinds": [(code, FINDINGS[code], times) for code, times in result["kinds"].items()],
        "columns": columns,
        "roles": list(ROLES.items()),
        "tab": tab,
        "kind": kind,
        "rows": [] if tab == "errors" else _rows(result, rows[after : after + PAGE]),
        "shown": (after + 1, min(after + PAGE, len(rows)), len(rows)),
        "following": after + PAGE if after + PAGE < len(rows) else None,
        "rows_of_errors": result["errors"][after : after + PAGE] if tab == "errors" else result["errors"][:ERRORS],
        "refusal": refusal,
        "why_not": keeps_out(result),
        "is_anew": is_anew,
        "takes": counted(result["counts"].get("fresh", 0), "answer" if is_answers else "passage"),
        "is_answers": is_answers,
        "has_id": any(column["role"] == "id" for column in result["columns"]),
        "how": HowForm(initial={**found.options, "has_header": result["has_header"]}, is_answers=is_answers),
    }
    return render(request, "annotator/setup/preview.html", context, status=status)


def _rows(result: dict[str, Any], rows: list[dict[str, Any]]) -> list[Row]:
    roles = [column["role"] for column in result["columns"]]
    return [
        Row(
            row["line"],
            row.get("id", ""),
            [Cell(role, text) for role, text in zip(roles, row["cells"], strict=False)],
            [message for _, message in row["said"]],
        )
        for row in rows
    ]


def _after(request: HttpRequest) -> int:
    after = request.GET.get("after", "0")
    return int(after) if after.isascii() and after.isdigit() and len(after) < 6 else 0


@require_POST
def preview_look(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """The same file, read otherwise."""
    return _look(request, slug, _preview(request, slug, uuid))


def _look(request: HttpRequest, slug: str, found: Preview, query: str = "") -> HttpResponse:
    roles = request.POST.getlist("role")
    form = _how(request, found)
    if not form.is_valid():
        return _preview_page(request, slug, found, "Choose from the lists.", 400, roles)
    try:
        look_again(found, by=person(request), options=form.options(roles, found.result))
    except Refused as error:
        return _preview_page(request, slug, found, said_by(error), status_of(error), roles)
    return redirect(reverse("preview", args=[slug, found.uuid]) + query)


def _how(request: HttpRequest, found: Preview) -> HowForm:
    seen = {} if found.result is None else {"has_header": found.result["has_header"]}
    return HowForm(request.POST, initial={**found.options, **seen}, is_answers=found.kind == ArrivalKind.ANSWERS)


def _is_otherwise(request: HttpRequest, found: Preview) -> bool:
    """Whether anything was chosen on the page since the file was looked at. What was not sent was not changed, save a
    box without its tick."""
    if found.result is None:
        return False
    roles = request.POST.getlist("role")
    sent = {*request.POST, *(["names_differ"] if "no_row" in request.POST else [])}
    is_other_column = bool(roles) and roles != [column["role"] for column in found.result["columns"]]
    return is_other_column or not sent.isdisjoint(_how(request, found).changed_data)


@require_POST
def preview_take(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Takes in what was seen; where something was chosen since, the file is looked at first."""
    found = _preview(request, slug, uuid)
    if _is_otherwise(request, found):
        # Told by the address: a message would be gone with the page that waits for the look.
        return _look(request, slug, found, "?anew")
    try:
        arrival = take_in(found, by=person(request))
    except Refused as error:
        return _preview_page(request, slug, found, said_by(error), status_of(error))
    assert arrival.job is not None
    return redirect("job", slug, arrival.job.uuid)


@require_POST
def preview_drop(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    give_up_preview(_preview(request, slug, uuid), by=person(request))
    return redirect("setup_passages", slug)


@never_cache
@require_safe
def preview_report(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Every error and every finding by line, as CSV."""
    found = _preview(request, slug, uuid)
    if found.result is None:
        raise Http404
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["line", "kind", "what"])
    writer.writerows([line, kind, neutral(said)] for line, kind, said in report_lines(found.result))
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    stem = "".join(char for char in PurePath(found.name).stem if char.isascii() and (char.isalnum() or char in "-_"))
    response["Content-Disposition"] = f'attachment; filename="{stem or "file"}-report.csv"'
    return response


def said_by(error: Refused) -> str:
    return error.problems[0].message if isinstance(error, Invalid) else error.message


def _preview(request: HttpRequest, slug: str, uuid: UUID) -> Preview:
    project, _ = project_for_lead(request, slug)
    found = project.previews.select_related("project", "job", "upload", "by").filter(uuid=uuid).first()
    if found is None:
        raise Http404
    return found
