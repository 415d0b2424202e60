"""How systems score, on pages and in files: who sees what of it."""

import csv
import io
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from adjudication.actions.measuring import agreement_settings, measure_agreement
from annotator.actions.people import change_roles
from annotator.domain.errors import Conflict, NotAllowed
from annotator.models import User
from exports.actions.foreign import import_gold
from exports.actions.runs import measure_system
from exports.domain.runs import FIGURES, System
from exports.management.releases import release_numbered
from exports.models import Release, SystemRun
from exports.queries import runs as queries
from exports.queries.leaderboard import leaderboard, leaderboard_rows
from exports.queries.runs import gold_of
from exports.views.drawing import shown
from tests.exports.systems import client_of, files, gold, kept, predictions, scored
from tests.exports.test_releasing import DAY, frozen
from tests.factories import Cast
from tests.matrix import MATRIX

pytestmark = pytest.mark.slow


def test_what_systems_are_asked_about_is_the_gold_without_its_targets(released: Release, maker: User) -> None:
    told = client_of(maker).get("/p/essays/runs/sentences/1/test.json").json()

    assert told == {name: {**entry, "substitutes": []} for name, entry in gold(4, 7).items()}
    for tail in ("1/dev", "2/test"):
        assert client_of(maker).get(f"/p/essays/runs/sentences/{tail}.json").status_code == 404


def test_gold_of_ones_own_comes_first(decided: Cast) -> None:
    own = frozen(decided)
    file = ("test", "g.json", kept(gold(0, 2)))
    import_gold(decided.project, by=decided.lead, files=[file], date=DAY)
    client = client_of(decided.lead)

    assert f'<a href="?release={own.number}" aria-current="true">' in client.get("/p/essays/runs").content.decode()
    assert "Compare with release" not in client.get(f"/p/essays/releases/{own.number}").content.decode()
    assert release_numbered(decided.project, None) == own


# What somebody reaches who brings systems and nothing else; other pages and doors, and others' runs, are not there.
OF_A_SUBMITTER = {"runs", "run_new", "leaderboard_file", "split_sentences", "project"} | {
    *("healthz", "home", "log_in", "change_password", "open_account", "invitation", "next_work"),
    *("api", "api_problems", "openapi", "api_session", "api_assignments", "guidelines", "guidelines_version"),
    *("api_runs", "api_leaderboard", "api_sentences", "api_projects", "api_project", "api_guidelines"),
    *("account", "account_data", "account_tokens", "first_person"),  # of oneself; of a house that has people already
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


def test_the_board_is_sorted_by_whichever_figure_is_asked_for(released: Release, cast: Cast) -> None:
    """One says little and all of it is right; the other finds everything, and more."""
    data = predictions(released)
    for entry in data.values():
        entry["substitute_topk"].append([["and", 1, 2], ["plus"]])
    scored(released, cast.lead, "sparing", skip=1)
    measure_system(released, by=cast.lead, split="test", system=System("greedy"), file=kept(data))
    client = client_of(cast.lead)

    for by, first, figure in (
        ("f_e2e_05", "sparing", ""),
        ("r_detection", "greedy", "R"),
        ("p_detection", "sparing", "P"),
    ):
        told = client.get(f"/p/essays/runs/leaderboard.json?by={by}").json()
        assert [row["rank"] for row in told["systems"]] == [1, 2]
        assert (told["sorted_by"], told["systems"][0]["system"]) == (by, first)
        page = client.get(f"/p/essays/runs?by={by}").content.decode()
        body = page.split("<tbody>")[1]
        assert (body.index("sparing") < body.index("greedy")) == (first == "sparing")
        [head] = re.findall(r'aria-sort="descending"><a[^>]*>(.*?)</a>', page)
        assert not figure or head == figure
        assert f"by={by}" in re.findall(r'href="([^"]+leaderboard.csv[^"]*)"', page)[0]
        [head, *rows] = csv.reader(io.StringIO(client.get(f"/p/essays/runs/leaderboard.csv?by={by}").content.decode()))
        values = [float(row[head.index(by)]) for row in rows]
        assert values == sorted(values, reverse=True)


def test_spans_without_a_word_are_counted_and_told(released: Release, cast: Cast) -> None:
    data = predictions(released)
    for entry in list(data.values())[:3]:
        entry["substitute_topk"][0][1] = []

    run = measure_system(released, by=cast.lead, split="test", system=System("quill"), file=kept(data))

    assert run.counts["empty_offers"] == 3
    page = client_of(cast.lead).get(f"/p/essays/runs/{run.uuid}").content.decode()
    named = re.findall(r"3 spans without a word: detection only \(in <span[^>]*>(.*?)</span>\)", page)
    assert named == [", ".join(list(data)[:3])]


@pytest.mark.parametrize("is_wrong", [False, True])
def test_sentences_of_another_data_set_are_named(released: Release, cast: Cast, is_wrong: bool) -> None:
    data = predictions(released) | {f"<i>{number}": {} for number in range(1, 22)}
    if is_wrong:
        data[next(iter(data))] = {}

    run = measure_system(released, by=cast.lead, split="test", system=System("quill"), file=kept(data))

    assert run.state == ("refused" if is_wrong else "scored")
    page = client_of(cast.lead).get(f"/p/essays/runs/{run.uuid}").content.decode()
    [named] = re.findall(r"21 entries about other sentences were left aside: <span[^>]*>(.*?)</span> …", page)
    assert named == ", ".join(f"&lt;i&gt;{number}" for number in range(1, 21))


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


def test_the_row_of_a_person_is_the_reports(decided: Cast) -> None:
    """Figures, NDCG and recall by voting index; on own golds, as the page says."""
    report, _ = measure_agreement(
        decided.project, by=decided.lead, settings=agreement_settings(decided.project, resamples=0)
    )
    release = frozen(decided)
    scored(release, decided.lead)
    human = report.result["human_performance"]["with_filter"]

    [told, *_] = leaderboard(release, "test").people
    page = client_of(decided.lead).get(f"/p/essays/runs?release={release.number}&split=test").content.decode()

    assert human["ndcg_4"] is not None
    assert {key: told.figures[key] for key in human if key != "annotators"} == {
        key: value for key, value in human.items() if key != "annotators"
    }
    assert told.recall == human["r_detection_by_annotators"] != {}
    [row] = re.findall(r'<tr class="human">(.*?)</tr>', page, re.DOTALL)[:1]
    assert "<b>A person</b>" in row
    assert "on own golds" in row
    assert [shown(human[figure.key]) for figure in FIGURES] == re.findall(r'<td class="num">([–.\d]+)</td>', row)[:9]
    assert "Recall by voting index 2 to 3" in row
    assert 'class="curve person"' in page
    assert f'<th scope="row">A person</th><td class="num">{shown(human["ndcg_1"])}</td>' in page
    [line] = [row for row in leaderboard_rows(leaderboard(release, "test")) if row["system"] == "A person"][:1]
    assert line["ndcg_4"] == human["ndcg_4"]
    files = {
        kind: client_of(decided.lead).get(f"/p/essays/runs/leaderboard.{kind}").content.decode()
        for kind in ("csv", "tex")
    }
    rows = [row["version"] for row in csv.DictReader(io.StringIO(files["csv"])) if row["system"] == "A person"]
    assert rows == ["on own golds", "on own golds, single votes kept"]
    assert r"\emph{A person on own golds} & " in files["tex"]


def test_a_report_that_did_not_count_ndcg_has_a_row_without(decided: Cast) -> None:
    measure_agreement(decided.project, by=decided.lead, settings=agreement_settings(decided.project, resamples=0))
    release = frozen(decided)
    scored(release, decided.lead)
    for name in ("human", "human_without_filter"):
        told = release.listed["agreement"][name]
        for key in [key for key in told if key.startswith(("ndcg", "r_detection_by"))]:
            del told[key]
    Release.objects.filter(pk=release.pk).update(listed=release.listed)

    page = client_of(decided.lead).get("/p/essays/runs").content.decode()

    [row] = re.findall(r'<tr class="human">(.*?)</tr>', page, re.DOTALL)[:1]
    assert "–" in row
    assert "Recall by voting index" not in row
