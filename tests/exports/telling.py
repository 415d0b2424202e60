"""What makes webhooks go, as the clock and the workers do."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotator.actions.running import work_on
from annotator.models import Job
from exports.actions import delivering
from exports.actions.delivering import DELIVER
from exports.actions.webhooks import make_webhook
from exports.domain.webhooks import News
from exports.models import Webhook, WebhookDelivery
from tests.conftest import Api
from tests.exports.receiver import Receiver
from tests.factories import Cast, answer_for, save_body

LONG_AGO = timedelta(days=2)


def tells(cast: Cast, receiver: Receiver, *news: News, **given: Any) -> Webhook:
    return make_webhook(cast.project, by=cast.lead, url=receiver.url, news=news or tuple(News), **given)


def look() -> list[Job]:
    """A minute later: the sweep looks, and a worker does what it asks for."""
    delivering._looked_at = None
    Webhook.objects.update(looked_at=timezone.now() - LONG_AGO)
    delivering.ask_for_deliveries()
    return do_jobs()


def do_jobs() -> list[Job]:
    jobs = list(Job.objects.waiting().filter(kind=DELIVER.name).order_by("pk"))
    for job in jobs:
        work_on(job.pk, DELIVER.work, worker="w")
        job.refresh_from_db()
    return jobs


def make_due(*rows: WebhookDelivery) -> None:
    WebhookDelivery.objects.filter(pk__in=[row.pk for row in rows]).update(next_at=timezone.now() - LONG_AGO)


def only_delivery() -> WebhookDelivery:
    return WebhookDelivery.objects.select_related("webhook__project").get()


def submit(cast: Cast, name: str, *numbers: int) -> None:
    for number in numbers:
        row = cast.assignment(name, number)
        assert Api(cast.person(name)).act(row, "submit", save_body(answer_for(row)), row.version).status_code == 200


def told(receiver: Receiver) -> list[tuple[str, dict[str, Any]]]:
    return [(came.told["type"], came.told["data"]) for came in receiver.came]
