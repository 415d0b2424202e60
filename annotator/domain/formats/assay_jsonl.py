"""Assay JSONL: a whole project, per annotator and under pseudonyms, one record a line, in and out without loss.

The first line is the project; then passages, annotators, and assignments with every submission. Lines are canonical
JSON, so that what is exported, imported and exported again is the same to the byte.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from annotator.domain.answers import Answer, parse_answer
from annotator.domain.canonical import canonical_json
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.annotations import is_name
from annotator.domain.formats.passages import MAX_ID
from annotator.domain.formats.reading import BadFile, Report, lines_of
from annotator.domain.people import DISCARD_REASONS
from annotator.domain.protocols import Protocol, not_yet, protocol_from_dict
from annotator.domain.states import AssignmentState
from annotator.domain.strict_json import parse_json
from annotator.domain.text import line_problems, passage_text_problems
from annotator.domain.tokens import spans_of

FORMAT_VERSION = 1
PROJECT_FIELDS = ("name", "language", "time_zone", "guidelines", "guidelines_version")
PASSAGE_FIELDS = ("text", "group", "lang", "context_before", "context_after", "source_text", "kind", "split")
ASSIGNMENT_FIELDS = ("round", "number", "state", "draft", "active_ms", "discard_reason", "discard_remark")
KINDS = ("project", "passage", "annotator", "assignment")
PASSAGE_KINDS = ("work", "test", "practice", "control")


def write_assay_jsonl(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """`records`: {"project": …} first, then the others; see the readers below for what each holds."""
    for number, record in enumerate(records):
        head = {"assay": FORMAT_VERSION} if number == 0 else {}
        yield canonical_json({**head, **record}).decode() + "\n"


@dataclass(frozen=True)
class ReadSubmission:
    answer: Answer
    at: Any  # what `instant` makes of it


@dataclass(frozen=True)
class ReadAssignment:
    passage: str
    annotator: str
    values: dict[str, Any]  # ASSIGNMENT_FIELDS
    draft: Answer
    submissions: tuple[ReadSubmission, ...]


@dataclass
class ReadProject:
    protocol: Protocol
    values: dict[str, Any]  # PROJECT_FIELDS
    instant: Callable[[str], Any]
    passages: dict[str, dict[str, Any]] = field(default_factory=dict)
    annotators: list[str] = field(default_factory=list)
    assignments: list[ReadAssignment] = field(default_factory=list)
    seen: set[tuple[object, ...]] = field(default_factory=set)


def read_assay_jsonl(source: BinaryIO, *, instant: Callable[[str], Any]) -> ReadProject:
    """The whole project, or BadFile with every bad line. `instant` reads an ISO instant, or raises ValueError."""
    report = Report()
    project: ReadProject | None = None
    for number, line in lines_of(source, report):
        try:
            record = parse_json(line.encode())
            if project is None:
                project = _project(record, instant)
            else:
                _take(project, record)
        except Refused as refusal:
            report.add(number, refusal.message)
            if project is None:
                break  # nothing after it can be judged
    if project is None and not report:
        report.add(1, "The file is empty.")
    if report:
        raise BadFile(report)
    assert project is not None
    return project


def _wrong(message: str) -> Invalid:
    return Invalid.of("assay_jsonl", message)


def _project(record: Any, instant: Callable[[str], Any]) -> ReadProject:
    if not isinstance(record, dict) or record.get("assay") != FORMAT_VERSION or set(record) != {"assay", "project"}:
        raise _wrong(f'The first line is {{"assay": {FORMAT_VERSION}, "project": …}}.')
    values = _values(record["project"], {*PROJECT_FIELDS, "protocol"}, "The project")
    _texts(values, ("name", "language", "time_zone", "guidelines"))
    _counts(values, ("guidelines_version",), least=1)
    protocol = protocol_from_dict(values.pop("protocol"))
    if missing := not_yet(protocol):
        raise _wrong(f"Assay cannot work by these rules yet: they ask for {missing}.")
    return ReadProject(protocol, values, instant)


def _take(project: ReadProject, record: Any) -> None:
    if not isinstance(record, dict) or len(record) != 1 or not set(record) <= set(KINDS):
        raise _wrong(f"A line is an object with one key of {', '.join(KINDS)}.")
    [(kind, value)] = record.items()
    if kind == "project":
        raise _wrong("There is one project in a file.")
    {"passage": _passage, "annotator": _annotator, "assignment": _assignment}[kind](project, value)


def _passage(project: ReadProject, value: Any) -> None:
    values = _values(value, {*PASSAGE_FIELDS, "id", "tokens", "archived_at"}, "A passage")
    _texts(values, ("id", *PASSAGE_FIELDS))
    problems = [
        *passage_text_problems(values["text"]),
        *line_problems(values["id"], what="The id", path="id", most=MAX_ID),
    ]
    if problems:
        raise _wrong(problems[0].message)
    if not values["id"].strip() or values["id"] in project.passages:
        raise _wrong(f"The id “{values['id']}” is empty or stands there already.")
    if values["kind"] not in PASSAGE_KINDS:
        raise _wrong(f"There is no kind “{values['kind']}” of passage.")
    _check_tokens(values["tokens"], len(values["text"]))
    if values["archived_at"] is not None:
        values["archived_at"] = _instant(values["archived_at"], project)
    project.passages[values["id"]] = values


def _check_tokens(tokens: Any, length: int) -> None:
    if tokens is None:
        return
    try:
        spans = spans_of(tokens)
        is_good = all(0 <= start < end <= length for start, end in spans) and all(
            len(token) == 2 or (len(token) == 3 and isinstance(token[2], str)) for token in tokens
        )
    except (TypeError, ValueError, IndexError, KeyError):
        is_good = False
    if not is_good:
        raise _wrong("Tokens are [start, end] or [start, end, token], within the text.")


def _annotator(project: ReadProject, value: Any) -> None:
    if not isinstance(value, str) or not is_name(value):
        raise _wrong(f"“{value}” is no annotator's name.")
    if value in project.annotators:
        raise _wrong(f"The annotator “{value}” stands there already.")
    project.annotators.append(value)


def _assignment(project: ReadProject, value: Any) -> None:
    values = _values(value, {*ASSIGNMENT_FIELDS, "passage", "annotator", "submissions"}, "An assignment")
    _texts(values, ("passage", "annotator", "state", "discard_reason", "discard_remark"))
    _counts(values, ("round", "number"), least=1)
    _counts(values, ("active_ms",), least=0)
    passage, annotator = values.pop("passage"), values.pop("annotator")
    if passage not in project.passages or annotator not in project.annotators:
        raise _wrong(f"There is no passage “{passage}” or no annotator “{annotator}” before this line.")
    _check_once(project, (annotator, passage, values["round"]), (annotator, values["number"]))
    state = values["state"]
    if state not in list(AssignmentState) or (state == AssignmentState.DISCARDED) != (
        values["discard_reason"] in DISCARD_REASONS
    ):
        raise _wrong(f"“{state}” with the reason “{values['discard_reason']}” is no state of an assignment.")
    text = project.passages[passage]["text"]
    draft = parse_answer(values.pop("draft"), text=text, protocol=project.protocol, is_old=True)
    given = values.pop("submissions")
    if not isinstance(given, list) or (state == AssignmentState.SUBMITTED and not given):
        raise _wrong("submissions is a list, and whoever has submitted has one.")
    submissions = tuple(_submission(item, text, project) for item in given)
    project.assignments.append(ReadAssignment(passage, annotator, values, draft, submissions))


def _check_once(project: ReadProject, *keys: tuple[object, ...]) -> None:
    if twice := [key for key in keys if key in project.seen]:
        raise _wrong(f"There is such an assignment already: {', '.join(map(str, twice[0]))}.")
    project.seen.update(keys)


def _submission(value: Any, text: str, project: ReadProject) -> ReadSubmission:
    values = _values(value, {"answer", "at"}, "A submission")
    answer = parse_answer(values["answer"], text=text, protocol=project.protocol, is_old=True)
    return ReadSubmission(answer, _instant(values["at"], project))


def _values(value: Any, keys: set[str], what: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != keys:
        raise _wrong(f"{what} has just the keys {', '.join(sorted(keys))}.")
    return dict(value)


def _texts(values: dict[str, Any], names: tuple[str, ...]) -> None:
    if wrong := [name for name in names if not isinstance(values[name], str)]:
        raise _wrong(f"“{wrong[0]}” is not a text.")


def _counts(values: dict[str, Any], names: tuple[str, ...], *, least: int) -> None:
    for name in names:
        value = values[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**31:
            raise _wrong(f"“{name}” is no whole number from {least} on.")


def _instant(value: Any, project: ReadProject) -> Any:
    try:
        return project.instant(value)
    except (TypeError, ValueError):
        raise _wrong(f"“{value}” is no instant such as 2026-01-31T12:00:00+00:00.") from None
