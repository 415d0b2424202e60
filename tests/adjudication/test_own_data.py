"""One's own data holds what one decided and said as an adjudicator, and nothing of anybody else's."""

from uuid import uuid4

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage
from annotator.queries.own_data import own_data
from tests.factories import Cast
from tests.matrix.routes import measured


def test_decisions_and_comments_are_their_makers(cast: Cast) -> None:
    measured(cast, "")
    passage = cast.assignment("ann").passage
    add_comment(passage, by=cast.adjudicator, text="Is this a name?")
    add_comment(passage, by=cast.lead, text="No.")
    given = {"version": 0, "act": uuid4(), "content": {"verdict": "settled"}, "reason": "It is clear."}
    decide_passage(passage, by=cast.adjudicator, **given)

    records = [record for record in own_data(cast.adjudicator) if record["record"] in ("decision", "comment")]

    assert [(record["record"], record["passage"], record["project"]) for record in records] == [
        ("decision", passage.external_id, "essays"),
        ("comment", passage.external_id, "essays"),
    ]
    assert records[0]["content"]["verdict"] == "settled"
    assert records[1]["text"] == "Is this a name?"
    assert not [record for record in own_data(cast.ann) if record["record"] in ("decision", "comment")]
