"""What requests about releases and systems are made up of."""

from dataclasses import dataclass

from schemathesis import Case

from exports.models import Release, SystemRun
from tests.factories import Cast
from tests.matrix.exports import PREDICTIONS
from tests.matrix.routes import released, with_runs

PROJECT = "/api/v1/projects/{slug}"
RELEASE = "/api/v1/releases/{uuid}"
RUN = "/api/v1/runs/{uuid}"
OF_RUNS = (f"{PROJECT}/runs", f"{PROJECT}/leaderboard", f"{PROJECT}/sentences/{{number}}/{{split}}")
CALLS = [
    *((method, f"{PROJECT}/{noun}") for noun in ("releases", "runs") for method in ("GET", "POST")),
    ("GET", RELEASE),
    *(("POST", f"{RELEASE}/{act}") for act in ("build", "freeze", "withdraw", "drop")),
    ("GET", f"{RELEASE}/files/{{name}}"),
    ("GET", f"{RELEASE}/compare/{{other}}"),
    *(("GET", path) for path in OF_RUNS[1:]),
    ("GET", f"{PROJECT}/export"),
    *(("GET", f"{RUN}{tail}") for tail in ("", "/errors", "/against/{other}")),
]
# These take nothing that could be bad.
PLAIN: set[tuple[str, str]] = set()


@dataclass
class There:
    """What a call is about."""

    uuid: str = ""
    other: str = ""
    version: int = 0
    ticked: tuple[str, ...] = ()


def made(cast: Cast, path: str) -> There | None:
    """Nothing where the call is not one of these."""
    if all(path != call for _, call in CALLS):
        return None
    if path in OF_RUNS or path.startswith(RUN):
        with_runs().path(cast)
        one, two = SystemRun.objects.order_by("pk").values_list("uuid", flat=True)[:2]
        return There(str(one), str(two))
    released().path(cast)
    row = Release.objects.get()
    if path.endswith("withdraw"):
        Release.objects.update(state="frozen")
    return There(str(row.uuid), str(row.uuid), row.version, tuple(warning["code"] for warning in row.warnings))


def aim(case: Case, method: str, path: str, there: There) -> None:
    real = {"uuid": there.uuid, "other": there.other, "name": "test.json", "number": 1, "split": "test"}
    case.path_parameters |= {name: value for name, value in real.items() if name in case.path_parameters}
    if path.endswith("freeze"):
        case.headers["If-Match"] = f'"{there.version}"'
        case.body = {"ticked": list(there.ticked)}
    if path.endswith("withdraw"):
        case.body = {"why": "A wrong file."}
    if (method, path) == ("POST", f"{PROJECT}/releases"):
        case.body = {"sizes": [{"split": "test", "size": 1}], "with_pos": False}
    if (method, path) == ("POST", f"{PROJECT}/runs"):
        case.query, case.body = {"system": "spare"}, PREDICTIONS
    if path == f"{PROJECT}/export":
        case.query = {"format": "sws"}
    if path in OF_RUNS[:2] and method == "GET":
        case.query = {}
