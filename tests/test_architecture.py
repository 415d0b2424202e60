"""The direction of imports and the purity of domain/: config → exports → adjudication → annotator, never back."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.jobs import JOB_MOVES
from annotator.domain.states import ASSIGNMENT_MOVES, PROJECT_MOVES, mermaid
from exports.domain.webhooks import DELIVERY_MOVES
from tests import limits

ROOT = Path(__file__).resolve().parent.parent
APPS = ["annotator", "adjudication", "exports", "config"]  # each may import itself and those before it
PURE = {"numpy"} | set(sys.stdlib_module_names)
# Loaded inside functions only: they are large and not needed at start.
LAZY = {"nltk", "syntok", "lemminflect", "HanTa", "defusedxml", "openpyxl"}
# Only where files are read and written: its types must not become the domain's.
LAZY_IN_FORMATS = {"msgspec"}
IMPURE_STDLIB = {"datetime", "time", "random", "os", "socket", "subprocess"}
# What each room may not reach for: doors and background work come last.
ABOVE = {
    "models": {"permissions", "queries", "actions", "forms", "serializers", "views", "api", "tasks", "urls"},
    "permissions": {"queries", "actions", "forms", "serializers", "views", "api", "tasks", "urls"},
    "queries": {"actions", "forms", "serializers", "views", "api", "tasks", "urls"},
    "actions": {"forms", "serializers", "views", "api", "tasks", "urls"},
    "forms": {"actions", "queries", "views", "api", "tasks", "urls"},
    "serializers": {"actions", "queries", "views", "api", "tasks", "urls"},
    "tasks": {"views", "api", "urls", "forms", "serializers"},
}


def sources(app: str) -> Iterator[Path]:
    return (path for path in sorted((ROOT / app).rglob("*.py")) if "migrations" not in path.parts)


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Each imported module and whether it is imported at the top."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = set(
        ast.walk(ast.Module(body=[n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)], type_ignores=[]))
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            yield node.module or "", node in top


ALL = [path for app in APPS for path in sources(app)]


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    app = path.relative_to(ROOT).parts[0]
    forbidden = set(APPS[APPS.index(app) + 1 :])

    reached = {name.partition(".")[0] for name, _ in imports(path)}

    assert reached & forbidden == set()


def test_the_client_is_a_package_of_its_own() -> None:
    """It uses nothing but Python (and pandas, where it is asked for a table), and nothing here uses it."""
    for path in sorted((ROOT / "client" / "assay_client").rglob("*.py")):
        reached = {name.partition(".")[0] for name, _ in imports(path)} - set(sys.stdlib_module_names)
        assert reached <= {"assay_client", "pandas"}, path
    for path in ALL:
        assert "assay_client" not in {name.partition(".")[0] for name, _ in imports(path)}, path


@pytest.mark.parametrize("path", [p for p in ALL if "domain" in p.parts], ids=lambda path: str(path.relative_to(ROOT)))
def test_domain_is_pure(path: Path) -> None:
    """No Django, no database, no clock; NumPy and the standard library; other libraries inside functions."""
    app = path.relative_to(ROOT).parts[0]
    domains = tuple(f"{earlier}.domain" for earlier in APPS[: APPS.index(app) + 1])
    for name, is_top in imports(path):
        base = name.partition(".")[0]
        is_library = base in PURE and base not in IMPURE_STDLIB - {"random"}
        lazy = LAZY | (LAZY_IN_FORMATS if "formats" in path.parts else set())
        assert name.startswith(domains) or is_library or (base in lazy and not is_top), f"{path}: {name}"


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_rooms_use_only_the_rooms_below_them(path: Path) -> None:
    app, *rest = path.relative_to(ROOT).with_suffix("").parts
    room = rest[0] if rest else ""

    reached = {name.split(".")[1] for name, _ in imports(path) if name.startswith(f"{app}.")}

    assert reached & ABOVE.get(room, set()) == set()


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_room_is_a_junk_room(path: Path) -> None:
    assert not {"utils", "common", "core", "helpers", "mixins", "signals", "misc"} & set(path.with_suffix("").parts)


@pytest.mark.parametrize("path", [p for p in ALL if p.name != "__init__.py" and p.name != "apps.py"], ids=str)
def test_every_module_says_what_lives_in_it(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


WRITES = {"save", "create", "update", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create"}
MAY_WRITE = {"actions", "models", "models.py", "domain"}  # models for their QuerySets' own methods, domain has no rows
NO_ROWS = ("fingerprint.update", "told.update", "digest.update")  # hashes and dictionaries
# Who is signed in, and what was used when: by requests that say who somebody is. And a backup brings back its rows.
LET_WRITE = {
    ("annotator/authentication.py", "keep_sign_in"),
    ("annotator/authentication.py", "keep_use"),
    ("annotator/authentication.py", "end_session"),
    ("config/archive.py", "_load"),
}


def writers(tree: ast.AST) -> set[str]:
    """Names of the functions that write rows; "" for a module itself."""
    found = set()

    def look(node: ast.AST, inside: str) -> None:
        if isinstance(node, ast.FunctionDef):
            inside = node.name
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if is_call and node.func.attr in WRITES and not ast.unparse(node.func).endswith(NO_ROWS):  # type: ignore[attr-defined]
            found.add(inside)
        for child in ast.iter_child_nodes(node):
            look(child, inside)

    look(tree, "")
    return found


def test_nobody_saves_outside_actions() -> None:
    """Doors, forms, queries, tasks and commands never write: they call an action."""
    found = {
        (str(path.relative_to(ROOT)), name)
        for path in ALL
        if not MAY_WRITE & set(path.parts)
        for name in writers(ast.parse(path.read_text(encoding="utf-8")))
    }

    assert found == LET_WRITE


@pytest.mark.parametrize(
    "line",
    [
        "Job.objects.filter(pk=1).update(done=1)",
        "row.save()",
        "class A:\n    def b(self):\n        self.rows.delete()",
        "found = [Job.objects.create() for told in rows]",
    ],
)
def test_that_check_sees_what_writes(line: str) -> None:
    assert writers(ast.parse(line))
    assert not writers(ast.parse("told.update(last)\nself.digest.update(line)"))


DOORS = {"views", "api", "commands", "tasks.py"}


def inner_steps(tree: ast.AST) -> set[str]:
    """Names with `_` that are reached for in a room of actions: imported from a module there, or taken from one."""
    modules, found = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and "actions" in (node.module or "").split("."):
            found |= {alias.name for alias in node.names if alias.name.startswith("_")}
            modules |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module in APPS:
            modules |= {alias.asname or alias.name for alias in node.names if alias.name == "actions"}
        elif isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name for alias in node.names if "actions" in alias.name.split(".")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            whole = ast.unparse(node.value)
            found |= {f"{whole}.{node.attr}" for module in modules if whole == module or whole.startswith(f"{module}.")}
    return found


def is_door(path: Path) -> bool:
    names = {"management", "doors.py", "authentication.py"}
    return bool((DOORS | names) & set(path.parts)) or path.is_relative_to(ROOT / "config")


@pytest.mark.parametrize("path", [path for path in ALL if is_door(path)], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_door_reaches_for_a_step_that_trusts_its_caller(path: Path) -> None:
    """Every action asks for permission itself; its inner steps, which do not, begin with `_`."""
    assert inner_steps(ast.parse(path.read_text(encoding="utf-8"))) == set()


# Of the machinery, which trusts its caller: what a door may use of it. Jobs are done, watched and swept by doors.
MACHINERY = {
    "log": set(),
    "bell": set(),
    "running": {"Result", "Run", "work_here", "work_on"},
    "sweeping": {"give_back", "say_alive", "sweep"},
}


@pytest.mark.parametrize("path", [path for path in ALL if is_door(path)], ids=lambda path: str(path.relative_to(ROOT)))
def test_doors_use_of_the_machinery_what_does_jobs_only(path: Path) -> None:
    """No door writes an event, locks a row or claims a job by itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("annotator.actions"):
            module = (node.module or "").removeprefix("annotator.actions").strip(".")
            taken = {alias.name for alias in node.names}
            may = MACHINERY.get(module, taken - MACHINERY.keys() if not module else taken)
            assert taken <= may, (path, taken - may)


@pytest.mark.parametrize(
    "line",
    [
        "from annotator.actions.people import _add_member",
        "from annotator.actions import people\npeople._add_member()",
        "from annotator import actions\nactions.people._add_member()",
        "import annotator.actions.people as people\npeople._add_member()",
        "import annotator.actions.people\nannotator.actions.people._add_member()",
        "def late():\n    from exports.actions import _write",
    ],
)
def test_that_check_sees_every_way_to_reach(line: str) -> None:
    assert inner_steps(ast.parse(line))


def states_written(tree: ast.AST) -> list[int]:
    """Lines that write a job's state: `state=` in a call that writes rows, or "state" among changes."""
    found = []
    for node in ast.walk(tree):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if is_call and node.func.attr in {"update", "create", "update_or_create", "bulk_update", "move", "write"}:  # type: ignore[attr-defined]
            found += [keyword.value.lineno for keyword in node.keywords if keyword.arg == "state"]  # type: ignore[attr-defined]
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"Job", "setattr", "dict"}
        ):
            found += [keyword.value.lineno for keyword in node.keywords if keyword.arg == "state"]
            found += [item.lineno for item in node.args if isinstance(item, ast.Constant) and item.value == "state"]
        if isinstance(node, ast.Dict):
            keys = [key for key in node.keys if isinstance(key, ast.Constant) and key.value == "state"]
            found += [key.lineno for key in keys]
        if isinstance(node, ast.Assign):
            targets = [item for item in node.targets if isinstance(item, ast.Attribute) and item.attr == "state"]
            found += [item.lineno for item in targets]
    return found


# Each goes by its table of moves: JOB_MOVES, ASSIGNMENT_MOVES, PROJECT_MOVES. The second set only shows a state.
STATE_WRITERS = {
    "annotator/models/jobs.py",
    "annotator/actions/jobs.py",
    "annotator/actions/assignments.py",
    "annotator/actions/projects.py",
    "annotator/actions/importing/voices.py",  # assignments that come in submitted
    "exports/actions/releasing.py",  # releases, by RELEASE_MOVES
    "exports/actions/runs.py",  # runs of systems: scored or refused, once
    "exports/models/webhooks.py",  # messages, by DELIVERY_MOVES
}
STATE_SHOWN = {
    "annotator/api/document.py",
    "annotator/queries/own_data.py",
    "annotator/serializers/assignments.py",
    "annotator/views/setup/trial.py",  # of a stand-in, which is in no table
    "config/management/commands/jobs.py",
    "exports/queries/documents.py",
    "exports/queries/webhooks.py",
    "exports/views/runs.py",
}


def test_a_jobs_state_is_written_in_one_place() -> None:
    """JOB_MOVES is the truth: `JobQuerySet.move` and `_move_job` ask it, and nobody else writes a state of a job."""
    found = {str(path.relative_to(ROOT)) for path in ALL if states_written(ast.parse(path.read_text(encoding="utf-8")))}

    assert found - STATE_SHOWN == STATE_WRITERS
    for name in ("annotator/models/jobs.py", "annotator/actions/jobs.py"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert len(states_written(ast.parse(text))) == 1, name
        assert "JOB_MOVES" in text


@pytest.mark.parametrize(
    "line",
    [
        "Job.objects.filter(pk=1).update(state='done')",
        "write(job, 'job.done', by=None, changes={'state': 'done'})",
        "job.state = JobState.DONE",
        "Job.objects.bulk_create([Job(state='done')])",
        "Job.objects.update(**dict(state='done'))",
        "setattr(job, 'state', 'done')",
    ],
)
def test_that_check_sees_every_way_to_write_a_state(line: str) -> None:
    assert states_written(ast.parse(line))


@pytest.mark.parametrize(
    ("heading", "moves"),
    [
        ("Assignment", ASSIGNMENT_MOVES),
        ("Project", PROJECT_MOVES),
        ("Job", JOB_MOVES),
        ("Message to a webhook", DELIVERY_MOVES),
    ],
)
def test_the_diagrams_are_made_from_the_tables(heading: str, moves: dict) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

    assert f"### {heading}\n\n```mermaid\n{mermaid(moves)}\n```\n" in text


def test_no_template_says_by_itself_how_long_a_text_may_be() -> None:
    """`annotator/domain/lengths.py` names it; a form or a view hands it down."""
    digits = re.compile(r"maxlength\s*=\s*[\"']?\d")
    found = [str(path) for path in ROOT.glob("templates/**/*.html") if digits.search(path.read_text(encoding="utf-8"))]

    assert digits.search('<input maxlength="200">')
    assert found == []


def test_no_file_names_a_registry_or_a_folder_of_one_machine() -> None:
    words = ["index" + "-url", "pypi" + ".org", "registry.npm" + "js"]
    for path in [*ALL, *ROOT.glob("*.lock"), *ROOT.glob("*.toml"), *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        text = path.read_text(encoding="utf-8").replace("--no-emit-" + "index-url", "")
        assert not [word for word in words if word in text], path


def test_the_table_of_limits_is_what_the_code_says() -> None:
    """`python -m tests.limits` writes it anew."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

    assert f"{limits.BEGIN}\n{limits.table()}\n{limits.END}" in text
