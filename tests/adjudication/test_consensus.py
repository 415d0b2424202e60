"""Consensus (HOO 3.2): once all have submitted a passage, what one decides is a proposal until another agrees."""

from typing import Any
from uuid import uuid4

import pytest

from adjudication.actions.deciding import undo_decisions
from adjudication.actions.merging import merge_project
from adjudication.actions.settling import settle_quiet
from adjudication.models import Decision, DecisionStep
from adjudication.queries.adjudicating import adjudication_document
from adjudication.queries.gold import merge_now
from adjudication.queries.queue import quiet_passages
from annotator.actions.people import change_roles
from annotator.actions.protocols import change_protocol
from annotator.domain.errors import Conflict
from annotator.models import Event, User
from config.doctor import examine
from tests.adjudication.conftest import submit
from tests.adjudication.test_deciding import PARTY, UNCLE, passage_of
from tests.adjudication.test_doubles import DROP, KEEP, SETTLED, counting, decide, membership_of
from tests.adjudication.test_measuring import measured
from tests.adjudication.test_queue import names, queue
from tests.adjudication.test_views import page, signed_in
from tests.factories import Cast


@pytest.fixture
def editors(three: Cast) -> Cast:
    """ann and ben have said alone what they think; both adjudicate, too, and what they decide takes two."""
    three.project.refresh_from_db()
    project = three.project
    for name in ("ann", "ben"):
        change_roles(three.membership(name), by=three.lead, roles={"annotator", "adjudicator"})
    change_protocol(project, by=three.lead, version=project.version, changes={"needs_consensus": True})
    merge_project(project, by=three.lead)
    return three


def problems() -> list[str]:
    """What the doctor says of decisions and of the chains of events."""
    return [
        problem for found in examine() if found.check in ("decisions", "event chains") for problem in found.problems
    ]


def said(cast: Cast, name: str) -> dict[str, Any]:
    user = cast.person(name)
    found = adjudication_document(passage_of(cast), membership_of(cast, user))["standing"]
    return {
        row["quote"]: (row["is_kept"], bool(row["decision"] and row["decision"]["is_proposal"]))
        for row in found["targets"]
    }


def test_what_one_decides_is_a_proposal_until_another_agrees(editors: Cast) -> None:
    before = counting(editors)
    decide(editors, PARTY, KEEP, editors.ann, reason="It is a feast.", cause="taste")

    assert counting(editors) == before
    assert said(editors, "ben")["party"] == (True, True)
    row, step = Decision.objects.get(), DecisionStep.objects.get()
    assert (row.proposed, row.is_empty, step.is_proposal) == (1, True, True)
    assert Event.objects.of(row).get().kind == "decision.proposed"

    decide(editors, PARTY, KEEP, editors.ben)
    assert counting(editors) == {**before, "party": True}
    row.refresh_from_db()
    assert (row.proposed, row.is_empty, row.reason, row.cause) == (None, False, "It is a feast.", "taste")
    assert row.by == editors.membership("ben")
    assert said(editors, "ann")["party"] == (True, False)


def test_nobody_agrees_with_themself(editors: Cast) -> None:
    first = decide(editors, PARTY, KEEP, editors.ann)

    assert decide(editors, PARTY, KEEP, editors.ann) == first
    assert DecisionStep.objects.count() == 1


def test_something_else_is_a_proposal_of_one_s_own(editors: Cast) -> None:
    decide(editors, UNCLE, DROP, editors.ann)
    decide(editors, UNCLE, KEEP | {"type": "diversify-expression"}, editors.ben)

    assert DecisionStep.objects.filter(is_proposal=True).count() == 2
    assert Decision.objects.get().proposed == 2
    decide(editors, UNCLE, KEEP | {"type": "diversify-expression"}, editors.ann)
    assert Decision.objects.counting().get().content["type"] == "diversify-expression"


def test_a_proposal_and_an_agreement_are_taken_back(editors: Cast) -> None:
    before = counting(editors)
    decide(editors, PARTY, KEEP, editors.ann)
    agreed = decide(editors, PARTY, KEEP, editors.ben).act
    assert agreed is not None

    undo = uuid4()
    undo_decisions(passage_of(editors), by=editors.ben, act=undo, undoes=agreed)
    assert counting(editors) == before
    assert said(editors, "ben")["party"] == (True, True)
    assert problems() == []
    undo_decisions(passage_of(editors), by=editors.ben, act=uuid4(), undoes=undo)
    assert counting(editors) == {**before, "party": True}
    assert problems() == []


def test_whoever_settles_agrees_to_what_others_propose(editors: Cast) -> None:
    decide(editors, PARTY, KEEP, editors.ann)
    decide(editors, None, SETTLED, editors.ann)
    assert names(queue(editors, editors.ann)) == []
    found = queue(editors, editors.ben, flag="proposed")
    assert names(found) == ["essays-1"]
    assert "2 proposals" in found.page()[0][0].reasons
    assert found.counts["proposed"] == found.left == 1

    act = decide(editors, None, SETTLED, editors.ben).act

    assert counting(editors)["party"] is True
    assert Decision.objects.counting().about_passages().get().verdict == "settled"
    assert DecisionStep.objects.of_act(act).count() == 2
    for name in ("ann", "ben"):
        assert names(queue(editors, editors.person(name))) == []


def test_who_proposes_something_else_does_not_settle_it_by_agreeing(editors: Cast) -> None:
    decide(editors, None, SETTLED, editors.ann)
    decide(editors, UNCLE, DROP, editors.ben)
    decide(editors, None, SETTLED, editors.ben)

    assert not Decision.objects.counting().exists()
    assert names(queue(editors, editors.ben)) == []
    assert names(queue(editors, editors.ann)) == ["essays-1"]
    decide(editors, None, SETTLED, editors.ann)
    assert counting(editors)["uncle"] is False
    assert Decision.objects.counting().about_passages().exists()


def test_a_move_is_agreed_to_whole(editors: Cast) -> None:
    moved = {"verdict": "moved", "span": list(UNCLE)}
    decide(editors, PARTY, moved, editors.ann)
    decide(editors, PARTY, moved, editors.ben)

    assert {(row.verdict, row.proposed) for row in Decision.objects.all()} == {("moved", None), ("keep", None)}


def test_nobody_decides_before_all_have_submitted(editors: Cast) -> None:
    with pytest.raises(Conflict) as refusal:
        decide(editors, None, SETTLED, editors.lead, passage="essays-2")
    assert refusal.value.code == "not_all_submitted"  # cleo has still to say something about it
    with pytest.raises(Conflict):
        adjudication_document(passage_of(editors, "essays-2"), editors.membership("lead"))
    quiet = quiet_passages(merge_now(editors.project), user=editors.lead, dispute=1000)
    assert [row.passage.external_id for row in quiet] == ["essays-1"]


def test_the_quiet_ones_are_proposed_and_agreed_to(editors: Cast) -> None:
    submit(editors, User.objects.get(email="cleo@example.org"), passage="essays-2")
    for _ in range(2):  # the second finds nothing left for this person
        settle_quiet(editors.project, by=editors.lead, act=uuid4(), dispute=1000)
    assert (DecisionStep.objects.count(), Decision.objects.counting().count()) == (2, 0)

    settle_quiet(editors.project, by=editors.ann, act=uuid4(), dispute=1000)
    assert Decision.objects.counting().about_passages().count() == 2
    assert not Decision.objects.filter(proposed__isnull=False).exists()


@pytest.mark.parametrize(
    ("span", "content", "who"), [(PARTY, KEEP, "ann"), (PARTY, KEEP, "lead"), (None, {"verdict": "discard"}, "ann")]
)
def test_where_something_else_is_proposed_it_is_not_quiet(editors: Cast, span: Any, content: Any, who: str) -> None:
    def quiet() -> list[str]:
        rows = quiet_passages(merge_now(editors.project), user=editors.lead, dispute=1000)
        return [row.passage.external_id for row in rows]

    decide(editors, None, SETTLED, editors.ben)
    assert quiet() == ["essays-1"]
    decide(editors, span, content, editors.person(who), reason="Why.")
    assert quiet() == []
    settle_quiet(editors.project, by=editors.lead, act=uuid4(), dispute=1000)
    assert not Decision.objects.counting().exists()


def test_what_is_only_proposed_is_called_so(editors: Cast) -> None:
    asked = page(editors, "adjudicate/quiet?dispute=1000")
    assert "Propose to settle 1 passage" in asked
    told = signed_in(editors).post("/p/essays/adjudicate/quiet", {"dispute": 1000}, follow=True).content.decode()
    assert "1 passage proposed to be settled, until somebody else agrees." in told
    assert "1 of them proposed" in told
    told = signed_in(editors, "ann").post("/p/essays/adjudicate/quiet", {"dispute": 1000}, follow=True)
    assert "1 passage settled." in told.content.decode()


def test_agreement_stays_that_of_the_blind_round(editors: Cast) -> None:
    """Measured anew, not only found again: whatever two agree on later, the figures are of what each said alone."""
    before = measured(editors).result
    for user in (editors.ann, editors.ben):
        decide(editors, PARTY, KEEP, user)
        decide(editors, UNCLE, DROP, user)
        decide(editors, None, SETTLED, user)
    assert counting(editors) == {"uncle": False, "party": True, "summer": False}
    merge_project(editors.project, by=editors.lead)

    after = measured(editors, seed="another").result

    names = ("pa_det", "pa_sug", "pairs", "annotators")
    assert {name: after[name] for name in names} == {name: before[name] for name in names}


def test_without_the_switch_one_decides_alone(three: Cast) -> None:
    merge_project(three.project, by=three.lead)
    decide(three, PARTY, KEEP, three.lead)

    assert Decision.objects.counting().count() == 1
