"""Passages from a file. It is taken whole or not at all, save where a lead has seen which rows stay out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO
from uuid import uuid4

from django.db import connection

from annotator.actions.importing.arrivals import Progress, _arrive, _brings, _check_on_the_way, _import_here
from annotator.actions.running import Run
from annotator.bulk import BATCH, READ, as_stored, insert_rows
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Invalid
from annotator.domain.formats.columns import columns_from
from annotator.domain.formats.looking import without_conflicts
from annotator.domain.formats.passages import AnyTable, ReadPassage, read_passages
from annotator.domain.formats.reading import BadFile, counted
from annotator.domain.passage_findings import text_digest
from annotator.domain.passages import PASSAGE_FIELDS, PassageKind
from annotator.domain.text import forbidden_character
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
    known = _known_passages(project, [item.external_id for item in passages])
    passages = without_conflicts(passages, options["kind"], known, report)
    if report.is_broken or (report and (table is None or not passages)):
        raise BadFile(report)
    new = [item for item in passages if item.external_id not in known]
    rows = _Rows(arrival, options["kind"])
    begun = Passage.all_rows.filter(arrival=arrival).count()  # by a worker that was killed; the order is the file's
    for start in range(begun, len(new), BATCH):
        batch = new[start : start + BATCH]
        with run.step(done=start + len(batch), total=len(new)):
            _check_on_the_way(arrival)
            rows.insert(batch)
    made, already = len(new), len(passages) - len(new)
    also = f" {counted(already, 'passage')} {'was' if already == 1 else 'were'} there already." if already else ""
    if report:
        out = len({item.line for item in report.problems}) + report.more
        also += f" {counted(out, 'row')} stayed out: the report names {'it' if out == 1 else 'them'}."
    result = {"made": made, "already": already, "says": f"{counted(made, 'passage')} imported.{also}"}
    return _arrive(run, arrival, result, rows=len(passages), report=report)


class _Rows:
    """Passages of one arrival, written many at once."""

    def __init__(self, arrival: Arrival, kind: str) -> None:
        self.template = as_stored(Passage, {"project": arrival.project, "arrival": arrival, "kind": kind})
        self.fields = {field.name: field for field in Passage._meta.concrete_fields}

    def insert(self, passages: Sequence[ReadPassage]) -> None:
        insert_rows(Passage, list(self.template), [list(self._row(item).values()) for item in passages])

    def _row(self, item: ReadPassage) -> dict[str, Any]:
        given = {"uuid": uuid4(), "external_id": item.external_id, **item.stored()}
        stored = {name: self.fields[name].get_db_prep_save(value, connection) for name, value in given.items()}
        return {**self.template, **stored, "text_digest": text_digest(item.text)}


def _known_passages(project: Project, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Of these ids those that there are, with what a file may say of each."""
    fields, found = ("kind", *PASSAGE_FIELDS), dict[str, dict[str, Any]]()
    sound = [name for name in ids if not forbidden_character(name)]  # the others are reported, and nobody has them
    for start in range(0, len(sound), READ):
        rows = project.passages.filter(external_id__in=sound[start : start + READ]).values_list("external_id", *fields)
        found |= {row[0]: dict(zip(fields, row[1:], strict=True)) for row in rows}
    return found


def _table_of(options: dict[str, Any]) -> AnyTable | None:
    given = options.get("any_table")
    return None if given is None else AnyTable(columns=columns_from(given["columns"]))
