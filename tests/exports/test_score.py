"""`score sws` against what a project has merged: figures by persons and by the names of its types."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from adjudication.actions.merging import merge_project
from adjudication.models import Merge
from annotator.models import Project
from tests.annotator.test_commands import run
from tests.exports.test_export import answer
from tests.factories import TEXT, Cast, mark

OFFICIAL = (
    "r_detection_type",
    "acc_recommendation_type",
    "r_e2e_type",
    "r_detection",
    "weighted_acc_detection",
    "p_e2e",
)


@pytest.fixture
def three_types(cast: Cast) -> Cast:
    types = cast.project.protocol_data["types"]
    types.append({**types[0], "key": "shorten", "label": "Shorten", "code": 3, "aliases": []})
    cast.project.save(update_fields=["protocol_data"])
    for user in (cast.ann, cast.ben):
        marks = [mark(TEXT, "uncle", "relative"), mark(TEXT, "very", "so", type="shorten")]
        answer(user, 1, *marks, *([mark(TEXT, "party", "feast")] if user == cast.ann else []))
    merge_project(cast.project, by=cast.lead)
    return cast


@pytest.fixture
def pred(tmp_path: Path) -> Path:
    """Right about “very”, the token from 12 to 13."""
    entry = {"input_words": TEXT.split(), "substitute_topk": [[["very", 12, 13], ["so", "quite"]]]}
    path = tmp_path / "pred.json"
    path.write_text(json.dumps({"essays-1": entry}))
    return path


def test_gold_with_three_types_is_scored_by_project_and_by_file(three_types: Cast, tmp_path: Path, pred: Path) -> None:
    gold = tmp_path / "gold.json"
    run("export", "essays", "--format=sws", f"--out={gold}")

    found = run("score", "sws", "--project=essays", f"--pred={pred}")
    by_file = run("score", "sws", f"--gold={gold}", f"--pred={pred}")

    assert found["by_type"] == {
        "refine-usage": {"targets": 1, "r_detection": 0.0, "acc_recommendation": None, "r_e2e": 0.0},
        "diversify-expression": {"targets": 0, "r_detection": None, "acc_recommendation": None, "r_e2e": None},
        "shorten": {"targets": 1, "r_detection": 1.0, "acc_recommendation": 1.0, "r_e2e": 1.0},
    }
    assert by_file["by_type"] == {
        "1": found["by_type"]["refine-usage"],
        "3": found["by_type"]["shorten"],
    }
    assert {key: found[key] for key in OFFICIAL} == {key: by_file[key] for key in OFFICIAL}
    assert found["r_detection_by_annotators"] == {"2": 0.5}
    assert found["weighted_acc_detection_annotators"] == 0.5
    assert by_file["r_detection_by_annotators"] is None
    assert found["is_up_to_date"] is True


def test_types_that_share_a_number_are_named_together(three_types: Cast, pred: Path) -> None:
    """By the rules of the merge, whatever they are now."""
    Merge.objects.update(types=[["refine-usage", 1], ["diversify-expression", 2], ["shorten", 2]])

    found = run("score", "sws", "--project=essays", f"--pred={pred}")

    assert list(found["by_type"]) == ["refine-usage", "diversify-expression, shorten"]


def test_each_type_has_its_line(three_types: Cast, pred: Path, capsys: Any) -> None:
    call_command("score", "sws", project="essays", pred=pred)

    assert "by_type shorten              targets: 1  r_detection: 1.0000" in capsys.readouterr().out


def test_gold_that_is_out_of_date_is_said_to_be(three_types: Cast, pred: Path, capsys: Any) -> None:
    answer(three_types.ann, 2)

    call_command("score", "sws", project="essays", pred=pred)

    assert "Answers or rules have changed since it was merged" in capsys.readouterr().out


def test_without_a_merge_nothing_is_scored(cast: Cast, pred: Path) -> None:
    with pytest.raises(CommandError, match=r"There is no merge yet: run `manage\.py merge essays`"):
        call_command("score", "sws", project="essays", pred=pred)
    with pytest.raises(CommandError, match="There is no project “nowhere”"):
        call_command("score", "sws", project="nowhere", pred=pred)


def test_targets_off_token_borders_are_named(three_types: Cast, pred: Path) -> None:
    start = TEXT.index("uncle")
    tokens = [[0, 1], [2, start + 5], [start + 6, len(TEXT)]]
    Project.objects.get(slug="essays").passages.filter(external_id="essays-1").update(tokens=tokens)

    with pytest.raises(CommandError, match=r"Nothing was scored.*no spans of tokens: essays-1 \[5, 10\) “uncle”"):
        call_command("score", "sws", project="essays", pred=pred)


@pytest.mark.parametrize("given", [(), ("--gold=a.json", "--project=essays")])
def test_gold_is_a_file_or_a_project(pred: Path, given: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit, match="--gold"):
        call_command("score", "sws", f"--pred={pred}", *given)
