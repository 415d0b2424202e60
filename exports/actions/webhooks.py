"""Webhooks: made, paused, ended, given another secret, tried out; and a message sent again."""

import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.states import move
from annotator.models import Event, Project, User
from annotator.permissions import check_can_grow, check_can_lead
from exports.domain.hosts import parse_address
from exports.domain.webhooks import (
    DELIVERY_MOVES,
    FORMER_SECRET_HOURS,
    SECRET_BYTES,
    TEST,
    DeliveryState,
    Message,
    News,
    secret_of,
)
from exports.models import Webhook, WebhookDelivery
from exports.permissions import check_can_tell

MOST_WEBHOOKS = 10  # of a project, that are not ended
MOST_TESTS = 20  # of a webhook, that wait
DELIVERS = "deliver_webhook"


@transaction.atomic
def make_webhook(project: Project, *, by: User | None, url: str, news: Iterable[str]) -> Webhook:
    """What happens from now on is told. The secret is in the row that comes back: whoever made it sees it this once."""
    check_can_tell(by, project)
    check_can_grow(project)
    address, wanted = parse_address(url), set(news)
    if not address.is_on(settings.WEBHOOK_HOSTS):
        named = ", ".join(map(str, settings.WEBHOOK_HOSTS))
        raise Invalid.of("host", f"{address.host} is not among the hosts that the operator has named: {named}.", "url")
    if unknown := wanted - set(News):
        raise Invalid.of("news", f"There are no news called {min(unknown)}.", "news")
    if not wanted:
        raise Invalid.of("news", "Choose what is to be told.", "news")
    held = locked(project)
    if Webhook.objects.of(held).not_ended().count() >= MOST_WEBHOOKS:
        raise Conflict(f"A project has {MOST_WEBHOOKS} webhooks at the most: end one first.", code="too_many_webhooks")
    in_order = [item for item in News if item in wanted]
    made = {"url": url, "news": in_order, "secret": _new_secret(), "made_by": by, "read_to": 0}
    webhook = Webhook.objects.create(project=held, **made)
    write(webhook, "webhook.made", by=by, payload={"news": in_order})
    _read_from_now_on(webhook)
    return webhook


def _new_secret() -> str:
    return secret_of(secrets.token_bytes(SECRET_BYTES))


def _read_from_now_on(webhook: Webhook) -> None:
    """After the event of the act: the log is read from there."""
    webhook.read_to = Event.objects.order_by("-pk").values_list("pk", flat=True)[0]
    Webhook.objects.filter(pk=webhook.pk).update(read_to=webhook.read_to)


def _check_not_ended(webhook: Webhook) -> None:
    if webhook.ended_at:
        raise Conflict("This webhook is ended: make another.", code="webhook_ended")


@transaction.atomic
def pause_webhook(webhook: Webhook, *, by: User | None) -> None:
    """Nothing is sent; what waits stays, and what happens meanwhile is not told."""
    check_can_lead(by, webhook.project)
    _check_not_ended(webhook)
    if webhook.paused_at is None:
        write(webhook, "webhook.paused", by=by, changes={"paused_at": timezone.now()})


@transaction.atomic
def resume_webhook(webhook: Webhook, *, by: User | None) -> None:
    """From now on; it is told on behalf of whoever lets it go on."""
    check_can_tell(by, webhook.project)
    _check_not_ended(webhook)
    if webhook.paused_at is None and Webhook.objects.calling().filter(pk=webhook.pk).exists():
        return
    write(webhook, "webhook.resumed", by=by, changes={"paused_at": None, "made_by": by})
    _read_from_now_on(webhook)


@transaction.atomic
def end_webhook(webhook: Webhook, *, by: User | None) -> None:
    """For good; what waits is given up, and the secret forgotten."""
    check_can_lead(by, webhook.project)
    _check_not_ended(webhook)
    _end(webhook, "webhook.ended", by=by)


def _end(webhook: Webhook, kind: str, *, by: User | None) -> None:
    changes = {"ended_at": timezone.now(), "secret": "", "former_secret": "", "former_until": None}
    write(webhook, kind, by=by, changes=changes)
    WebhookDelivery.objects.of(webhook).waiting().move("give up", next_at=None)


@transaction.atomic
def change_secret(webhook: Webhook, *, by: User | None) -> Webhook:
    """Another one, shown this once; for a day what is sent is signed by both."""
    check_can_tell(by, webhook.project)
    _check_not_ended(webhook)
    until = timezone.now() + timedelta(hours=FORMER_SECRET_HOURS)
    changes = {"secret": _new_secret(), "former_secret": webhook.secret, "former_until": until}
    write(webhook, "webhook.secret_changed", by=by, changes=changes)
    return webhook


@transaction.atomic
def send_test(webhook: Webhook, *, by: User | None) -> WebhookDelivery:
    """A message that says nothing has happened, at once."""
    _check_calls(webhook, by)
    if WebhookDelivery.objects.of(webhook).waiting().filter(type=TEST).count() >= MOST_TESTS:
        raise Conflict(f"{MOST_TESTS} test messages are on their way already.", code="too_many_tests")
    message = Message(TEST, timezone.now().isoformat(), {"project": webhook.project.slug})
    made = WebhookDelivery.objects.create(webhook=webhook, type=message.type, body=message.body())
    write(webhook, "webhook.tested", by=by, payload={"delivery": made.pk})
    _ask_to_deliver(webhook, by=by)
    return made


@transaction.atomic
def send_again(delivery: WebhookDelivery, *, by: User | None) -> None:
    """The same message under the same id, at once, and tried for a day anew."""
    webhook = delivery.webhook
    _check_calls(webhook, by)
    move(DELIVERY_MOVES, DeliveryState(delivery.state), "send again", noun="message")
    afresh = {"tries": 0, "since": Now(), "next_at": Now()}
    WebhookDelivery.objects.filter(pk=delivery.pk).move("send again", **afresh)
    write(webhook, "webhook.sent_again", by=by, payload={"delivery": delivery.pk})
    _ask_to_deliver(webhook, by=by)


def _check_calls(webhook: Webhook, by: User | None) -> None:
    check_can_tell(by, webhook.project)
    _check_not_ended(webhook)
    if not Webhook.objects.calling().filter(pk=webhook.pk).exists():
        raise Conflict("Nothing is sent just now: let this webhook go on first.", code="webhook_paused")


def _ask_to_deliver(webhook: Webhook, *, by: User | None) -> None:
    _enqueue(DELIVERS, by=by, project=webhook.project, params={"webhook": str(webhook.uuid)})
