"""The client against a real server, with workers: what it does, and what becomes of it when things go wrong."""

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from assay_client import Assay, Failed, Project, Refused, Run, verify

from tests.house import House

pytestmark = [pytest.mark.process, pytest.mark.slow]
WORDS = {"good": ("helpful", "useful"), "big": ("large", "great"), "nice": ("lovely", "pleasant")}
TEXTS = {f"s{n}": f"Number {n}: we had a {word} day." for n, word in enumerate([*WORDS] * 4)}
HEAD = "sentence_id,annotator,word to change,substitutes,type\n"


def passages(texts: dict[str, str] = TEXTS) -> bytes:
    return "".join(["id,text\n", *(f'{name},"{text}"\n' for name, text in texts.items())]).encode()


def answers() -> bytes:
    rows = [
        f"{name},{person},{word},{offers[number % 2]},refine-usage\n"
        for number, person in enumerate(("ada", "ben", "cyd"))
        for name, text in TEXTS.items()
        for word, offers in WORDS.items()
        if f" {word} " in text
    ]
    return (HEAD + "".join(rows)).encode()


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    made = House()
    made.start()
    for email in ("lead@example.org", "other@example.org", "maker@example.org"):
        may = ["--can-create-projects"] if email.startswith("lead") else []
        assert made.command("create_user", email, *may).returncode == 0
    yield made
    made.remove()


def assay_of(house: House, email: str, scopes: str = "lead", **given: Any) -> Assay:
    done = house.command("create_token", email, "--scopes", scopes, "--json")
    assert done.returncode == 0, done.stderr
    return Assay(house.url, json.loads(done.stdout)["token"], **given)


@pytest.fixture(scope="module")
def lead(house: House) -> Assay:
    return assay_of(house, "lead@example.org")


@pytest.fixture(scope="module")
def measured(lead: Assay) -> Project:
    """A project with gold, measured, released: what most stories begin with."""
    project = lead.create_project("Measured", slug="measured")
    project.import_passages(passages(), name="p.csv", progress=False)
    project.import_answers(answers(), name="a.csv", no_row="everyone", progress=False)
    project.open()
    project.merge(progress=False)
    project.measure(progress=False)
    draft = project.draft_release({"validation": 4, "test": 8}, progress=False)
    draft.freeze(ticked=draft.warnings)
    return project


def lose_answer(assay: Assay, monkeypatch: pytest.MonkeyPatch, times: int = 1) -> list[str | None]:
    """The next requests arrive, and their answers do not; the names under which all of them were sent."""
    wire, names = assay._wire, []
    really = wire._opener.open

    def open_(request: Any, timeout: float) -> Any:
        names.append(request.get_header("Idempotency-key"))
        response = really(request, timeout=timeout)
        if len(names) <= times:
            response.close()
            raise ConnectionResetError("the line is cut")
        return response

    monkeypatch.setattr(wire._opener, "open", open_)
    return names


def test_a_project_whose_answer_is_lost_is_made_once(lead: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    names = lose_answer(lead, monkeypatch, times=2)

    made = lead.create_project("Once", slug="once")

    assert made.slug == "once"
    assert len(names) == 3
    assert len(set(names)) == 1
    monkeypatch.undo()
    assert [project.slug for project in lead.projects()].count("once") == 1


def test_a_file_whose_answers_are_lost_comes_in_once(lead: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    project = lead.create_project("Files", slug="files")
    lose_answer(lead, monkeypatch)
    told = []

    done = project.import_passages(
        passages(), name="p.csv", progress=lambda what, now, of: told.append((what, now, of))
    )

    assert (done.state, done.rows) == ("done", len(TEXTS))
    assert len(list(project.imports())) == 1
    assert ("Sending", len(passages()), len(passages())) in told
    assert told[-1] == ("Importing", 100, 100)
    assert sorted(row["external_id"] for row in project.passages()) == sorted(TEXTS)


def test_a_web_server_that_dies_meanwhile_is_waited_for(house: House, lead: Assay) -> None:
    project = lead.create_project("Killed", slug="killed")
    begun = project.import_passages(passages(), name="p.csv", wait=False)

    house.kill_web()

    assert begun.wait(progress=False, timeout=60).rows == len(TEXTS)


def test_a_wrong_file_is_refused_by_line(lead: Assay) -> None:
    project = lead.create_project("Wrong", slug="wrong")

    with pytest.raises(Failed) as failed:
        project.import_passages(passages({"a": "Fine.", "b": ""}), name="p.csv", progress=False)
    with pytest.raises(Refused) as refused:
        project.import_passages(b"x", name="p.pdf", progress=False)

    assert [problem.path for problem in failed.value.problems] == ["line 3"]
    assert refused.value.status == 422


def test_somebody_elses_change_is_not_written_over(lead: Assay) -> None:
    mine = lead.create_project("Changed", slug="changed")
    theirs = lead.project("changed").change(name="Theirs")

    with pytest.raises(Refused) as refused:
        mine.change(name="Mine")

    assert (refused.value.status, refused.value.code) == (412, "stale")
    assert refused.value.stored is not None
    assert theirs.name == "Theirs"
    assert mine.refresh().change(name="Mine").name == "Mine"


def test_jobs_are_listed_and_can_be_looked_at(measured: Project, lead: Assay) -> None:
    jobs = list(measured.jobs())

    assert {"import", "merge", "agreement"} <= {job.kind for job in jobs}
    assert {job.state for job in jobs} == {"done"}
    assert lead.job(jobs[0].uuid).wait(progress=False).percent == 100


def test_figures_are_those_of_the_commands(house: House, measured: Project) -> None:
    report, merge = measured.report(), measured.current_merge()
    printed = json.loads(house.command("agreement", "measured", "--json").stdout)

    assert (report.pa_det, report.pa_sug) == (printed["pa_det"], printed["pa_sug"])
    assert report.rows() == printed["pairs"]
    assert [row["name"] for row in report.rows("annotators")] == ["ada", "ben", "cyd"]
    assert len(list(report.pair("ada", "ben"))) == len(TEXTS)
    assert len(merge.rows(kept=True)) == merge["kept"] == len(TEXTS)
    assert len(list(measured.gold())) == len(TEXTS)


def test_a_release_is_downloaded_whole(house: House, measured: Project, tmp_path: Path) -> None:
    [release] = measured.releases()

    folder = release.download(tmp_path / "release", progress=False)
    zipped = release.download_zip(tmp_path / "release.zip", progress=False)

    assert {"README.md", "manifest.json", "test.json", "validation.json"} <= set(verify(folder))
    assert hashlib.sha256(zipped.read_bytes()).hexdigest() == release.sha256
    inside = {Path(name).name for name in zipfile.ZipFile(zipped).namelist()}
    assert {path.name for path in folder.iterdir()} == inside
    assert (release.state, release.splits) == ("frozen", ["validation", "test"])


def predictions(project: Project) -> dict[str, Any]:
    asked = project.sentences(1, "test")
    return {
        name: {
            "input_words": row["sentence_split"],
            "substitute_topk": [
                [[word, n, n + 1], list(WORDS[word])] for n, word in enumerate(row["sentence_split"]) if word in WORDS
            ],
        }
        for name, row in asked.items()
    }


def test_who_may_only_score_sees_figures_and_never_gold(house: House, measured: Project, lead: Assay) -> None:
    maker = assay_of(house, "lead@example.org", "score")
    project = maker.project("measured")

    run = project.submit("quill", predictions(project), version="1", progress=False).wait(progress=False)

    assert run.state == "scored"
    assert run.scores
    assert [row.uuid for row in project.runs()] == [run.uuid]
    assert [row["system"] for row in project.leaderboard().rows()] == ["quill"]
    for closed in (lambda: list(run.errors()), lambda: list(project.gold()), project.releases, project.merges):
        with pytest.raises(Refused) as refused:
            closed()
        assert (refused.value.status, refused.value.code) == (403, "scope")
    assert {row["sentence"] for row in lead.run(run.uuid).errors("missed")} <= set(predictions(measured))


def test_predictions_that_do_not_fit_name_what_is_wrong(measured: Project) -> None:
    run: Run = measured.submit("broken", {"nobody": {}}, progress=False)

    with pytest.raises(Failed) as failed:
        run.wait(progress=False)

    assert len(failed.value.problems) == 8
    assert "is missing" in failed.value.problems[0].message


def test_a_token_that_opens_nothing_is_one_clear_refusal(house: House, measured: Project) -> None:
    with pytest.raises(Refused) as unknown:
        Assay(house.url, "assay_nothing").projects()
    with pytest.raises(Refused) as stranger:
        assay_of(house, "other@example.org").project("measured")
    with pytest.raises(Refused) as reader:
        assay_of(house, "lead@example.org", "read").project("measured").merge()

    assert [found.value.status for found in (unknown, stranger, reader)] == [401, 404, 403]


def test_the_token_is_in_no_log(house: House, lead: Assay) -> None:
    lead.projects()

    assert not re.search(r"assay_[A-Za-z0-9]{10}", house.log.read_text())
