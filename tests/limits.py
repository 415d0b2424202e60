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
# Numbers that are no limit and no default: versions, units, codes, what a formula or a file format is made of.
NO_LIMITS = {
    *("FORMAT_VERSION", "METHOD_VERSION", "VERSION", "DAY", "HOUR", "DAY_MS", "DECIMALS", "_WORD", "_STEPS", "_GRAIN"),
    *("GOING_AWAY", "GAIN", "MODE", "UNIX", "NO_TYPE", "THIRDS", "RECORD", "TOKEN_BYTES", "FASTEST"),
    *("READER_GONE", "INTERRUPTED", "GONE"),
}
# What is drawn, and what the demo says.
NOT_LOOKED_AT = ("views/drawing.py", "config/demo/")
BEGIN, END = "<!-- limits -->", "<!-- end of limits -->"


def rows() -> Iterator[tuple[str, str, str, str]]:
    """name, value, file, what the line says about it."""
    for app in ("annotator", "adjudication", "exports", "config"):
        for path in sorted((ROOT / app).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            if "migrations" not in path.parts and not any(part in place for part in NOT_LOOKED_AT):
                yield from _of_file(path)
    yield from _of_dataclasses()


def _of_file(path: Path) -> Iterator[tuple[str, str, str, str]]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for prefix, node in _assignments(ast.parse(text)):
        for name, value in _named(node):
            shown = ast.unparse(value)
            if NAMES.fullmatch(name) or (_is_number(value) and name.lstrip("_").isupper() and name not in NO_LIMITS):
                said = lines[node.lineno - 1].partition("#")[2].partition("noqa")[0].strip()
                yield f"{prefix}{name}", shown, str(path.relative_to(ROOT)), said


def _assignments(tree: ast.Module) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """Of the module, and of its classes."""
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        yield from ((prefix, item) for item in inner if isinstance(item, ast.Assign | ast.AnnAssign))


def _named(node: ast.Assign | ast.AnnAssign) -> list[tuple[str, ast.expr]]:
    target, value = node.targets[0] if isinstance(node, ast.Assign) else node.target, node.value
    if isinstance(target, ast.Name) and value is not None:
        return [(target.id, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [(ast.unparse(name), item) for name, item in zip(target.elts, value.elts, strict=True)]
    return []


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "timedelta"


def _of_dataclasses() -> Iterator[tuple[str, str, str, str]]:
    """Rates of the API, and what a connection may take."""
    from annotator.api import throttles
    from config.connections import Bounds

    for name, found in vars(throttles).items():
        if isinstance(found, type) and found.__module__ == throttles.__name__ and hasattr(found, "most"):
            rate = f"{found.most} in {found.window} s"
            yield f"{name}", rate, "annotator/api/throttles.py", "of one person"

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
