"""Doors of the API to releases and systems."""

from collections.abc import Callable
from typing import Any

from exports.models import Release, SystemRun
from tests.factories import Cast
from tests.matrix.routes import ASKING, LEADS_API, SEEING_ALL_API, Route, api_of_all, released, with_runs

HERE = "/api/v1"


def of_release(tail: str, allowed: dict[str, dict[str, int]], body: Callable[[Cast], Any] = lambda cast: None) -> Route:
    """About release 1, a draft that was built."""

    def path(cast: Cast) -> str:
        released().path(cast)
        uuid = Release.objects.get(number=1).uuid
        return f"{HERE}/releases/{uuid}{tail}".format(uuid=uuid)

    return Route(path, allowed, body, is_api=True, headers={"If-Match": '"2"'})


def of_runs(path: str, **given: Any) -> Route:
    """About two systems on a release from elsewhere; `{one}` and `{two}` are their ids."""

    def address(cast: Cast) -> str:
        with_runs().path(cast)
        one, two = SystemRun.objects.order_by("pk").values_list("uuid", flat=True)[:2]
        return path.format(one=one, two=two)

    return Route(address, given.pop("allowed", {"GET": SEEING_ALL_API}), is_api=True, **given)


PREDICTIONS = b'{"s1": {"input_words": ["So", "."], "substitute_topk": [[["x", 1, 2], ["zz"]]]}}'

EXPORTS: dict[str, Route] = {
    "api_releases": Route(
        lambda cast: released().path(cast) and f"{HERE}/projects/essays/releases",
        {"GET": SEEING_ALL_API, "POST": ASKING},
        is_api=True,
    ),
    "api_release": of_release("", {"GET": SEEING_ALL_API}),
    "api_release_build": of_release("/build", {"POST": ASKING}),
    "api_release_freeze": of_release("/freeze", {"POST": LEADS_API}, lambda cast: {"ticked": []}),
    # only what is frozen can be withdrawn
    "api_release_withdraw": of_release("/withdraw", {"POST": {**LEADS_API, "lead": 409}}, lambda cast: {"why": "So."}),
    "api_release_drop": of_release("/drop", {"POST": LEADS_API}),
    "api_release_file": of_release("/files/release.zip", {"GET": SEEING_ALL_API}),
    "api_releases_compared": of_release("/compare/{uuid}", {"GET": SEEING_ALL_API}),
    "api_export": api_of_all("export?format=sws", GET=LEADS_API),
    "api_runs": of_runs(
        f"{HERE}/projects/essays/runs",
        allowed={"GET": SEEING_ALL_API, "POST": ASKING},
        body=lambda cast: PREDICTIONS,
        content_type="application/octet-stream",
        query={"POST": "?system=spare"},
    ),
    "api_run": of_runs(f"{HERE}/runs/{{one}}"),
    "api_run_errors": of_runs(f"{HERE}/runs/{{one}}/errors"),
    "api_runs_against": of_runs(f"{HERE}/runs/{{one}}/against/{{two}}"),
    "api_leaderboard": of_runs(f"{HERE}/projects/essays/leaderboard"),
    "api_sentences": of_runs(f"{HERE}/projects/essays/sentences/1/test"),
}
