"""What happens in a project, and what a webhook tells of it: real HTTP on this machine, jobs as workers do them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.models import AgreementReport, Double, Merge
from annotator.actions.people import add_member, change_roles
from annotator.domain.jobs import JobState
from annotator.models import Assignment, Event, User
from exports.actions import webhooks
from exports.actions.releasing import withdraw_release
from exports.actions.webhooks import (
    make_webhook,
)
from exports.domain.webhooks import News
from exports.models import Release, SystemRun, Webhook
from exports.queries import webhooks as queries
from tests.adjudication.test_deciding import passage_of
from tests.conftest import Api
from tests.exports.receiver import Receiver, is_signed
from tests.exports.systems import scored
from tests.exports.telling import look, only_delivery, submit, tells, told
from tests.factories import Cast, answer_for, make_user, save_body


def test_several_submissions_arrive_as_one_signed_message(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    submit(cast, "ann", 1, 2)
    submit(cast, "ben", 1)

    [job] = look()

    [came] = receiver.came
    delivery = only_delivery()
    assert came.told["type"] == "answers.submitted"
    assert came.told["data"] == {"project": "essays", "submissions": 3}
    assert came.id == str(delivery.uuid)
    assert is_signed(came, webhook.secret)
    assert not is_signed(came, webhooks._new_secret())
    assert (delivery.state, delivery.tries, delivery.status, delivery.next_at) == ("delivered", 1, 200, None)
    assert (job.state, job.result) == (JobState.DONE, {"delivered": 1, "failed": 0})
    assert look() == []
    submit(cast, "ben", 2)
    look()
    assert told(receiver)[1:] == [("answers.submitted", {"project": "essays", "submissions": 1})]


def test_a_submission_takes_not_one_statement_more(cast: Cast, receiver: Receiver) -> None:
    def statements(name: str) -> int:
        row = cast.assignment(name)
        with CaptureQueriesContext(connection) as queries_:
            Api(cast.person(name)).act(row, "submit", save_body(answer_for(row)), 0)
        return len(queries_)

    without = statements("ann")
    tells(cast, receiver)

    assert statements("ben") == without


def test_what_happened_before_is_not_told(cast: Cast, receiver: Receiver) -> None:
    submit(cast, "ann", 1)
    tells(cast, receiver)

    assert look() == []
    assert receiver.came == []


def test_saves_discards_and_other_projects_are_no_news(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    make_webhook(cast.other_project, by=cast.other_lead, url=receiver.url, news=News)
    api, row = Api(cast.ann), cast.assignment("ann")
    api.save(row, save_body(answer_for(row)), 0)
    api.act(cast.assignment("ann", 2), "discard", {"save_id": str(uuid4()), "reason": "grammar"}, 0)

    assert look() == []
    webhook.refresh_from_db()
    assert webhook.read_to == Event.objects.latest("pk").pk  # and is not read again
    submit(cast, "ann", 3)
    look()
    assert told(receiver) == [("answers.submitted", {"project": "essays", "submissions": 1})]


def test_practice_and_tests_are_no_submissions_of_work(cast: Cast, receiver: Receiver) -> None:
    tells(cast, receiver)
    row = cast.assignment("ann")
    row.passage.kind = "practice"
    row.passage.save()
    submit(cast, "ann", 1)

    look()

    assert receiver.came == []


def test_merges_and_reports_are_named_by_id(cast: Cast, receiver: Receiver) -> None:
    submit(cast, "ann", 1)
    submit(cast, "ben", *(n for n in range(1, 5)))
    tells(cast, receiver, News.MERGED, News.MEASURED)
    merge_project(cast.project, by=cast.lead)
    measure_agreement(cast.project, by=cast.lead, settings=agreement_settings(cast.project))
    merge, report = Merge.objects.get(), AgreementReport.objects.get()

    look()

    (first, merged), (second, measured) = told(receiver)
    assert (first, second) == ("answers.merged", "agreement.measured")
    names = ("answers", "passages", "targets", "kept", "suggestions")
    assert merged == {"project": "essays", "merge": str(merge.uuid), **{name: getattr(merge, name) for name in names}}
    assert measured == {"project": "essays", "report": str(report.uuid), "is_whole": True}
    assert Merge.objects.visible_to(cast.lead).filter(uuid=merged["merge"]).exists()
    assert AgreementReport.objects.visible_to(cast.lead).filter(uuid=measured["report"]).exists()


def test_decisions_are_counted(decided: Cast, receiver: Receiver) -> None:
    tells(decided, receiver, News.DECIDED)
    text = passage_of(decided).text
    start = text.index("big")
    content = {"verdict": "keep", "suggestions": [{"text": "great", "from": []}]}
    given = {"by": decided.adjudicator, "version": 0, "reason": "so", "cause": "taste"}
    decide_span(passage_of(decided), (start, start + 3), act=uuid4(), content=content, **given)

    look()

    assert told(receiver) == [("gold.decided", {"project": "essays", "decisions": 1, "undone": 0})]


def test_what_one_of_two_decides_blind_to_the_other_is_not_counted(decided: Cast, receiver: Receiver) -> None:
    tells(decided, receiver, News.DECIDED)
    passage = passage_of(decided, "essays-3")
    Double.objects.create(passage=passage)
    given = {"by": decided.adjudicator, "version": 0}
    decide_passage(passage, act=uuid4(), content={"verdict": "settled"}, **given)

    assert Event.objects.filter(kind="decision.made").latest("pk").pk > Webhook.objects.get().read_to
    look()

    assert receiver.came == []


def test_releases_and_runs_are_named_by_id(released: Release, maker: User, cast: Cast, receiver: Receiver) -> None:
    tells(cast, receiver)
    run = scored(released, maker)
    withdraw_release(released, by=cast.lead, version=released.version, why="A wrong file.")

    look()

    assert told(receiver) == [
        ("run.scored", {"project": "essays", "run": str(run.uuid), "release": str(released.uuid), "state": "scored"}),
        ("gold.released", {"project": "essays", "release": str(released.uuid), "number": 1, "state": "withdrawn"}),
    ]
    assert SystemRun.objects.count() == 1


def test_only_what_was_asked_for_is_told(cast: Cast, receiver: Receiver) -> None:
    tells(cast, receiver, News.MERGED)
    submit(cast, "ann", 1)

    assert look() == []


def test_bodies_hold_no_answer_no_text_and_no_name(decided: Cast, receiver: Receiver) -> None:
    """Nor which passage: a lead who has it still to annotate must not learn that somebody has submitted it."""
    change_roles(decided.membership("lead"), by=None, roles={"lead", "annotator"})
    tells(decided, receiver)
    eve = make_user("eve")
    add_member(decided.project, user=eve, by=decided.lead, roles={"annotator"})
    row = Assignment.objects.select_related("membership", "passage__project").filter(membership__user=eve).first()
    assert row is not None
    Api(eve).act(row, "submit", save_body(answer_for(row, "eve's word")), 0)
    merge_project(decided.project, by=None)
    measure_agreement(decided.project, by=None, settings=agreement_settings(decided.project))

    look()

    sent = "\n".join(came.body for came in receiver.came)
    assert len(receiver.came) == 3
    passages = list(decided.project.passages.all())
    rows = Assignment.objects.filter(passage__in=passages)
    hidden = [str(passage.uuid) for passage in passages] + [passage.external_id for passage in passages]
    hidden += [str(uuid) for uuid in rows.values_list("uuid", flat=True)]
    hidden += [word for passage in passages for word in passage.text.split() if len(word) > 7]
    hidden += ["eve", "Eve", "ann", "Ann", "A01", decided.project.name, "example.org"]
    assert [word for word in hidden if f'"{word}' in sent or f" {word}" in sent] == []


def event_like(event: Event, pk: int, **given: Any) -> None:
    values = {field.attname: getattr(event, field.attname) for field in Event._meta.concrete_fields}
    Event.objects.create(**{**values, "id": pk, "seq": 10_000 + pk, **given})


def test_where_ids_are_not_in_the_order_of_commits_nothing_is_lost(
    cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event with a smaller id may be committed later: what stands behind a young gap waits for it."""
    tells(cast, receiver)
    submit(cast, "ann", 1)
    last = Event.objects.get(kind="assignment.submitted")
    event_like(last, last.pk + 1000)
    look()
    assert told(receiver) == [("answers.submitted", {"project": "essays", "submissions": 1})]
    event_like(last, last.pk + 999)  # committed now

    assert look() == []  # nor is it sure yet that nothing comes before it
    monkeypatch.setattr(queries, "SETTLED_AFTER", timedelta(0))
    look()

    assert told(receiver)[1:] == [("answers.submitted", {"project": "essays", "submissions": 2})]


def test_a_gap_that_is_old_stays_one(cast: Cast, receiver: Receiver) -> None:
    tells(cast, receiver)
    submit(cast, "ann", 1)
    last = Event.objects.get(kind="assignment.submitted")
    event_like(last, last.pk + 1000, at=timezone.now() - 2 * queries.SETTLED_AFTER)

    look()

    assert told(receiver) == [("answers.submitted", {"project": "essays", "submissions": 2})]


def test_much_at_once_is_told_look_by_look(cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_MESSAGES", 1)
    submit(cast, "ann", 1)
    submit(cast, "ben", 1, 2, 3, 4)
    tells(cast, receiver)
    for number, resamples in ((2, 100), (3, 200)):
        submit(cast, "ann", number)
        settings = agreement_settings(cast.project, resamples=resamples)
        measure_agreement(cast.project, by=cast.lead, settings=settings)

    look()
    assert [kind for kind, _ in told(receiver)] == ["answers.submitted", "agreement.measured"]
    look()

    assert [kind for kind, _ in told(receiver)][2:] == ["answers.submitted", "agreement.measured"]
    assert [data["submissions"] for _, data in told(receiver)[::2]] == [1, 1]
