"""A release, unpacked, in the hands of a stranger: every reader gets the rows, types and counts of the manifest."""

import csv
import json
from pathlib import Path
from typing import Any

import mlcroissant
import pandas
import pytest
from datasets import Dataset, DatasetDict, Features, List, Value, load_dataset

SPLITS = ("test", "validation")
SUGGESTION = {"text": Value("string"), "votes": Value("int64"), "provenance": Value("string")}
TARGET = {
    **dict.fromkeys(("start", "end", "token_start", "token_end", "annotators", "of", "votes"), Value("int64")),
    **dict.fromkeys(("quote", "type", "provenance"), Value("string")),
    "suggestions": List(SUGGESTION),
}
ROW = Features(
    {
        **dict.fromkeys(("id", "split", "group", "lang", "text", "context_before", "context_after"), Value("string")),
        "tokens": List(Value("string")),
        "targets": List(TARGET),
    }
)


def lines(release: Path, split: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (release / f"{split}.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]


def counts(rows: Any) -> dict[str, int]:
    """As the manifest names them."""
    targets = [target for row in rows for target in row["targets"]]
    suggestions = [item for target in targets for item in target["suggestions"]]
    labels = sum(item["votes"] for item in suggestions)
    return {"sentences": len(rows), "targets": len(targets), "suggestions": len(suggestions), "labels": labels}


def told(manifest: Any, split: str) -> dict[str, int]:
    return {name: manifest["splits"][split][name] for name in ("sentences", "targets", "suggestions", "labels")}


def table(release: Path) -> list[dict[str, str]]:
    with (release / "votes.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_what_is_loaded_is_worth_loading(release: Path, manifest: Any) -> None:
    assert sorted(manifest["splits"]) == list(SPLITS)
    assert sum(found["sentences"] for found in manifest["splits"].values()) == 39  # one was discarded
    assert {"null", "NA", "'=1+1", "'=SUM(A1)", "'-ish", "007"} < {row["suggestion"] for row in table(release)}


@pytest.mark.parametrize("split", SPLITS)
def test_each_split_loads_as_json_lines(release: Path, manifest: Any, split: str) -> None:
    found = load_dataset("json", data_files={split: str(release / f"{split}.jsonl")}, split=split)

    assert isinstance(found, Dataset)
    assert found.features == ROW
    assert counts(found.to_list()) == told(manifest, split)
    assert found.to_list() == lines(release, split)


@pytest.mark.parametrize("name", ["release", "bare"])
def test_the_folder_loads_by_the_head_of_its_card(name: str, request: pytest.FixtureRequest) -> None:
    """Also where a split has no target at all: its rows are of the same types as the others'."""
    folder = request.getfixturevalue(name)

    found = load_dataset(str(folder))

    assert isinstance(found, DatasetDict)
    splits = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["splits"]
    assert sorted(found) == sorted(split.replace("-", "_") for split in splits)
    for split in splits:
        assert found[split.replace("-", "_")].features == ROW
        assert found[split.replace("-", "_")].to_list() == lines(folder, split)


@pytest.mark.parametrize("split", SPLITS)
def test_each_split_loads_in_pandas_as_the_guide_says(release: Path, manifest: Any, split: str) -> None:
    found = pandas.read_json(release / f"{split}.jsonl", lines=True, dtype=False)

    assert counts(found.to_dict("records")) == told(manifest, split)
    assert found.to_dict("records") == lines(release, split)


def test_the_table_of_votes_loads_in_pandas(release: Path, manifest: Any) -> None:
    found = pandas.read_csv(release / "votes.csv", dtype={"id": str, "suggestion": str}, keep_default_na=False)

    assert [str(found[name].dtype) for name in ("start", "end", "index", "of", "votes")] == ["int64"] * 5
    assert found["suggestion"].tolist() == [row["suggestion"] for row in table(release)]
    for split in SPLITS:
        own = found[found["split"] == split]
        of_targets = own.groupby(["id", "start", "end"]).ngroups
        assert (len(own), own["votes"].sum(), of_targets) == (
            *(told(manifest, split)[name] for name in ("suggestions", "labels", "targets")),
        )


def test_croissant_has_no_errors_and_gives_every_row(release: Path) -> None:
    """Its reader reads tables as pandas does by itself: an id of digits is a number to it, and “null” is a gap."""
    found = mlcroissant.Dataset(jsonld=str(release / "croissant.json"))

    assert not found.metadata.ctx.issues.errors
    rows = [{name.partition("/")[2]: value for name, value in row.items()} for row in found.records("votes")]
    wanted = table(release)
    assert len(rows) == len(wanted)
    assert [list(row) for row in rows] == [list(row) for row in wanted]
    for name in ("start", "end", "index", "of", "votes"):
        assert [row[name] for row in rows] == [int(row[name]) for row in wanted]
    for name in ("split", "quote", "type", "provenance"):
        assert [row[name].decode() for row in rows] == [row[name] for row in wanted]
    suggested = [(row["suggestion"], told["suggestion"]) for row, told in zip(rows, wanted, strict=True)]
    assert all(own.decode() == said for own, said in suggested if said not in ("null", "NA"))
