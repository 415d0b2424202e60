"""Systems: predictions sent in, and scored by a job."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from annotator import uploads
from annotator.actions.people import add_member
from annotator.actions.running import work_on
from annotator.domain.errors import Conflict, Invalid
from annotator.models import Event, Job, User
from exports.actions.foreign import import_gold
from exports.actions.releasing import withdraw_release
from exports.actions.runs import SCORE, measure_system, submit_run
from exports.domain.predictions import read_predictions
from exports.domain.runs import System
from exports.domain.scoring import score_sws
from exports.models import Release, RunSentence, SystemRun
from exports.queries.runs import gold_of, type_names
from tests.annotator.test_commands import run as command
from tests.conformance.data import SWS
from tests.exports.systems import client_of, files, kept, predictions, scored
from tests.exports.test_releasing import DAY, frozen
from tests.factories import Cast, make_user

pytestmark = pytest.mark.slow


def test_the_scores_are_the_scorers(decided: Cast) -> None:
    """On a release of our own, which tells who marked what."""
    released = frozen(decided)
    run = scored(released, decided.lead)

    sentences = gold_of(released, "test")
    given = read_predictions(json.dumps(predictions(released)).encode(), sentences)
    assert run.scores == json.loads(json.dumps(score_sws(sentences, given, type_names=type_names(released))))
    assert (run.state, run.errors, files()) == ("scored", [], [f"{run.uuid}.json"])
    assert run.counts["targets_by_annotators"] == {
        index: sum(target.annotators == int(index) for row in sentences for target in row.targets)
        for index in run.counts["targets_by_annotators"]
    }
    assert [event.kind for event in Event.objects.of(run)] == ["run.submitted", "run.scored"]


@pytest.mark.parametrize("name", ["A", "C"])
def test_official_scores_to_the_ninth_decimal_through_an_upload(cast: Cast, name: str) -> None:
    """The authors' validation set as a release of its own, and their script's figures."""
    official = SWS.load(f"sws_eval_pred_{name}.official_scores.json")
    with SWS.path("sws_eval.json").open("rb") as source:
        file = ("validation", "sws_eval.json", uploads.keep(source))
    import_gold(cast.project, by=cast.lead, files=[file], date=DAY)
    client = client_of(cast.lead)
    with SWS.path(f"sws_eval_pred_{name}.json").open("rb") as source:
        response = client.post("/p/essays/runs/new", {"file": source, "system": name, "split": "validation"})
    [job] = Job.objects.filter(kind="score_run")
    work_on(job.pk, SCORE.work, worker="w")

    told = client.get(response["Location"] + ".json").json()["scores"]

    assert len(official) >= 15
    for key, value in official.items():
        assert told[key] == pytest.approx(value, abs=1e-9), key
    assert "200 passages, 1,440 targets" in client.get("/p/essays/runs").content.decode()


def test_what_does_not_fit_is_named_by_sentence_all_at_once(released: Release, maker: User) -> None:
    data = predictions(released)
    ids = list(data)
    data[ids[0]]["substitute_topk"] = [[["x", 3, 300], ["a"]]]
    data[ids[1]] = {"input_words": []}
    del data[ids[2]]
    data["of another set"] = {}

    run = measure_system(released, by=maker, split="test", system=System("quill"), file=kept(data))

    assert (run.state, run.scores, run.counts["problems"]) == ("refused", {}, 3)
    assert (run.counts["extra_ids"], run.counts["extra_named"]) == (1, ["of another set"])
    assert [problem["path"] for problem in run.errors] == ids[:3]
    assert "[3, 300] is no span of" in run.errors[0]["message"]
    assert files() == []
    shown = client_of(maker).get(f"/p/essays/runs/{run.uuid}").content.decode()
    assert "3 problems in the file" in shown
    assert "it is missing from the predictions" in shown
    again = measure_system(released, by=maker, split="test", system=System("quill"), file=kept(data))
    assert (again.pk, files()) == (run.pk, [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[]", "one object"),
        ('{"a": NaN}', "NaN"),
        ("[" * 30 + "]" * 30, "deep"),
        ('{"a": 1, "a": 2}', "twice"),
        ("\xff\xfe", "JSON"),
    ],
)
def test_what_is_no_file_of_predictions_is_refused(released: Release, maker: User, text: str, says: str) -> None:
    run = measure_system(released, by=maker, split="test", system=System("quill"), file=kept(text))

    assert run.state == "refused"
    assert says in run.errors[0]["message"]
    assert not RunSentence.objects.exists()


def test_the_same_file_on_the_same_split_is_one_run(released: Release, maker: User, cast: Cast) -> None:
    one = scored(released, maker)

    assert scored(released, maker, "another name").pk == one.pk
    body = {"file": SimpleUploadedFile("p.json", json.dumps(predictions(released)).encode()), "split": "test"}
    sent = client_of(maker).post("/p/essays/runs/new", {**body, "system": "another name"}, follow=True)
    assert "sent before, as “quill”: it is one run" in sent.content.decode()
    assert scored(released, maker, split="validation").pk != one.pk
    assert sorted(files()) == sorted(f"{run.uuid}.json" for run in SystemRun.objects.all())
    other = make_user("other")
    add_member(cast.project, user=other, by=cast.lead, roles={"submitter"})
    with pytest.raises(Conflict, match="by somebody else"):
        scored(released, other)


def test_a_row_on_the_leaderboard_is_its_makers(released: Release, maker: User, cast: Cast) -> None:
    scored(released, maker, "Quill")
    other = make_user("other")
    add_member(cast.project, user=other, by=cast.lead, roles={"submitter"})

    with pytest.raises(Conflict, match="Somebody else's system is called “quill” here"):
        scored(released, other, "quill", right=False)
    assert scored(released, cast.lead, "Quill", right=False).state == "scored"
    assert len(files()) == 2


def test_only_what_is_frozen_takes_runs(released: Release, maker: User, cast: Cast) -> None:
    with pytest.raises(Invalid, match="it has validation, test"):
        submit_run(released, by=maker, split="dev", system=System("quill"), file=kept({}))
    withdraw_release(released, by=cast.lead, version=released.version, why="A wrong file.")
    with pytest.raises(Conflict, match="Release 1 is withdrawn"):
        submit_run(released, by=maker, split="test", system=System("quill"), file=kept({}))
    assert (files(), SystemRun.objects.count()) == ([], 0)
    assert "Release 1 is withdrawn:" in client_of(maker).get("/p/essays/runs").content.decode()


def test_there_is_an_end_to_the_files_of_a_day(
    released: Release,
    maker: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exports.actions.runs.MOST_RUNS_A_DAY", 2)
    scored(released, maker)
    scored(released, maker, skip=1)

    with pytest.raises(Conflict, match="within a day"):
        scored(released, maker, right=False)
    assert len(files()) == 2


def test_too_large_is_refused_and_leaves_nothing(
    released: Release, maker: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exports.views.runs.MAX_PREDICTIONS", 1000)
    file = SimpleUploadedFile("p.json", b" " * 5000)

    response = client_of(maker).post("/p/essays/runs/new", {"file": file, "system": "quill", "split": "test"})

    assert (response.status_code, files(), SystemRun.objects.count()) == (413, [], 0)


def test_other_tokens_and_other_texts_are_scored_and_told(released: Release, maker: User) -> None:
    data = predictions(released)
    for entry in list(data.values())[:2]:
        entry["input_words"] = ["other", "words"]
    data["s10"]["substitute_topk"][0][0][0] = "elsewhere"

    run = measure_system(released, by=maker, split="test", system=System("quill"), file=kept(data))

    assert (run.state, run.counts["other_words"], run.counts["other_texts"]) == ("scored", 2, 1)
    shown = client_of(maker).get(f"/p/essays/runs/{run.uuid}").content.decode()
    assert "In 2 sentences input_words are not the tokens of the release" in shown
    assert "1 span bears another text" in shown


def test_killed_in_the_middle_it_is_scored_once(released: Release, maker: User) -> None:
    """What a worker had written of it before it died is written anew, not twice."""
    run = submit_run(released, by=maker, split="test", system=System("quill"), file=kept(predictions(released, skip=1)))
    RunSentence.objects.create(
        run=run, number=0, external_id="x", content={}, missed=1, spurious=0, other=0, missed_weight=1,
        spurious_weight=0, other_weight=0,
    )  # fmt: skip
    assert run.job is not None

    work_on(run.job.pk, SCORE.work, worker="w")
    work_on(run.job.pk, SCORE.work, worker="w")

    run.refresh_from_db()
    assert run.state == "scored"
    assert not RunSentence.objects.filter(external_id="x").exists()
    assert RunSentence.objects.count() == run.counts["sentences"]["missed"]


def test_the_command_scores_and_says_what_is_wrong(released: Release, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(predictions(released)))
    bad.write_text("{}")

    told = command("submit_run", "essays", str(good), system="quill")

    assert told["split"] == "test"
    assert told["f_e2e_05"] == SystemRun.objects.get().scores["f_e2e_05"]
    with pytest.raises(CommandError, match=r"missing from the predictions.*Nothing was scored"):
        call_command("submit_run", "essays", str(bad), system="quill")
    for given, reason in (({"release": 4}, "no release 4"), ({"split": "dev"}, "it has validation, test")):
        with pytest.raises(CommandError, match=reason):
            call_command("submit_run", "essays", str(good), system="quill", **given)
