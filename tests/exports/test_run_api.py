"""Systems by the API: predictions in, figures out, no gold to those who bring systems."""

import json
from typing import Any
from uuid import uuid4

import pytest

from annotator.actions.api_tokens import make_token
from annotator.actions.people import change_roles
from annotator.actions.running import work_on
from annotator.models import Job, User
from exports.actions.releasing import withdraw_release
from exports.actions.runs import SCORE
from exports.domain.runs import FIGURES
from exports.models import Release, SystemRun
from exports.queries.leaderboard import leaderboard, leaderboard_json
from tests.conftest import nothing_written
from tests.document import CheckedClient
from tests.exports.systems import client_of, files, gold, predictions, scored
from tests.exports.test_releasing import frozen
from tests.factories import Cast

pytestmark = pytest.mark.slow

HERE = "/api/v1/projects/essays"
FILE = "application/octet-stream"


def send(user: User, query: str, data: Any, **given: Any) -> Any:
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return client_of(user).generic("POST", f"{HERE}/runs?{query}", body, content_type=FILE, **given)


def get(user: User, tail: str) -> Any:
    client = client_of(user)
    with nothing_written():
        response = client.get(tail if tail.startswith("/") else f"{HERE}/{tail}")
    assert response.status_code == 200, response.content
    return response.json()


def score(answer: Any) -> SystemRun:
    assert answer.status_code == 202, answer.content
    work_on(Job.objects.get(uuid=answer.json()["job"]).pk, SCORE.work, worker="w")
    return SystemRun.objects.get(uuid=answer.json()["run"]["uuid"])


def test_a_submitter_sends_predictions_and_reads_their_figures(released: Release, maker: User) -> None:
    sent = send(
        maker, "system=quill&version=2&url=https://example.org/q&description=Two%0Alines", predictions(released)
    )
    told = sent.json()["run"]
    assert (told["state"], told["split"], told["release"]["number"], told["by"]) == ("waiting", "test", 1, "Maker")
    assert (told["description"], told["url"]) == ("Two\nlines", "https://example.org/q")
    run = score(sent)

    found = get(maker, f"/api/v1/runs/{run.uuid}")

    assert (found["state"], found["scores"], found["counts"]) == ("scored", run.scores, run.counts)
    page = client_of(maker).get(f"/p/essays/runs/{run.uuid}.json").json()
    assert {key: found[key] for key in ("scores", "counts", "state")} == {
        key: page[key] for key in ("scores", "counts", "state")
    }
    assert [row["uuid"] for row in get(maker, "runs")["results"]] == [str(run.uuid)]


def test_the_address_says_what_it_is_for(released: Release, maker: User) -> None:
    sent = send(maker, "system=quill&release=1&split=validation", predictions(released, "validation"))

    assert sent.json()["run"]["split"] == "validation"
    for query in ("system=q&release=2", "system=q&split=dev", "system=q&release=1&split=dev"):
        assert send(maker, query, b"{}").status_code == 404
    assert len(files()) == 1


def test_a_file_that_does_not_fit_is_refused_by_sentence(released: Release, maker: User, cast: Cast) -> None:
    data = predictions(released)
    del data["s5"]
    data["s6"]["substitute_topk"] = [[["x", 0, 99], []]]

    run = score(send(maker, "system=quill", data))

    found = get(maker, f"/api/v1/runs/{run.uuid}")
    assert (found["state"], found["scores"]) == ("refused", {})
    assert [row["path"] for row in found["problems"]] == ["s5", "s6"]
    errors = client_of(cast.lead).get(f"/api/v1/runs/{run.uuid}/errors")
    assert (errors.status_code, errors.json()["code"]) == (409, "not_scored")


@pytest.mark.parametrize(
    ("query", "body", "status", "code"),
    [
        ("version=2", b"{}", 400, "bad_filter"),
        ("system=", b"{}", 400, "bad_filter"),
        (f"system={'x' * 81}", b"{}", 400, "bad_filter"),
        ("system=%20", b"{}", 422, "invalid"),
        ("system=q&url=ftp://x", b"{}", 422, "invalid"),
        ("system=q&colour=red", b"{}", 400, "unknown_filter"),
        ("system=q&release=x", b"{}", 400, "bad_filter"),
        ("system=q&split=T%20", b"{}", 400, "bad_filter"),
        ("system=q", b"", 411, "no_length"),
    ],
)
def test_bad_requests_are_refused_and_nothing_is_kept(
    released: Release, maker: User, query: str, body: bytes, status: int, code: str
) -> None:
    client = client_of(maker)
    with nothing_written():
        sent = client.generic("POST", f"{HERE}/runs?{query}", body, content_type=FILE)

    assert (sent.status_code, sent.json()["code"]) == (status, code)
    assert files() == []


def test_it_is_sent_as_a_file_with_its_length(released: Release, maker: User) -> None:
    path = f"{HERE}/runs?system=q"

    as_json = client_of(maker).generic("POST", path, b"{}", content_type="application/json")
    too_large = client_of(maker).generic("POST", path, b"{}", content_type=FILE, CONTENT_LENGTH="50000001")
    without = client_of(maker).generic("POST", path, b"{}", content_type=FILE, CONTENT_LENGTH="")

    assert [answer.status_code for answer in (as_json, too_large, without)] == [415, 413, 411]
    assert files() == []


def test_the_same_predictions_are_one_run(released: Release, maker: User, cast: Cast) -> None:
    first = send(maker, "system=quill", predictions(released))
    second = send(maker, "system=other", predictions(released))
    others = send(cast.lead, "system=mine", predictions(released))

    assert first.json()["run"]["uuid"] == second.json()["run"]["uuid"]
    assert others.status_code == 202  # a lead sees it
    assert SystemRun.objects.count() == 1


def test_nothing_is_scored_on_what_is_withdrawn(released: Release, maker: User, cast: Cast) -> None:
    withdraw_release(released, by=cast.lead, version=released.version, why="A wrong file.")

    sent = send(maker, "system=quill", b"{}")

    assert (sent.status_code, sent.json()["code"]) == (409, "release_not_frozen")


def test_before_anything_is_frozen_there_is_nothing_to_score_on(cast: Cast, maker: User) -> None:
    for answer in (send(maker, "system=quill", b"{}"), client_of(maker).get(f"{HERE}/leaderboard")):
        assert (answer.status_code, answer.json()["code"]) == (409, "no_release")
    assert (get(maker, "runs"), files()) == ({"results": [], "next": None}, [])


def test_who_brings_systems_sees_no_others_runs_and_no_errors(released: Release, maker: User, cast: Cast) -> None:
    others, own = scored(released, cast.lead, "secret", right=False), scored(released, maker)
    client = client_of(maker)

    board = get(maker, "leaderboard")

    assert {row["system"]: row["run"] for row in board["systems"]} == {"quill": str(own.uuid), "secret": None}
    assert [row["uuid"] for row in get(maker, "runs")["results"]] == [str(own.uuid)]
    for tail in (f"{others.uuid}", f"{own.uuid}/against/{others.uuid}", f"{own.uuid}/errors", f"{uuid4()}"):
        assert client.get(f"/api/v1/runs/{tail}").status_code == 404
    unseen = client.get(f"{HERE}/runs?after={others.uuid}")
    assert (unseen.status_code, unseen.json()["code"]) == (400, "bad_filter")


def test_the_list_goes_back_in_time_and_is_sieved(released: Release, cast: Cast) -> None:
    rows = [scored(released, cast.lead, f"s{n}", skip=n) for n in range(3)]
    other = scored(released, cast.lead, "v", "validation")
    first = get(cast.lead, "runs?limit=3")

    second = get(cast.lead, first["next"])

    told = [row["uuid"] for row in [*first["results"], *second["results"]]]
    assert told == [str(row.uuid) for row in (other, *reversed(rows))]
    assert second["next"] is None
    assert [row["uuid"] for row in get(cast.lead, "runs?split=validation")["results"]] == [str(other.uuid)]
    assert get(cast.lead, "runs?release=7")["results"] == []


def test_the_leaderboard_has_the_figures_of_the_page(decided: Cast) -> None:
    release = frozen(decided)
    for name, skip in (("quill", 0), ("graft", 1)):
        scored(release, decided.lead, name, skip=skip)
    page = json.loads(leaderboard_json(leaderboard(release, "test", by="p_detection")))

    found = get(decided.lead, "leaderboard?release=1&split=test&by=p_detection")

    for kind in ("systems", "people_on_golds_of_the_others"):
        flat = [
            {key: row[key] for key in ("rank", "system", "version", "runs", "run")} | row["figures"]
            for row in found[kind]
        ]
        assert flat == [{key: row[key] for key in flat[0]} for row in page[kind]]
    assert {key: found[key] for key in ("release", "sha256", "split", "sorted_by", "scored")} == {
        key: page[key] for key in ("release", "sha256", "split", "sorted_by", "scored")
    }
    assert set(found["systems"][0]["figures"]) == {figure.key for figure in FIGURES}
    assert client_of(decided.lead).get(f"{HERE}/leaderboard?by=luck").status_code == 400


def test_what_went_wrong_is_told_sentence_by_sentence(released: Release, cast: Cast) -> None:
    run = scored(released, cast.lead, right=False)
    address = f"/api/v1/runs/{run.uuid}/errors"
    first = get(cast.lead, f"{address}?kind=other&limit=4")

    second = get(cast.lead, first["next"])

    rows = [*first["results"], *second["results"]]
    assert [row["sentence"] for row in rows] == ["s5", "s8", "s4", "s7", "s10", "s6", "s9"]  # most votes first
    assert second["next"] is None
    assert rows[0]["text"] == "Word5 and more."
    assert rows[0]["gold"] == [
        {"span": [0, 5], "type": rows[0]["gold"][0]["type"], "suggestions": [{"text": "<b>term</b>", "votes": 3}]},
        {
            "span": [10, 14],
            "type": rows[0]["gold"][1]["type"],
            "suggestions": [{"text": "extra", "votes": 2}, {"text": "further", "votes": 1}],
        },
    ]
    assert rows[0]["system"] == [{"span": [0, 5], "suggestions": ["zzz"]}]
    assert [rows[0][key] for key in ("passage", "missed", "spurious", "other")] == [None, 1, 0, 1]
    assert len(get(cast.lead, address)["results"]) == 7
    assert get(cast.lead, f"{address}?kind=spurious")["results"] == []
    for query in ("kind=odd", "after=x", "after=1"):
        assert client_of(cast.lead).get(f"{address}?{query}").status_code == 400


def test_errors_name_the_passages_of_ones_own_gold(decided: Cast) -> None:
    release = frozen(decided)
    run = scored(release, decided.lead, right=False, skip=9)

    rows = get(decided.adjudicator, f"/api/v1/runs/{run.uuid}/errors?kind=missed")["results"]

    known = {row.external_id: str(row.uuid) for row in decided.project.passages.all()}
    assert rows
    assert all(row["passage"] == known[row["sentence"]] for row in rows)


def test_who_has_passages_still_to_submit_sees_neither_errors_nor_sentences(decided: Cast) -> None:
    release = frozen(decided)
    run = scored(release, decided.lead)
    change_roles(decided.membership("lead"), by=decided.lead, roles={"annotator", "lead"})

    answers = [
        client_of(decided.lead).get(f"/api/v1/runs/{run.uuid}/errors"),
        client_of(decided.lead).get(f"{HERE}/sentences/1/test"),
        client_of(decided.lead).get(f"{HERE}/export?format=sws"),
        send(decided.lead, "system=q", b"{}"),
    ]

    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(409, "still_blind")] * 4
    assert client_of(decided.lead).get(f"/api/v1/runs/{run.uuid}").status_code == 200


def test_two_runs_are_compared_as_on_the_page(released: Release, maker: User) -> None:
    one, two = scored(released, maker), scored(released, maker, "graft", skip=1)

    found = get(maker, f"/api/v1/runs/{one.uuid}/against/{two.uuid}")

    assert (found["one"], found["draws"], found["seed"]) == (str(one.uuid), 10_000, 7)
    row = found["figures"]["r_detection"]
    assert (row["one"], row["two"], row["difference"]) == (1.0, 0.5, 0.5)
    other = scored(released, maker, "v", "validation")
    refused = client_of(maker).get(f"/api/v1/runs/{one.uuid}/against/{other.uuid}")
    assert (refused.status_code, refused.json()["code"]) == (409, "other_split")


def test_the_sentences_of_a_split_come_without_gold(released: Release, maker: User) -> None:
    answer = client_of(maker).get(f"{HERE}/sentences/1/test")

    told = json.loads(b"".join(answer.streaming_content))
    assert told == {name: {**entry, "substitutes": []} for name, entry in gold(4, 7).items()}
    for tail in ("1/dev", "2/test", f"{10**30}/test"):
        assert client_of(maker).get(f"{HERE}/sentences/{tail}").status_code == 404


def by_token(user: User, *scopes: str) -> CheckedClient:
    user = User.objects.get(pk=user.pk)  # its events have gone on
    token = make_token(user, by=user, name="Notebook", scopes=scopes)[1]
    return CheckedClient(HTTP_AUTHORIZATION=f"Bearer {token}")  # type: ignore[arg-type]


def test_a_token_for_scores_opens_figures_and_no_gold(released: Release, cast: Cast) -> None:
    """Of a lead, who could see all of it."""
    run, client = scored(released, cast.lead), by_token(cast.lead, "score")
    files_there = f"/api/v1/releases/{released.uuid}/files"
    open_to_it = [f"/api/v1/runs/{run.uuid}", f"{HERE}/runs", f"{HERE}/leaderboard", f"{HERE}/sentences/1/test"]
    closed = [f"/api/v1/runs/{run.uuid}/errors", f"{HERE}/releases", f"/api/v1/releases/{released.uuid}"]
    closed += [f"{files_there}/test.json", f"{files_there}/release.zip", f"{HERE}/export?format=sws", f"{HERE}/gold"]

    assert [client.get(address).status_code for address in open_to_it] == [200] * 4
    assert {(client.get(address).status_code, client.get(address).json()["code"]) for address in closed} == {
        (403, "scope")
    }
    reader = by_token(cast.lead, "read")
    assert [reader.get(address).status_code for address in closed[:-2]] == [200] * 5
    assert reader.generic("POST", f"{HERE}/runs?system=q", b"{}", content_type=FILE).status_code == 403


def test_predictions_sent_again_with_the_same_key_are_one_run(released: Release, maker: User) -> None:
    client, body = by_token(maker, "score"), json.dumps(predictions(released)).encode()

    def sent(key: str, data: bytes = body, query: str = "system=quill") -> Any:
        headers = {"Idempotency-Key": key}
        return client.generic("POST", f"{HERE}/runs?{query}", data, content_type=FILE, headers=headers)

    first, again, other = sent("a"), sent("a"), sent("a", b'{"s4": {}}')
    assert (first.status_code, again.json(), other.status_code) == (202, first.json(), 422)
    assert again["Idempotency-Replayed"] == "true"
    assert sent("b", query="system=quill&split=dev").status_code == 404  # before it is read
    assert SystemRun.objects.count() == 1
