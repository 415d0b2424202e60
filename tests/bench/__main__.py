"""Run the benchmarks and write what they say, also where it falls short.

python -m tests.bench [install] [start] [saves] [imports] [method] [several] [export] [adjudicating] [board] [work] …
"""

import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

from tests.bench import (
    adjudicating,
    board,
    desk,
    distant,
    export,
    imports,
    install,
    method,
    passages,
    people,
    releasing,
    saves,
    scoring,
    several,
    start,
    work,
)
from tests.bench.figures import Figure, table

ROOT = Path(__file__).resolve().parent.parent.parent
PARTS = {
    "install": install.figures,
    "start": start.figures,
    "saves": saves.figures,
    "imports": imports.figures,
    "method": method.figures,
    "several": several.figures,
    "export": export.figures,
    "adjudicating": adjudicating.figures,
    "board": board.figures,
    "work": work.figures,
    "people": people.figures,
    "passages": passages.figures,
    "desk": desk.figures,
    "distant": distant.figures,
    "releasing": releasing.figures,
    "scoring": scoring.figures,
}
HEAD = """# Benchmarks

Made by `make bench`. One machine, one run: compare ratios, not absolute figures with those of another machine.
"""


def main(wanted: list[str]) -> None:
    figures: list[Figure] = []
    for name in wanted or list(PARTS):
        print(f"… {name}", flush=True)
        found = PARTS[name]()
        print(table(found), flush=True)  # at once: what fails later takes none of it away
        figures += found
    if wanted:
        return
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    cores = subprocess.run(["nproc"], capture_output=True, text=True, check=False).stdout.strip()
    machine = f"{cores} cores, Python {platform.python_version()}"
    where = f"{date.today():%d %B %Y}, {machine}, after commit {commit.stdout.strip()}"
    path = ROOT / "docs" / "benchmarks.md"
    notes = [
        part.NOTE
        for part in (
            *(
                saves,
                imports,
                method,
                several,
                export,
                adjudicating,
                board,
                work,
                people,
                passages,
                desk,
                distant,
                releasing,
                scoring,
            ),
        )
    ]
    text = "\n\n".join([f"{HEAD}\n{where}.", table(figures), *notes])
    path.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
