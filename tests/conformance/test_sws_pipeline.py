"""The whole way by the commands: import, merge, agreement, export, score, on real sentences."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Q

from adjudication.models import PassageResult
from tests.annotator.test_commands import run
from tests.conformance.data import SWS
from tests.kept import once


@pytest.fixture
def ten(db: None) -> None:
    once(_import)


def _import() -> None:
    run("create_project", "ten", "--protocol=sws", "--lead=lead@example.com")
    assert run("import_passages", "ten", str(SWS.path("ten_annotators/passages.jsonl")))["imported"] == 200
    done = run("import_annotations", "ten", str(SWS.path("ten_annotators/annotations.csv")))
    assert (done["imported"], done["voices"]) == (2000, 10)


def test_import_merge_export_gives_back_the_release(ten: None, tmp_path: Path) -> None:
    out = tmp_path / "gold.json"

    merged = run("merge", "ten")
    run("export", "ten", "--format=sws", f"--out={out}")

    assert (merged["targets"], merged["kept"], merged["least_of"], merged["most_of"]) == (1840, 1440, 10, 10)
    assert json.loads(out.read_text()) == SWS.load("ten_annotators/expected.json")


def test_flags_ask_for_few_passages_and_filters_hold_of_all(ten: None) -> None:
    """A reason to look that holds of every passage is none."""
    run("merge", "ten")
    results = PassageResult.objects.all()

    assert results.count() == 200
    assert results.filter(near__gt=0).count() == results.filter(singles__gt=0).count() == 200
    assert 0 < results.filter(Q(overlaps__gt=0) | Q(variants__gt=0)).count() <= 25


def test_agreement_is_what_plain_sets_give(ten: None) -> None:
    expected = SWS.load("ten_annotators/agreement.json")

    found = run("agreement", "ten", "--shards=3")

    assert found["pa_det"] == pytest.approx(expected["pa_det"], abs=1e-12)
    assert found["pa_sug"] == pytest.approx(expected["pa_sug"], abs=1e-12)
    for row in found["pairs"]:
        assert row["n"] == expected["n"]
        assert row["pa_det"] == pytest.approx(expected["det"][f"{row['a']}|{row['b']}"], abs=1e-12)
        assert row["pa_sug"] == pytest.approx(expected["sug"][f"{row['a']}|{row['b']}"], abs=1e-12)
    low, high = found["intervals"]["pa_det"]
    assert low < found["pa_det"] < high


def test_human_performance_is_the_methods(ten: None) -> None:
    """method.md 6: precision .598 with the filter, .914 without."""
    found = run("agreement", "ten", "--resamples=0")["human_performance"]

    assert round(found["with_filter"]["p_detection"], 3) == 0.598
    assert round(found["without_filter"]["p_detection"], 3) == 0.914


def test_tokens_are_made_as_the_release_has_them(db: None, tmp_path: Path) -> None:
    """method.md 3: all 200 sentences of the validation set."""
    table = tmp_path / "bare.jsonl"
    rows = [json.loads(line) for line in SWS.lines("ten_annotators/passages.jsonl")]
    table.write_text("".join(json.dumps({"id": row["id"], "text": row["text"]}) + "\n" for row in rows))
    run("create_project", "bare", "--protocol=sws", "--lead=lead@example.com")
    run("import_passages", "bare", str(table))
    run("import_annotations", "bare", str(SWS.path("ten_annotators/annotations.csv")))
    run("merge", "bare")

    run("export", "bare", "--format=sws", f"--out={tmp_path / 'gold.json'}")

    assert json.loads((tmp_path / "gold.json").read_text()) == SWS.load("ten_annotators/expected.json")


@pytest.mark.parametrize("name", ["A", "C"])
def test_score_prints_the_official_keys(name: str) -> None:
    gold, pred = SWS.path("sws_eval.json"), SWS.path(f"sws_eval_pred_{name}.json")

    found: dict[str, Any] = run("score", "sws", f"--gold={gold}", f"--pred={pred}")

    for key, expected in SWS.load(f"sws_eval_pred_{name}.official_scores.json").items():
        assert found[key] == pytest.approx(expected, abs=1e-9), key


def test_a_project_scores_as_its_export_does_and_knows_more(ten: None, tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.json", SWS.path("sws_eval_pred_A.json")
    run("merge", "ten")
    run("export", "ten", "--format=sws", f"--out={gold}")

    by_file = run("score", "sws", f"--gold={gold}", f"--pred={pred}")
    by_project = run("score", "sws", "--project=ten", f"--pred={pred}")

    official = list(SWS.load("sws_eval_pred_A.official_scores.json"))
    assert {key: by_project[key] for key in official} == {key: by_file[key] for key in official}
    assert list(by_project["by_type"]) == ["refine-usage", "diversify-expression"]
    assert list(by_project["by_type"].values()) == list(by_file["by_type"].values())
    assert by_file["weighted_acc_detection_annotators"] is by_file["r_detection_by_annotators"] is None
    persons = sorted(map(int, by_project["r_detection_by_annotators"]))
    assert (persons[0], persons[-1] <= 10) == (2, True)
    assert 0 < by_project["weighted_acc_detection_annotators"] < 1


def test_a_release_can_be_imported_as_passages(db: None) -> None:
    run("create_project", "again", "--protocol=sws", "--lead=lead@example.com")

    assert run("import_passages", "again", str(SWS.path("sws_eval.json")))["imported"] == 200
