"""Releases: drafted, built, ticked, frozen, withdrawn; the same input gives the same bytes."""

import contextlib
import datetime
import hashlib
import json
import os
import re
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.domain.decisions import CAUSES
from adjudication.models import Merge
from annotator.actions.assignments import discard_assignment, reopen_assignment, save_answer
from annotator.actions.passages import archive_passage
from annotator.actions.projects import add_passages
from annotator.actions.questions import answer_question, ask_question
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Stale
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Event, Passage, Project, Submission
from exports.actions.releasing import (
    build_release,
    change_card,
    draft_release,
    drop_draft,
    freeze_release,
    withdraw_release,
)
from exports.actions.workshop import _held, _workshop
from exports.domain.releases import POS_UP_TO, ReleaseSettings
from exports.models import Card, Release
from exports.queries.examining.chains import WAYS
from exports.queries.examining.projects import examine_project
from exports.queries.gold import GoldInput, GoldRows, gold_measures, merge_to_export
from exports.queries.releases import changed_since_built
from tests.adjudication.conftest import assignment_of, submit
from tests.adjudication.test_deciding import PARTY, passage_of
from tests.conformance.test_sws_pipeline import ten  # noqa: F401 (a fixture)
from tests.exports.systems import client_of
from tests.factories import TEXT, TEXTS, Cast, mark

pytestmark = pytest.mark.slow

DAY = datetime.date(2026, 11, 18)
SETTINGS = ReleaseSettings((("validation", 1), ("test", 3)), seed=7, with_pos=False)


def draft(cast: Cast, **given: Any) -> Release:
    made = draft_release(cast.project, by=cast.lead, date=DAY, settings=SETTINGS, **given)
    return build_release(made, by=cast.lead)


def frozen(cast: Cast, **given: Any) -> Release:
    made = draft(cast, **given)
    ticked = [warning["code"] for warning in made.warnings]
    return freeze_release(made, by=cast.lead, version=made.version, ticked=ticked)


def files_of(release: Release) -> dict[str, bytes]:
    with zipfile.ZipFile(release.path) as bundle:
        return {name.partition("/")[2]: bundle.read(name) for name in bundle.namelist()}


def test_a_release_has_all_its_files_and_their_sums_are_true(decided: Cast) -> None:
    release = frozen(decided)

    found = files_of(release)
    assert sorted(found) == [
        *("README.md", "SHA256SUMS", "answers.jsonl", "croissant.json", "manifest.json"),
        *("test.json", "test.jsonl", "validation.json", "validation.jsonl", "votes.csv"),
    ]
    assert hashlib.sha256(release.path.read_bytes()).hexdigest() == release.sha256
    for line in found["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(found[name]).hexdigest() == digest
    manifest = json.loads(found["manifest.json"])
    assert {item["name"] for item in manifest["files"]} == set(found) - {"manifest.json", "SHA256SUMS"}
    assert manifest["decisions"] == 3
    assert manifest["left_out"] == {"discarded by an adjudicator": 1}
    assert manifest["added"] == [f"essays-1 [{PARTY[0]}, {PARTY[1]}) “party”: -ish"]


def test_a_cause_given_without_another_decision_stands_in_the_card(decided: Cast) -> None:
    passage = passage_of(decided)
    start = passage.text.index("uncle")
    given = {"act": uuid4(), "version": 0, "content": {"verdict": None}}
    decide_span(passage, (start, start + 5), by=decided.lead, cause="guideline", reason="Kin terms?", **given)

    card = files_of(frozen(decided))["README.md"].decode()

    assert re.search(rf"Causes: .*{CAUSES['guideline']} 1", card)


def test_the_tools_that_everybody_has_check_it(decided: Cast, tmp_path: Path) -> None:
    """As the page says to: `unzip -t`, and unpacked `sha256sum -c`."""
    release = frozen(decided)

    for words, folder in (
        (["unzip", "-tq", str(release.path)], tmp_path),
        (["unzip", "-q", str(release.path)], tmp_path),
        (["sha256sum", "--strict", "-c", "SHA256SUMS"], tmp_path / release.folder),
    ):
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert done.stdout.count(": OK") == len(files_of(release)) - 1
    (tmp_path / release.folder / "votes.csv").write_text("changed")
    assert subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode == 1


def test_the_gold_in_it_has_the_decisions_and_an_added_suggestion_has_one_vote_in_sws_json(decided: Cast) -> None:
    found = files_of(frozen(decided))

    sws = json.loads(found["validation.json"]) | json.loads(found["test.json"])
    assert sws.keys() == {"essays-1", "essays-3", "essays-4"}
    assert [dict(votes) for _, votes, _ in sws["essays-1"]["substitutes"]] == [
        {"relative": 4, "kinsman": 1},
        {"-ish": 1, "feast": 1},
    ]
    rows = [json.loads(line) for name in ("validation", "test") for line in found[f"{name}.jsonl"].splitlines()]
    [party] = [target for row in rows for target in row["targets"] if target["quote"] == "party"]
    assert (party["provenance"], party["annotators"], party["votes"]) == ("decided", 1, 1)
    assert {item["text"]: (item["votes"], item["provenance"]) for item in party["suggestions"]} == {
        "feast": (1, "voted"),
        "-ish": (0, "added"),
    }
    assert ",'-ish,0,,added\n" in found["votes.csv"].decode()


def test_built_again_it_is_the_same_to_the_byte(decided: Cast) -> None:
    one = draft(decided)
    first, before = one.path.read_bytes(), one.sha256
    two = build_release(one, by=decided.lead)

    assert two.sha256 == before
    assert two.path.read_bytes() == first


def test_gold_read_straight_from_the_merge_is_the_gold_as_it_is_laid(decided: Cast) -> None:
    """What nobody has decided about takes the short way, and splits are drawn by sums: the same comes of both."""
    merge = merge_to_export(decided.project)
    straight = GoldInput(merge, {})
    rows = list(GoldRows(straight))
    laid = GoldInput(merge, dict.fromkeys(straight.passages, ()))
    assert len(rows) > 2
    assert any(row.targets for row in rows)

    assert list(GoldRows(laid)) == rows
    for given in (straight, laid, GoldInput.now(merge)):
        found = [(row.id, row.group, row.words, row.votes) for row in gold_measures(given)]
        assert found == [(row.id, row.group, row.words, row.votes) for row in GoldRows(given)]


def _work_in_private(cast: Cast) -> None:
    """Every kind of thing that a release has to leave out."""
    for kind in ("practice", "test", "control"):
        passage = Passage.objects.create(
            project=cast.project, external_id=f"{kind}-1", text=f"A {kind} SECRET.", kind=kind
        )
        Passage.objects.filter(pk=passage.pk).update(key_answer={"marks": [], "none": True})
        Assignment.objects.create(
            membership=cast.membership("ann"),
            passage=passage,
            number=900 + passage.pk,
            state="started",
            draft={"marks": [{**mark(passage.text, "SECRET", "SECRET"), "note": "SECRET"}]},
            marks=1,
            substitutes=1,
            substitutes_by_type={"refine-usage": 1},
        )
    row = assignment_of(cast.ben, "essays-3")
    remark = {"reason": "other", "remark": "SECRET remark"}
    discard_assignment(row, by=cast.ben, version=row.version, save_id=uuid4(), **remark)
    row = assignment_of(cast.ann, "essays-4")
    reopen_assignment(row, by=cast.ann, version=row.version, save_id=uuid4())
    draft_of = {"marks": [{**mark(TEXTS[3], "tired", "SECRET"), "note": "SECRET"}]}
    save_answer(row, by=cast.ann, version=row.version, save_id=uuid4(), active_ms=7, answer=draft_of)
    asked = ask_question(assignment_of(cast.ann, "essays-1"), by=cast.ann, text="A SECRET question")
    answer_question(asked, by=cast.lead, version=asked.version, text="A SECRET answer")
    add_comment(passage_of(cast), by=cast.lead, text="A SECRET comment")
    merge_project(cast.project, by=cast.lead)


def test_nothing_of_people_s_private_work_leaves(decided: Cast) -> None:
    _work_in_private(decided)
    found = files_of(frozen(decided))
    told = [json.loads(line) for line in found["answers.jsonl"].splitlines()]

    assert {"essays-1", "essays-2", "essays-3", "essays-4"} == {
        row["passage"]["id"] for row in told if "passage" in row
    }
    assert {"project", "passage", "annotator", "adjudicator", "assignment", "decision"} == {
        kind for row in told for kind in row if kind != "assay"
    }
    [gone] = [row["assignment"] for row in told if row.get("assignment", {}).get("state") == "discarded"]
    assert (gone["discard_reason"], "discard_remark" in gone) == ("other", False)
    assert b"SECRET" not in b"".join(found.values())

    text = b"".join(found.values()).decode()
    for word in ("active_ms", "draft", "discard_remark", "@example.org", '"key_answer":{'):
        assert word not in text.replace("without drafts", "")


def test_only_what_was_built_and_ticked_is_frozen(decided: Cast) -> None:
    made = draft_release(decided.project, by=decided.lead, date=DAY, settings=SETTINGS)
    with pytest.raises(Conflict, match="not built yet"):
        freeze_release(made, by=decided.lead, version=made.version, ticked=[])
    made = build_release(made, by=decided.lead)
    codes = [warning["code"] for warning in made.warnings]
    assert codes == ["unsettled", "agreement"]
    with pytest.raises(Conflict, match="Not ticked yet: 1 passage is not settled"):
        freeze_release(made, by=decided.lead, version=made.version, ticked=codes[1:])
    with pytest.raises(Stale):
        freeze_release(made, by=decided.lead, version=made.version - 1, ticked=codes)
    made.path.write_bytes(b"something else")
    with pytest.raises(Conflict, match="build it again"):
        freeze_release(made, by=decided.lead, version=made.version, ticked=codes)
    assert not Passage.objects.exclude(split="").exists()


def test_a_finding_of_the_doctor_blocks(decided: Cast) -> None:
    Passage.objects.filter(project=decided.project, external_id="essays-1").update(tokens=[[0, 9999]])
    with pytest.raises(Conflict):
        frozen(decided)


def test_frozen_it_never_changes_and_the_splits_stay(decided: Cast) -> None:
    release = frozen(decided)
    before = dict(Passage.objects.exclude(split="").values_list("external_id", "split"))
    assert sorted(before.values()) == ["test", "test", "validation"]
    with pytest.raises(Conflict, match="release is frozen"):
        build_release(release, by=decided.lead)

    more = [NewPassage(f"more-{n}", f"This is the passage number {n} of them.") for n in range(5)]
    add_passages(decided.project, by=decided.lead, passages=more)
    for n in range(5):
        for user in (decided.ann, decided.ben):
            submit(decided, user, passage=f"more-{n}")
    merge_project(decided.project, by=decided.lead)
    second = frozen(decided)

    assert second.number == 2
    assert release.path.exists()
    after = dict(Passage.objects.exclude(split="").values_list("external_id", "split"))
    assert {name: after[name] for name in before} == before
    assert len(after) == 8
    assert [(row["asked"], row["got"], row["new"]) for row in second.counts["shares"]] == [(2, 2, 1), (6, 6, 4)]


def test_its_merge_is_kept_whatever_is_merged_later(decided: Cast) -> None:
    release = frozen(decided)
    submit_again(decided)
    merge_project(decided.project, by=decided.lead)
    submit_again(decided, "clan")
    merge_project(decided.project, by=decided.lead)

    assert Merge.objects.filter(pk=release.merge_id, is_pinned=True, is_current=False).exists()
    assert examine_project(decided.project)[0].problems == []


def submit_again(cast: Cast, word: str = "kin") -> None:
    from annotator.actions.assignments import reopen_assignment
    from tests.adjudication.conftest import assignment_of

    row = assignment_of(cast.ben, "essays-1")
    reopen_assignment(row, by=cast.ben, version=row.version, save_id=uuid4())
    submit(cast, cast.ben, mark(TEXT, "uncle", word))


def test_a_draft_tells_the_answers_its_merge_counted_also_when_more_came(decided: Cast) -> None:
    before = files_of(draft(decided))
    submit_again(decided)

    after = draft(decided)
    assert files_of(after)["answers.jsonl"] == before["answers.jsonl"]
    assert "stale" in [warning["code"] for warning in after.warnings]


def test_answers_jsonl_makes_the_same_release_elsewhere(decided: Cast, tmp_path: Path) -> None:
    """Equal data files, byte for byte; the log of the other house is another."""
    release = frozen(decided)
    found = files_of(release)
    (tmp_path / "answers.jsonl").write_bytes(found["answers.jsonl"])

    call_command("import_project", "copied", str(tmp_path / "answers.jsonl"), "--lead=new@example.org")
    copy = Project.objects.get(slug="copied")
    merge_project(copy, by=None)
    made = build_release(draft_release(copy, by=None, date=DAY, settings=SETTINGS), by=None)

    again = files_of(made)
    data = [name for name in found if name.endswith((".jsonl", ".csv")) or name in ("validation.json", "test.json")]
    assert len(data) == 6
    for name in data:
        assert again[name] == found[name], name
    assert made.findings == []


def test_the_card_says_what_is_stated_and_what_is_not(decided: Cast) -> None:
    change_card(decided.project, by=decided.lead, version=0, values={"licence": "cc-by-4.0", "pay": " by the hour "})

    readme = files_of(frozen(decided))["README.md"].decode()

    assert readme.startswith('---\nlicense: "cc-by-4.0"\n')
    assert "## Pay\n\nby the hour\n" in readme
    assert "## Contact\n\nNot stated.\n" in readme
    assert "1 passages discarded, 1 passages settled, 1 suggestions added, 1 targets kept" in readme
    with pytest.raises(Stale):
        change_card(decided.project, by=decided.lead, version=0, values={})
    with pytest.raises(Invalid, match="no field “colour”"):
        change_card(decided.project, by=decided.lead, version=1, values={"colour": "red"})
    assert Card.objects.get().version == 1


def test_splits_that_passages_are_in_stay(decided: Cast) -> None:
    """What was test once is in no other split of a later release; new splits may stand beside."""
    frozen(decided)
    given = {"by": decided.lead, "date": DAY}

    with pytest.raises(Invalid, match=r"Passages are in validation since an earlier release.*keep this split"):
        draft_release(decided.project, settings=ReleaseSettings((("dev", 1), ("test", 3))), **given)
    assert not Release.objects.drafts().exists()
    wider = ReleaseSettings((("validation", 1), ("test", 3), ("dev", 1)), with_pos=False)
    assert draft_release(decided.project, settings=wider, **given).splits == ["validation", "test", "dev"]


def test_a_split_of_an_earlier_release_keeps_a_name_that_no_new_one_may_have(decided: Cast) -> None:
    first = frozen(decided)
    Passage.objects.filter(project=decided.project, split="validation").update(split="test-a")
    again = ReleaseSettings((("test-a", 1), ("test", 3)), with_pos=False)

    made = build_release(draft_release(decided.project, by=decided.lead, date=DAY, settings=again), by=decided.lead)

    assert len(files_of(made)["test-a.jsonl"].splitlines()) == first.counts["splits"]["validation"]["sentences"] > 0
    with pytest.raises(Invalid, match="take no “-”"):
        draft_release(
            decided.project, by=decided.lead, date=DAY, settings=replace(again, sizes=(*again.sizes, ("b-1", 1)))
        )


def test_a_draft_says_what_has_come_since_it_was_built(decided: Cast) -> None:
    made = draft(decided)
    assert changed_since_built(made) == []

    change_card(decided.project, by=decided.lead, version=0, values={"pay": "by the hour"})
    decide_passage(
        passage_of(decided, "essays-3"), by=decided.adjudicator, version=0, act=uuid4(), content={"verdict": "settled"}
    )
    late = Assignment.objects.filter(state="assigned", membership__removed_at=None, passage__project=decided.project)
    row = late.select_related("membership__user", "passage")[0]
    assert row.membership.user is not None
    submit(decided, row.membership.user, passage=row.passage.external_id)

    assert changed_since_built(Release.objects.get()) == [
        *("1 decision came", "1 answer changed, which a merge would count", "the card was filled in otherwise"),
    ]
    assert changed_since_built(build_release(made, by=decided.lead)) == []


def test_a_draft_says_that_answers_of_an_archived_passage_count_no_more(decided: Cast) -> None:
    made = draft(decided)
    gone = passage_of(decided)
    answers = Submission.objects.counting().filter(assignment__passage=gone).count()

    archive_passage(gone, by=decided.lead)

    assert answers > 1
    assert changed_since_built(made) == [f"{answers} answers changed, which a merge would count"]


def test_it_is_withdrawn_with_a_reason_and_keeps_its_number(decided: Cast) -> None:
    release = frozen(decided)
    with pytest.raises(Invalid, match="Say why"):
        withdraw_release(release, by=decided.lead, version=release.version, why="  ")

    withdraw_release(release, by=decided.lead, version=release.version, why="A wrong file.")

    assert (release.state, release.path.exists()) == ("withdrawn", True)
    assert [event.kind for event in Event.objects.of(release)] == [
        *("release.drafted", "release.built", "release.frozen", "release.withdrawn"),
    ]
    assert frozen(decided).number == 2


def test_a_draft_is_dropped_without_a_trace(decided: Cast) -> None:
    drop_draft(draft(decided), by=decided.lead)

    assert not Release.objects.exists()
    assert not Merge.objects.filter(is_pinned=True).exists()
    assert draft(decided).number == 1


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ("validation", "is no size"),
        ("validation=x", "is no size"),
        ("Valid=1", "no name for a split"),
        ("votes=1", "no name for a split"),
        ("test-a=1", "readers of data sets take no “-” in it. Write “test_a”"),
        ("a=1,a=2", "the same name"),
        ("a=0", "not all of them 0"),
    ],
)
def test_senseless_sizes_are_named(decided: Cast, tmp_path: Path, sizes: str, reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("release", "essays", out=tmp_path, sizes=sizes)
    assert not Release.objects.exists()


def test_the_command_says_what_is_in_the_way_and_then_writes_it(decided: Cast, tmp_path: Path, capsys: Any) -> None:
    with pytest.raises(CommandError, match="--despite unsettled,agreement"):
        call_command("release", "essays", out=tmp_path, date="2026-11-18", sizes="validation=1,test=3")
    assert Release.objects.get().is_draft

    call_command("release", "essays", out=tmp_path, date="2026-11-18", sizes="validation=1,test=3", despite="all")

    release = Release.objects.get()
    assert (tmp_path / "essays-1.zip").read_bytes() == release.path.read_bytes()
    assert release.sha256 in capsys.readouterr().out
    for wrong, reason in (({"date": "soon"}, "no day such as"), ({"out": tmp_path / "no"}, "no folder")):
        with pytest.raises(CommandError, match=reason):
            call_command("release", "essays", **{"out": tmp_path, **wrong})


def test_without_gold_there_is_no_release(cast: Cast) -> None:
    with pytest.raises(Conflict, match="merge first"):
        draft(cast)
    merge_project(cast.project, by=cast.lead)
    with pytest.raises(Conflict, match="no gold to release"):
        draft(cast)


def test_only_a_lead_releases(decided: Cast) -> None:
    with pytest.raises(NotAllowed):
        draft_release(decided.project, by=decided.adjudicator, date=DAY, settings=SETTINGS)


def test_the_doctor_knows_the_way_from_every_row_with_events_to_its_project() -> None:
    from django.apps import apps

    from annotator.models import Subject

    assert set(WAYS) == {model for model in apps.get_models() if issubclass(model, Subject)}


def test_one_builds_at_a_time_and_what_killed_ones_left_is_gone(decided: Cast) -> None:
    made = draft_release(decided.project, by=decided.lead, date=DAY, settings=SETTINGS)
    with _workshop(made) as folder, pytest.raises(Conflict, match="being built just now"):
        build_release(made, by=decided.lead)
    assert not folder.exists()
    left, held = folder.with_name("left"), folder.with_name("held")
    for path in (folder, left, held):
        path.mkdir()
        (path / "zip").touch()
        os.utime(path, (0, 0))

    with _held(held):
        build_release(made, by=decided.lead)

    assert sorted(folder.parent.iterdir()) == [held]
    assert made.path.exists()


def test_a_split_is_exported_once_a_release_has_drawn_it(decided: Cast, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no release yet"):
        call_command("export", "essays", format="sws", out=tmp_path / "x.json", split="test")
    found = files_of(frozen(decided))

    for split in ("validation", "test"):
        call_command("export", "essays", format="sws", out=tmp_path / f"{split}.json", split=split)
        assert (tmp_path / f"{split}.json").read_bytes() == found[f"{split}.json"]
    with pytest.raises(CommandError, match="take all, test or validation"):
        call_command("export", "essays", format="sws", out=tmp_path / "x.json", split="dev")


def test_parts_of_speech_are_on_by_default_up_to_so_many_passages(
    decided: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the page and at the shell; 5,000 of them, of an English project."""
    assert POS_UP_TO == 5_000
    client, wanted = client_of(decided.lead), []
    for most, language in ((4, "en-GB"), (3, "en"), (4, "de")):
        Project.objects.filter(pk=decided.project.pk).update(language=language)
        monkeypatch.setattr("exports.queries.releases.POS_UP_TO", most)
        page = client.get("/p/essays/releases/new").content.decode()
        [box] = re.findall(r'<input type="checkbox" name="with_pos"[^>]*>', page)
        with contextlib.suppress(CommandError):
            call_command("release", "essays", out=tmp_path, sizes="test=1")
        wanted.append(("checked" in box, Release.objects.get().settings["with_pos"]))
        drop_draft(Release.objects.get(), by=decided.lead)
    assert wanted == [(True, True), (False, False), (False, False)]


def test_bytes_do_not_tell_in_how_many_parts_it_was_merged_and_measured(ten: None) -> None:  # noqa: F811
    """The seal of the log is another, since the log is: all else is equal."""
    project = Project.objects.get(slug="ten")
    settings = agreement_settings(project, resamples=100)
    wanted = ReleaseSettings((("validation", 1), ("test", 4)), seed=7, with_pos=False)
    found = []
    for shards in (1, 7, 40):
        point = transaction.savepoint()
        merge_project(project, by=None, shards=shards)
        measure_agreement(project, by=None, settings=settings, shards=shards)
        made = build_release(draft_release(project, by=None, date=DAY, settings=wanted), by=None)
        files = files_of(made)
        manifest = json.loads(files.pop("manifest.json"))
        assert manifest.pop("log") == made.listed["seal"]
        del files["SHA256SUMS"]  # has the manifest's
        found.append((files, manifest))
        transaction.savepoint_rollback(point)

    assert found[0][1]["agreement"]["human"]["ndcg_4"] is not None
    assert found[0] == found[1] == found[2]
