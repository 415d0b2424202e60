"""The pages of the queue: what their addresses ask for, and what makes no sense in them."""

import re

import pytest
from django.http import QueryDict

from adjudication.actions import settling
from adjudication.actions.merging import merge_project
from adjudication.actions.settling import SETTLE_QUIET, UNDO_ACT
from adjudication.models import Decision, PassageResult
from adjudication.queries.queue import QueueFilter
from adjudication.views.queue_filter import dispute_of, filter_of
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages
from annotator.actions.running import work_on
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Job
from tests.adjudication.conftest import submit
from tests.adjudication.test_views import page, signed_in
from tests.factories import TEXTS, Cast, make_user


@pytest.fixture
def merged(three: Cast) -> Cast:
    merge_project(three.project, by=three.lead)
    return three


def test_an_address_asks_for_all_that_a_filter_has() -> None:
    whole = QueueFilter(
        flag="look", also=("near", "singles"), type="refine-usage", group="g", person="A01", index=3, settled="me",
        search="two words", share=(2, 3),
    )  # fmt: skip

    assert filter_of(QueryDict(whole.as_query())) == (whole, [])
    assert filter_of(QueryDict("")) == (QueueFilter(), [])
    assert filter_of(QueryDict("flag=&settled=&index=&share=&search=&also=")) == (QueueFilter(), [])  # an empty form
    assert filter_of(QueryDict("share= 1 OF 2 "))[0].share == (1, 2)


@pytest.mark.parametrize(
    "share", ["9of3", "0of2", "1of0", "1of51", "one of two", "1/2", "of", "1of", "-1of2", "1of2of3", "1e1of20"]
)
def test_a_share_that_is_none_is_named(share: str) -> None:
    wanted, unheard = filter_of(QueryDict(f"share={share}&search=tea"))

    assert wanted == QueueFilter(search="tea")
    assert unheard == [
        f"“{share}” is no share of the queue: give it as 1of2, the first half of two, with 50 shares at most."
    ]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("index=many", "“many” is no voting index"),
        ("index=-1", "“-1” is no voting index"),
        ("index=9999999999", "“9999999999” is no voting index"),
        ("flag=colour", "“colour” is no reason to ask"),
        ("settled=never", "“never” is neither"),
        ("also=far", "“far” cannot be added"),
        (f"share={'9' * 5000}", f"“{'9' * 80}…” is no share"),
    ],
)
def test_whatever_else_makes_no_sense_is_named_and_left_out(query: str, said: str) -> None:
    wanted, [line] = filter_of(QueryDict(query))

    assert wanted == QueueFilter()
    assert line.startswith(said)


def test_the_page_says_what_it_could_not_follow(merged: Cast) -> None:
    shown = page(merged, "adjudicate?share=9of3&index=%3Cb%3E", "adjudicator")

    assert "“9of3” is no share of the queue" in shown
    assert "“&lt;b&gt;” is no voting index" in shown
    assert 'value="9of3"' in shown  # there to be mended
    assert "The list is shown without it." not in page(merged, "adjudicate?share=1of2", "adjudicator")


@pytest.mark.parametrize(
    ("text", "at", "is_named"),
    [
        ("", 250, False),
        ("0", 0, False),
        ("1000", 1000, False),
        ("1001", 250, True),
        ("-1", 250, True),
        ("x", 250, True),
    ],
)
def test_how_quiet_is_a_number_of_a_thousand(text: str, at: int, is_named: bool) -> None:
    found, unheard = dispute_of(QueryDict(f"dispute={text}"), 250)

    assert (found, bool(unheard)) == (at, is_named)


def test_what_is_no_number_settles_nothing(merged: Cast) -> None:
    client = signed_in(merged, "adjudicator")

    answer = client.post("/p/essays/adjudicate/quiet", {"dispute": "all"}, follow=True)

    assert "“all” is no number between 0 and 1,000." in answer.content.decode()
    assert not Decision.objects.exists()
    client.post("/p/essays/adjudicate/quiet", {"dispute": "1000"})
    assert Decision.objects.about_passages().count() == 2


UNDO = re.compile(r'action="(/p/essays/adjudicate/undo/[-0-9a-f]+)"')


def undo_offered(cast: Cast, name: str = "adjudicator", where: str = "adjudicate") -> str:
    """Where the button leads; "" where there is none."""
    found = UNDO.search(page(cast, where, name))
    return found.group(1) if found else ""


@pytest.mark.parametrize("at_once", [500, 1])
def test_what_was_settled_at_once_is_taken_back_from_the_queue_whoever_did_it_and_however_many(
    merged: Cast, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Also where a worker did it: nobody had the address of the act by then."""
    monkeypatch.setattr(settling, "AT_ONCE", at_once)
    client = signed_in(merged, "adjudicator")
    assert undo_offered(merged) == ""
    client.post("/p/essays/adjudicate/quiet", {"dispute": "1000"})
    if at_once == 1:
        assert undo_offered(merged) == ""
        work_on(Job.objects.get(kind=SETTLE_QUIET.name).pk, SETTLE_QUIET.work, worker="w")
    assert Decision.objects.counting().about_passages().count() == 2

    assert undo_offered(merged) == undo_offered(merged, where="adjudicate/quiet") != ""  # coming back later
    assert "You settled 2 quiet passages in one act" in page(merged, "adjudicate", "adjudicator")
    assert undo_offered(merged, "lead") == ""
    said = client.post(undo_offered(merged), follow=True).content.decode()
    if at_once == 1:
        work_on(Job.objects.get(kind=UNDO_ACT.name).pk, UNDO_ACT.work, worker="w")
    else:
        assert "2 decisions taken back." in said

    assert not Decision.objects.counting().exists()
    assert undo_offered(merged) == ""


def test_an_undo_that_takes_nothing_back_says_so(merged: Cast) -> None:
    client = signed_in(merged, "adjudicator")
    client.post("/p/essays/adjudicate/quiet", {"dispute": "1000"})
    address = undo_offered(merged)
    client.post(address)

    said = client.post(address, follow=True).content.decode()

    assert "Nothing was taken back. 2 had been decided anew since, or taken back already, and stay as they are." in said


def test_twenty_of_the_quiet_ones_are_shown_the_most_disputed_first(cast: Cast) -> None:
    texts = [NewPassage(f"quiet-{number:02d}", f"Sentence {number} is short.") for number in range(23)]
    add_passages(cast.project, by=cast.lead, passages=texts)
    for row in Assignment.objects.filter(state="assigned", membership__removed_at=None).select_related(
        "membership__user", "passage"
    ):
        user = row.membership.user
        assert user is not None
        submit(cast, user, passage=row.passage.external_id)
    merge_project(cast.project, by=cast.lead)
    PassageResult.objects.filter(passage__external_id="quiet-22").update(dispute=7)

    shown = page(cast, "adjudicate/quiet?dispute=1000", "adjudicator")

    names = re.findall(r'<td class="dim"><a class="quiet" [^>]*>([^<]+)</a>', shown)
    assert f"<b>{len(texts) + len(TEXTS)}</b> passages" in shown
    assert "Twenty of them, the most disputed first" in shown
    assert (len(names), names[0]) == (20, "quiet-22")


def test_only_a_lead_draws_and_a_number_is_asked_for(merged: Cast) -> None:
    address = "/p/essays/adjudicate/twice"
    for name, wanted, said in (
        ("lead", "some", "“some” is not a number of passages."),
        ("lead", "-1", "“-1” is not a number of passages."),
        ("adjudicator", "1", "lead"),
    ):
        answer = signed_in(merged, name).post(address, {"wanted": wanted}, follow=True)
        assert said in answer.content.decode()


def test_the_queue_tells_how_many_are_hidden_from_whom_and_no_word_of_them(merged: Cast) -> None:
    both = make_user("both")
    add_member(merged.project, user=both, by=merged.lead, roles={"annotator", "adjudicator"})
    client = signed_in(merged, "adjudicator")
    client.force_login(both)

    shown = client.get("/p/essays/adjudicate").content.decode()

    assert "that you have still to annotate yourself" in shown
    assert "uncle" not in shown
