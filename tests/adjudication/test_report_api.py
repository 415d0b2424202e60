"""The JSON doors of merges, targets, reports and pairs: the same figures as the commands', page by page."""

import json
from typing import Any

import pytest
from django.utils import timezone

from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.models import AgreementReport, Merge, Target
from annotator.actions.people import change_roles
from annotator.models import Job, Passage
from tests.adjudication.conftest import submit
from tests.annotator.test_commands import run
from tests.document import CheckedClient
from tests.factories import TEXTS, Cast, mark

HERE = "/api/v1/projects/essays"


@pytest.fixture
def measured(three: Cast) -> Cast:
    merge_project(three.project, by=three.lead)
    measure_agreement(three.project, by=three.lead, settings=agreement_settings(three.project))
    return three


def asked(cast: Cast, address: str, *, name: str = "adjudicator", body: Any = None, status: int = 200) -> Any:
    """Every answer is held against the published document."""
    client = CheckedClient()
    client.force_login(cast.person(name))
    sent = client.get(address) if body is None else client.post(address, json.dumps(body), "application/json")
    assert sent.status_code == status, sent.content
    return sent.json()


def all_of(cast: Cast, address: str | None) -> list[dict[str, Any]]:
    rows, seen = [], set()
    while address is not None:
        assert address not in seen
        seen.add(address)
        found = asked(cast, address)
        assert len(found["results"]) == 1
        rows += found["results"]
        address = found["next"]
    return rows


def test_a_merge_with_all_its_targets_one_to_a_page(measured: Cast) -> None:
    [row] = asked(measured, f"{HERE}/merges")["results"]
    merge = Merge.objects.get()

    told = run("merge", "essays")

    assert (row["uuid"], row["is_current"]) == (str(merge.uuid), True)
    assert {name: row[name] for name in ("input", "signature", "targets", "kept", "votes", "answers")} == {
        name: told[name] for name in ("input", "signature", "targets", "kept", "votes", "answers")
    }
    assert asked(measured, f"{HERE}/merges/{merge.uuid}") == row
    targets = all_of(measured, f"{HERE}/merges/{merge.uuid}/targets?limit=1")
    assert [(target["quote"], target["annotators"]) for target in targets] == list(
        Target.objects.in_order().values_list("quote", "annotators")
    )
    kept = all_of(measured, f"{HERE}/merges/{merge.uuid}/targets?limit=1&kept=yes")
    assert kept == [target for target in targets if target["annotators"] >= 2]
    assert 0 < len(kept) < len(targets)


def test_the_targets_of_a_passage_are_those_of_the_current_merge(measured: Cast) -> None:
    [line] = asked(measured, f"{HERE}/merges")["results"]
    everything = asked(measured, f"{HERE}/merges/{line['uuid']}/targets")["results"]
    for passage in measured.project.passages.all():
        here = f"{HERE}/passages/{passage.uuid}/targets"

        found = asked(measured, here)["results"]

        assert found == [target for target in everything if target["passage"] == passage.external_id]
        assert asked(measured, f"{here}?kept=yes")["results"] == [target for target in found if target["is_kept"]]
    Passage.objects.filter(pk=passage.pk).update(archived_at=timezone.now())
    asked(measured, here, status=404)


def test_of_a_passage_without_a_merge_there_are_no_targets_yet(three: Cast) -> None:
    uuid = three.project.passages.earliest("pk").uuid

    refused = asked(three, f"{HERE}/passages/{uuid}/targets", status=409)

    assert refused["code"] == "no_merge"


def test_whoever_has_still_to_annotate_a_passage_sees_no_target_of_it(measured: Cast) -> None:
    passage = measured.project.passages.get(external_id="essays-1")
    asked(measured, f"{HERE}/passages/{passage.uuid}/targets")
    change_roles(measured.membership("adjudicator"), by=measured.lead, roles={"adjudicator", "annotator"})

    asked(measured, f"{HERE}/passages/{passage.uuid}/targets", status=404)


def test_a_merge_tells_what_it_changed(measured: Cast) -> None:
    """How many of each kind, as the command prints them; nothing, where there was no merge before."""
    [row] = asked(measured, f"{HERE}/merges")["results"]
    assert row["changes"] == {}
    submit(measured, measured.ann, mark(TEXTS[2], "books", "novels"), passage="essays-3")
    submit(measured, measured.ben, mark(TEXTS[2], "books", "novels"), passage="essays-3")

    told = run("merge", "essays")

    [row] = [row for row in asked(measured, f"{HERE}/merges")["results"] if row["is_current"]]
    assert row["changes"] == {"added": 1, "gone": 0, "kept": 0, "dropped": 0, "moved": 0, "retyped": 0}
    assert {name: told["changes"][name] for name in row["changes"]} == row["changes"]


def test_a_report_is_what_the_command_prints_and_its_pairs_are_passage_by_passage(measured: Cast) -> None:
    [line] = asked(measured, f"{HERE}/agreement")["results"]
    report = AgreementReport.objects.get()

    found = asked(measured, f"/api/v1/agreement/{report.uuid}")

    printed = run("agreement", "essays")
    assert {name: found["result"][name] for name in found["result"]} == {
        name: printed[name] for name in found["result"]
    }
    assert line["pa_det"] == found["pa_det"] == printed["pa_det"]
    for pair in printed["pairs"]:
        rows = all_of(measured, f"/api/v1/agreement/{report.uuid}/pairs/{pair['a']}/{pair['b']}?limit=1")
        assert (len(rows), sum(row["common"] for row in rows)) == (pair["n"], pair["m"])
        shares = [row["common"] / row["either"] if row["either"] else 1.0 for row in rows]
        assert sum(shares) / len(shares) == pytest.approx(pair["pa_det"], abs=1e-12)


def test_a_lead_asks_for_both_and_an_adjudicator_does_not(measured: Cast) -> None:
    for noun, kind in (("merges", "merge"), ("agreement", "agreement")):
        told = asked(measured, f"{HERE}/{noun}", name="lead", body={}, status=202)
        assert Job.objects.get(uuid=told["job"]).kind == kind
        asked(measured, f"{HERE}/{noun}", body={}, status=404)
        asked(measured, f"{HERE}/{noun}", name="ann", body={}, status=404)
    refused = asked(measured, f"{HERE}/agreement", name="lead", body={"people": ["Nobody"]}, status=422)
    assert "Nobody" in json.dumps(refused)
