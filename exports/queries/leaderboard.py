"""The leaderboard of a split: the newest run of each system beside people, on pages and as CSV, JSON and LaTeX."""

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from annotator.domain.formats.cells import neutral
from exports.domain.runs import FIGURES, MAIN, Figure, full_name
from exports.models import Release, SystemRun


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
    def kind(self) -> str:
        """A system's version; of people that no row of theirs is on the systems' gold."""
        return self.version if self.run else ", ".join(filter(None, ("on own golds", self.version)))

    @property
    def recall(self) -> Mapping[str, float | None]:
        """By voting index, in persons where the gold tells them, else in votes."""
        return self.figures.get("r_detection_by_annotators") or self.figures.get("r_detection_by_votes") or {}


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

    @property
    def rows(self) -> list[tuple[Line, list[tuple[float | None, bool]]]]:
        """People first; of each figure whether it is the best."""
        best = self.best
        return [(line, [_cell_of(line, figure, best) for figure in FIGURES]) for line in (*self.people, *self.lines)]

    @property
    def query(self) -> str:
        return urlencode({"release": self.release.number, "split": self.split, "by": self.by})


def _cell_of(line: Line, figure: Figure, best: Mapping[str, float]) -> tuple[float | None, bool]:
    value = line.figures.get(figure.key)
    return value, line.run is not None and value is not None and value == best.get(figure.key)


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
            "version": line.kind,
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


def leaderboard_head(found: Leaderboard) -> dict[str, Any]:
    return {
        "project": found.release.project.slug,
        "release": found.release.number,
        "sha256": found.release.sha256,
        "split": found.split,
        "sorted_by": found.by,
        "scored": found.scored,
    }


def leaderboard_json(found: Leaderboard) -> str:
    told = {
        **leaderboard_head(found),
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
        title = f"{line.title} {line.kind}".strip().translate(_TEX)
        rows.append(" & ".join([title if line.run else f"\\emph{{{title}}}", *cells]) + r" \\")
    return "\n".join(rows) + "\n"


def _tex_figure(value: float | None, best: float | None, line: Line) -> str:
    if value is None:
        return "--"
    shown = f"{100 * value:.1f}"
    return f"\\textbf{{{shown}}}" if line.run and value == best else shown
