"""What `make test` and `make check` run: stages in order, then one summary that hides nothing.

python -m tests.run all | quick | STAGE …
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests import services

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
IN_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")


@dataclass
class Result:
    stage: str
    seconds: float
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reason: str = ""


LONGEST = 600  # seconds for one command: what hangs is a failure, not a run without an end
_aside = threading.local()  # what a stage beside others has said, to be told when it is done


def say(text: str) -> None:
    if hasattr(_aside, "said"):
        _aside.said.append(text)
    else:
        print(text, end="", flush=True)


def command(*words: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run, showing the output as it comes; the exit code and the output."""
    process = subprocess.Popen(
        words,
        cwd=ROOT,
        # Containers often forbid bytecode; here hundreds of processes would compile the same files.
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    limit = threading.Timer(LONGEST, lambda: os.killpg(process.pid, signal.SIGKILL))
    limit.daemon = True
    limit.start()
    lines = []
    assert process.stdout is not None
    for line in process.stdout:
        say(line)
        lines.append(line)
    code = process.wait()
    limit.cancel()
    return code, "".join(lines)


def plain(*words: str) -> tuple[int, int, int]:
    """A command that either passes or fails as one."""
    code, _ = command(*words)
    return (0, 1, 0) if code else (1, 0, 0)


def lint() -> tuple[int, int, int]:
    checks = [
        plain(PYTHON, "-m", "ruff", "check", "--quiet", "."),
        plain(PYTHON, "-m", "ruff", "format", "--check", "--quiet", "."),
        plain(PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"),
    ]
    return sum(c[0] for c in checks), sum(c[1] for c in checks), 0


def types() -> tuple[int, int, int]:
    return plain(PYTHON, "-m", "mypy")


def pytest(*arguments: str, python: str = PYTHON, env: dict[str, str] | None = None) -> tuple[int, int, int]:
    code, output = command(python, "-m", "pytest", "-q", *arguments, env=env)
    counts = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|error|errors|skipped)", output[-400:])}
    failed = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    if IN_CI and counts.get("skipped"):
        say("Skipped tests count as failures under CI=true.\n")
        failed += counts["skipped"]
    return counts.get("passed", 0), failed or (1 if code else 0), counts.get("skipped", 0)


def database_tests(url: str, *, is_first: bool = True) -> tuple[int, int, int]:
    """On the second engine without what it cannot answer otherwise."""
    wanted = "not services and not e2e and not process"
    wanted += "" if is_first else " and not pure and not one_engine"
    wanted += " and not slow" if os.environ.get("TEST_EXAMPLES") == "quick" else ""
    return pytest("-m", wanted, "-n", "2", "--dist", "worksteal", env={"DATABASE_URL": url})


def sqlite() -> tuple[int, int, int]:
    """Those with processes in a run of their own, as the stories of the browser: what hangs is found out sooner."""
    found = [database_tests("")]
    if os.environ.get("TEST_EXAMPLES") != "quick":
        wanted = "process and not services and not e2e"
        found.append(pytest("-m", wanted, "-n", "2", "--dist", "worksteal", env={"DATABASE_URL": ""}))
    one, two, three = (sum(counts) for counts in zip(*found, strict=True))
    return one, two, three


def postgresql() -> tuple[int, int, int]:
    with services.postgresql() as url:
        # Those with processes have databases of their own.
        return database_tests(url, is_first=False)


def workers() -> tuple[int, int, int]:
    with ExitStack() as stack:
        env = {
            "TEST_REDIS_URL": stack.enter_context(services.redis()),
            "TEST_DATABASE_URL": stack.enter_context(services.postgresql()),
        }
        # Much of it is waiting for leases; the files do not meet.
        return pytest("-m", "services", "tests/workers", "-n", "3", "--dist", "loadfile", env=env)


def javascript() -> tuple[int, int, int]:
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "js").rglob("*.test.js"))
    _, output = command(services.node(), "--test", "--test-reporter=spec", *files)
    found = {word: int(n) for word, n in re.findall(r"^ℹ (pass|fail|skipped) (\d+)", output, re.M)}
    return found.get("pass", 0), found.get("fail", 0) or (0 if found.get("pass") else 1), found.get("skipped", 0)


def browser() -> tuple[int, int, int]:
    """In six runs of some minutes: what hangs is found out sooner."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "e2e").glob("test_*.py"))
    env = {"TEST_CHROMIUM": services.chromium()}
    passed, failed, skipped = zip(*(pytest("-m", "e2e", *files[n::6], env=env) for n in range(6)), strict=True)
    return sum(passed), sum(failed), sum(skipped)


def loading() -> tuple[int, int, int]:
    """With the libraries of strangers, in an environment of their own."""
    try:
        python = services.loading_python()
    except subprocess.CalledProcessError as error:
        print(error.stderr)
        return 0, 1, 0
    place = ("-c", "tests/loading/pytest.ini", "--rootdir", "tests/loading", "tests/loading")
    return pytest(*place, python=python, env={"ASSAY_PYTHON": PYTHON})


STAGES: dict[str, Callable[[], tuple[int, int, int]]] = {
    "lint": lint,
    "types": types,
    "javascript": javascript,
    "sqlite": sqlite,
    "postgresql": postgresql,
    "workers": workers,
    "browser": browser,
    "loading": loading,
}
QUICK = ["lint", "types", "javascript", "sqlite"]
ASIDE = {"lint", "types", "javascript"}  # they keep one core busy each; the others keep both


def run_all(names: list[str]) -> list[Result]:
    """In this order, first the small ones side by side."""
    aside = [name for name in names if name in ASIDE]
    with ThreadPoolExecutor(len(ASIDE)) as pool:
        waiting = [pool.submit(run_aside, name) for name in aside]
        for done in as_completed(waiting):
            print(done.result()[1], end="", flush=True)
    return [done.result()[0] for done in waiting] + [run(name) for name in names if name not in ASIDE]


def run_aside(name: str) -> tuple[Result, str]:
    _aside.said = []
    return run(name), "".join(_aside.said)


def run(name: str) -> Result:
    say(f"\n=== {name} " + "=" * (60 - len(name)) + "\n")
    began = time.monotonic()
    try:
        passed, failed, skipped = STAGES[name]()
        return Result(name, time.monotonic() - began, passed, failed, skipped)
    except services.Unavailable as reason:
        missing = (0, 1, 0) if IN_CI else (0, 0, 1)
        return Result(name, time.monotonic() - began, *missing, reason=str(reason))


def main(wanted: list[str]) -> int:
    if wanted == ["quick"]:
        os.environ["TEST_EXAMPLES"] = "quick"
    names = {("all",): list(STAGES), ("quick",): QUICK}.get(tuple(wanted), wanted)
    if unknown := [name for name in names if name not in STAGES]:
        sys.exit(f"There is no stage {unknown[0]!r}: all, quick, {', '.join(STAGES)}.")
    began = time.monotonic()
    results = run_all(names)
    print("\n=== summary " + "=" * 53)
    for result in results:
        verdict = "FAILED" if result.failed else "skipped" if result.reason else "ok"
        counts = f"{result.passed} passed, {result.failed} failed, {result.skipped} skipped"
        print(f"{result.stage:<12} {verdict:<8} {counts:<36} {result.seconds:6.1f} s  {result.reason}")
    print(f"in all {time.monotonic() - began:.0f} s")
    passed, failed, skipped = (sum(getattr(r, key) for r in results) for key in ("passed", "failed", "skipped"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["all"]))
