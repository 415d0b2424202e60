"""Webhooks made, paused, ended, with their secrets: who may, and what then is sent."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotator.actions.people import add_member, remove_member
from annotator.actions.projects import change_project_state
from annotator.actions.settings import copy_setup
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.models import Event, Job
from exports.actions import delivering
from exports.actions.webhooks import (
    MOST_TESTS,
    MOST_WEBHOOKS,
    change_secret,
    end_webhook,
    make_webhook,
    pause_webhook,
    resume_webhook,
    send_again,
    send_test,
)
from exports.domain.hosts import parse_host
from exports.domain.webhooks import TEST, News
from exports.models import Webhook, WebhookDelivery
from exports.queries.examining.chains import examine_chains
from exports.queries.examining.examined import Examined
from tests.exports.receiver import Receiver, is_signed, says
from tests.exports.telling import do_jobs, look, make_due, only_delivery, submit, tells, told
from tests.factories import Cast, make_user

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(
    ("url", "says_"),
    [
        ("https://elsewhere.example.org/", "not among the hosts that the operator has named: .*hooks.example.org"),
        ("https://hooks.example.org:444/", "not among"),
        ("http://localhost/", "not among"),
        ("https://hooks.example.org/#x", "after the #"),
        ("", "no address"),
    ],
)
def test_addresses_that_are_refused(cast: Cast, receiver: Receiver, url: str, says_: str) -> None:
    with pytest.raises(Invalid, match=says_):
        make_webhook(cast.project, by=cast.lead, url=url, news=News)
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("news", [[], ["answers.saved"], ["webhook.test"]])
def test_news_that_there_are_not(cast: Cast, receiver: Receiver, news: list[str]) -> None:
    with pytest.raises(Invalid):
        make_webhook(cast.project, by=cast.lead, url=receiver.url, news=news)


def test_a_project_has_so_many_at_the_most(cast: Cast, receiver: Receiver) -> None:
    rows = [tells(cast, receiver) for _ in range(MOST_WEBHOOKS)]
    with pytest.raises(Conflict, match="end one first"):
        tells(cast, receiver)

    end_webhook(rows[0], by=cast.lead)

    assert tells(cast, receiver).secret not in {row.secret for row in rows}


def test_test_messages_do_not_pile_up(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    for _ in range(MOST_TESTS):
        send_test(webhook, by=cast.lead)

    with pytest.raises(Conflict, match="on their way"):
        send_test(webhook, by=cast.lead)


def test_only_leads_make_and_steer_them(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    delivery = send_test(webhook, by=cast.lead)
    for user in (cast.ann, cast.adjudicator, cast.former, cast.stranger, cast.other_lead):
        assert not Webhook.objects.visible_to(user).exists()
        with pytest.raises(NotAllowed):
            make_webhook(cast.project, by=user, url=receiver.url, news=News)
        for act in (pause_webhook, resume_webhook, end_webhook, change_secret, send_test):
            with pytest.raises(NotAllowed):
                act(webhook, by=user)
        with pytest.raises(NotAllowed):
            send_again(WebhookDelivery.objects.select_related("webhook__project").get(pk=delivery.pk), by=user)


def test_the_doctor_reads_their_chains(cast: Cast, receiver: Receiver) -> None:
    tells(cast, receiver)
    assert list(examine_chains(Examined("event chains", cast.project))) == []

    Webhook.objects.update(version=7)

    assert list(examine_chains(Examined("event chains", cast.project))) != []


def test_who_says_gone_is_told_no_more(cast: Cast, receiver: Receiver) -> None:
    receiver.answer_next(says(410, "moved out"))
    webhook = tells(cast, receiver)
    for _ in range(2):
        send_test(webhook, by=cast.lead)

    do_jobs()

    webhook.refresh_from_db()
    assert webhook.ended_at is not None
    assert (webhook.secret, webhook.former_secret) == ("", "")
    assert len(receiver.came) == 1
    assert [row.state for row in WebhookDelivery.objects.all()] == ["failed", "failed"]
    assert Event.objects.of(webhook).last().kind == "webhook.gone"  # type: ignore[union-attr]
    assert Event.objects.of(webhook).last().by is None  # type: ignore[union-attr]
    for act in (send_test, pause_webhook, resume_webhook, end_webhook, change_secret):
        with pytest.raises(Conflict, match="ended"):
            act(webhook, by=cast.lead)


def test_paused_nothing_is_sent_and_what_happens_is_not_told(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    pause_webhook(webhook, by=cast.lead)
    pause_webhook(webhook, by=cast.lead)
    submit(cast, "ann", 1)
    do_jobs()
    look()
    assert receiver.came == []
    with pytest.raises(Conflict, match="go on first"):
        send_test(webhook, by=cast.lead)

    resume_webhook(webhook, by=cast.lead)
    resume_webhook(webhook, by=cast.lead)
    submit(cast, "ann", 2)
    look()

    assert told(receiver) == [
        ("webhook.test", {"project": "essays"}),  # what waited
        ("answers.submitted", {"project": "essays", "submissions": 1}),
    ]
    kinds = list(Event.objects.of(webhook).values_list("kind", flat=True))
    assert kinds == ["webhook.made", "webhook.tested", "webhook.paused", "webhook.resumed"]


def test_ended_in_the_middle_of_a_round_it_sends_no_more(
    cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = tells(cast, receiver)
    for _ in range(3):
        send_test(webhook, by=cast.lead)
    call = delivering._call

    def ended_meanwhile(row: WebhookDelivery) -> Any:
        end_webhook(Webhook.objects.select_related("project").get(pk=webhook.pk), by=cast.lead)
        return call(row)

    monkeypatch.setattr(delivering, "_call", ended_meanwhile)
    do_jobs()

    assert len(receiver.came) == 1
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {"failed"}


def test_what_somebody_has_made_who_leads_no_more_tells_nothing(cast: Cast, receiver: Receiver) -> None:
    eve = make_user("eve")
    add_member(cast.project, user=eve, by=cast.lead, roles={"lead"})
    webhook = make_webhook(cast.project, by=eve, url=receiver.url, news=News)
    remove_member(cast.project.memberships.get(user=eve), by=cast.lead)
    submit(cast, "ann", 1)
    assert look() == []
    with pytest.raises(Conflict):
        send_test(webhook, by=cast.lead)

    resume_webhook(webhook, by=cast.lead)
    submit(cast, "ann", 2)
    look()

    assert told(receiver) == [("answers.submitted", {"project": "essays", "submissions": 1})]
    webhook.refresh_from_db()
    assert webhook.made_by == cast.lead


def test_an_archived_project_tells_nothing(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    submit(cast, "ann", 1)
    change_project_state(cast.project, by=cast.lead, act="archive")

    assert look() == []
    cast.project.refresh_from_db()
    with pytest.raises(Conflict):
        tells(cast, receiver)
    webhook.project.refresh_from_db()
    with pytest.raises(Conflict):
        send_test(webhook, by=cast.lead)
    end_webhook(webhook, by=cast.lead)


def test_where_the_operator_names_no_host_nothing_is_sent(cast: Cast, receiver: Receiver, settings: Any) -> None:
    webhook = tells(cast, receiver)
    submit(cast, "ann", 1)
    send_test(webhook, by=cast.lead)
    settings.WEBHOOK_HOSTS = ()

    assert [job.result for job in look()] == [{"delivered": 0, "failed": 0}]
    assert receiver.came == []
    for act in (send_test, resume_webhook, change_secret):
        with pytest.raises(Conflict, match="ASSAY_WEBHOOK_HOSTS"):
            act(webhook, by=cast.lead)
    with pytest.raises(Conflict, match="ASSAY_WEBHOOK_HOSTS"):
        tells(cast, receiver)


def test_a_host_that_is_named_no_more_is_not_called(cast: Cast, receiver: Receiver, settings: Any) -> None:
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    settings.WEBHOOK_HOSTS = (parse_host("hooks.example.org"),)

    do_jobs()

    assert receiver.came == []
    assert "not among the hosts" in only_delivery().problem


def test_for_a_day_both_secrets_sign(cast: Cast, receiver: Receiver) -> None:
    webhook = tells(cast, receiver)
    former = webhook.secret
    change_secret(webhook, by=cast.lead)
    send_test(webhook, by=cast.lead)
    do_jobs()
    Webhook.objects.update(former_until=timezone.now() - timedelta(seconds=1))
    send_again(only_delivery(), by=cast.lead)
    do_jobs()

    first, second = receiver.came
    assert webhook.secret != former
    assert is_signed(first, former)
    assert is_signed(first, webhook.secret)
    assert not is_signed(second, former)
    assert is_signed(second, webhook.secret)


def test_secrets_and_addresses_stand_in_no_event_no_job_and_no_log(
    cast: Cast, receiver: Receiver, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("DEBUG")
    webhook = tells(cast, receiver)
    secrets = {webhook.secret, change_secret(webhook, by=cast.lead).secret}
    receiver.answer_next(says(500, "said back"))
    send_test(webhook, by=cast.lead)
    do_jobs()
    monkeypatch.setattr(delivering, "_call", lambda row: 1 / 0)
    make_due(only_delivery())
    look()

    kept = json.dumps([list(Event.objects.values_list("payload", flat=True))])
    kept += json.dumps(list(Job.objects.values("params", "result", "message")), default=str) + caplog.text
    assert "ZeroDivisionError" in kept
    assert not [word for word in (*secrets, *(s[6:] for s in secrets), "/told", "said back") if word in kept]


def test_nothing_of_a_webhook_moves_with_a_project(cast: Cast, receiver: Receiver, tmp_path: Path) -> None:
    call_command("export", "essays", format="assay", out=tmp_path / "before.jsonl")
    send_test(tells(cast, receiver), by=cast.lead)

    call_command("export", "essays", format="assay", out=tmp_path / "after.jsonl")
    type(cast.lead).objects.filter(pk=cast.lead.pk).update(can_create_projects=True)
    cast.lead.refresh_from_db()
    copy = copy_setup(cast.project, by=cast.lead, slug="copy", name="Copy")

    assert (tmp_path / "after.jsonl").read_bytes() == (tmp_path / "before.jsonl").read_bytes()
    assert not Webhook.objects.of(copy).exists()


def test_the_guide_names_every_message_and_its_check_holds(cast: Cast, receiver: Receiver) -> None:
    guide = (ROOT / "docs" / "leads.md").read_text(encoding="utf-8").partition("## Webhooks")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `([a-z.]+)` \|", guide, re.MULTILINE)
    code: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", guide, re.DOTALL)[0], code)
    webhook = tells(cast, receiver)
    send_test(webhook, by=cast.lead)
    do_jobs()

    [came] = receiver.came
    assert sorted(named) == sorted([*News, TEST])
    assert code["is_from_assay"](webhook.secret, came.headers, came.body.encode())
    assert not code["is_from_assay"](webhook.secret, came.headers, came.body.encode() + b" ")
    assert not code["is_from_assay"](change_secret(webhook, by=None).secret, came.headers, came.body.encode())
