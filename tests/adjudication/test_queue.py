"""The queue: what asks for somebody, most disputed first; settling what is quiet; what is said about a passage."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from adjudication.actions.comments import add_comment, resolve_comment
from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.merging import merge_project
from adjudication.actions.settling import MOST_ELSEWHERE, Elsewhere, decide_elsewhere, settle_quiet, undo_act
from adjudication.models import Comment, Decision, DecisionStep, Merge
from adjudication.queries.queue import ASKING, Queue, QueueFilter, quiet_passages
from annotator.actions.people import add_member
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Stale
from annotator.models import Event, Passage, User
from tests.adjudication.conftest import submit
from tests.adjudication.test_deciding import UNCLE, answer_again, passage_of
from tests.factories import TEXT, TEXTS, Cast, load_cast, make_user, mark
from tests.kept import once


@pytest.fixture
def crowd(three: Cast) -> Cast:
    """essays-1 has a type tie, essays-3 variants and discards nobody else shares; essays-2 is quiet, essays-4 too."""
    once(_crowd, three)
    return load_cast()


def _crowd(three: Cast) -> None:
    dora = make_user("dora")
    add_member(three.project, user=dora, by=three.lead, roles={"annotator"})
    submit(three, dora, mark(TEXT, "uncle", "relative", type="diversify-expression"))
    for user, word in ((three.ann, "long term"), (three.ben, "long-term")):
        submit(three, user, mark(TEXTS[2], "good", word), passage="essays-3")
        submit(three, user, mark(TEXTS[3], "tired", "weary"), passage="essays-4")
    submit(three, dora, passage="essays-3")  # two of three: that is more disputed
    merge_project(three.project, by=three.lead)


def queue(cast: Cast, user: User | None = None, **wanted: Any) -> Queue:
    merge = Merge.objects.of(cast.project).current().select_related("project").get()
    return Queue(merge, user=user or cast.adjudicator, wanted=QueueFilter(**wanted))


def names(found: Queue) -> list[str]:
    lines, _ = found.page()
    return [line.passage.external_id for line in lines]


def settle(cast: Cast, name: str, by: User | None = None) -> None:
    content = {"verdict": "settled"}
    decide_passage(passage_of(cast, name), by=by or cast.adjudicator, version=0, act=uuid4(), content=content)


def test_what_asks_comes_most_disputed_first_with_the_words_around_and_why(crowd: Cast) -> None:
    lines, more = queue(crowd).page()

    assert [line.passage.external_id for line in lines] == ["essays-3", "essays-1"]
    assert more is None
    assert lines[0].result.dispute > lines[1].result.dispute
    assert lines[0].reasons == ["variants: long term, long-term"]
    assert lines[1].reasons == ["type tie “uncle”"]
    assert (lines[1].excerpt.before, lines[1].excerpt.quote) == ("😀 My ", "uncle")
    assert lines[1].excerpt.after.startswith(" has a big house")


def test_filters_leave_what_they_say_and_count_it(crowd: Cast) -> None:
    found = queue(crowd).counts

    assert (found["waiting"], found["type_ties"], found["variants"], found["overlaps"]) == (2, 1, 1, 0)
    assert (found["near"], found["singles"], found["done"], found["look"], found["commented"]) == (3, 1, 0, 0, 0)
    assert names(queue(crowd, flag="variants")) == ["essays-3"]
    assert names(queue(crowd, flag="singles")) == ["essays-1"]
    assert names(queue(crowd, also=("near",))) == ["essays-3", "essays-1", "essays-4"]
    assert names(queue(crowd, flag="near")) == ["essays-3", "essays-1", "essays-4"]
    assert names(queue(crowd, type="diversify-expression")) == []
    assert names(queue(crowd, index=4)) == ["essays-1"]
    assert names(queue(crowd, person=crowd.membership("ann").pseudonym)) == ["essays-3", "essays-1"]
    assert names(queue(crowd, group="nowhere")) == []
    assert names(queue(crowd, search="READING")) == ["essays-3"]


def test_two_who_share_a_queue_do_not_meet(crowd: Cast) -> None:
    mine, theirs = (names(queue(crowd, share=(number, 2))) for number in (1, 2))

    assert sorted(mine + theirs) == ["essays-1", "essays-3"]
    assert not set(mine) & set(theirs)


def test_a_settled_passage_leaves_and_comes_back_to_be_looked_at(crowd: Cast) -> None:
    settle(crowd, "essays-1")

    assert names(queue(crowd)) == ["essays-3"]
    assert names(queue(crowd, settled="me")) == ["essays-1"]
    assert names(queue(crowd, crowd.lead, settled="me")) == []
    assert names(queue(crowd, crowd.lead, settled="all")) == ["essays-1"]
    assert queue(crowd).counts["done"] == 1

    answer_again(crowd, crowd.ann, mark(TEXT, "uncle", "relation"))
    merge_project(crowd.project, by=crowd.lead)

    lines, _ = queue(crowd, flag="look").page()
    assert [line.reasons[0] for line in lines] == ["look again"]
    assert sorted(names(queue(crowd))) == ["essays-1", "essays-3"]


def test_every_count_is_the_length_of_its_list_whatever_was_settled_commented_or_has_come_back(crowd: Cast) -> None:
    add_comment(passage_of(crowd, "essays-2"), by=crowd.lead, text="One sentence?")
    settle(crowd, "essays-1")
    settle(crowd, "essays-4")
    counts_are_lengths(crowd, waiting=2, done=2)
    answer_again(crowd, crowd.ann, mark(TEXT, "uncle", "relation"))
    merge_project(crowd.project, by=crowd.lead)
    counts_are_lengths(crowd, waiting=3, done=2)  # settled, and to be looked at again
    settle(crowd, "essays-3")
    counts_are_lengths(crowd, waiting=2, done=3)


def counts_are_lengths(cast: Cast, *, waiting: int, done: int) -> None:
    found = queue(cast).counts
    assert (found["waiting"], found["done"]) == (waiting, done)
    assert (waiting, done) == (queue(cast).rows.count(), queue(cast, settled="all").rows.count())
    assert queue(cast).left == waiting
    assert {name: found[name] for name in ASKING} == {name: queue(cast, flag=name).rows.count() for name in ASKING}
    also = queue(cast, also=("near", "singles"))
    assert also.counts["waiting"] == also.left == also.rows.count()


def test_the_order_leads_on_and_back(crowd: Cast) -> None:
    found = queue(crowd)
    first, second = (line.result for line in found.page()[0])

    assert found.next_of(None).external_id == "essays-3"
    assert found.next_of(first).external_id == "essays-1"
    assert found.next_of(second).external_id == "essays-3"  # round again
    assert found.before(second).external_id == "essays-3"
    assert found.before(first) is None
    settle(crowd, "essays-1")
    settle(crowd, "essays-3")
    assert queue(crowd).next_of(first) is None


def test_what_one_has_still_to_annotate_is_in_no_list_and_no_count(crowd: Cast) -> None:
    both = make_user("both")
    add_member(crowd.project, user=both, by=crowd.lead, roles={"annotator", "adjudicator"})
    submit(crowd, both, passage="essays-3")
    add_comment(passage_of(crowd), by=crowd.lead, text="Look at this.")

    found = queue(crowd, both)

    assert names(found) == ["essays-3"]
    assert (found.counts["waiting"], found.counts["type_ties"], found.counts["commented"]) == (1, 0, 0)


def test_an_archived_passage_is_in_no_list_and_no_count(crowd: Cast) -> None:
    Passage.objects.filter(pk=passage_of(crowd, "essays-3").pk).update(archived_at=timezone.now())

    assert names(queue(crowd)) == ["essays-1"]
    assert (queue(crowd).counts["waiting"], queue(crowd).left) == (1, 1)


def test_the_quiet_ones_are_settled_in_one_act_and_taken_back_by_one(crowd: Cast) -> None:
    act, undo = uuid4(), uuid4()
    merge = Merge.objects.of(crowd.project).current().select_related("project").get()
    quiet = {row.passage.external_id for row in quiet_passages(merge, user=crowd.adjudicator, dispute=1000)}

    job = settle_quiet(crowd.project, by=crowd.adjudicator, act=act, dispute=1000)

    assert quiet == {"essays-2", "essays-4"}
    assert (job.state, job.result) == ("done", {"passages": 2, "proposed": 0, "act": str(act)})
    assert sorted(names(queue(crowd, settled="me"))) == ["essays-2", "essays-4"]
    again = settle_quiet(crowd.project, by=crowd.adjudicator, act=act, dispute=1000)
    assert again.result == {"passages": 2, "proposed": 0, "act": str(act)}

    version = Decision.objects.get(passage__external_id="essays-4").version
    content = {"verdict": "discard"}
    given = {"by": crowd.lead, "version": version, "act": uuid4(), "content": content, "reason": "A duplicate."}
    decide_passage(passage_of(crowd, "essays-4"), **given)
    job = undo_act(crowd.project, by=crowd.adjudicator, act=undo, undoes=act)

    assert job.result == {"passages": 1, "of": 2, "act": str(undo)}
    assert names(queue(crowd, settled="all")) == ["essays-4"]
    for row in Decision.objects.all():
        assert row.version == row.steps.count() == Event.objects.of(row).count()


def test_only_what_is_calm_enough_is_settled(crowd: Cast) -> None:
    job = settle_quiet(crowd.project, by=crowd.adjudicator, act=uuid4(), dispute=0)

    assert job.result is not None
    assert job.result["passages"] == 2  # both were of one mind
    with pytest.raises(Invalid, match="between 0 and 1,000"):
        settle_quiet(crowd.project, by=crowd.adjudicator, act=uuid4(), dispute=1001)
    with pytest.raises(Conflict, match="no such act"):
        undo_act(crowd.project, by=crowd.lead, act=uuid4(), undoes=uuid4())


def there(cast: Cast, name: str, quote: str, version: int = 0) -> Elsewhere:
    passage = Passage.objects.select_related("project").get(project=cast.project, external_id=name)
    start = passage.text.index(quote)
    return Elsewhere(passage, (start, start + len(quote)), version)


def test_the_same_word_elsewhere_is_decided_alike_in_one_act(crowd: Cast) -> None:
    edited = {"verdict": None, "suggestions": [{"text": "weary!", "from": ["weary"]}]}
    spot = there(crowd, "essays-4", "tired")
    decide_span(spot.passage, spot.span, by=crowd.lead, version=0, act=uuid4(), content=edited)
    targets = [there(crowd, "essays-3", "good"), there(crowd, "essays-4", "tired", 1)]
    act = uuid4()
    given: dict[str, Any] = {"act": act, "content": {"verdict": "drop", "type": "diversify-expression"}}

    times = decide_elsewhere(crowd.project, by=crowd.adjudicator, targets=targets, **given)

    assert (times, DecisionStep.objects.of_act(act).count()) == (2, 2)
    assert decide_elsewhere(crowd.project, by=crowd.adjudicator, targets=targets, **given) == 2  # sent again
    row = Decision.objects.get(passage=spot.passage)
    assert (row.content["verdict"], row.content["type"]) == ("drop", "diversify-expression")
    assert row.content["suggestions"] == edited["suggestions"]  # what was edited there stays


def test_all_elsewhere_or_none(crowd: Cast) -> None:
    good = there(crowd, "essays-3", "good")
    late = there(crowd, "essays-4", "tired", 7)
    drop = {"act": uuid4(), "content": {"verdict": "drop"}}

    with pytest.raises(Conflict, match="in the meantime"):
        decide_elsewhere(crowd.project, by=crowd.adjudicator, targets=[good, late], **drop)
    with pytest.raises(Conflict, match="gone"):
        decide_elsewhere(crowd.project, by=crowd.adjudicator, targets=[good, there(crowd, "essays-2", "bad")], **drop)
    for wrong in ({"verdict": None}, {"verdict": "keep", "removed": ["x"]}):
        with pytest.raises(Invalid, match="keeps, drops or gives a type"):
            decide_elsewhere(crowd.project, by=crowd.adjudicator, targets=[good], act=uuid4(), content=wrong)
    with pytest.raises(Invalid, match="between 1 and"):
        decide_elsewhere(crowd.project, by=crowd.adjudicator, targets=[good] * (MOST_ELSEWHERE + 1), **drop)
    assert not Decision.objects.exists()


def test_a_comment_brings_a_passage_into_the_queue_until_it_is_resolved(crowd: Cast) -> None:
    comment = add_comment(passage_of(crowd, "essays-2"), by=crowd.lead, text=" Is this one sentence?\r\n")

    lines, _ = queue(crowd, flag="commented").page()
    assert [(line.passage.external_id, line.reasons) for line in lines] == [("essays-2", ["1 comment"])]
    assert comment.text == "Is this one sentence?"
    resolve_comment(comment, by=crowd.adjudicator, version=comment.version)
    assert names(queue(crowd, flag="commented")) == []
    again = Comment.objects.select_related("passage__project").get()
    with pytest.raises(Stale):
        resolve_comment(again, by=crowd.lead, version=1, is_resolved=False)
    resolve_comment(again, by=crowd.lead, version=2, is_resolved=False)
    assert names(queue(crowd, flag="commented")) == ["essays-2"]
    assert list(Event.objects.of(again).values_list("kind", flat=True)) == [
        "comment.added", "comment.resolved", "comment.reopened",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "span", "code"),
    [("", None, "blank"), ("\u200b ", None, "blank"), ("x" * 2001, None, "too_long"), ("ok", (5, 999), "span")],
)
def test_a_comment_that_is_none_is_named(crowd: Cast, text: str, span: Any, code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        add_comment(passage_of(crowd), by=crowd.lead, text=text, span=span)

    assert refusal.value.problems[0].code == code


def test_nobody_comments_on_what_is_hidden_from_them(crowd: Cast) -> None:
    both = make_user("both")
    add_member(crowd.project, user=both, by=crowd.lead, roles={"annotator", "adjudicator"})
    comment = add_comment(passage_of(crowd), by=crowd.lead, text="Here.", span=UNCLE)

    with pytest.raises(NotAllowed, match="still to annotate"):
        add_comment(passage_of(crowd), by=both, text="Mine.")
    with pytest.raises(NotAllowed):
        resolve_comment(comment, by=both, version=1)
    assert not Comment.objects.visible_to(both).exists()
    assert Comment.objects.visible_to(crowd.adjudicator).count() == 1
