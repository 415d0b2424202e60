"""How many answers have changed since a merge or a report: also those whose passages went out of use, or came back."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from adjudication.actions.merging import merge_project
from adjudication.models import Merge
from adjudication.queries.standing import changed_since, hidden_from
from annotator.actions.assignments import discard_assignment, withdraw_assignment
from annotator.actions.passages import archive_passage, replace_passage
from annotator.actions.people import change_roles
from annotator.actions.screening import screen_many, screen_passage
from annotator.actions.unscreening import undo_screening
from annotator.models import Passage
from annotator.queries.screening_acts import last_act
from tests.adjudication.conftest import assignment_of, submit
from tests.adjudication.test_deciding import passage_of
from tests.adjudication.test_views import measured, page  # noqa: F401 (a fixture)
from tests.factories import TEXTS, Cast

NOTHING_NEW = "No answer is new: merging again would count the same votes"


def archived(cast: Cast) -> None:
    archive_passage(passage_of(cast), by=cast.lead)


def replaced(cast: Cast) -> None:
    replace_passage(passage_of(cast), by=cast.lead, text="Another one.")


def refused(cast: Cast) -> None:
    screen_passage(passage_of(cast), by=cast.lead, verdict="refused", reason="personal")


def accepted(cast: Cast) -> None:
    screen_passage(passage_of(cast), by=cast.lead, verdict="accepted")


def undone(cast: Cast) -> None:
    act = last_act(cast.project, cast.lead)
    assert act is not None
    undo_screening(cast.project, by=cast.lead, act=act.key)


def since(cast: Cast, **given: object) -> int:
    event = Merge.objects.of(cast.project).current().get().listed_at_event
    return changed_since(cast.project, event, **given)  # type: ignore[arg-type]


def merged_again(cast: Cast) -> bool:
    """Whether a merge finds other answers than the one before."""
    return merge_project(cast.project, by=cast.lead)[1]


@pytest.mark.parametrize("happens", [archived, replaced, refused])
def test_answers_whose_passage_went_out_of_use_have_changed(measured: Cast, happens: Callable[[Cast], None]) -> None:  # noqa: F811
    assert NOTHING_NEW in page(measured, "merge")

    happens(measured)

    for address in ("merge", "agreement"):
        assert "3 answers have changed since" in page(measured, address)
    assert "3 answers changed since the merge" in page(measured, "adjudicate")
    shown = page(measured, "merge")
    assert NOTHING_NEW not in shown
    assert "2 answers by 2 annotators" in shown  # what would be merged now: the second passage
    assert merged_again(measured)
    assert NOTHING_NEW in page(measured, "merge")


def test_a_duplicate_that_is_refused_with_many_takes_its_answers_with_it(measured: Cast) -> None:  # noqa: F811
    """The second passage comes once more: the later one is refused with all such, by one event."""
    row = Passage.objects.get(project=measured.project, external_id="essays-4")
    row.text = TEXTS[1]
    row.save()
    submit(measured, measured.ann, passage="essays-4")
    submit(measured, measured.ben, passage="essays-4")
    assert merged_again(measured)

    assert screen_many(measured.project, by=measured.lead, act="refuse_duplicates")[0] == 1

    assert since(measured) == 2
    assert merged_again(measured)
    screen_many(measured.project, by=measured.lead, act="accept_rest")  # they count as they did
    assert since(measured) == 0
    assert not merged_again(measured)
    for changed in (0, 2):  # first the rest is undone, and then the duplicate
        undone(measured)
        assert since(measured) == changed
    assert merged_again(measured)


def test_what_is_put_back_instead_of_its_copy_counts_again(measured: Cast) -> None:  # noqa: F811
    replaced(measured)
    undone(measured)
    assert since(measured) == 0
    assert not merged_again(measured)
    refused(measured)  # put back, and out of use by another way
    assert since(measured) == 3
    undone(measured)
    replaced(measured)
    assert merged_again(measured)

    undone(measured)

    assert since(measured) == 3
    assert merged_again(measured)


def test_what_comes_back_into_use_has_changed_and_what_was_there_and_back_has_not(measured: Cast) -> None:  # noqa: F811
    refused(measured)
    accepted(measured)
    assert since(measured) == 0
    assert not merged_again(measured)
    refused(measured)
    assert merged_again(measured)

    accepted(measured)

    assert since(measured) == 3
    assert NOTHING_NEW not in page(measured, "merge")
    archived(measured)
    assert since(measured) == 0
    assert not merged_again(measured)


def test_what_was_said_since_on_a_passage_that_is_gone_never_counted(measured: Cast) -> None:  # noqa: F811
    """Nor has anything changed where nothing was said: work that nobody had begun is withdrawn."""
    submit(measured, measured.ann, passage="essays-3")
    assert since(measured) == 1
    archive_passage(passage_of(measured, "essays-3"), by=measured.lead)
    withdraw_assignment(assignment_of(measured.ben, "essays-4"), by=measured.lead)

    assert since(measured) == 0
    row = assignment_of(measured.ben, "essays-2")
    discard_assignment(row, by=measured.ben, version=row.version, save_id=uuid4(), reason="context")
    archive_passage(row.passage, by=measured.lead)
    assert since(measured) == 2  # ben's answer, discarded before, and ann's


def test_people_groups_and_blindness_hold_for_what_is_gone(measured: Cast) -> None:  # noqa: F811
    """A lead who annotates too hears in no list of what became of a passage that they have still to submit."""
    names = sorted(measured.membership(name).pseudonym for name in ("ann", "ben"))
    Passage.objects.filter(pk=passage_of(measured).pk).update(group="one")
    change_roles(measured.membership("lead"), by=measured.lead, roles={"lead", "annotator"})
    row = assignment_of(measured.lead, "essays-1")
    discard_assignment(row, by=measured.lead, version=row.version, save_id=uuid4(), reason="context")
    assert merged_again(measured)

    refused(measured)

    assert since(measured) == 4  # the lead's own discard too
    assert since(measured, people=names) == 2
    assert since(measured, people=names[:1], groups=["one"]) == 1
    assert since(measured, groups=["two"]) == 0
    assert passage_of(measured).pk in hidden_from(measured.lead, measured.project)
    assert since(measured, apart_from=hidden_from(measured.lead, measured.project)) == 0
    assert "changed since" not in page(measured, "adjudicate")
