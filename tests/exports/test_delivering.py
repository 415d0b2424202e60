"""Messages that are not taken at once: tried again, given up, sent again, sent once by two workers."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotator.actions.running import claim
from annotator.actions.sweeping import sweep
from annotator.domain.jobs import JobState
from annotator.models import Event, Job
from exports.actions import delivering, webhooks
from exports.actions.webhooks import (
    send_again,
    send_test,
)
from exports.domain.webhooks import WAITS, DeliveryState
from exports.models import Webhook, WebhookDelivery
from exports.queries import webhooks as queries
from tests.annotator.jobs import let_the_lease_run_out
from tests.exports.receiver import Receiver, is_signed, raw, says
from tests.exports.telling import LONG_AGO, do_jobs, look, make_due, only_delivery, submit, tells
from tests.factories import Cast


def test_what_is_not_taken_is_tried_again_under_the_same_id(cast: Cast, receiver: Receiver) -> None:
    receiver.answer_next(says(500, "no database"), says(200))
    webhook = tells(cast, receiver)
    submit(cast, "ann", 1)
    look()
    row = only_delivery()
    assert (row.state, row.tries, row.status, row.said) == ("waiting", 1, 500, "no database")
    assert row.problem == "It answered 500."
    assert row.next_at is not None
    assert 0 < (row.next_at - timezone.now()).total_seconds() <= WAITS[0]
    assert look() == []  # not before its time

    make_due(row)
    look()

    row.refresh_from_db()
    assert (row.state, row.tries, row.status, row.problem) == ("delivered", 2, 200, "")
    assert receiver.came[0].id == receiver.came[1].id
    assert receiver.came[0].body == receiver.came[1].body
    assert all(is_signed(came, webhook.secret) for came in receiver.came)


def test_after_a_day_it_is_given_up(cast: Cast, receiver: Receiver) -> None:
    receiver.answer_next(says(503, Retry_After="600"))
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    waits = []
    for _ in range(len(WAITS) + 1):
        do_jobs() or look()
        row = only_delivery()
        if row.next_at:
            waits.append(round((row.next_at - timezone.now()).total_seconds()))
        make_due(*WebhookDelivery.objects.waiting())

    planned = [max(600, wait) for wait in WAITS]  # it had asked for ten minutes
    assert [round(wait, -1) for wait in waits] == planned
    assert (row.state, row.tries) == (DeliveryState.FAILED, len(WAITS) + 1)
    assert look() == []


def test_an_old_message_is_tried_no_more_however_few_its_tries(cast: Cast, receiver: Receiver) -> None:
    receiver.answer_next(says(500))
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    WebhookDelivery.objects.update(since=timezone.now() - timedelta(hours=25))

    do_jobs()

    assert only_delivery().state == DeliveryState.FAILED


def test_send_again_begins_a_day_anew(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    row = send_test(webhook, by=cast.lead)
    WebhookDelivery.objects.filter(pk=row.pk).move("give up", next_at=None, tries=11, since=timezone.now() - LONG_AGO)

    send_again(only_delivery(), by=cast.lead)
    do_jobs()

    row = only_delivery()
    assert (row.state, row.tries) == (DeliveryState.DELIVERED, 1)
    send_again(row, by=cast.lead)  # what was delivered, too
    do_jobs()
    assert [came.id for came in receiver.came] == [str(row.uuid)] * 2
    events = Event.objects.filter(subject="webhook").order_by("pk").values_list("kind", flat=True)
    assert list(events) == ["webhook.made", "webhook.tested", "webhook.sent_again", "webhook.sent_again"]


def test_an_address_where_nobody_answers_holds_a_worker_for_one_try(
    cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exports.calling.LONGEST_CALL", 0.3)
    receiver.answer_next(raw(b"", pause=1.0))
    webhook = tells(cast, receiver)
    for _ in range(3):
        send_test(webhook, by=cast.lead)

    [job] = do_jobs()

    assert job.result == {"delivered": 0, "failed": 1}
    assert sorted(WebhookDelivery.objects.values_list("tries", flat=True)) == [0, 0, 1]
    receiver.answer_next(says(200))
    look()
    assert WebhookDelivery.objects.filter(state="delivered").count() == 2


def test_what_one_message_says_is_nothing_to_the_others(cast: Cast, receiver: Receiver) -> None:
    receiver.answer_next(says(500), says(200))
    webhook = tells(cast, receiver)
    for _ in range(3):
        send_test(webhook, by=cast.lead)

    do_jobs()

    assert [row.state for row in WebhookDelivery.objects.order_by("pk")] == ["waiting", "delivered", "delivered"]


def test_a_worker_killed_in_the_middle_leaves_a_message_that_goes_later(
    cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At least once: it had arrived, nobody noted it, and it comes again with the same id."""
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    call = delivering._call

    def killed(row: WebhookDelivery) -> Any:
        call(row)
        raise KeyboardInterrupt

    monkeypatch.setattr(delivering, "_call", killed)
    with pytest.raises(KeyboardInterrupt):
        do_jobs()
    monkeypatch.setattr(delivering, "_call", call)
    row = only_delivery()
    assert (row.state, row.tries) == ("waiting", 1)
    do_jobs()  # the job goes on, and nothing is due for a minute
    assert len(receiver.came) == 1

    make_due(row)
    look()

    assert only_delivery().state == "delivered"
    assert len({came.id for came in receiver.came}) == 1
    assert len(receiver.came) == 2


def test_after_a_power_cut_the_job_goes_on(cast: Cast, receiver: Receiver) -> None:
    """Killed between putting the message off and noting what came of it: its lease runs out, and the try counts."""
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    job = Job.objects.get(kind=delivering.DELIVER.name)
    run = claim(job.pk, worker="w")
    assert run is not None
    assert delivering._is_ours(run, only_delivery())
    let_the_lease_run_out(job)
    sweep()
    make_due(only_delivery())

    [again] = do_jobs()

    assert (again.pk, again.attempts, again.state) == (job.pk, 2, JobState.DONE)
    assert (only_delivery().state, only_delivery().tries) == ("delivered", 2)
    assert len(receiver.came) == 1


def test_an_address_that_a_later_version_refuses_is_not_called(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    Webhook.objects.update(url="gopher://127.0.0.1/")

    do_jobs()

    assert only_delivery().problem == "The address begins with https:// or http://."
    assert [line.state for line in queries.lines_of(Webhook.objects.all())] == ["stopped"]


def test_two_jobs_send_a_message_once(cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    call, is_first = delivering._call, [True]

    def meanwhile(row: WebhookDelivery) -> Any:
        if is_first.pop():
            is_first.append(False)
            webhooks._ask_to_deliver(webhook, by=None)
            assert len(do_jobs()) == 1
        return call(row)

    monkeypatch.setattr(delivering, "_call", meanwhile)
    do_jobs()

    assert len(receiver.came) == 1
    assert only_delivery().state == "delivered"


def test_a_second_look_asks_for_no_second_job(cast: Cast, receiver: Receiver) -> None:
    tells(cast, receiver)
    submit(cast, "ann", 1)
    for _ in range(2):
        delivering._looked_at = None
        Webhook.objects.update(looked_at=timezone.now() - LONG_AGO)
        delivering.ask_for_deliveries()

    assert Job.objects.filter(kind=delivering.DELIVER.name).count() == 1
    Webhook.objects.update(looked_at=timezone.now())
    Job.objects.filter(kind=delivering.DELIVER.name).update(state="cancelled")
    delivering._looked_at = None
    delivering.ask_for_deliveries()  # another worker has just looked
    assert Job.objects.filter(kind=delivering.DELIVER.name).count() == 1


def test_old_messages_are_forgotten_and_those_that_wait_kept(cast: Cast, receiver: Receiver, settings: Any) -> None:
    webhook = tells(cast, receiver)
    old = [send_test(webhook, by=cast.lead) for _ in range(2)]
    new = send_test(webhook, by=cast.lead)
    long_ago = timezone.now() - delivering.DELIVERIES_KEPT - timedelta(hours=1)
    WebhookDelivery.objects.filter(pk__in=[row.pk for row in old]).update(at=long_ago)
    WebhookDelivery.objects.filter(pk__in=[old[0].pk, new.pk]).move("deliver", next_at=None)
    settings.WEBHOOK_HOSTS = ()  # also where there are no webhooks any more

    look()

    assert set(WebhookDelivery.objects.values_list("pk", flat=True)) == {old[1].pk, new.pk}
