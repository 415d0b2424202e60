"""The table of limits and defaults in ARCHITECTURE.md, read off the code; `python -m tests.limits` writes it anew."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = re.compile(
    r"(MAX|MOST|LONGEST|LEAST)_\w+|\w+_(KEPT|DAYS|HOURS|AFTER|EVERY|AGE)|LEASE|HEARTBEAT|WINDOW|PAUSE|PATIENCE|BATCH|STEP|"
    r"LISTED|PAGE|JOBS_LISTED|CHUNK|SHARD|GRACE|EVERY|LONGEST"
)
BEGIN, END = "<!-- limits -->", "<!-- end of limits -->"


def rows() -> Iterator[tuple[str, str, str, str]]:
    """name, value, file, what the line says about it."""
    for app in ("annotator", "adjudication", "exports", "config"):
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from _of_file(path)
    yield from _of_dataclasses()


def _of_file(path: Path) -> Iterator[tuple[str, str, str, str]]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        names, values = _named(node)
        for name, value in zip(names, values, strict=True):
            if NAMES.fullmatch(name):
                said = lines[node.lineno - 1].partition("#")[2].partition("noqa")[0].strip()
                yield name, value, str(path.relative_to(ROOT)), said


def _named(node: ast.Assign) -> tuple[list[str], list[str]]:
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Name):
        return [target.id], [ast.unparse(value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [ast.unparse(item) for item in target.elts], [ast.unparse(item) for item in value.elts]
    return [], []


def _of_dataclasses() -> Iterator[tuple[str, str, str, str]]:
    """Rates of the API, and what a connection may take."""
    from annotator.api import throttles
    from config.connections import Bounds

    for name, found in vars(throttles).items():
        if isinstance(found, type) and found.__module__ == throttles.__name__:
            yield f"{name}.rate", str(found.rate), "annotator/api/throttles.py", "of one person, in one process"

    for field in fields(Bounds):
        if isinstance(field.default, int | float):
            yield f"Bounds.{field.name}", f"{field.default}", "config/connections.py", ""


def table() -> str:
    lines = ["| limit | value | where it is set | |", "|---|---|---|---|"]
    for name, value, path, said in rows():
        shown = f"{int(value):,}" if value.isdigit() and len(value) > 4 else value
        lines.append(f"| `{name}` | {shown.replace('|', '&#124;')} | `{path}` | {said.replace('|', '&#124;')} |")
    return "\n".join(lines)


def main() -> None:
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    path = ROOT / "ARCHITECTURE.md"
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
