"""Systems as pages show them: the gold they are scored against, the leaderboard, two of them side by side."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Q

from adjudication.domain.lanes import Piece, pieces
from adjudication.domain.packing import unpack_arrays
from annotator.domain.errors import Conflict
from annotator.domain.formats.cells import neutral
from annotator.domain.formats.sws_json import SwsSentence, read_sws_json
from exports.domain.bootstrap import Difference, paired
from exports.domain.runs import FIGURES, MAIN, Mistake, full_name
from exports.domain.scoring import names_by_code
from exports.models import Release, RunSentence, SystemRun
from exports.queries.releases import rows_of, text_of

PAGE = 20  # sentences of the error browser
SHOWN_SUGGESTIONS = 4


def gold_of(release: Release, split: str) -> list[SwsSentence]:
    """As it was released, with the voting index in persons where the release tells it."""
    persons = {
        (row["id"], target["token_start"], target["token_end"]): target["annotators"]
        for row in rows_of(release, split)
        for target in row["targets"]
    }

    def told(name: str, span: tuple[int, int]) -> int | None:
        found = persons.get((name, *span), -1)
        return None if found < 0 else found

    return [
        replace(
            sentence,
            targets=tuple(replace(target, annotators=told(sentence.id, target.span)) for target in sentence.targets),
        )
        for sentence in read_sws_json(text_of(release, f"{split}.json").encode())
    ]


def type_names(release: Release) -> dict[int, str]:
    return names_by_code({item.key: item.code for item in release.project.protocol.types})


@dataclass(frozen=True)
class Line:
    """One row of the leaderboard. Human rows have no run and no rank; each person is scored on a gold of the others."""

    title: str
    version: str
    figures: Mapping[str, Any]
    rank: int | None = None
    run: SystemRun | None = None
    times: int = 0

    @property
    def values(self) -> list[float | None]:
        return [self.figures.get(figure.key) for figure in FIGURES]

    @property
    def bars(self) -> list[tuple[int, float | None]]:
        """Recall by voting index, in persons where the gold tells them, else in votes."""
        found = self.figures.get("r_detection_by_annotators") or self.figures.get("r_detection_by_votes") or {}
        return [(int(index), value) for index, value in found.items()]


@dataclass(frozen=True)
class Leaderboard:
    release: Release
    split: str
    by: str
    lines: list[Line]
    people: list[Line]
    scored: int  # how often, over all systems

    @property
    def best(self) -> dict[str, float]:
        """Of systems, by figure; of one alone nothing is best."""
        found: dict[str, float] = {}
        if len(self.lines) > 1:
            for figure in FIGURES:
                known = [value for line in self.lines if (value := line.figures.get(figure.key)) is not None]
                if known:
                    found[figure.key] = max(known)
        return found


def leaderboard(release: Release, split: str, *, by: str = MAIN) -> Leaderboard:
    """The newest run of each system, the best first; how often each was scored on this split."""
    rows = SystemRun.objects.on(release, split).scored().newest_first().values_list("pk", "system")
    times: Counter[str] = Counter()
    newest: dict[str, int] = {}
    for pk, system in rows:
        times[system] += 1
        newest.setdefault(system, pk)
    runs = SystemRun.objects.filter(pk__in=newest.values()).defer("errors", "by_sentence", "description")
    ordered = sorted(runs, key=lambda run: (-_number(run.scores.get(by)), run.system))
    lines, rank, last = [], 0, None
    for place, run in enumerate(ordered, start=1):
        value = run.scores.get(by)
        rank = rank if place > 1 and value == last else place
        last = value
        lines.append(Line(run.system, run.system_version, run.scores, rank, run, times[run.system]))
    return Leaderboard(release, split, by, lines, human_lines(release), sum(times.values()))


def _number(value: float | None) -> float:
    return -1.0 if value is None else value


def human_lines(release: Release) -> list[Line]:
    """As the newest report had them when the release was built."""
    told = release.listed.get("agreement") or {}
    found = [("A person", "", told.get("human")), ("A person", "single votes kept", told.get("human_without_filter"))]
    return [Line(title, version, figures) for title, version, figures in found if figures]


def leaderboard_rows(found: Leaderboard) -> list[dict[str, Any]]:
    """For machines: systems, then people."""
    rows = [
        {
            "rank": line.rank,
            "system": line.title,
            "version": line.version,
            **{figure.key: line.figures.get(figure.key) for figure in FIGURES},
            "runs": line.times or None,
            "run": str(line.run.uuid) if line.run else None,
            "scored_at": line.run.at.isoformat() if line.run else None,
        }
        for line in (*found.lines, *found.people)
    ]
    return rows


def leaderboard_csv(found: Leaderboard) -> str:
    rows, text = leaderboard_rows(found), io.StringIO()
    head = ["rank", "system", "version", *(figure.key for figure in FIGURES), "runs", "run", "scored_at"]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(row[name]) for name in head] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    return "" if value is None else neutral(value) if isinstance(value, str) else value


def leaderboard_json(found: Leaderboard) -> str:
    told = {
        "project": found.release.project.slug,
        "release": found.release.number,
        "sha256": found.release.sha256,
        "split": found.split,
        "sorted_by": found.by,
        "scored": found.scored,
        "systems": leaderboard_rows(replace(found, people=[])),
        "people_on_golds_of_the_others": leaderboard_rows(replace(found, lines=[])),
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


_TEX = str.maketrans(
    {**{char: f"\\{char}" for char in "&%$#_{}"}, "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\^{}"}
)


def leaderboard_latex(found: Leaderboard) -> str:
    """Rows for a table of one's own, per cent with one decimal, the best of the systems bold."""
    head = " & ".join(["System", *(full_name(figure).replace("F0.5", "F$_{0.5}$") for figure in FIGURES)])
    rows = [f"% {found.release.title}, {found.split}: {head}".replace("\n", " ")]
    for line in (*found.lines, *found.people):
        cells = [_tex_figure(line.figures.get(figure.key), found.best.get(figure.key), line) for figure in FIGURES]
        title = f"{line.title} {line.version}".strip().translate(_TEX)
        rows.append(" & ".join([title if line.run else f"\\emph{{{title}}}", *cells]) + r" \\")
    return "\n".join(rows) + "\n"


def _tex_figure(value: float | None, best: float | None, line: Line) -> str:
    if value is None:
        return "--"
    shown = f"{100 * value:.1f}"
    return f"\\textbf{{{shown}}}" if line.run and value == best else shown


@lru_cache(maxsize=64)
def _compared(one: UUID, two: UUID) -> dict[str, Difference]:
    """Of two scored runs, which never change."""
    arrays = []
    for uuid in (one, two):
        packed = SystemRun.objects.values_list("by_sentence", flat=True).get(uuid=uuid)
        arrays.append(unpack_arrays(bytes(packed))[1]["rows"])
    return paired(*arrays)


def compared_runs(one: SystemRun, two: SystemRun) -> dict[str, Difference]:
    if not (one.is_scored and two.is_scored):
        raise Conflict("Both have to be scored first.", code="not_scored")
    if (one.release_id, one.split) != (two.release_id, two.split):
        raise Conflict("The two were not scored on the same sentences.", code="other_split")
    return _compared(one.uuid, two.uuid)


@dataclass(frozen=True)
class Shown:
    """A sentence of the error browser, cut for the gold above it and the system below."""

    id: str
    pieces: list[Piece]
    says: str


def wrong_sentences(run: SystemRun, kind: Mistake, *, after: tuple[int, int] | None) -> list[RunSentence]:
    """One page and one more, the heaviest first: by votes for what was missed, then by their order in the split."""
    weight = f"{kind}_weight"
    rows = RunSentence.objects.filter(run=run, **{f"{kind}__gt": 0}).order_by(f"-{weight}", "number")
    if after is not None:
        rows = rows.filter(Q(**{f"{weight}__lt": after[0]}) | Q(**{weight: after[0], "number__gt": after[1]}))
    return list(rows[: PAGE + 1])


def shown(row: RunSentence, types: Mapping[int, str]) -> Shown:
    content = row.content
    gold = {
        tuple(item["span"]): {
            text: (f"{text} {votes}", types.get(item["type"], str(item["type"])))
            for text, votes in sorted(item["suggestions"], key=lambda found: (-found[1], found[0]))[:SHOWN_SUGGESTIONS]
        }
        for item in content["gold"]
    }
    by_span = {tuple(item["span"]): item for item in content["gold"]}
    system = {
        tuple(item["span"]): {
            text: (text, _type_of(by_span.get(tuple(item["span"])), types))
            for text in item["suggestions"][:SHOWN_SUGGESTIONS]
        }
        or {"": ("no suggestion", "")}
        for item in content["system"]
    }
    return Shown(row.external_id, pieces(content["text"], gold, system), ", ".join(_says(row)))


def _type_of(target: Mapping[str, Any] | None, types: Mapping[int, str]) -> str:
    return "" if target is None else types.get(target["type"], str(target["type"]))


def _says(row: RunSentence) -> Iterator[str]:
    if row.missed:
        yield f"{row.missed} missed"
    if row.spurious:
        yield f"{row.spurious} spurious"
    if row.other:
        yield f"{row.other} other suggestion{'' if row.other == 1 else 's'}"
