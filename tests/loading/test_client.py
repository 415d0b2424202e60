"""The client where there is pandas: reports, targets and the leaderboard as tables."""

import sys
from pathlib import Path
from typing import Any

import pandas
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAIR = {"a": "ada", "b": "ben", "pa_det": 0.5, "n": 2, "pa_sug": None, "m": 0}


@pytest.fixture(autouse=True)
def _the_client_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "client")


def test_a_report_is_a_table_of_pairs_or_of_people() -> None:
    from assay_client import Report

    result = {"pairs": [PAIR, {**PAIR, "b": "cyd"}], "annotators": [{"name": "ada", "passages": 2}]}
    wire: Any = None
    report = Report(wire, {"uuid": "1", "pa_det": 0.5, "pa_sug": None, "result": result})

    pairs, people = report.to_pandas(), report.to_pandas("annotators")

    assert isinstance(pairs, pandas.DataFrame)
    assert list(pairs["b"]) == ["ben", "cyd"]
    assert list(people["passages"]) == [2]
    assert pairs["pa_sug"].isna().all()


def test_the_client_brings_pandas_only_when_it_is_asked_for_a_table() -> None:
    for name in [name for name in sys.modules if name.startswith("assay_client")]:
        del sys.modules[name]
    import assay_client
    import assay_client.thing

    assert not hasattr(assay_client.thing, "pandas")
    assert len(assay_client.thing.data_frame([PAIR])) == 1
