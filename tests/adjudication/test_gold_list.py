"""The gold as a list: what each filter leaves, how many there are, and how a passage of it is printed."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.safestring import SafeString

from adjudication.actions.deciding import undo_decisions
from adjudication.actions.merging import merge_project
from adjudication.domain.decisions import EMPTY
from adjudication.domain.dictionary import Entry
from adjudication.domain.gold import Fate
from adjudication.domain.merge import Suggestion
from adjudication.models import Decision, Merge
from adjudication.queries.gold_list import GOLD_FILTERS, CauseList, GoldList
from adjudication.queries.queue import Queue
from adjudication.templatetags.dictionary import dictionary
from annotator.actions.assignments import discard_assignment
from annotator.actions.people import add_member
from annotator.models import Passage, User
from tests.adjudication.conftest import assignment_of, submit
from tests.adjudication.test_deciding import (
    HOUSE,
    KEEP,
    PARTY,
    SUMMER,
    UNCLE,
    add_another,
    again,
    answer_again,
    decide,
    passage_of,
    standing,
)
from tests.adjudication.test_views import page
from tests.factories import TEXTS, Cast, make_user, mark


@pytest.fixture
def merged(three: Cast) -> Cast:
    """essays-3 has an answer and two discards."""
    submit(three, three.ann, mark(TEXTS[2], "good", "fine"), passage="essays-3")
    for user in (three.ben, User.objects.get(email="cleo@example.org")):
        row = assignment_of(user, "essays-3")
        discard_assignment(row, by=user, version=row.version, save_id=uuid4(), reason="duplicate")
    merge_project(three.project, by=three.lead)
    return three


def listed(cast: Cast, user: User | None = None, **wanted: str) -> list[str]:
    """By name; their number is what the list says it has."""
    merge = Merge.objects.of(cast.project).current().select_related("project").get()
    found = GoldList(merge, user=user or cast.adjudicator, **wanted)
    lines, more = found.page()
    assert (more, found.total()) == (None, len(lines))
    return [standing.passage.external_id for standing in lines]


def test_verdicts_on_passages_take_them_out_and_put_them_in(merged: Cast) -> None:
    assert listed(merged) == ["essays-1", "essays-2"]
    assert listed(merged, only="discarded") == ["essays-3"]  # by more than answered
    decide(merged, None, {"verdict": "discard"}, reason="A duplicate.", passage="essays-2")
    assert listed(merged) == ["essays-1"]
    decide(merged, None, {"verdict": "discard"}, reason="This, too.", passage="essays-3")
    assert listed(merged) == ["essays-1"]  # it was in the gold neither before nor after
    decide(merged, None, KEEP, passage="essays-3")
    assert listed(merged) == ["essays-1", "essays-3"]
    assert listed(merged, only="discarded") == ["essays-2"]


def test_a_passage_that_discards_outnumber_is_reached_and_kept_by_links_alone(merged: Cast) -> None:
    passage = passage_of(merged, "essays-3")
    desk = f"/p/essays/adjudicate/{passage.uuid}"

    assert "discarded by more than answered" in page(merged, "gold?only=discarded", "adjudicator")
    for linked in (f"gold/{passage.uuid}", f"merge/passages/{passage.uuid}"):
        assert f'href="{desk}"' in page(merged, linked, "adjudicator")
    assert page(merged, f"adjudicate/{passage.uuid}", "adjudicator")
    decide(merged, None, KEEP, passage="essays-3")
    assert listed(merged, only="discarded") == []


def test_what_one_has_still_to_annotate_is_not_counted(merged: Cast) -> None:
    both = make_user("both")
    add_member(merged.project, user=both, by=merged.lead, roles={"annotator", "adjudicator"})
    submit(merged, both, passage="essays-2")
    decide(merged, None, {"verdict": "discard"}, reason="A duplicate.")  # hidden from them, as all about it

    assert listed(merged, both) == ["essays-2"]


def test_each_filter_leaves_what_was_decided_so(merged: Cast) -> None:
    steps: dict[str, Any] = {
        "dropped": (UNCLE, {"verdict": "drop"}),
        "added": (HOUSE, {**KEEP, "suggestions": [{"text": "home", "from": []}]}),
        "moved": (PARTY, {"verdict": "moved", "span": list(SUMMER)}),
    }
    for only, (span, content) in steps.items():
        assert listed(merged, only=only) == []
        decide(merged, span, content, cause="guideline")
        assert listed(merged, only=only) == ["essays-1"]

    assert {only for only, _ in GOLD_FILTERS} == {*steps, "decided", "discarded"}
    assert listed(merged, only="decided") == ["essays-1"]
    assert listed(merged, search="nowhere") == []


def gaps(cast: Cast, cause: str = "guideline", user: User | None = None, **wanted: str) -> list[tuple[str, str]]:
    """Their words and reasons; as many as the list says it has."""
    merge = Merge.objects.of(cast.project).current().select_related("project").get()
    found = CauseList(merge, user=user or cast.adjudicator, cause=cause, **wanted)
    rows, more = found.page()
    assert (more, found.total()) == (None, len(rows))
    if not wanted:
        assert {key: times for key, _, times in found.counts()}.get(cause, 0) == len(rows)
    return [(row.passage.text[slice(*row.span)] if row.span else "", row.reason) for row in rows]


def test_a_reason_alone_is_a_decision_of_the_gold_until_it_is_taken_back(merged: Cast) -> None:
    before = [target.suggestions for target in standing(merged).gold.targets]
    done = decide(merged, UNCLE, EMPTY, reason="Nothing says how near kin is.", cause="guideline")
    assert done.act is not None

    assert listed(merged, only="decided") == ["essays-1"]
    assert gaps(merged) == [("uncle", "Nothing says how near kin is.")]
    assert [target.suggestions for target in standing(merged).gold.targets] == before
    assert "Nothing says how near kin is." in page(merged, f"gold/{passage_of(merged).uuid}", "adjudicator")

    undo_decisions(passage_of(merged), by=merged.adjudicator, act=uuid4(), undoes=done.act)
    assert gaps(merged) == listed(merged, only="decided") == []


def test_a_reason_alone_is_looked_at_again_at_the_desk_and_in_the_queue_alike(merged: Cast) -> None:
    decide(merged, UNCLE, EMPTY, reason="A name?", cause="slip")
    answer_again(merged, add_another(merged), mark(TEXTS[0], "uncle", "kin"))
    merge_project(merged.project, by=merged.lead)

    assert again(merged) == {UNCLE}
    merge = Merge.objects.of(merged.project).current().select_related("project").get()
    assert Queue(merge, user=merged.adjudicator).again == {passage_of(merged).pk: 1}


def test_a_reason_leaves_a_passage_unsettled(merged: Cast) -> None:
    decide(merged, None, {"verdict": None}, reason="Not yet.")

    assert not Decision.objects.counting().about_passages().exists()


def test_gaps_are_listed_one_by_one_as_many_as_are_counted(merged: Cast) -> None:
    decide(merged, UNCLE, KEEP, reason="Kin <or> not?", cause="guideline")
    decide(merged, PARTY, {"verdict": "drop"}, cause="guideline")
    decide(merged, SUMMER, KEEP, reason="A slip.", cause="slip")
    decide(
        merged, None, {"verdict": "discard"}, reason="Nobody knows.", cause="guideline"
    )  # out of the gold, and listed

    assert gaps(merged) == [("uncle", "Kin <or> not?"), ("party", ""), ("", "Nobody knows.")]
    assert gaps(merged, search="knows") == [("", "Nobody knows.")]
    shown = page(merged, "gold?cause=guideline", "adjudicator")
    assert "Kin &lt;or&gt; not?" in shown
    assert f'href="/p/essays/gold/{passage_of(merged).uuid}"' in shown
    assert '<a class="btn" href="/p/essays/guidelines">' in shown
    assert "A slip." not in shown
    assert "Guideline gap <b" in page(merged, "gold", "adjudicator")


def test_gaps_of_what_one_has_still_to_annotate_are_neither_listed_nor_counted(merged: Cast) -> None:
    both = make_user("both")
    add_member(merged.project, user=both, by=merged.lead, roles={"annotator", "adjudicator"})
    decide(merged, UNCLE, KEEP, cause="guideline")

    assert gaps(merged, user=both) == []
    Passage.objects.filter(pk=passage_of(merged).pk).update(archived_at=timezone.now())
    assert gaps(merged) == []


def test_what_a_move_makes_is_not_added_and_what_nobody_marks_any_more_is(merged: Cast) -> None:
    """By the gold's own word for it, whatever is decided."""
    decide(merged, PARTY, {"verdict": "moved", "span": list(HOUSE)})
    assert (listed(merged, only="added"), fates(merged)) == ([], {"house": Fate.DECIDED})
    decide(merged, SUMMER, KEEP)
    assert listed(merged, only="added") == []

    for user in (merged.ann, merged.ben, User.objects.get(email="cleo@example.org")):
        answer_again(merged, user, mark(TEXTS[0], "party", "feast"))
    merge_project(merged.project, by=merged.lead)
    assert fates(merged) == {"house": Fate.DECIDED, "summer": Fate.ADDED}
    assert listed(merged, only="added") == ["essays-1"]

    for user in (merged.ann, merged.ben, User.objects.get(email="cleo@example.org")):
        answer_again(merged, user, mark(TEXTS[0], "summer", "year"))
    merge_project(merged.project, by=merged.lead)
    assert fates(merged) == {"house": Fate.ADDED, "summer": Fate.DECIDED}  # what was moved there is gone
    assert listed(merged, only="added") == ["essays-1"]


def fates(cast: Cast) -> dict[str, Fate]:
    """Of the kept targets that somebody decided about."""
    return {target.quote: target.fate for target in standing(cast).gold.kept if target.fate != Fate.MERGED}


def test_a_passage_is_printed_as_the_paper_does_and_nothing_of_it_is_markup() -> None:
    odd = Entry((0, 3), "<b>", 2, 3, 4, "t", True, (Suggestion('"&', ("A", "B"), "k"),), ("type <tie>",))
    gone = Entry((5, 8), "big", 0, 1, 4, "t", False, (Suggestion("large", ("A",), "l"), Suggestion("vast", (), "v")))

    shown = dictionary([odd, gone])

    assert isinstance(shown, SafeString)
    assert shown == (
        '<p class="dictionary" dir="auto">{<span title="voting index 3 of 4"><b>&lt;b&gt; (2)</b>: {&quot;&amp;: 2}'
        ' <span class="badge">type &lt;tie&gt;</span></span>, '
        '<del title="dropped: voting index 1 of 4"><span class="visually-hidden">dropped: </span>'
        "<b>big</b>: {large: 1, vast: 0}</del>}</p>"
    )
    assert dictionary([]) == '<p class="dictionary" dir="auto">{}</p>'
