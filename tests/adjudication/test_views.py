"""The pages over everybody's work: what they say, to whom, and when there is nothing to say."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.utils import timezone

from adjudication.actions import changes
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.models import AgreementReport, Merge, PassageResult
from adjudication.queries.merges import CHANGES, FLAGS, MergePassages
from adjudication.views.agreement import not_in_report
from annotator.actions.assignments import discard_assignment, undo_discard
from annotator.actions.people import change_roles
from annotator.models import Assignment, Job, Passage
from tests.adjudication.conftest import assignment_of, submit
from tests.annotator.test_commands import run
from tests.document import CheckedClient
from tests.factories import TEXT, Cast, load_cast, mark
from tests.kept import once


def signed_in(cast: Cast, name: str = "lead") -> CheckedClient:
    client = CheckedClient()
    client.force_login(cast.person(name))
    return client


def page(cast: Cast, address: str, name: str = "lead") -> str:
    response = signed_in(cast, name).get(f"/p/essays/{address}")
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


@pytest.fixture
def measured(three: Cast) -> Cast:
    once(_measure, three)
    return load_cast()


def _measure(cast: Cast) -> None:
    merge_project(cast.project, by=cast.lead)
    measure_agreement(cast.project, by=cast.lead, settings=agreement_settings(cast.project))


def test_before_anything_is_there_the_pages_say_what_to_do(cast: Cast) -> None:
    assert "Nobody has submitted anything yet" in page(cast, "agreement")
    assert "Nobody has submitted anything yet" in page(cast, "merge")
    submit(cast, cast.ann)

    assert "“Merge” counts the votes" in page(cast, "merge")
    assert "A lead can merge" in page(cast, "merge", "adjudicator")
    alone = page(cast, "agreement")
    assert f"Only {cast.membership('ann').pseudonym} has submitted anything so far." in alone
    assert "come back when somebody else has submitted a passage, too" in alone
    assert "Measure</button>" not in alone  # it could only fail
    submit(cast, cast.ben)
    both = page(cast, "agreement")
    assert "Not measured yet" in both
    assert "Measure</button>" in both


def test_one_who_has_submitted_is_one_whatever_was_chosen(measured: Cast) -> None:
    """Two people are in the project and in the report on all; of this choice one has submitted anything."""
    Passage.objects.filter(external_id="essays-3").update(group="g")
    assert "Nobody has submitted anything of this choice yet" in page(measured, "agreement?groups=g")
    submit(measured, measured.ann, passage="essays-3")

    shown = page(measured, "agreement?groups=g")

    assert f"Only {measured.membership('ann').pseudonym} has submitted anything of this choice so far." in shown
    assert "Measure</button>" not in shown


@pytest.mark.parametrize(("kind", "name"), [("merge", "merge"), ("agreement", "agreement")])
def test_what_has_failed_is_said_until_the_next_one(measured: Cast, kind: str, name: str) -> None:
    says = "The merge does not add up: nothing was changed."
    signed_in(measured).post(f"/p/essays/{name}")
    job = Job.objects.unfinished().get(kind=kind)
    Job.objects.filter(pk=job.pk).update(state="failed", message=says, ended_at=timezone.now())

    assert says in page(measured, name)
    assert says in page(measured, name, "adjudicator")
    assert f"/p/essays/jobs/{job.uuid}" in page(measured, name)
    assert f"/p/essays/jobs/{job.uuid}" not in page(measured, name, "adjudicator")
    other = "agreement?people=" + "&people=".join(sorted(measured.membership(who).pseudonym for who in ("ann", "ben")))
    assert says not in page(measured, other)  # another question has not failed

    submit(measured, measured.ann, passage="essays-3")
    run(kind, "essays")
    assert says not in page(measured, name)


def test_before_the_first_merge_its_passages_lead_to_the_merge(three: Cast) -> None:
    shown = page(three, "merge/passages")
    assert "No merge yet" in shown
    assert '<a class="btn" href="/p/essays/merge">' in shown

    passage = Passage.objects.get(external_id="essays-1")
    got = signed_in(three).get(f"/p/essays/merge/passages/{passage.uuid}")
    assert (got.status_code, "No merge yet" in got.content.decode()) == (404, True)
    for name in ("ann", "stranger"):
        got = signed_in(three, name).get("/p/essays/merge/passages")
        assert (got.status_code, "No merge yet" in got.content.decode()) == (404, False)


def test_the_screen_shows_the_commands_figures(measured: Cast) -> None:
    found = run("agreement", "essays")

    shown = page(measured, "agreement")

    assert f"{100 * found['pa_det']:.1f} %" in shown
    assert found["signature"] in shown
    for row in found["pairs"]:
        assert f"{row['a']} and {row['b']}: PA_det {100 * row['pa_det']:.1f} %, N = {row['n']} passages" in shown
    got = signed_in(measured).get("/p/essays/agreement.json")
    assert got.json() == found
    assert json.loads(got.content) == found
    assert got.content.endswith(b"}\n")


def test_tables_hold_pseudonyms_only(measured: Cast) -> None:
    for what, rows in (("pairs", 3), ("people", 3)):
        got = signed_in(measured).get(f"/p/essays/agreement-{what}.csv?names=1").content.decode()
        assert len(got.strip().splitlines()) == rows + 1
        assert "Ann" not in got.replace("Annotator", "")


def test_names_are_for_leads_and_on_request(measured: Cast) -> None:
    assert "Cleo" not in page(measured, "agreement")
    assert "Cleo" in page(measured, "agreement?names=1")
    assert "Cleo" not in page(measured, "agreement?names=1", "adjudicator")
    measured.project.shows_names_to_adjudicators = True
    measured.project.save(update_fields=["shows_names_to_adjudicators"])
    assert "Cleo" in page(measured, "agreement?names=1", "adjudicator")


def test_names_stand_in_the_heads_of_the_matrix_and_are_not_printed(measured: Cast) -> None:
    ann = measured.membership("ann").pseudonym

    shown = page(measured, "agreement?names=1")

    assert f'<th scope="col" title="{ann}, Ann">{ann}</th>' in shown
    assert f'<th scope="row" title="{ann}, Ann">{ann} <span class="real no-print">Ann</span></th>' in shown
    assert f'<th scope="row" title="{ann}">{ann}</th>' in page(measured, "agreement")


def test_a_refresh_is_a_job_and_is_told_in_place(measured: Cast) -> None:
    submit(measured, measured.ann, passage="essays-3")
    assert "1 answer has changed since" in page(measured, "agreement")
    assert "1 answer has changed since" in page(measured, "merge")
    client = signed_in(measured)

    assert client.post("/p/essays/agreement").status_code == 302
    assert client.post("/p/essays/merge").status_code == 302

    assert set(Job.objects.unfinished().filter(kind__in=["agreement", "merge"]).values_list("kind", flat=True)) == {
        "agreement",
        "merge",
    }
    assert 'hx-trigger="every 1s"' in page(measured, "agreement")
    part = client.get("/p/essays/merge", headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<section id="progress"')
    Job.objects.unfinished().move("cancel")
    assert client.get("/p/essays/agreement", headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_what_comes_to_the_same_again_has_not_changed_since(measured: Cast) -> None:
    """Discarded and taken back: merging and measuring again finds nothing new, and the pages say so."""
    row = assignment_of(measured.ann, "essays-3")
    discard_assignment(row, by=measured.ann, version=row.version, save_id=uuid4(), reason="context")
    undo_discard(row, by=measured.ann, version=row.version, save_id=uuid4())
    assert "answer has changed since" in page(measured, "merge")

    assert run("merge", "essays")["made"] is False
    run("agreement", "essays")

    for address in ("merge", "agreement"):
        assert "answer has changed since" not in page(measured, address)
        assert "Nothing has changed since it was m" in page(measured, address)


def test_a_choice_of_people_is_a_report_of_its_own(measured: Cast) -> None:
    names = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))
    query = f"people={names[0]}&people={names[1]}"
    assert "Not measured for this choice yet" in page(measured, f"agreement?{query}")

    signed_in(measured).post("/p/essays/agreement", {"people": names})
    job = Job.objects.unfinished().get(kind="agreement")
    assert job.params["settings"]["people"] == names
    settings = agreement_settings(measured.project, people=tuple(names))
    report, _ = measure_agreement(measured.project, by=None, settings=settings)

    shown = page(measured, f"agreement?{query}")
    assert report.signature in shown
    assert f"people:{','.join(names)}" in shown
    assert len(report.result["pairs"]) == 1


@pytest.mark.parametrize("choice", [{"people": ["nobody", "A01"]}, {"groups": ["nowhere"]}])
def test_a_choice_that_is_not_there_is_named(measured: Cast, choice: dict[str, Any]) -> None:
    shown = signed_in(measured).post("/p/essays/agreement", choice, follow=True).content.decode()

    assert shown.count("no annotator “nobody”" if "people" in choice else "no group “nowhere”") == 1
    assert not Job.objects.unfinished().filter(kind="agreement").exists()


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("people=nobody&people={ann}", "There is no annotator “nobody” in this project."),
        ("groups=nowhere", "There is no group “nowhere” in this project."),
        ("people={ann}", "One annotator has nobody to agree with: name two or more."),
    ],
)
def test_nonsense_in_the_address_is_named_at_once(measured: Cast, query: str, says: str) -> None:
    query = query.format(ann=measured.membership("ann").pseudonym)

    shown = page(measured, f"agreement?{query}")

    assert says in shown
    assert "There is no report for this choice." in shown
    assert '<button class="btn go"' not in shown


def test_a_cell_opens_the_passages_of_two_people(measured: Cast) -> None:
    ann, ben = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))

    shown = page(measured, f"agreement/{ann}/{ben}")

    assert "They differ <span" in shown
    assert "1 of 2 marks" in shown
    assert "<b>relative</b>" in shown  # the substitute both offer
    assert "essays-1" in shown
    assert "essays-2" not in shown  # neither marked anything there: they are the same
    assert "essays-2" in page(measured, f"agreement/{ann}/{ben}?show=same")
    assert signed_in(measured).get(f"/p/essays/agreement/{ben}/{ann}").status_code == 200


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("{ann}/X77", "There is no annotator “X77” in this report."),
        ("X77/X78", "There is no annotator “X77” or “X78” in this report."),
        ("X77", "There is no annotator “X77” in this report."),
        ("{ann}/{ann}", "A pair is two annotators: this is “{ann}” twice."),
    ],
)
def test_who_is_not_in_the_report_is_named(measured: Cast, address: str, says: str) -> None:
    ann = measured.membership("ann").pseudonym

    for name, is_told in (("lead", True), ("adjudicator", True), ("ann", False), ("stranger", False)):
        got = signed_in(measured, name).get(f"/p/essays/agreement/{address.format(ann=ann)}")
        assert (got.status_code, says.format(ann=ann) in got.content.decode()) == (404, is_told)


def test_two_who_never_met_have_no_page() -> None:
    result = {"annotators": [{"name": "A01"}, {"name": "A02"}]}

    assert not_in_report(result, "A01", "A02") == "“A01” and “A02” have no passage in common in this report."


def test_a_person_stands_against_what_the_others_chose(measured: Cast) -> None:
    ann = measured.membership("ann").pseudonym

    shown = page(measured, f"agreement/{ann}")

    assert "relative 2" in shown  # the others' gold, with their votes
    assert "essays-1" in shown


def test_an_answer_changed_since_is_marked(measured: Cast) -> None:
    row = assignment_of(measured.ben, "essays-1")
    Assignment.objects.filter(pk=row.pk).update(state="started")
    submit(measured, measured.ben, mark(TEXT, "party", "feast"))
    ann, ben = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))

    assert ">newer</span>" in page(measured, f"agreement/{ann}/{ben}")
    for name in ("ann", "ben"):  # as one's own answer, and as one of the others'
        assert ">newer</span>" in page(measured, f"agreement/{measured.membership(name).pseudonym}")


@pytest.mark.parametrize("show", ["differ", "one"])
def test_an_answer_discarded_since_is_no_empty_answer(measured: Cast, show: str) -> None:
    row = assignment_of(measured.ben, "essays-1")
    discard_assignment(row, by=measured.ben, version=row.version, save_id=uuid4(), reason="context")
    ann, ben = (measured.membership(name).pseudonym for name in ("ann", "ben"))

    shown = page(measured, f"agreement/{ann}/{ben}?show={show}")

    assert ">newer</span>" in shown
    assert f"{ben} has no answer here that counts any more" in shown
    assert f"Only {ann}" not in shown  # nobody knows what Ben would say
    own = page(measured, f"agreement/{ben}")
    assert f"{ben} has no answer here that counts any more" in own
    assert ">newer</span>" in page(measured, f"agreement/{ann}")  # one of the others is gone


def test_without_a_change_nothing_is_newer(measured: Cast) -> None:
    ann, ben = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))

    for address in (f"agreement/{ann}/{ben}", f"agreement/{ann}/{ben}?show=same", f"agreement/{ann}"):
        assert ">newer</span>" not in page(measured, address)


def test_the_merge_shows_what_a_threshold_keeps_and_each_dictionary(measured: Cast) -> None:
    shown = page(measured, "merge")
    assert "1 with too few answers" not in shown
    assert "2 with too few answers" in shown
    for what in ("Targets", "Suggestions", "Labels", "Mean votes"):
        assert f'aria-label="{what} kept from each voting index on;' in shown
    assert "style=" not in shown
    listed = page(measured, "merge/passages")
    assert "<b>uncle</b>: {relative: 3, kinsman: 1}" in listed
    assert "dropped: voting index 1 of 3" in listed
    passage = Passage.objects.get(external_id="essays-1")
    one = page(measured, f"merge/passages/{passage.uuid}")
    assert "&quot;relative&quot;: 3" in one
    assert "&quot;dropped&quot;" in one


def test_a_remerge_shows_what_changed_and_leads_to_it(measured: Cast) -> None:
    """One target is added, one gone, one newly kept, one has other votes."""
    row = assignment_of(measured.ben, "essays-1")
    Assignment.objects.filter(pk=row.pk).update(state="started")
    submit(measured, measured.ben, mark(TEXT, "party", "feast"), mark(TEXT, "uncle", "kinsman"))
    cleo = Assignment.objects.get(passage__external_id="essays-1", membership__user__name="Cleo")
    Assignment.objects.filter(pk=cleo.pk).update(state="started")
    submit(measured, cleo.membership.user, mark(TEXT, "uncle", "relative"), mark(TEXT, "house", "home"))

    merge, _ = merge_project(measured.project, by=measured.lead)

    counts = {name: merge.changes[name] for name in ("added", "gone", "kept", "dropped", "moved")}
    assert counts == {"added": 1, "gone": 1, "kept": 1, "dropped": 0, "moved": 1}
    shown = page(measured, "merge")
    for key in ("added", "gone", "kept", "moved"):
        assert f"/p/essays/merge/passages?change={key}" in shown
        assert "essays-1" in page(measured, f"merge/passages?change={key}")
    assert "summer" in page(measured, "merge/passages?change=gone")
    moved = page(measured, "merge/passages?change=moved")
    assert "before, of 3: {relative: 3, kinsman: 1}" in moved
    assert "votes it had in the merge before." in moved
    assert "before, of 1: {" in page(measured, "merge/passages?change=kept")
    assert "merge before" not in page(measured, "merge/passages?change=added").partition("<table")[0]
    assert "No such passages" in page(measured, "merge/passages?change=dropped")
    passage = Passage.objects.get(external_id="essays-1")
    gone = page(measured, "merge/passages?change=gone").partition('<form method="get"')[0]
    assert f'<a href="/p/essays/merge/passages/{passage.uuid}">essays-1</a>' in gone
    assert "not listed" not in gone


def test_a_change_of_type_alone_is_no_change_of_votes(measured: Cast) -> None:
    row = assignment_of(measured.ben, "essays-1")
    Assignment.objects.filter(pk=row.pk).update(state="started")
    submit(measured, measured.ben, mark(TEXT, "uncle", "Relative"))  # it was another type before

    merge, _ = merge_project(measured.project, by=measured.lead)

    counts = {name: merge.changes[name] for name in ("added", "gone", "kept", "dropped", "moved", "retyped")}
    assert counts == {"added": 0, "gone": 0, "kept": 0, "dropped": 0, "moved": 0, "retyped": 1}
    assert "Targets with other types" in page(measured, "merge")
    assert "<b>uncle</b>" in page(measured, "merge/passages?change=retyped")
    assert "No such passages" in page(measured, "merge/passages?change=moved")


def test_of_changes_the_first_are_listed_and_the_page_says_so(measured: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two targets are gone, and two others changed: one of each is listed."""
    monkeypatch.setattr(changes, "GONE_LISTED", 1)
    monkeypatch.setattr(changes, "BEFORE_LISTED", 1)
    for name, marks in (("ann", ("uncle", "house")), ("ben", ("uncle", "house"))):
        row = assignment_of(measured.person(name), "essays-1")
        Assignment.objects.filter(pk=row.pk).update(state="started")
        submit(measured, measured.person(name), *(mark(TEXT, quote, "other") for quote in marks))
    cleo = Assignment.objects.get(passage__external_id="essays-1", membership__user__name="Cleo")
    Assignment.objects.filter(pk=cleo.pk).update(state="started")
    submit(measured, cleo.membership.user)
    merge, _ = merge_project(measured.project, by=measured.lead)
    assert (merge.changes["gone"], merge.changes["moved"], merge.changes["added"]) == (2, 1, 1)
    row = assignment_of(measured.ann, "essays-1")
    assert "1 more that are not listed" in page(measured, "merge/passages?change=gone")
    assert "as far as they are kept" not in page(measured, "merge/passages?change=moved")

    Assignment.objects.filter(pk=row.pk).update(state="started")
    submit(measured, measured.ann, mark(TEXT, "uncle", "one"), mark(TEXT, "house", "one"))
    merge, _ = merge_project(measured.project, by=measured.lead)

    assert (merge.changes["moved"], len(merge.changes["votes_before"])) == (2, 1)
    assert "as far as they are kept" in page(measured, "merge/passages?change=moved")


def test_a_flag_is_of_passages_that_are_in_the_gold(measured: Cast) -> None:
    """A passage that discards outnumber has single votes, too; the filter for those is *discarded*."""
    for name in ("ann", "ben"):
        row = assignment_of(measured.person(name), "essays-1")
        discard_assignment(row, by=measured.person(name), version=row.version, save_id=uuid4(), reason="context")
    merge, _ = merge_project(measured.project, by=measured.lead)
    assert PassageResult.objects.get(merge=merge, passage__external_id="essays-1").singles

    found = MergePassages(merge, user=measured.lead)

    counted = {key: count for key, _, count, _ in found.flags()}
    assert (counted["singles"], counted["discarded"]) == (0, 1)
    assert MergePassages(merge, user=measured.lead, flag="singles").page() == ([], None)


def test_passages_that_are_hidden_are_counted_before_any_filter(measured: Cast) -> None:
    """Otherwise the number would tell of which of one's own open passages a flag holds."""
    change_roles(measured.membership("adjudicator"), by=measured.lead, roles={"adjudicator", "annotator"})
    merge = Merge.objects.current().get()
    filters = [{"flag": key} for key, _ in FLAGS] + [{"change": key} for key, _ in CHANGES]
    filters += [{"search": "essays-1"}, {"search": "nothing like it"}]

    found = [MergePassages(merge, user=measured.adjudicator, **some).hidden for some in filters]

    assert set(found) == {4}


def test_who_does_both_finds_none_of_their_own_open_passages(measured: Cast) -> None:
    """In no list, cell, dictionary or change; a line says how many are left out."""
    change_roles(measured.membership("adjudicator"), by=measured.lead, roles={"adjudicator", "annotator"})
    ann, ben = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))
    passage = Passage.objects.get(external_id="essays-1")
    client = signed_in(measured, "adjudicator")

    for address in (
        "merge",
        "merge/passages",
        "merge/passages?flag=singles",
        f"agreement/{ann}/{ben}",
        f"agreement/{ann}",
    ):
        shown = page(measured, address, "adjudicator")
        assert "essays-1" not in shown
        assert "relative" not in shown
    assert client.get(f"/p/essays/merge/passages/{passage.uuid}").status_code == 404
    assert "that you have still to annotate yourself" in page(measured, f"agreement/{ann}/{ben}", "adjudicator")
    assert "in no list here" in page(measured, "merge", "adjudicator")


def test_figures_of_a_group_wait_until_one_is_done_oneself(measured: Cast) -> None:
    Passage.objects.filter(external_id="essays-1").update(group="g")
    change_roles(measured.membership("lead"), by=measured.lead, roles={"lead", "annotator"})

    shown = signed_in(measured).post("/p/essays/agreement", {"groups": ["g"]}, follow=True).content.decode()

    assert "only figures of the whole project" in shown
    assert 'type="checkbox" name="groups"' not in shown


def test_names_from_files_are_addresses_too(cast: Cast, tmp_path: Any) -> None:
    table = tmp_path / "t.csv"
    rows = [("a/b ~1", "uncle"), ("..", "uncle"), ("=x", "party")]
    lines = [f"essays-1,{name},{word},relative,refine-usage" for name, word in rows]
    table.write_text("sentence_id,annotator,word to change,substitutes,type\n" + "\n".join(lines) + "\n")
    call_command("import_annotations", "essays", str(table), "--sparse")
    merge_project(cast.project, by=None)
    measure_agreement(cast.project, by=None, settings=agreement_settings(cast.project))

    shown = page(cast, "agreement")

    for address in ("agreement/a~2Fb%20~7E1", "agreement/~2E~2E", "agreement/~2E~2E/a~2Fb%20~7E1"):
        assert f"/p/essays/{address}" in shown
        assert page(cast, address)
    assert "'=x" in signed_in(cast).get("/p/essays/agreement-people.csv").content.decode()


def test_seventy_people_are_listed_and_not_drawn(cast: Cast, tmp_path: Any) -> None:
    table = tmp_path / "t.csv"
    lines = [f"essays-1,P{number:02d},uncle,relative,refine-usage" for number in range(70)]
    table.write_text("sentence_id,annotator,word to change,substitutes,type\n" + "\n".join(lines) + "\n")
    call_command("import_annotations", "essays", str(table), "--sparse")
    measure_agreement(cast.project, by=None, settings=agreement_settings(cast.project))

    shown = page(cast, "agreement")

    assert 'class="heat"' not in shown
    assert "500 pairs with the least" in shown
    assert AgreementReport.objects.get().pairs.count() == 70 * 69 // 2
