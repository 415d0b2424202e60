"""Assay JSONL: a whole project, per annotator and under pseudonyms, one record a line, in and out without loss.

The first line is the project; then passages, people, assignments with every submission, questions, and what other apps
keep (decisions, comments, the card). Lines are canonical JSON, so that what is exported, imported and exported again is
the same to the byte. In a release an assignment has neither draft nor remark nor time, and nothing is told of what
people ask and say to each other; version 1 knew no decisions. A passage that has no `screening` was not screened.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring as quoted
from typing import Any, BinaryIO, NamedTuple

from annotator.domain.answers import Answer, parse_answer, submit_problems
from annotator.domain.canonical import canonical_text
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.annotations import is_name
from annotator.domain.formats.passages import field_problems, id_problems
from annotator.domain.formats.reading import BadFile, Report, clip, lines_of
from annotator.domain.lengths import MAX_QUESTION_LENGTH, MAX_REMARK_LENGTH
from annotator.domain.passages import PASSAGE_TEXTS, PassageKind
from annotator.domain.protocols import Protocol, check_protocol, not_yet, protocol_from_dict
from annotator.domain.screening import SCREENING_REASONS, Screening
from annotator.domain.states import DISCARD_REASONS, AssignmentState
from annotator.domain.strict_json import parse_json
from annotator.domain.text import is_blank, line_problems, passage_text_problems

FORMAT_VERSION = 2
READ_VERSIONS = (1, 2)
MAX_RECORD = 50_000_000  # bytes: an assignment with many large submissions
MAX_ROUND = 32_767
PROJECT_FIELDS = ("name", "language", "time_zone", "guidelines", "guidelines_version", "look_up_policy")
PLAIN_PASSAGE_FIELDS = ("text", *PASSAGE_TEXTS, "kind", "split")
ASSIGNMENT_FIELDS = ("round", "number", "state", "draft", "active_ms", "discard_reason", "discard_remark", "is_repeat")
QUESTION_FIELDS = ("text", "asked_at", "answer", "answered_at")
NEVER_SUBMITTED = ("empty", "blank", "separator", "spaces")
# In a release; and is_repeat wherever it is not true.
MAY_LACK: dict[str, Any] = {"draft": None, "active_ms": 0, "discard_remark": "", "is_repeat": False}


class StoredAssignment(NamedTuple):
    """An assignment as a database gives it back: draft and answers are JSON text in no particular form."""

    active_ms: int
    annotator: str
    discard_reason: str
    discard_remark: str
    draft: str
    is_repeat: bool
    number: int
    passage: str
    round: int
    state: str
    submissions: list[tuple[str, str]]  # answer, ISO instant


class ReleasedAssignment(NamedTuple):
    """What a release tells of an assignment: the answer that counted, or that and why it was discarded."""

    annotator: str
    discard_reason: str
    number: int
    passage: str
    round: int
    state: str
    submissions: list[tuple[str, str]]


Record = dict[str, Any] | StoredAssignment | ReleasedAssignment


def write_assay_jsonl(records: Iterable[Record]) -> Iterator[str]:
    """`records`: {"project": …} first, then the others; see the readers below for what each holds."""
    canonical = canonical_maker()
    for number, record in enumerate(records):
        if isinstance(record, StoredAssignment):
            yield _assignment_line(record, canonical)
        elif isinstance(record, ReleasedAssignment):
            yield _released_line(record, canonical)
        else:
            head = {"assay": FORMAT_VERSION} if number == 0 else {}
            yield canonical_text({**head, **record}) + "\n"


def canonical_reader() -> Callable[[str], tuple[Any, str]]:
    """What JSON text says, and the text in canonical form, four times as fast as json does it. msgspec writes floats
    and very long numbers in other digits: where there are any, which no answer has, json does it after all."""
    import msgspec

    def not_here(digits: str) -> float:
        raise ValueError("a float")

    decode = msgspec.json.Decoder(float_hook=not_here).decode
    encode = msgspec.json.Encoder(order="sorted").encode

    def canonical(text: str) -> tuple[Any, str]:
        try:
            value = decode(text)
            return value, encode(value).decode()
        except (msgspec.DecodeError, ValueError, OverflowError):
            value = json.loads(text)
            return value, canonical_text(value)

    return canonical


def canonical_maker() -> Callable[[str], str]:
    """JSON text in canonical form."""
    read = canonical_reader()
    return lambda text: read(text)[1]


def _assignment_line(row: StoredAssignment, canonical: Callable[[str], str]) -> str:
    """Put together by hand: nearly all lines are assignments, and the answers in them are the work."""
    draft = canonical(row.draft)
    # What was submitted last mostly is the draft.
    answers = (draft if stored == row.draft else canonical(stored) for stored, _ in row.submissions)
    submissions = _submission_texts(answers, row.submissions)
    repeat = '"is_repeat":true,' if row.is_repeat else ""
    return (
        f'{{"assignment":{{"active_ms":{row.active_ms},"annotator":{quoted(row.annotator)},'
        f'"discard_reason":{quoted(row.discard_reason)},"discard_remark":{quoted(row.discard_remark)},'
        f'"draft":{draft},{repeat}"number":{row.number},"passage":{quoted(row.passage)},"round":{row.round},'
        f'"state":{quoted(row.state)},"submissions":[{submissions}]}}}}\n'
    )


def _released_line(row: ReleasedAssignment, canonical: Callable[[str], str]) -> str:
    submissions = _submission_texts((canonical(stored) for stored, _ in row.submissions), row.submissions)
    return (
        f'{{"assignment":{{"annotator":{quoted(row.annotator)},"discard_reason":{quoted(row.discard_reason)},'
        f'"number":{row.number},"passage":{quoted(row.passage)},"round":{row.round},'
        f'"state":{quoted(row.state)},"submissions":[{submissions}]}}}}\n'
    )


def _submission_texts(answers: Iterable[str], given: Sequence[tuple[str, str]]) -> str:
    return ",".join(f'{{"answer":{answer},"at":{quoted(at)}}}' for answer, (_, at) in zip(answers, given, strict=True))


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


@dataclass(frozen=True)
class ReadQuestion:
    """About which assignment, by its annotator and own number; who has answered is not told."""

    annotator: str
    number: int
    values: dict[str, Any]  # QUESTION_FIELDS


@dataclass
class ReadProject:
    protocol: Protocol
    values: dict[str, Any]  # PROJECT_FIELDS
    instant: Callable[[str], Any]
    passages: dict[str, dict[str, Any]] = field(default_factory=dict)
    annotators: dict[str, None] = field(default_factory=dict)  # a set that keeps its order
    adjudicators: dict[str, None] = field(default_factory=dict)  # likewise: those who do not annotate
    others: list[tuple[str, Any]] = field(default_factory=list)  # (kind, what was read) of what other apps keep
    assignments: list[ReadAssignment] = field(default_factory=list)
    questions: list[ReadQuestion] = field(default_factory=list)
    seen: set[tuple[object, ...]] = field(default_factory=set)


def read_assay_jsonl(source: BinaryIO, *, instant: Callable[[str], Any]) -> ReadProject:
    """The whole project, or BadFile with every bad line. `instant` reads an ISO instant, or raises ValueError."""
    report = Report()
    project: ReadProject | None = None
    for number, line in lines_of(source, report, longest=MAX_RECORD):
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
    if report:
        raise BadFile(report)
    assert project is not None
    return project


def _wrong(message: str) -> Invalid:
    return Invalid.of("assay_jsonl", message)


def _project(record: Any, instant: Callable[[str], Any]) -> ReadProject:
    is_ours = isinstance(record, dict) and set(record) == {"assay", "project"} and record["assay"] is not True
    if not is_ours or record["assay"] not in READ_VERSIONS:
        raise _wrong(f'The first line is {{"assay": {FORMAT_VERSION}, "project": …}}.')
    values = _values(record["project"], {*PROJECT_FIELDS, "protocol"}, "The project")
    _texts(values, ("name", "language", "time_zone", "guidelines", "look_up_policy"))
    _counts(values, ("guidelines_version",), least=1)
    protocol = protocol_from_dict(values.pop("protocol"))
    check_protocol(protocol)
    if missing := not_yet(protocol):
        raise _wrong(f"Assay cannot work by these rules yet: they ask for {missing}.")
    return ReadProject(protocol, values, instant)


def _take(project: ReadProject, record: Any) -> None:
    if not isinstance(record, dict) or len(record) != 1 or not set(record) <= {"project", *_READERS}:
        raise _wrong(f"A line is an object with one key of {', '.join(['project', *_READERS])}.")
    [(kind, value)] = record.items()
    if kind == "project":
        raise _wrong("There is one project in a file.")
    _READERS[kind](project, value)


def _passage(project: ReadProject, value: Any) -> None:
    value = {"screening": Screening.NONE, **value} if isinstance(value, dict) else value
    keys = {*PLAIN_PASSAGE_FIELDS, "id", "tokens", "key_answer", "screening", "archived_at"}
    values = _values(value, keys, "A passage")
    _texts(values, ("id", "screening", *PLAIN_PASSAGE_FIELDS))
    problems = [problem.message for problem in passage_text_problems(values["text"])]
    problems += [*id_problems(values["id"]), *field_problems(values)]
    if problems:
        raise _wrong(problems[0])
    if values["id"] in project.passages:
        raise _wrong(f"The id “{clip(values['id'])}” is already in the file.")
    if values["kind"] not in list(PassageKind):
        raise _wrong(f"There is no kind “{values['kind']}” of passage.")
    values |= _screening(values["screening"])
    _check_tokens(values["tokens"], len(values["text"]))
    if values["key_answer"] is not None:
        parse_answer(values["key_answer"], text=values["text"], protocol=project.protocol, is_old=True)
    if values["archived_at"] is not None:
        values["archived_at"] = instant_in(values["archived_at"], project)
    project.passages[values["id"]] = values


def _screening(said: str) -> dict[str, str]:
    """accepted, or why it was refused; nothing where nobody has screened it."""
    if said in SCREENING_REASONS:
        return {"screening": Screening.REFUSED, "screening_reason": said}
    if said not in (Screening.NONE, Screening.ACCEPTED):
        raise _wrong(f"“{clip(said)}” is nothing that screening says of a passage.")
    return {"screening": said, "screening_reason": ""}


def _check_tokens(tokens: Any, length: int) -> None:
    if tokens is None:
        return
    position, is_good = 0, isinstance(tokens, list)
    for token in tokens if is_good else ():
        if not _is_token(token) or not position <= token[0] < token[1] <= length:
            is_good = False
            break
        position = token[1]
    if not is_good:
        raise _wrong("Tokens are [start, end] or [start, end, token], within the text.")


def _is_token(value: Any) -> bool:
    if not isinstance(value, list) or not 2 <= len(value) <= 3:
        return False
    has_numbers = all(isinstance(item, int) and not isinstance(item, bool) for item in value[:2])
    return has_numbers and isinstance(value[2] if len(value) == 3 else "", str)


def _annotator(project: ReadProject, value: Any) -> None:
    project.annotators[_new_name(project, value)] = None


def _adjudicator(project: ReadProject, value: Any) -> None:
    project.adjudicators[_new_name(project, value)] = None


def _new_name(project: ReadProject, value: Any) -> str:
    if not isinstance(value, str) or not is_name(value):
        raise _wrong(f"“{value}” is nobody's name.")
    if value in project.annotators or value in project.adjudicators:
        raise _wrong(f"“{value}” is already in the file.")
    return value


def _assignment(project: ReadProject, value: Any) -> None:
    value = {**MAY_LACK, **value} if isinstance(value, dict) else value
    values = _values(value, {*ASSIGNMENT_FIELDS, "passage", "annotator", "submissions"}, "An assignment")
    _texts(values, ("passage", "annotator", "state", "discard_reason", "discard_remark"))
    _counts(values, ("round", "number"), least=1)
    _counts(values, ("active_ms",), least=0)
    if values["round"] > MAX_ROUND:
        raise _wrong(f"“round” is {values['round']}: {MAX_ROUND} is the most.")
    if problems := line_problems(values["discard_remark"], what="The remark", path="remark", most=MAX_REMARK_LENGTH):
        raise _wrong(problems[0].message)
    passage, annotator = values.pop("passage"), values.pop("annotator")
    if passage not in project.passages or annotator not in project.annotators:
        raise _wrong(f"There is no passage “{passage}” or no annotator “{annotator}” before this line.")
    if not isinstance(values["is_repeat"], bool):
        raise _wrong("“is_repeat” is true or false.")
    _check_once(project, (annotator, passage, values["round"], values["is_repeat"]), (annotator, values["number"]))
    state = values["state"]
    reasons = DISCARD_REASONS if state == AssignmentState.DISCARDED else {""}
    if state not in list(AssignmentState) or values["discard_reason"] not in reasons:
        raise _wrong(f"“{state}” with the reason “{values['discard_reason']}” is no state of an assignment.")
    text = project.passages[passage]["text"]
    given = values.pop("submissions")
    if not isinstance(given, list) or (state == AssignmentState.SUBMITTED and not given):
        raise _wrong("submissions is a list, and whoever has submitted has one.")
    submissions = tuple(_submission(item, text, project) for item in given)
    drafted = values.pop("draft")
    if drafted is None:
        draft = submissions[-1].answer if submissions else Answer()
    else:
        draft = parse_answer(drafted, text=text, protocol=project.protocol, is_old=True)
    project.assignments.append(ReadAssignment(passage, annotator, values, draft, submissions))


def _check_once(project: ReadProject, *keys: tuple[object, ...]) -> None:
    if twice := [key for key in keys if key in project.seen]:
        raise _wrong(f"There is such an assignment already: {', '.join(map(str, twice[0]))}.")
    project.seen.update(keys)


def _submission(value: Any, text: str, project: ReadProject) -> ReadSubmission:
    values = _values(value, {"answer", "at"}, "A submission")
    answer = parse_answer(values["answer"], text=text, protocol=project.protocol, is_old=True)
    # Counts and overlap may have been allowed when it was submitted; what is no substitute never was.
    wrong = [item for item in submit_problems(answer, project.protocol) if item.code in NEVER_SUBMITTED]
    if wrong:
        raise _wrong(wrong[0].message)
    return ReadSubmission(answer, instant_in(values["at"], project))


def _question(project: ReadProject, value: Any) -> None:
    values = _values(value, {*QUESTION_FIELDS, "annotator", "number"}, "A question")
    _texts(values, ("annotator", "text", "answer"))
    _counts(values, ("number",), least=1)
    annotator, number = values.pop("annotator"), values.pop("number")
    if (annotator, number) not in project.seen:
        raise _wrong(f"There is no assignment {number} of “{clip(annotator)}” before this line.")
    if is_blank(values["text"]):
        raise _wrong("A question has a text.")
    for name, what in (("text", "The question"), ("answer", "The answer")):
        if problems := line_problems(values[name], what=what, path=name, most=MAX_QUESTION_LENGTH):
            raise _wrong(problems[0].message)
    if is_blank(values["answer"]) != (values["answered_at"] is None):
        raise _wrong("A question that has an answer is answered at an instant, and no other.")
    values["asked_at"] = instant_in(values["asked_at"], project)
    values["answered_at"] = values["answered_at"] and instant_in(values["answered_at"], project)
    project.questions.append(ReadQuestion(annotator, number, values))


_READERS: dict[str, Callable[[ReadProject, Any], None]] = {
    "passage": _passage,
    "annotator": _annotator,
    "adjudicator": _adjudicator,
    "assignment": _assignment,
    "question": _question,
}


def also_reads(kind: str, read: Callable[[ReadProject, Any], Any]) -> None:
    """For the lines of another app, when it is loaded: what `read` gives, or Refused."""

    def take(project: ReadProject, value: Any) -> None:
        project.others.append((kind, read(project, value)))

    _READERS[kind] = take


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


def instant_in(value: Any, project: ReadProject) -> Any:
    """As the reader of this file understands it; Refused where it is none."""
    try:
        return project.instant(value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(f"“{value}” is no instant such as 2026-01-31T12:00:00+00:00.") from None
