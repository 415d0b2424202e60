"""Messages to webhooks: made of what the log says, sent by jobs, tried again with growing waits. Nothing of it is in
the way of what it tells about."""

import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from annotator.actions.jobs import _enqueue
from annotator.actions.running import Result, Run
from annotator.bulk import BATCH
from annotator.domain.errors import Refused
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Job
from exports.actions.webhooks import DELIVERS, _end
from exports.calling import call
from exports.domain.hosts import parse_address
from exports.domain.webhooks import Reply, headers_of, next_wait
from exports.models import Webhook, WebhookDelivery
from exports.queries.webhooks import has_news, news_of, settled_to

LOOK_EVERY = 60.0  # seconds
LONGEST_ROUND = 30.0  # seconds that one job sends; the rest goes with the next look
TRIED_AGAIN_AFTER = timedelta(seconds=60)  # where a worker was killed in the middle of a try
DELIVERIES_KEPT = timedelta(days=30)
_looked_at: float | None = None


def ask_for_deliveries() -> None:
    """Called with every sweep; looks only now and then, and of several workers one."""
    global _looked_at
    if _looked_at is not None and time.monotonic() - _looked_at < LOOK_EVERY:
        return
    _looked_at = time.monotonic()
    _forget_old_deliveries()
    if not settings.WEBHOOK_HOSTS:
        return
    for webhook in Webhook.objects.calling().select_related("project").order_by("pk"):
        long_ago = Now() - timedelta(seconds=LOOK_EVERY / 2)
        if Webhook.objects.filter(pk=webhook.pk, looked_at__lt=long_ago).update(looked_at=Now()):
            _look(webhook)


def _look(webhook: Webhook) -> None:
    params = {"webhook": str(webhook.uuid)}
    jobs = Job.objects.unfinished().filter(kind=DELIVERS, project=webhook.project)
    if params in jobs.values_list("params", flat=True):
        return
    until = settled_to(webhook.read_to)
    if has_news(webhook, until) or WebhookDelivery.objects.of(webhook).due().exists():
        _enqueue(DELIVERS, by=None, project=webhook.project, params=params)
    else:
        _read_to(webhook, until)


def _read_to(webhook: Webhook, until: int) -> bool:
    """Whether nobody else has read on since."""
    return bool(Webhook.objects.filter(pk=webhook.pk, read_to=webhook.read_to).update(read_to=until))


def _forget_old_deliveries() -> None:
    old = WebhookDelivery.objects.filter(at__lt=Now() - DELIVERIES_KEPT, next_at=None)
    if ids := list(old.order_by("at").values_list("pk", flat=True)[:BATCH]):
        WebhookDelivery.objects.filter(pk__in=ids, next_at=None).delete()


def _deliver(run: Run) -> Result:
    """The job: what is new becomes messages, then all that is due is sent. Where nobody answers it ends: an address
    that hangs costs a worker five seconds a minute."""
    webhook = Webhook.objects.select_related("project").get(uuid=run.job.params["webhook"])
    told = {"delivered": 0, "failed": 0}
    if not settings.WEBHOOK_HOSTS or not Webhook.objects.calling().filter(pk=webhook.pk).exists():
        return told
    _make_messages(run, webhook)
    until = time.monotonic() + LONGEST_ROUND
    while time.monotonic() < until and (row := _next_due(webhook)) is not None:
        if not _is_ours(run, row):
            continue
        reply = _call(row)
        _settle(run, row, reply)
        told["delivered" if reply.is_taken else "failed"] += 1
        if reply.status is None:
            break
    return told


def _make_messages(run: Run, webhook: Webhook) -> None:
    read = news_of(webhook, settled_to(webhook.read_to))
    with run.step(done=0, total=0):
        if _read_to(webhook, read.until):
            rows = [WebhookDelivery(webhook=webhook, type=item.type, body=item.body()) for item in read.messages]
            WebhookDelivery.objects.bulk_create(rows)


def _next_due(webhook: Webhook) -> WebhookDelivery | None:
    """Read anew each time: it may have been paused or ended meanwhile, or have another secret."""
    rows = WebhookDelivery.objects.of(webhook).due().filter(webhook__in=Webhook.objects.calling())
    return rows.select_related("webhook__project").first()


def _is_ours(run: Run, row: WebhookDelivery) -> bool:
    """Nobody else sends it at the same time: whoever tries it puts it off first. So a try that a killed worker has
    begun counts, and the message may come twice, with the same id."""
    rows = WebhookDelivery.objects.due().filter(pk=row.pk, tries=row.tries)
    with run.step(done=0, total=0):
        later = Now() + TRIED_AGAIN_AFTER
        return bool(rows.update(next_at=later, tries=F("tries") + 1, tried_at=Now()))


def _call(row: WebhookDelivery) -> Reply:
    webhook = row.webhook
    try:
        address = parse_address(webhook.url)
    except Refused as error:  # the rules were others when it was made
        return Reply(problem=error.message)
    headers = headers_of(webhook.secrets, id=str(row.uuid), timestamp=int(time.time()), body=row.body)
    return call(address, named=settings.WEBHOOK_HOSTS, headers=headers, body=row.body)


def _settle(run: Run, row: WebhookDelivery, reply: Reply) -> None:
    mine = WebhookDelivery.objects.waiting().filter(pk=row.pk, tries=row.tries + 1)  # nobody has sent it again since
    came = {"status": reply.status, "said": reply.said, "problem": reply.problem}
    with run.step(done=0, total=0):
        next_at = _next_at(row, reply)
        if reply.is_taken:
            mine.move("deliver", next_at=None, **came)
        elif next_at is None or reply.wants_no_more:
            mine.move("give up", next_at=None, **came)
        else:
            mine.move("wait", next_at=next_at, **came)
        if reply.wants_no_more:
            _end_gone(row.webhook)


def _next_at(row: WebhookDelivery, reply: Reply) -> datetime | None:
    now = timezone.now()
    wait = next_wait(row.tries + 1, (now - row.since).total_seconds(), reply.asks_to_wait)
    return None if wait is None else now + timedelta(seconds=wait)


@transaction.atomic
def _end_gone(webhook: Webhook) -> None:
    held = Webhook.objects.select_for_update(of=("self",)).select_related("project").get(pk=webhook.pk)
    if held.ended_at is None:
        _end(held, "webhook.gone", by=None)


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    if state != JobState.DONE:
        return ""
    failed = f", {result['failed']:,} not taken" if result.get("failed") else ""
    return f"{counted(result.get('delivered', 0), 'message')} delivered{failed}."


DELIVER = JobKind(DELIVERS, "Tell another program", _deliver, _says, is_routine=True)
