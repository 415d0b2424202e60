"""Agreement reports as pages and the API read them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import QuerySet
from django.http import Http404
from numpy.typing import NDArray

from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.hiding import without_few
from adjudication.domain.agreement.table import KEPT
from adjudication.domain.lanes import Piece, Said, Summary, pieces, summary
from adjudication.domain.merge import MergeSettings, merge_passage
from adjudication.models import AgreementPair, AgreementReport, Merge, PassageResult
from adjudication.queries.standing import hidden_from
from adjudication.queries.work import answers_by_id
from annotator.domain.answers import Answer, united
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Problem
from annotator.domain.text import substitute_key
from annotator.domain.tokens import Span
from annotator.models import Assignment, Passage, Project, Submission, User
from annotator.queries.checks import checks_told

PAGE = 20
REPORTS_LISTED = 50
Rows = NDArray[Any]


def newest_report(project: Project, settings: AgreementSettings, *, user: User) -> AgreementReport | None:
    """As far as this user may see it."""
    found = AgreementReport.objects.visible_to(user).of(project).filter(settings_hash=sha256_of(settings.as_dict()))
    return _as_seen_by(user, found.newest_first().select_related("by").first())


def report_of(uuid: UUID, *, user: User) -> AgreementReport | None:
    rows = AgreementReport.objects.visible_to(user).select_related("project")
    return _as_seen_by(user, rows.filter(uuid=uuid).first())


def _as_seen_by(user: User, report: AgreementReport | None) -> AgreementReport | None:
    """In memory only: a report that is done never changes."""
    if report is not None and Assignment.objects.own_open(user).filter(passage__project=report.project_id).exists():
        report.result = without_few(report.result, least=report.settings["min_shared"])
    return report


def told(report: AgreementReport, *, user: User | None) -> dict[str, Any]:
    """All that leaves the house of a report: its figures, and beside them what controls and repeats have told so far,
    which no report holds; to whoever asks, None at the shell."""
    return {**report.figures, "checks": checks_told(user, report.project)}


def choice_problems(project: Project, settings: AgreementSettings) -> list[Problem]:
    """People and groups that are not there, and one annotator alone."""
    people = set(project.memberships.filter(pseudonym__in=settings.people).values_list("pseudonym", flat=True))
    groups = set(project.passages.work().filter(group__in=settings.groups).values_list("group", flat=True))
    unknown = [("people", "annotator", name) for name in settings.people if name not in people]
    unknown += [("groups", "group", name) for name in settings.groups if name not in groups]
    problems = [Problem(field, f"There is no {noun} “{name}” in this project.", field) for field, noun, name in unknown]
    if len(settings.people) == 1:
        problems.append(Problem("people", "One annotator has nobody to agree with: name two or more.", "people"))
    return problems


@dataclass(frozen=True)
class Bin:
    """Passages of about the same agreement."""

    key: str
    label: str
    least: float
    most: float


BINS = (
    Bin("none", "No mark in common", -1.0, 0.0),
    Bin("quarter", "Up to a quarter", 0.0, 0.25),
    Bin("half", "Up to a half", 0.25, 0.5),
    Bin("more", "More than half", 0.5, 0.9999),
    Bin("same", "The same marks", 0.9999, 2.0),
)

# Which passages of a pair are listed: from the columns of its rows.
SIEVES: dict[str, tuple[str, Callable[[Rows], Rows]]] = {
    "differ": ("They differ", lambda rows: (rows["common"] < rows["either"]) | (rows["shared"] < rows["common"])),
    "one": ("Only one marked", lambda rows: rows["common"] < rows["either"]),
    "words": ("Other substitutes", lambda rows: rows["shared"] < rows["common"]),
    "type": ("Other type", lambda rows: rows["retyped"] > 0),
    "same": ("The same", lambda rows: (rows["common"] == rows["either"]) & (rows["shared"] == rows["common"])),
}


# And of a person: with any of the others.
PERSON_SIEVES = {"all": "All", **{key: label for key, (label, _) in SIEVES.items()}}


@dataclass(frozen=True)
class Line:
    """One passage on the page of a pair or a person."""

    passage: Passage
    number: int  # in the report
    share: float
    common: int
    either: int
    pieces: Sequence[Piece]
    summary: Summary
    is_newer: bool  # an answer has changed since the report
    gone: Sequence[str] = ()  # whose answer has been set aside since: there is none to draw


@dataclass(frozen=True)
class Found:
    """Lines of a bin; `following`: the number to go on after, None at the end."""

    bin: Bin
    count: int
    lines: Sequence[Line]
    following: int | None


class PairPage:
    """The passages that two people both submitted, most different first; `hidden`: how many who asks may not see."""

    def __init__(self, report: AgreementReport, a: str, b: str, *, user: User, sieve: str) -> None:
        self.report, self.names, self.sieve = report, (a, b), sieve
        self.passages = np.frombuffer(bytes(report.passage_ids), dtype="<i8")
        stored = AgreementPair.objects.filter(report=report, a=a, b=b).values_list("rows", flat=True).first()
        rows = np.frombuffer(bytes(stored or b""), dtype=KEPT)
        blind = hidden_from(user, report.project)
        is_seen = ~np.isin(self.passages[rows["passage"]], list(blind)) if blind else np.ones(len(rows), dtype=bool)
        self.rows, self.hidden = rows[is_seen], int((~is_seen).sum())

    def counts(self) -> list[tuple[str, str, int]]:
        return [(key, label, int(keep(self.rows).sum())) for key, (label, keep) in SIEVES.items()]

    def listed(self, rows: Iterable[Any]) -> list[dict[str, Any]]:
        """Rows of this pair, in the report's order, with the passages by the names of the files."""
        by_number = {int(row["passage"]): row for row in rows}
        ids = {number: int(self.passages[number]) for number in by_number}
        names = dict(Passage.objects.filter(pk__in=ids.values()).values_list("pk", "external_id"))
        columns = ("common", "either", "shared", "retyped")
        return [
            {"passage": names[ids[number]], "number": number, **{name: int(row[name]) for name in columns}}
            for number, row in by_number.items()
        ]

    def bins(self, only: str = "", after: int | None = None) -> list[Found]:
        """The first of each bin, or a page of one."""
        rows = self.rows[SIEVES[self.sieve][1](self.rows)]
        share = np.where(rows["either"] > 0, rows["common"] / np.maximum(rows["either"], 1), 1.0)
        order = np.lexsort((rows["passage"], -rows["either"].astype(np.int64), share))
        rows, share = rows[order], share[order]
        found = []
        for bin_ in BINS:
            inside = np.flatnonzero((share > bin_.least) & (share <= bin_.most))
            if len(inside) and only in ("", bin_.key):
                found.append(self._found(bin_, rows, share, inside, 1 if not only else PAGE, after))
        return found

    def _found(self, bin_: Bin, rows: Rows, share: Rows, inside: Rows, size: int, after: int | None) -> Found:
        begin = 0
        if after is not None:
            begin = int((np.flatnonzero(rows["passage"][inside] == after)[:1] + 1).sum())
        chosen = inside[begin : begin + size]
        lines = self._lines(rows[chosen], share[chosen])
        has_more = begin + size < len(inside)
        return Found(bin_, len(inside), lines, int(rows["passage"][chosen[-1]]) if has_more and len(chosen) else None)

    def _lines(self, rows: Rows, share: Rows) -> list[Line]:
        ids = [int(self.passages[number]) for number in rows["passage"].tolist()]
        passages = Passage.objects.in_bulk(ids)
        answers = counting_answers(ids, people=self.names)
        newer = _newer(self.report, ids, self.names)
        folds = self.report.settings["merge"]["folds_substitutes"]
        lines = []
        for pk, row, value in zip(ids, rows, share.tolist(), strict=True):
            above, below = (said(answers.get((pk, name)), folds=folds) for name in self.names)
            common, either = len(above.keys() & below.keys()), len(above.keys() | below.keys())
            gone = [name for name in self.names if (pk, name) not in answers]
            is_newer = bool(gone) or any((pk, name) in newer for name in self.names)
            lines.append(_line(passages[pk], int(row["passage"]), value, common, either, above, below, is_newer, gone))
        return lines


class PersonPage:
    """One person's passages against what at least `keep_at` of the others marked (all of them, where they are fewer),
    least agreement first."""

    def __init__(self, report: AgreementReport, name: str, *, user: User, sieve: str = "all") -> None:
        self.report, self.name, self.sieve = report, name, sieve
        self.passages = np.frombuffer(bytes(report.passage_ids), dtype="<i8")
        total, met = np.zeros(len(self.passages)), np.zeros(len(self.passages))
        hits = {key: np.zeros(len(self.passages), dtype=bool) for key in SIEVES}
        for stored in AgreementPair.objects.filter(report=report).of_person(name).values_list("rows", flat=True):
            rows = np.frombuffer(bytes(stored), dtype=KEPT)
            share = np.where(rows["either"] > 0, rows["common"] / np.maximum(rows["either"], 1), 1.0)
            total += np.bincount(rows["passage"], weights=share, minlength=len(self.passages))
            met += np.bincount(rows["passage"], minlength=len(self.passages))
            for key, (_, keep) in SIEVES.items():
                hits[key][rows["passage"][keep(rows)]] = True
        hits["same"] &= ~hits["differ"]  # with everybody
        blind = hidden_from(user, report.project)
        is_seen = ~np.isin(self.passages, list(blind)) if blind else np.ones(len(met), dtype=bool)
        self.hidden = int((~is_seen & (met > 0)).sum())
        self.hits = {"all": met > 0, **hits}
        self.is_seen = is_seen
        self.numbers = np.flatnonzero(is_seen & self.hits[sieve] & (met > 0))
        self.share = total[self.numbers] / met[self.numbers]
        self.met = met.astype(np.int64)  # how many others had submitted each passage

    def counts(self) -> list[tuple[str, str, int]]:
        """Of each kind, with anybody of the others; *the same* is with all of them."""
        return [(key, label, int((self.hits[key] & self.is_seen).sum())) for key, label in PERSON_SIEVES.items()]

    def page(self, after: int | None = None) -> tuple[list[Line], int | None]:
        order = np.lexsort((self.numbers, self.share))
        numbers, share = self.numbers[order], self.share[order]
        begin = 0 if after is None else int((np.flatnonzero(numbers == after)[:1] + 1).sum())
        chosen = slice(begin, begin + PAGE)
        lines = self._lines(numbers[chosen].tolist(), share[chosen].tolist())
        has_more = begin + PAGE < len(numbers)
        return lines, int(numbers[chosen][-1]) if has_more else None

    def _lines(self, numbers: list[int], share: list[float]) -> list[Line]:
        ids = [int(self.passages[number]) for number in numbers]
        passages = Passage.objects.in_bulk(ids)
        people = self.report.settings["people"]  # "the others" are those the report is about
        answers = counting_answers(ids, people=people)
        newer = {passage for passage, _ in _newer(self.report, ids, people)}
        merge = MergeSettings.from_dict(self.report.settings["merge"])
        lines = []
        for pk, number, value in zip(ids, numbers, share, strict=True):
            own = said(answers.get((pk, self.name)), folds=merge.folds_substitutes)
            others = {who: answer for (passage, who), answer in answers.items() if passage == pk and who != self.name}
            below = majority(others, merge)
            common, either = len(own.keys() & below.keys()), len(own.keys() | below.keys())
            gone = [] if (pk, self.name) in answers else [self.name]
            is_newer = bool(gone) or pk in newer or len(others) != self.met[number]
            lines.append(_line(passages[pk], number, value, common, either, own, below, is_newer, gone))
        return lines


def _line(
    passage: Passage,
    number: int,
    share: float,
    common: int,
    either: int,
    above: Said,
    below: Said,
    is_newer: bool,
    gone: Sequence[str],
) -> Line:
    found = pieces(passage.text, above, below)
    return Line(passage, number, share, common, either, found, summary(passage.text, above, below), is_newer, gone)


def said(answer: Answer | None, *, folds: bool) -> Said:
    if answer is None:
        return {}
    return {
        span: {key: (item.text, item.type) for key, item in own.items()}
        for span, own in sorted(united(answer, folds=folds).items())
    }


def majority(answers: Mapping[str, Answer], settings: MergeSettings) -> Said:
    """What the gold of these people is; each suggestion with its votes. Where there are fewer than a target needs, what
    all of them marked."""
    found: dict[Span, dict[str, tuple[str, str]]] = {}
    least = min(settings.keep_at, len(answers))
    for target in merge_passage(answers, replace(settings, min_answers=1)).targets:
        if target.annotators >= least:
            found[target.start, target.end] = {
                substitute_key(item.text, folds=settings.folds_substitutes): (f"{item.text} {item.votes}", target.type)
                for item in target.suggestions
            }
    return found


_OF_WHOM = ("assignment__passage_id", "assignment__membership__pseudonym")


def _counting(passages: Sequence[int], people: Sequence[str] = ()) -> QuerySet[Submission]:
    rows = Submission.objects.counting().filter(assignment__passage__in=passages, assignment__round=1)
    return rows.filter(assignment__membership__pseudonym__in=people) if people else rows


def _newer(report: AgreementReport, passages: Sequence[int], people: Sequence[str]) -> set[tuple[int, str]]:
    """(passage, pseudonym) of what was submitted after the report's list was made."""
    begun = report.made_at - timedelta(milliseconds=report.took_ms)
    return set(_counting(passages, people).filter(at__gt=begun).values_list(*_OF_WHOM))


def counting_answers(passages: Sequence[int], *, people: Sequence[str] = ()) -> dict[tuple[int, str], Answer]:
    """What counts now, of the first round, by passage and pseudonym."""
    rows = _counting(passages, people).values_list("pk", *_OF_WHOM)
    keys = {pk: (passage, name) for pk, passage, name in rows}
    answers = answers_by_id(list(keys))
    return {keys[pk]: answer for pk, answer in answers.items()}


def merged_among(project: Project, lines: Sequence[Line]) -> set[int]:
    """Whose passage has a page in the current merge."""
    results = PassageResult.objects.filter(merge__in=Merge.objects.of(project).current())
    keys = [line.passage.pk for line in lines]
    return set(results.filter(passage__in=keys).values_list("passage_id", flat=True))


def pair_page(report: AgreementReport, a: str, b: str, *, user: User) -> PairPage:
    """Of a pair that was measured, named in either order."""
    a, b = sorted((a, b))
    if not AgreementPair.objects.filter(report=report, a=a, b=b).exists():
        raise Http404
    return PairPage(report, a, b, user=user, sieve="differ")
