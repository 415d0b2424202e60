"""Screening: a lead looks at every passage before anybody is given it."""

import io
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.actions.projects import add_passages, create_project
from annotator.actions.running import work_here
from annotator.actions.screening import SCREEN, screen_many, screen_passage
from annotator.actions.unscreening import UNSCREEN, undo_screening
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.formats.columns import columns_from
from annotator.domain.formats.looking import Known, look_at_passages
from annotator.domain.formats.passages import AnyTable
from annotator.domain.passages import NewPassage
from annotator.domain.screening import SCREENING_REASONS
from annotator.models import Assignment, Event, Job, Passage, Project
from annotator.queries.screening import screening_counts
from annotator.queries.screening_acts import last_act
from annotator.queries.setup import setup_of
from tests.conftest import nothing_written
from tests.factories import Cast

TEXTS = ["One is a passage.", "Two is another one.", "One is a passage.", "Three\u200b is odd.", "One is a passage."]
HERE = "/p/drafted/setup/screening"


@pytest.fixture
def draft(cast: Cast) -> Project:
    project = create_project(by=None, slug="drafted", preset="sws", lead=cast.lead, name="Drafted")
    add_passages(project, by=cast.lead, passages=[NewPassage(f"d{n}", text) for n, text in enumerate(TEXTS, start=1)])
    return project


@pytest.fixture
def lead(client_of: Any) -> Any:
    return client_of("lead")


def said(project: Project) -> dict[str, str]:
    rows = Passage.objects.filter(project=project).order_by("pk")
    return {row.external_id: row.screening_reason or row.screening for row in rows}


def passage(name: str) -> Passage:
    return Passage.objects.select_related("project").get(external_id=name)


def test_the_keys_say_why_in_the_order_of_the_reasons() -> None:
    assert list(SCREENING_REASONS) == ["unclear", "grammar", "short", "personal", "offensive", "duplicate"]


def test_one_after_the_other_is_accepted_or_refused(draft: Project, lead: Any) -> None:
    with nothing_written():
        page = lead.get(HERE).content.decode()
    assert "Passage 1 of 5" in page
    assert 'data-key="a"' in page
    assert 'value="grammar" data-key="2"' in page

    got = lead.post(f"{HERE}/{passage('d1').uuid}", {"verdict": "accepted"})
    assert got["Location"] == f"{HERE}?at={passage('d2').uuid}"
    lead.post(f"{HERE}/{passage('d2').uuid}", {"verdict": "grammar"})

    assert said(draft) == {"d1": "accepted", "d2": "grammar", "d3": "", "d4": "", "d5": ""}
    page = lead.get(f"{HERE}?at={passage('d3').uuid}").content.decode()
    assert "2 of 5 screened: 1 accepted, 1 refused." in page
    assert "Undo d2" in page
    assert "Same text as passage d1" in page
    assert setup_of(draft).step("screening").note == "2 of 5, 1 refused"


def test_what_was_said_is_taken_back(draft: Project, lead: Any) -> None:
    screen_passage(passage("d1"), by=None, verdict="refused", reason="unclear")

    got = lead.post(f"{HERE}/{passage('d1').uuid}", {"verdict": ""})

    assert got["Location"] == f"{HERE}?at={passage('d1').uuid}"
    assert said(draft)["d1"] == ""
    kinds = [event.kind for event in Event.objects.of(passage("d1"))]
    assert kinds == ["passage.refused", "passage.unscreened"]


def undo(lead: Any) -> str:
    """What the page offers to undo; and it is done."""
    form = lead.get(HERE).content.decode().partition("/setup/screening/undo")[2].partition("</form>")[0]
    if form:
        act = form.partition('name="act" value="')[2].partition('"')[0]
        assert lead.post(f"{HERE}/undo", {"act": act}).status_code == 302
    return str(form.partition(">Undo ")[2].partition(" <kbd>")[0])


def test_one_act_after_the_other_is_undone_also_those_on_many(draft: Project, lead: Any) -> None:
    lead.post(f"{HERE}/{passage('d1').uuid}", {"verdict": "unclear"})
    lead.post(f"{HERE}/{passage('d1').uuid}", {"verdict": "accepted"})
    lead.post(f"{HERE}/{passage('d4').uuid}/replace", {"text": "Three is not odd any more."})
    lead.post(f"{HERE}/all", {"act": "refuse_duplicates"})
    lead.post(f"{HERE}/all", {"act": "accept_rest"})

    assert undo(lead) == "1 passage accepted at once"
    assert said(draft)["d2"] == ""
    assert undo(lead) == "2 passages refused at once"
    assert (said(draft)["d3"], said(draft)["d5"]) == ("", "")
    assert undo(lead) == "the copy of d4"
    assert (passage("d4").archived_at, passage("d4-v2").archived_at is None) == (None, False)
    assert undo(lead) == "d1"
    assert said(draft)["d1"] == "unclear"
    assert undo(lead) == "d1"
    assert undo(lead) == ""
    assert set(said(draft).values()) == {"", "accepted"}  # of the copy, which is archived
    assert screening_counts(draft).unseen == 0


def test_what_was_said_of_one_since_stays_when_many_are_undone(draft: Project, lead: Any, cast: Cast) -> None:
    lead.post(f"{HERE}/all", {"act": "accept_rest"})
    screen_passage(passage("d2"), by=None, verdict="accepted")  # looked at by somebody else

    undo(lead)

    assert said(draft) == {"d1": "", "d2": "accepted", "d3": "", "d4": "", "d5": ""}
    assert screening_counts(draft).unseen == 0


def test_what_is_undone_already_is_not_undone_again(draft: Project, lead: Any, cast: Cast) -> None:
    lead.post(f"{HERE}/{passage('d1').uuid}", {"verdict": "accepted"})
    act = last_act(draft, cast.lead)
    assert act is not None
    undo_screening(draft, by=cast.lead, act=act.key)

    with pytest.raises(Conflict, match="undone already"), nothing_written():
        undo_screening(draft, by=cast.lead, act=act.key)


def test_nobody_undoes_what_others_said_or_have_changed_since(draft: Project, lead: Any, cast: Cast) -> None:
    screen_passage(passage("d1"), by=None, verdict="accepted")
    assert undo(lead) == ""
    lead.post(f"{HERE}/{passage('d2').uuid}", {"verdict": "accepted"})
    screen_passage(passage("d2"), by=None, verdict="refused", reason="unclear")

    assert undo(lead) == ""


def test_a_copy_that_somebody_has_answered_stays(cast: Cast, client_of: Any) -> None:
    lead = client_of("lead")
    here = "/p/essays/setup/screening"
    lead.post(f"{here}/{passage('essays-1').uuid}/replace", {"text": "My uncle has a small house."})
    Assignment.objects.filter(passage=passage("essays-1-v2")).update(submissions_made=1)

    assert last_act(cast.project, cast.lead) is None


def test_work_that_was_withdrawn_does_not_come_back_to_the_same_people(cast: Cast, client_of: Any) -> None:
    lead, here = client_of("lead"), "/p/essays/setup/screening"
    lead.post(f"{here}/{passage('essays-1').uuid}/replace", {"text": "My uncle has a small house."})
    act = last_act(cast.project, cast.lead)
    assert act is not None

    lead.post(f"{here}/undo", {"act": act.key})

    for name in ("essays-1", "essays-1-v2"):
        rows = Assignment.objects.filter(passage=passage(name), membership__removed_at=None)
        assert {row.state for row in rows} == {"withdrawn"}
    assert passage("essays-1").archived_at is None


def test_many_are_put_back_by_a_job_once(draft: Project, lead: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.actions.screening.AT_ONCE", {"accept_rest": 2, "refuse_duplicates": 1})
    monkeypatch.setattr("annotator.actions.unscreening.BATCH", 2)
    lead.post(f"{HERE}/all", {"act": "accept_rest"})
    work_here(Job.objects.get(kind="screen_passages").pk, SCREEN.work)
    assert set(said(draft).values()) == {"accepted"}

    assert undo(lead) == "5 passages accepted at once"
    job = Job.objects.get(kind="unscreen_passages")
    for _ in range(2):  # as after a crash
        Job.objects.filter(pk=job.pk).update(state="waiting", done=0, total=0, ended_at=None)
        work_here(job.pk, UNSCREEN.work)
    job.refresh_from_db()

    assert set(said(draft).values()) == {""}
    assert job.result == {"passages": 5}
    assert undo(lead) == ""


def test_the_same_again_writes_nothing(draft: Project) -> None:
    screen_passage(passage("d1"), by=None, verdict="accepted")

    with nothing_written():
        screen_passage(passage("d1"), by=None, verdict="accepted")


@pytest.mark.parametrize(
    ("verdict", "reason"), [("perhaps", ""), ("refused", ""), ("refused", "ugly"), ("accepted", "short")]
)
def test_nothing_else_is_said_of_a_passage(draft: Project, lead: Any, verdict: str, reason: str) -> None:
    with pytest.raises(Invalid):
        screen_passage(passage("d1"), by=None, verdict=verdict, reason=reason)
    lead.post(f"{HERE}/{passage('d1').uuid}", {"verdict": verdict if verdict == "perhaps" else "ugly"})
    assert set(said(draft).values()) == {""}


def test_all_duplicates_are_refused_but_the_first(draft: Project, lead: Any) -> None:
    page = lead.get(HERE).content.decode()
    assert "Refuse all 2 duplicates" in page

    lead.post(f"{HERE}/all", {"act": "refuse_duplicates"})

    assert said(draft) == {"d1": "", "d2": "", "d3": "duplicate", "d4": "", "d5": "duplicate"}
    assert "2 passages refused as duplicates." in lead.get(HERE).content.decode()


def test_the_same_text_is_the_same_here_and_at_the_look_at_a_file(cast: Cast, lead: Any) -> None:
    """Spaces, quotation marks and capital letters aside."""
    texts = ["She said: “No.”", 'She  said: "no."', "She said no."]
    project = create_project(by=None, slug="drafted", preset="sws", lead=cast.lead, name="Drafted")
    add_passages(project, by=cast.lead, passages=[NewPassage(f"d{n}", text) for n, text in enumerate(texts, start=1)])
    table = AnyTable(columns_from({"roles": ["text"], "has_header": False}))

    told = look_at_passages(
        io.BytesIO("\n".join(texts).encode()), name="a.txt", sheet=None, table=table, kind="work", known=Known()
    )

    assert told["kinds"]["same"] == screening_counts(project).duplicates == 1
    assert "Same text as passage d1" in lead.get(f"{HERE}?at={passage('d2').uuid}").content.decode()


def test_a_screen_asks_once_what_was_accepted_unseen(draft: Project, lead: Any) -> None:
    lead.post(f"{HERE}/all", {"act": "accept_rest"})

    with CaptureQueriesContext(connection) as asked:
        lead.get(HERE)

    assert sum("COUNT" in query["sql"] and '"annotator_event"' in query["sql"] for query in asked) == 1


def test_a_duplicate_of_what_was_refused_is_none(draft: Project) -> None:
    screen_passage(passage("d1"), by=None, verdict="refused", reason="unclear")

    assert screening_counts(draft).duplicates == 1  # d5, of d3


def test_the_rest_is_accepted_and_nothing_that_was_refused(draft: Project, lead: Any) -> None:
    screen_passage(passage("d2"), by=None, verdict="refused", reason="short")

    lead.post(f"{HERE}/all", {"act": "accept_rest"})

    assert said(draft) == {"d1": "accepted", "d2": "short", "d3": "accepted", "d4": "accepted", "d5": "accepted"}
    event = Event.objects.of(draft).last()
    assert event is not None
    assert (event.kind, event.payload["accepted"], len(event.payload["passages"])) == ("passages.screened", 4, 4)
    assert setup_of(draft).step("screening").state == "done"


def test_what_was_accepted_unseen_is_told_apart_until_somebody_looks(draft: Project, lead: Any) -> None:
    screen_passage(passage("d1"), by=None, verdict="accepted")
    screen_passage(passage("d2"), by=None, verdict="refused", reason="short")
    screen_passage(passage("d3"), by=None, verdict="accepted")
    screen_passage(passage("d3"), by=None, verdict="")
    lead.post(f"{HERE}/{passage('d4').uuid}/replace", {"text": "Three is not odd any more."})

    lead.post(f"{HERE}/all", {"act": "accept_rest"})

    page = lead.get(f"{HERE}?at={passage('d5').uuid}").content.decode()
    assert "2 passages accepted without being looked at." in page
    assert "5 of 5 screened: 4 accepted (2 of them without being looked at), 1 refused." in page
    assert "accepted, not looked at" in page
    assert "All have been looked at" not in page
    assert setup_of(draft).step("screening").note == "2 accepted unseen, 1 refused"
    assert "Accepted, not looked at." in lead.get(f"/p/drafted/passages/{passage('d5').uuid}").content.decode()

    for name in ("d3", "d5"):
        lead.post(f"{HERE}/{passage(name).uuid}", {"verdict": "accepted"})

    assert "All have been looked at." in lead.get(HERE).content.decode()
    assert setup_of(draft).step("screening").note == "all looked at, 1 refused"
    with nothing_written():
        screen_passage(passage("d5"), by=None, verdict="accepted")


def test_many_are_screened_by_a_job_in_batches(draft: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.actions.screening.AT_ONCE", {"accept_rest": 2, "refuse_duplicates": 1})

    screened, job = screen_many(draft, by=None, act="refuse_duplicates")
    assert (screened, said(draft)["d3"]) == (0, "")
    assert job is not None
    work_here(job.pk, SCREEN.work)

    _, job = screen_many(draft, by=None, act="accept_rest")
    assert job is not None
    work_here(job.pk, SCREEN.work)
    job.refresh_from_db()
    assert (job.result, job.done, job.total) == ({"act": "accept_rest", "passages": 3}, 3, 3)
    assert said(draft) == {"d1": "accepted", "d2": "accepted", "d3": "duplicate", "d4": "accepted", "d5": "duplicate"}


def test_replaced_by_an_edited_copy_it_goes_on(draft: Project, lead: Any) -> None:
    got = lead.post(f"{HERE}/{passage('d4').uuid}/replace", {"text": "Three is not odd any more."})

    assert got["Location"] == f"{HERE}?at={passage('d5').uuid}"
    assert said(draft)["d4-v2"] == "accepted"
    refused = lead.post(f"{HERE}/{passage('d1').uuid}/replace", {"text": "One is a passage."})
    assert (refused.status_code, "This is the text that it has." in refused.content.decode()) == (422, True)


def test_what_was_refused_is_never_handed_out_and_what_is_unfinished_goes(cast: Cast) -> None:
    row = cast.assignment("ann").passage
    given = Assignment.objects.filter(passage=row)
    assert given.exclude(state="withdrawn").count() == 3  # one is of a former member

    screen_passage(row, by=cast.lead, verdict="refused", reason="personal")

    assert set(given.values_list("state", flat=True)) == {"withdrawn"}
    assert row.project.passages.in_use().filter(pk=row.pk).exists() is False


def test_an_archived_passage_is_not_screened(draft: Project, lead: Any) -> None:
    Passage.objects.filter(external_id="d1").update(archived_at="2026-01-01T00:00:00Z")

    with pytest.raises(Conflict):
        screen_passage(passage("d1"), by=None, verdict="accepted")
    assert lead.post(f"{HERE}/{passage('d1').uuid}", {"verdict": "accepted"}).status_code == 404


def test_without_passages_there_is_nothing_to_screen(cast: Cast, lead: Any) -> None:
    create_project(by=None, slug="empty", preset="sws", lead=cast.lead, name="Empty")

    page = lead.get("/p/empty/setup/screening").content.decode()

    assert "Nothing to screen yet" in page
    assert "not screened" in page
