"""What a page shows and what the API tells are the same numbers."""

import csv
import io
from typing import Any

from tests.factories import Cast
from tests.matrix.routes import measured, with_runs

HERE, PAGES = "/api/v1/projects/essays", "/p/essays"


def test_agreement(cast: Cast, client_of: Any) -> None:
    measured(cast, "")
    lead = client_of("lead")
    [line] = lead.get(f"{HERE}/agreement").json()["results"]

    shown, told = lead.get(f"{PAGES}/agreement.json").json(), lead.get(f"/api/v1/agreement/{line['uuid']}").json()

    assert told["result"] == shown
    assert (line["pa_det"], line["pa_sug"]) == (shown["pa_det"], shown["pa_sug"]) == (1.0, 1.0)
    assert f">{shown['pa_det']:.3f}<" in lead.get(f"{PAGES}/agreement").content.decode()


def test_the_leaderboard(cast: Cast, client_of: Any) -> None:
    with_runs().path(cast)
    lead = client_of("lead")

    shown, told = lead.get(f"{PAGES}/runs/leaderboard.json").json(), lead.get(f"{HERE}/leaderboard").json()

    for ours, theirs in zip(shown["systems"], told["systems"], strict=True):
        assert {name: ours[name] for name in theirs["figures"]} == theirs["figures"]
        assert (ours["rank"], ours["system"], ours["run"]) == (theirs["rank"], theirs["system"], theirs["run"])
    run = lead.get(f"/api/v1/runs/{told['systems'][0]['run']}").json()
    assert run["scores"] == lead.get(f"{PAGES}/runs/{run['uuid']}.json").json()["scores"]


def test_the_board(cast: Cast, client_of: Any) -> None:
    measured(cast, "")
    lead = client_of("lead")

    told, page = lead.get(f"{HERE}/board").json(), lead.get(f"{PAGES}/board")
    rows = list(csv.DictReader(io.StringIO(lead.get(f"{PAGES}/board.csv").content.decode())))

    shown = page.context["board"].answers
    assert (told["answers"]["done"], told["answers"]["wanted"]) == (shown.done, shown.wanted) == (2, 8)
    assert sum(int(row["submitted"]) for row in rows) == sum(row["done"] for row in told["people"]) == 2
