"""Systems: predictions sent in, scored by a job, on the leaderboard; who sees what of them."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from annotator import uploads
from annotator.actions.people import add_member, change_roles
from annotator.actions.running import work_on
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.models import Event, Job, User
from exports.actions.foreign import import_gold
from exports.actions.releasing import withdraw_release
from exports.actions.runs import SCORE, measure_system, submit_run
from exports.domain.predictions import read_predictions
from exports.domain.runs import System
from exports.domain.scoring import score_sws
from exports.management.releases import release_numbered
from exports.models import Release, RunSentence, SystemRun
from exports.queries import runs as queries
from exports.queries.runs import gold_of, type_names
from tests.annotator.test_commands import run as command
from tests.conformance.data import SWS
from tests.document import CheckedClient
from tests.exports.test_releasing import DAY, frozen
from tests.factories import Cast, make_user
from tests.test_access import MATRIX

pytestmark = pytest.mark.slow


def gold(start: int, count: int) -> dict[str, Any]:
    """Sentences with two targets each; the first word has one to three votes."""
    return {
        f"s{number}": {
            "sentence": f"Word{number} and more.",
            "sentence_split": [f"Word{number}", "and", "more", "."],
            "substitutes": [[[0, 1], {"<b>term</b>": 1 + number % 3}, 1], [[2, 3], {"extra": 2, "further": 1}, 2]],
        }
        for number in range(start, start + count)
    }


@pytest.fixture
def released(cast: Cast) -> Release:
    files = [("validation", "v.json", kept(gold(0, 4))), ("test", "t.json", kept(gold(4, 7)))]
    return import_gold(cast.project, by=cast.lead, files=files, date=DAY)


@pytest.fixture
def maker(cast: Cast) -> User:
    """Brings systems, and nothing else."""
    found = make_user("maker")
    add_member(cast.project, user=found, by=cast.lead, roles={"submitter"})
    return found


def predictions(release: Release, split: str = "test", *, right: bool = True, skip: int = 0) -> dict[str, Any]:
    """Every target of the gold with its suggestions, best first, but the first `skip`; or one span that is none."""
    found: dict[str, Any] = {}
    for sentence in gold_of(release, split):
        offers = [
            [[" ".join(sentence.tokens[slice(*target.span)]), *target.span], [text for text, _ in target.suggestions]]
            for target in sentence.targets
        ]
        found[sentence.id] = {
            "input_words": list(sentence.tokens),
            "substitute_topk": offers[skip:] if right else [[["x", 0, 1], ["zzz"]]],
        }
    return found


def kept(data: Any) -> uploads.KeptFile:
    text = data if isinstance(data, str) else json.dumps(data)
    return uploads.keep(io.BytesIO(text.encode()))


def scored(release: Release, by: User | None, name: str = "quill", split: str = "test", **given: Any) -> SystemRun:
    return measure_system(
        release, by=by, split=split, system=System(name), file=kept(predictions(release, split, **given))
    )


def client_of(user: User) -> Client:
    client = CheckedClient()
    client.force_login(user)
    return client


def files() -> list[str]:
    folders = [uploads.folder(), uploads.folder().parent / "files" / "runs"]
    return [path.name for folder in folders if folder.exists() for path in folder.iterdir()]


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

    assert (run.state, run.scores, run.counts) == ("refused", {}, {"problems": 3})
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


def test_what_systems_are_asked_about_is_the_gold_without_its_targets(released: Release, maker: User) -> None:
    told = client_of(maker).get("/p/essays/runs/sentences/1/test.json").json()

    assert told == {name: {**entry, "substitutes": []} for name, entry in gold(4, 7).items()}
    for tail in ("1/dev", "2/test"):
        assert client_of(maker).get(f"/p/essays/runs/sentences/{tail}.json").status_code == 404


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


def test_gold_of_ones_own_comes_first(decided: Cast) -> None:
    own = frozen(decided)
    file = ("test", "g.json", kept(gold(0, 2)))
    import_gold(decided.project, by=decided.lead, files=[file], date=DAY)
    client = client_of(decided.lead)

    assert f'<a href="?release={own.number}" aria-current="true">' in client.get("/p/essays/runs").content.decode()
    assert "Compare with release" not in client.get(f"/p/essays/releases/{own.number}").content.decode()
    assert release_numbered(decided.project, None) == own


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


# What somebody reaches who brings systems and nothing else; other pages and doors, and others' runs, are not there.
OF_A_SUBMITTER = {"runs", "run_new", "leaderboard_file", "split_sentences", "project"} | {
    *("healthz", "home", "log_in", "change_password", "open_account", "invitation", "next_work"),
    *("api", "api_problems", "openapi", "api_session", "api_assignments", "guidelines", "guidelines_version"),
}


def test_who_brings_systems_sees_scores_and_no_gold(released: Release, maker: User, cast: Cast) -> None:
    client = client_of(maker)
    reached = set()
    for name, route in MATRIX.items():
        if "GET" in route.allowed and client.get(route.path(cast)).status_code in (200, 302, 410):
            reached.add(name)

    assert reached == OF_A_SUBMITTER


def test_a_submitter_sees_the_board_and_their_own_runs(released: Release, maker: User, cast: Cast) -> None:
    others = scored(released, cast.lead, "secret", right=False)
    own = scored(released, maker)
    client = client_of(maker)

    board = client.get("/p/essays/runs").content.decode()
    page = client.get(f"/p/essays/runs/{own.uuid}").content.decode()

    assert "secret" in board
    assert str(others.uuid) not in board
    assert client.get(f"/p/essays/runs/{others.uuid}").status_code == 404
    assert client.get(f"/p/essays/runs/{own.uuid}/against/{others.uuid}").status_code == 404
    assert "secret" not in page
    assert "Gold is not shown" in page
    for sentence in gold_of(released, "test"):
        assert sentence.text not in page


def test_who_annotates_too_neither_sends_nor_sees_errors_before_they_are_done(
    released: Release,
    cast: Cast,
) -> None:
    """What predictions score would tell what others said, word by word."""
    run = scored(released, cast.lead, skip=1)
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    client = client_of(cast.lead)

    page = client.get(f"/p/essays/runs/{run.uuid}").content.decode()

    assert "You have passages here still to submit yourself" in page
    assert not any(sentence.text in page for sentence in gold_of(released, "test"))
    with pytest.raises(Conflict, match="still to submit yourself"):
        scored(released, cast.lead, right=False)


def test_a_role_that_could_ask_for_gold_word_by_word_is_remembered(cast: Cast, maker: User) -> None:
    membership = cast.project.memberships.get(user=maker)

    change_roles(membership, by=cast.lead, roles={"annotator"})

    assert cast.project.memberships.get(user=maker).has_seen_all


def test_adjudicators_and_annotators_bring_no_systems(released: Release, cast: Cast) -> None:
    for name in ("adjudicator", "ann"):
        with pytest.raises(NotAllowed):
            scored(released, cast.person(name))
        assert client_of(cast.person(name)).get("/p/essays/runs/new").status_code == 404


def test_the_newest_run_of_each_system_the_best_first(released: Release, cast: Cast) -> None:
    scored(released, cast.lead, "quill", split="validation")
    scored(released, cast.lead, "graft", split="validation", right=False)
    scored(released, cast.lead, "quill", split="validation", skip=1)

    told = client_of(cast.lead).get("/p/essays/runs/leaderboard.json?split=validation").json()

    assert [(row["rank"], row["system"], row["runs"]) for row in told["systems"]] == [(1, "quill", 2), (2, "graft", 1)]
    assert told["scored"] == 3
    newest = SystemRun.objects.filter(system="quill").newest_first()[0]
    assert told["systems"][0]["f_e2e_05"] == newest.scores["f_e2e_05"]
    assert (told["sha256"], told["split"]) == (released.sha256, "validation")
    shown = client_of(cast.lead).get("/p/essays/runs?split=validation").content.decode()
    assert shown.index("quill") < shown.index("graft")
    assert "validation has been scored 3 times for 2 systems" in shown


def test_names_that_a_spreadsheet_or_latex_would_carry_out_are_neutral(released: Release, cast: Cast) -> None:
    scored(released, cast.lead, "=1+1 & 50%_{x}\\")
    client = client_of(cast.lead)

    [_, row, *_] = csv.reader(io.StringIO(client.get("/p/essays/runs/leaderboard.csv").content.decode()))
    tex = client.get("/p/essays/runs/leaderboard.tex").content.decode()

    assert row[1] == "'=1+1 & 50%_{x}\\"
    assert r"=1+1 \& 50\%\_\{x\}\textbackslash{} & " in tex
    assert all(line.startswith("% ") or line.endswith(r" \\") for line in tex.splitlines())


@pytest.mark.parametrize("address", ["?release=2", "?release=x", "?split=dev", "?by=luck"])
def test_what_the_address_names_and_is_not_there_is_not_found(
    released: Release,
    cast: Cast,
    address: str,
) -> None:
    assert client_of(cast.lead).get(f"/p/essays/runs{address}").status_code == 404


def test_two_runs_side_by_side(released: Release, cast: Cast) -> None:
    one = scored(released, cast.lead, "quill", split="validation")
    two = scored(released, cast.lead, "graft", split="validation", right=False)
    elsewhere = scored(released, cast.lead, "quill")
    client = client_of(cast.lead)

    page = client.get(f"/p/essays/runs/{one.uuid}/against/{two.uuid}").content.decode()
    refused = client.get(f"/p/essays/runs/{one.uuid}/against/{elsewhere.uuid}")

    assert "10,000 draws, seed 7" in page
    assert (refused.status_code, "not scored on the same sentences" in refused.content.decode()) == (409, True)


def test_errors_come_heaviest_first_and_page_by_key(
    released: Release,
    cast: Cast,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every sentence once, over as many pages as it takes."""
    monkeypatch.setattr(queries, "PAGE", 2)
    monkeypatch.setattr("exports.views.runs.PAGE", 2)
    run = scored(released, cast.lead, right=False)
    client, address, seen = client_of(cast.lead), f"/p/essays/runs/{run.uuid}?kind=other", []

    for _ in range(4):
        page = client.get(address).content.decode()
        assert "&lt;b&gt;term&lt;/b&gt;" in page
        seen += re.findall(r"<p><b>(s\d+)</b>", page)
        if found := re.search(r'rel="next" href="([^"]+)"', page):
            address = f"/p/essays/runs/{run.uuid}{found[1].replace('&amp;', '&')}"

    assert seen == ["s5", "s8", "s4", "s7", "s10", "s6", "s9"]
    assert found is None
    for nonsense in ("?after=x", "?after=1", "?after=99999999999-1", "?kind=luck"):
        assert client.get(f"/p/essays/runs/{run.uuid}{nonsense}").status_code == 404


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


def test_before_there_is_a_release_the_page_says_what_to_do(cast: Cast) -> None:
    assert "Systems are scored on a frozen release" in client_of(cast.lead).get("/p/essays/runs").content.decode()
    assert client_of(cast.lead).get("/p/essays/runs/new")["Location"] == "/p/essays/runs"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"system": "quill"}, "Choose a file."),
        ({"file": True, "system": ""}, "This field is required"),
        ({"file": True, "system": "quill", "split": "dev"}, "Select a valid choice"),
        ({"file": True, "system": "quill", "url": "ftp://x"}, "begins with http"),
    ],
)
def test_a_form_that_lacks_something_says_so(
    released: Release, maker: User, given: dict[str, Any], says: str, settings: Any
) -> None:
    body: dict[str, Any] = {"split": "test", **given}
    if body.pop("file", False):
        body["file"] = SimpleUploadedFile("p.json", b"{}")

    response = client_of(maker).post("/p/essays/runs/new", body)

    assert response.status_code in (400, 422)
    assert says in response.content.decode()
    assert (files(), SystemRun.objects.count()) == ([], 0)
