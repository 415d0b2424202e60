"""The gold as a list: what each filter leaves, how many there are, and how a passage of it is printed."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils.safestring import SafeString

from adjudication.actions.merging import merge_project
from adjudication.domain.dictionary import Entry
from adjudication.domain.merge import Suggestion
from adjudication.models import Merge
from adjudication.queries.gold_list import GOLD_FILTERS, GoldList, causes_of
from adjudication.templatetags.dictionary import dictionary
from annotator.actions.assignments import discard_assignment
from annotator.actions.people import add_member
from annotator.models import User
from tests.adjudication.conftest import assignment_of, submit
from tests.adjudication.test_deciding import HOUSE, KEEP, PARTY, SUMMER, UNCLE, decide
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
    decide(merged, None, {"verdict": "discard"}, reason="A duplicate.", passage="essays-2")
    assert listed(merged) == ["essays-1"]
    decide(merged, None, {"verdict": "discard"}, reason="This, too.", passage="essays-3")
    assert listed(merged) == ["essays-1"]  # it was in the gold neither before nor after
    decide(merged, None, KEEP, passage="essays-3")
    assert listed(merged) == ["essays-1", "essays-3"]
    assert listed(merged, only="discarded") == ["essays-2"]


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
    assert listed(merged, only="decided") == listed(merged, cause="guideline") == ["essays-1"]
    assert listed(merged, cause="slip") == listed(merged, search="nowhere") == []
    assert causes_of(merged.project, merged.adjudicator) == [("guideline", "guideline gap", 3)]


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
