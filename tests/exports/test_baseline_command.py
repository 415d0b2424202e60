"""`baseline`: predictions for a file or a project, scored end to end; thesauri that are refused, and why."""

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotator.management.base import Failed
from annotator.models import Passage
from tests.annotator.test_commands import run
from tests.conformance.data import SWS
from tests.exports.thesauri import write_table, write_wordnet
from tests.factories import TEXT, Cast

pytestmark = pytest.mark.slow

GOLD = {
    "s1": {
        "sentence": "My uncle has big houses.",
        "sentence_split": ["My", "uncle", "has", "big", "houses", "."],
        "substitutes": [[[3, 4], {"large": 3, "great": 1}, 1], [[4, 5], {"homes": 2}, 2]],
    }
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "thesaurus.tsv")


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(GOLD))
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "predictions.json"


def test_a_file_is_answered_without_a_database_and_scored(gold: Path, table: Path, out: Path) -> None:
    told = run("baseline", "sws", str(gold), f"--thesaurus={table}", f"--out={out}")
    scored = run("score", "sws", f"--gold={gold}", f"--pred={out}")

    assert json.loads(out.read_text()) == {
        "s1": {
            "input_words": GOLD["s1"]["sentence_split"],
            "substitute_topk": [
                [["uncle", 1, 2], ["relative"]],
                [["big", 3, 4], ["large", "huge"]],
                [["houses", 4, 5], ["homes", "dwellings"]],
            ],
        }
    }
    assert (told["sentences"], told["spans"], told["file"]) == (1, 3, str(out))
    assert hashlib.sha256(table.read_bytes()).hexdigest() in told["signature"]
    assert (scored["r_detection"], scored["acc_recommendation"]) == (1.0, 1.0)


def test_a_project_is_answered_before_anything_is_merged(cast: Cast, table: Path, out: Path) -> None:
    Passage.objects.filter(external_id="essays-2").update(lang="de")

    told = run("baseline", "sws", "essays", f"--thesaurus={table}", f"--out={out}", "--top=1")

    found = json.loads(out.read_text())
    assert list(found) == [f"essays-{number}" for number in range(1, 5)]
    assert found["essays-1"]["input_words"][:3] == [TEXT[0], "My", "uncle"]
    assert [["big", 5, 6], ["large"]] in found["essays-1"]["substitute_topk"]
    assert found["essays-2"]["substitute_topk"] == []
    assert (told["sentences"], "|top:1|" in told["signature"]) == (4, True)


def test_what_is_not_english_is_said(cast: Cast, table: Path, out: Path, capsys: Any) -> None:
    Passage.objects.filter(external_id="essays-2").update(lang="de")

    call_command("baseline", "sws", "essays", thesaurus=table, out=out)

    assert "1 sentence not in English: nothing is said there." in capsys.readouterr().out
    Passage.objects.update(lang="de")
    with pytest.raises(CommandError, match="essays has no English sentences, and the baseline knows English only"):
        call_command("baseline", "sws", "essays", thesaurus=table, out=out)


def test_tokens_that_came_with_a_passage_are_kept(cast: Cast, table: Path, out: Path) -> None:
    start = TEXT.index("big house")
    spans = [[0, 1], [start, start + 9], [start + 9, start + 10]]
    Passage.objects.filter(external_id="essays-1").update(tokens=spans)

    run("baseline", "sws", "essays", f"--thesaurus={table}", f"--out={out}")

    assert json.loads(out.read_text())["essays-1"]["input_words"] == [TEXT[0], "big house", ","]


def test_the_release_is_answered_and_scored_end_to_end(table: Path, out: Path) -> None:
    gold = SWS.path("sws_eval.json")

    told = run("baseline", "sws", str(gold), f"--thesaurus={table}", f"--out={out}")
    scored = run("score", "sws", f"--gold={gold}", f"--pred={out}")

    assert told["sentences"] == scored["sentences"] == 200
    assert told["spans"] == scored["spans"] > 50
    assert scored["p_detection"] > 0.3


def test_without_the_tagger(gold: Path, table: Path, out: Path) -> None:
    told = run("baseline", "sws", str(gold), f"--thesaurus={table}", f"--out={out}", "--no-tagger")

    assert told["spans"] == 3
    assert "|tagger:none|" in told["signature"]


def test_wordnet_and_a_folder_of_tables(gold: Path, table: Path, out: Path, tmp_path: Path) -> None:
    wordnet = write_wordnet(tmp_path / "wordnet", {"a": [("big", "large")], "n": [("uncle",), ("house", "home")]})
    folder = tmp_path / "tables"
    folder.mkdir()
    table.rename(folder / "b.tsv")
    (folder / "a.tsv").write_text("big\ta\tsizeable\n")
    (folder / "readme.txt").write_text("no table")

    by_wordnet = run("baseline", "sws", str(gold), f"--thesaurus={wordnet}", f"--out={out}")
    in_wordnet = json.loads(out.read_text())["s1"]["substitute_topk"]
    by_tables = run("baseline", "sws", str(gold), f"--thesaurus={folder}", f"--out={out}")
    in_tables = json.loads(out.read_text())["s1"]["substitute_topk"]

    assert in_wordnet == [[["big", 3, 4], ["large"]], [["houses", 4, 5], ["homes"]]]
    assert by_wordnet["signature"].endswith("|entries:4|method:3")
    assert in_tables[1] == [["big", 3, 4], ["sizeable", "large", "huge"]]
    printed = subprocess.run("sha256sum *.tsv | sha256sum", shell=True, cwd=folder, capture_output=True, text=True)
    assert printed.stdout.split()[0] in by_tables["signature"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("best", "gold.json"), "There is no baseline for “best”: take sws."),
        (("sws", "gold.json", "--top=0"), "--top is 1 or more."),
        (("sws", "missing.json"), "missing.json cannot be read: No such file or directory."),
        (("sws", "table.tsv.json"), "table.tsv.json: .* Nothing was made."),
        (("sws", "gold.json", "--thesaurus=nowhere.tsv"), "nowhere.tsv cannot be read: No such file or directory."),
        (("sws", "gold.json", "--thesaurus=head.tsv"), "The thesaurus head.tsv has no entries."),
        (("sws", "gold.json", "--thesaurus=nothing"), "nothing holds no thesaurus: neither .tsv files nor WordNet's"),
        (("sws", "gold.json", "--thesaurus=half"), "half lacks files of WordNet: data.adj, index.verb."),
        (("sws", "gold.json", "--thesaurus=hollow"), "The thesaurus hollow has no entries."),
    ],
)
def test_it_refuses_clearly_and_writes_nothing(
    gold: Path, table: Path, out: Path, monkeypatch: Any, words: tuple[str, ...], message: str
) -> None:
    folder = gold.parent
    monkeypatch.chdir(folder)
    (folder / "table.tsv.json").write_bytes(table.read_bytes())
    (folder / "head.tsv").write_text("word\tpos\tsynonym\n")
    (folder / "nothing").mkdir()
    write_wordnet(folder / "hollow", {})
    half = write_wordnet(folder / "half", {"n": [("dog", "hound")]})
    (half / "data.adj").unlink()
    (half / "index.verb").unlink()
    given = words if any(word.startswith("--thesaurus") for word in words) else (*words, f"--thesaurus={table}")

    with pytest.raises(CommandError, match=message):
        call_command("baseline", *given, f"--out={out}")
    assert not out.exists()


def test_a_project_that_is_not_there(cast: Cast, table: Path, out: Path) -> None:
    with pytest.raises(CommandError, match="There is no project “nowhere”"):
        call_command("baseline", "sws", "nowhere", thesaurus=table, out=out)


def test_without_a_thesaurus_there_is_no_baseline(gold: Path, out: Path) -> None:
    with pytest.raises(SystemExit, match="--thesaurus"):
        call_command("baseline", "sws", str(gold), f"--out={out}")


def test_every_problem_of_a_thesaurus_is_named(gold: Path, out: Path, tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "a.tsv").write_text("big\nbig\tx\tlarge\n")
    (folder / "b.tsv").write_bytes(b"big\ta\tgro\xdf\n")

    with pytest.raises(Failed, match="3 problems in the thesaurus; nothing was made") as caught:
        call_command("baseline", "sws", str(gold), thesaurus=folder, out=out)

    said = capsys.readouterr().err
    assert f"{folder / 'a.tsv'}:1: The row has 1 of the three cells" in said
    assert f"{folder / 'a.tsv'}:2: “x” is no part of speech" in said
    assert f"{folder / 'b.tsv'}:1: The line is not UTF-8" in said
    assert [row["line"] for row in caught.value.result["problems"]] == [1, 2, 1]
