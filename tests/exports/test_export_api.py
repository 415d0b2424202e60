"""The export by the API: the bytes that the command writes."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage
from adjudication.models import Double
from annotator.actions.people import add_member
from exports.queries import exporting
from tests.adjudication.test_deciding import passage_of
from tests.conftest import nothing_written
from tests.exports.systems import client_of
from tests.exports.test_releasing import frozen
from tests.factories import TEXT, Cast, make_user

pytestmark = pytest.mark.slow

HERE = "/api/v1/projects/essays/export"


def asked(cast: Cast, query: str) -> Any:
    client = client_of(cast.lead)
    with nothing_written():
        return client.get(f"{HERE}?{query}")


@pytest.mark.parametrize(
    ("query", "name", "given"),
    [
        ("format=sws", "essays.json", {"format": "sws"}),
        ("format=sws&decisions=no", "essays.json", {"format": "sws", "without_decisions": True}),
        ("format=sws&split=test", "essays-test.json", {"format": "sws", "split": "test"}),
        ("format=assay", "essays.jsonl", {"format": "assay"}),
    ],
)
def test_it_is_what_the_command_writes(decided: Cast, tmp_path: Path, query: str, name: str, given: Any) -> None:
    frozen(decided)
    call_command("export", "essays", out=tmp_path / "x", **given)

    answer = asked(decided, query)

    assert b"".join(answer.streaming_content) == (tmp_path / "x").read_bytes()
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "bad_filter"),
        ("format=xml", 400, "bad_filter"),
        ("format=sws&split=test", 422, "invalid"),
        ("format=sws&decisions=some", 400, "bad_filter"),
        ("format=sws&out=/etc/passwd", 400, "unknown_filter"),
    ],
)
def test_bad_words_are_refused(decided: Cast, query: str, status: int, code: str) -> None:
    answer = asked(decided, query)

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_without_a_merge_there_is_no_gold(cast: Cast) -> None:
    answer = asked(cast, "format=sws")

    assert (answer.status_code, answer.json()["code"]) == (409, "no_merge")
    assert asked(cast, "format=assay").status_code == 200


def test_targets_off_the_borders_of_tokens_are_left_out_only_where_that_is_said(decided: Cast) -> None:
    tokens = [[0, 1], [2, len(TEXT)]]
    decided.project.passages.filter(external_id="essays-1").update(tokens=tokens)

    refused = asked(decided, "format=sws")

    assert (refused.status_code, refused.json()["code"]) == (409, "off_tokens")
    assert "essays-1 [" in refused.json()["detail"]
    assert asked(decided, "format=sws&off_tokens=leave_out").status_code == 200


def test_what_would_take_minutes_is_refused(decided: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "MOST_ANSWERS", 3)

    answer = asked(decided, "format=assay")

    assert (answer.status_code, answer.json()["code"]) == (409, "too_much")
    assert "Make a release" in answer.json()["detail"]


def test_a_full_disk_is_said(decided: Cast, settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings.DATA_DIR = tmp_path / "file" / "nowhere"

    answer = asked(decided, "format=assay")

    assert (answer.status_code, answer.json()["code"]) == (409, "disk_full")


def test_nothing_of_it_stays_on_the_disk(decided: Cast, settings: Any) -> None:
    before = sorted(settings.DATA_DIR.rglob("*"))

    answer = asked(decided, "format=assay")

    assert sorted(settings.DATA_DIR.rglob("*")) == before
    assert b"".join(answer.streaming_content)


@pytest.mark.parametrize("says", ["decides", "talks"])
def test_what_one_of_two_says_blind_to_the_other_is_not_exported(decided: Cast, says: str) -> None:
    eve = make_user("eve")
    add_member(decided.project, user=eve, by=decided.lead, roles={"adjudicator"})
    passage = passage_of(decided, "essays-3")
    Double.objects.create(passage=passage)
    assert asked(decided, "format=assay").status_code == 200
    if says == "talks":
        add_comment(passage, by=eve, text="Eve's word")
    else:
        decide_passage(passage, by=eve, version=0, act=uuid4(), content={"verdict": "settled"})

    answer = asked(decided, "format=assay")

    assert (answer.status_code, answer.json()["code"]) == (409, "settled_by_two")
