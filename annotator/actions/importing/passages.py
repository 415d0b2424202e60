"""Passages from a file. It is taken whole or not at all, save where a lead has seen which rows stay out."""

from dataclasses import dataclass
from typing import Any, BinaryIO

from annotator.actions.importing.arrivals import Progress, _arrive, _brings, _check_on_the_way, _import_here
from annotator.actions.running import Run
from annotator.bulk import BATCH
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Invalid
from annotator.domain.formats.columns import columns_from
from annotator.domain.formats.looking import without_conflicts
from annotator.domain.formats.passages import AnyTable, read_passages
from annotator.domain.formats.reading import BadFile, counted
from annotator.domain.passages import PASSAGE_FIELDS, PassageKind
from annotator.models import Arrival, Passage, Project, User
from annotator.permissions import check_can_import


@dataclass(frozen=True)
class ImportedPassages:
    """`already`: what was there before, word for word the same."""

    arrival: Arrival
    made: int
    already: int


def import_passages(
    project: Project,
    *,
    by: User | None,
    source: BinaryIO,
    name: str,
    kind: str = PassageKind.WORK,
    sheet: str | None = None,
    progress: Progress = lambda done, total: None,
) -> ImportedPassages:
    """In this process. BadFile names every line that is wrong; the same id with another text is one of them."""
    check_can_import(by, project)
    options = passages_options(kind=kind, sheet=sheet)
    arrival = _import_here(
        project, by=by, kind=ArrivalKind.PASSAGES, source=source, name=name, options=options, progress=progress
    )
    found = arrival.result or {}
    return ImportedPassages(arrival, found["made"], found["already"])


def passages_options(
    *, kind: str = PassageKind.WORK, sheet: str | None = None, table: AnyTable | None = None
) -> dict[str, Any]:
    """With `table`, columns may be called anything, and rows that are wrong stay out."""
    if kind not in list(PassageKind):
        raise Invalid.of("kind", f"There is no kind “{kind}” of passage: take {', '.join(PassageKind)}.", "kind")
    if table is None:
        return {"kind": kind, "sheet": sheet}
    columns = table.columns and table.columns.as_dict()
    return {"kind": kind, "sheet": sheet, "any_table": {"columns": columns}}


@_brings(ArrivalKind.PASSAGES)
def _bring_passages(run: Run, arrival: Arrival, source: BinaryIO) -> dict[str, Any]:
    project, options = arrival.project, arrival.options
    assert project is not None
    table = _table_of(options)
    passages, report = read_passages(source, name=arrival.name, sheet=options["sheet"], table=table)
    known = _known_passages(project)
    passages = without_conflicts(passages, options["kind"], known, report)
    if report.is_broken or (report and (table is None or not passages)):
        raise BadFile(report)
    rows = [
        Passage(project=project, arrival=arrival, kind=options["kind"], external_id=item.external_id, **item.stored())
        for item in passages
        if item.external_id not in known
    ]
    begun = Passage.all_rows.filter(arrival=arrival).count()  # by a worker that was killed; the order is the file's
    for start in range(begun, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        with run.step(done=start + len(batch), total=len(rows)):
            _check_on_the_way(arrival)
            Passage.all_rows.bulk_create(batch)
    made, already = len(rows), len(passages) - len(rows)
    also = f" {counted(already, 'passage')} {'was' if already == 1 else 'were'} there already." if already else ""
    if report:
        out = len({item.line for item in report.problems}) + report.more
        also += f" {counted(out, 'row')} stayed out: the report names {'it' if out == 1 else 'them'}."
    result = {"made": made, "already": already, "says": f"{counted(made, 'passage')} imported.{also}"}
    return _arrive(run, arrival, result, rows=len(passages), report=report)


def _known_passages(project: Project) -> dict[str, dict[str, Any]]:
    """By id, what a file may say of each."""
    fields = ("kind", *PASSAGE_FIELDS)
    rows = project.passages.order_by("pk").values_list("external_id", *fields)
    return {row[0]: dict(zip(fields, row[1:], strict=True)) for row in rows}


def _table_of(options: dict[str, Any]) -> AnyTable | None:
    given = options.get("any_table")
    return None if given is None else AnyTable(columns=columns_from(given["columns"]))
