"""Webhooks: not there where the operator has named no host; else pages of leads."""

from django.conf import settings

from exports.actions.webhooks import make_webhook, send_test
from exports.domain.hosts import Host
from exports.domain.webhooks import News
from exports.models import Webhook
from tests.factories import Cast
from tests.matrix.routes import LEADS, LEADS_POST, ROLES, UNKNOWN, Route, page

NAMED = (Host("hooks.example.org"),)
ADDRESS = "https://hooks.example.org/assay"
ACTS = ("pause", "resume", "end", "test")
NOT_THERE = {**dict.fromkeys(ROLES, 404), "nobody": 302}


def a_webhook(cast: Cast) -> Webhook:
    assert settings.WEBHOOK_HOSTS == NAMED
    found = Webhook.objects.select_related("project").first()
    return found or make_webhook(cast.project, by=cast.lead, url=ADDRESS, news=News)


def of_webhook(tail: str = "", **allowed: dict[str, int]) -> Route:
    return Route(lambda cast: f"/p/essays/webhooks/{a_webhook(cast).uuid}{tail}", allowed)


def _again(cast: Cast) -> str:
    webhook = a_webhook(cast)
    message = webhook.deliveries.first() or send_test(webhook, by=cast.lead)
    return f"/p/essays/webhooks/{webhook.uuid}/messages/{message.uuid}/again"


# Where a host is named: tests/exports/test_webhook_pages.py asks these.
WHERE_NAMED: dict[str, Route] = {
    "webhooks": page("/p/essays/webhooks", GET=LEADS, POST={**LEADS, "lead": 400}),
    "webhook": of_webhook(GET=LEADS),
    "webhook_secret": of_webhook("/secret", POST=LEADS),
    **{f"webhook_{act}": of_webhook(f"/{act}", POST=LEADS_POST) for act in ACTS},
    "webhook_send_again": Route(_again, {"POST": LEADS_POST}),
}
_HERE = f"/p/essays/webhooks/{UNKNOWN}"
WEBHOOKS: dict[str, Route] = {
    "webhooks": page("/p/essays/webhooks", GET=NOT_THERE, POST=NOT_THERE),
    "webhook": page(_HERE, GET=NOT_THERE),
    "webhook_secret": page(f"{_HERE}/secret", POST=NOT_THERE),
    **{f"webhook_{act}": page(f"{_HERE}/{act}", POST=NOT_THERE) for act in ACTS},
    "webhook_send_again": page(f"{_HERE}/messages/{UNKNOWN}/again", POST=NOT_THERE),
}
