"""What there is to tell: read from the log, by pulling, so that nothing that happens takes any longer for it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Max
from django.utils import timezone

from adjudication.models import AgreementReport, Decision, Merge
from annotator.domain.states import ProjectState
from annotator.models import Assignment, Event, Project
from exports.domain.hosts import is_on_named
from exports.domain.webhooks import COUNTED, KINDS, DeliveryState, Message, News
from exports.models import Release, SystemRun, Webhook, WebhookDelivery

SETTLED_AFTER = timedelta(minutes=2)  # by then whatever took an id is committed, or never will be
MOST_READ = 50_000  # events of the house, in one look
PAGE = 20  # messages
MOST_MESSAGES = 200  # of what is told one by one, in one look


def settled_to(start: int) -> int:
    """The event up to which the log is whole: where several write at once, ids are not given in the order of commits,
    and an event with a smaller id may come later. A gap that is old stays one."""
    last, sure = start, timezone.now() - SETTLED_AFTER
    rows = Event.objects.filter(pk__gt=start).order_by("pk").values_list("pk", "at")
    for pk, at in rows[:MOST_READ].iterator():
        if pk > last + 1 and at > sure:
            break
        last = pk
    return last


def has_news(webhook: Webhook, until: int) -> bool:
    return bool(_events(webhook, until, _wanted(webhook)).exists())


def _events(webhook: Webhook, until: int, kinds: Iterable[str]) -> Any:
    rows = Event.objects.in_project(webhook.project).filter(pk__gt=webhook.read_to, pk__lte=until)
    return rows.filter(kind__in=list(kinds))


def _wanted(webhook: Webhook, *, counted: bool | None = None) -> list[str]:
    """Kinds of events; `counted`: those that are told together, or one by one."""
    wanted = (kind for kind, news in KINDS.items() if webhook.wants(news))
    return [kind for kind in wanted if counted is None or (KINDS[kind] in COUNTED) == counted]


@dataclass(frozen=True)
class Read:
    messages: list[Message]
    until: int


def news_of(webhook: Webhook, until: int) -> Read:
    """What happened since it was last read, up to an event. Ids and counts only, and of answers and decisions nothing
    but how many: which passage somebody has submitted is for nobody who has it still to annotate, and a lead may."""
    rows = _events(webhook, until, _wanted(webhook, counted=False)).order_by("pk")
    single = list(rows.values_list("pk", "kind", "subject_id", "at", "payload")[: MOST_MESSAGES + 1])
    if len(single) > MOST_MESSAGES:
        single.pop()
        until = single[-1][0]  # the rest with the next look
    messages = list(_single(webhook.project, single))
    messages += [message for news in COUNTED if webhook.wants(news) for message in _counted(webhook, until, news)]
    return Read(sorted(messages, key=lambda message: message.at), until)


def _counted(webhook: Webhook, until: int, news: News) -> Iterator[Message]:
    """One message, however many there were."""
    rows, data, last = _counted_rows(webhook.project, news), dict[str, Any](), ""
    for kind, key in COUNTED[news].items():
        found = _events(webhook, until, [kind]).filter(subject_id__in=rows.values("pk"))
        told = found.aggregate(times=Count("pk"), at=Max("at"))
        data[key] = told["times"]
        last = max(last, told["at"].isoformat() if told["at"] else "")
    if last:
        yield Message(news, last, {"project": webhook.project.slug, **data})


def _counted_rows(project: Project, news: News) -> Any:
    """Of submissions what annotators take for work: the board counts the same. Of decisions those that count for all:
    two who settle a passage blind to each other do not learn of the other by it."""
    if news == News.SUBMITTED:
        return Assignment.objects.like_work().filter(passage__project=project)
    return Decision.objects.filter(passage__project=project, seat=0)


Single = tuple[int, str, int, Any, Mapping[str, Any]]


def _single(project: Project, events: list[Single]) -> Iterator[Message]:
    """Each with the ids of what it is about; what is gone by now (an older merge, a draft) is no news."""
    told = {
        News.MERGED: _merges({payload.get("merge") for _, kind, _, _, payload in events if KINDS[kind] == News.MERGED}),
        News.MEASURED: _reports({p.get("report") for _, kind, _, _, p in events if KINDS[kind] == News.MEASURED}),
        News.RELEASED: _releases({pk for _, kind, pk, _, _ in events if KINDS[kind] == News.RELEASED}),
        News.SCORED: _runs({pk for _, kind, pk, _, _ in events if KINDS[kind] == News.SCORED}),
    }
    for _, kind, subject, at, payload in events:
        news = KINDS[kind]
        about = {News.MERGED: payload.get("merge"), News.MEASURED: payload.get("report")}.get(news, subject)
        if data := told[news].get(about):
            yield Message(news, at.isoformat(), {"project": project.slug, **data})


def _merges(ids: set[Any]) -> dict[Any, dict[str, Any]]:
    names = ("answers", "passages", "targets", "kept", "suggestions")
    rows = Merge.objects.finished().filter(pk__in=ids).values("pk", "uuid", *names)
    return {row["pk"]: {"merge": str(row["uuid"]), **{name: row[name] for name in names}} for row in rows}


def _reports(ids: set[Any]) -> dict[Any, dict[str, Any]]:
    rows = AgreementReport.objects.done().filter(pk__in=ids).values_list("pk", "uuid", "is_whole")
    return {pk: {"report": str(uuid), "is_whole": is_whole} for pk, uuid, is_whole in rows}


def _releases(ids: set[Any]) -> dict[Any, dict[str, Any]]:
    rows = Release.objects.filter(pk__in=ids).values_list("pk", "uuid", "number", "state")
    return {pk: {"release": str(uuid), "number": number, "state": state} for pk, uuid, number, state in rows}


def _runs(ids: set[Any]) -> dict[Any, dict[str, Any]]:
    rows = SystemRun.objects.filter(pk__in=ids).values_list("pk", "uuid", "release__uuid", "state")
    return {pk: {"run": str(uuid), "release": str(release), "state": state} for pk, uuid, release, state in rows}


@dataclass(frozen=True)
class Line:
    """A webhook as its page and the list of them show it."""

    webhook: Webhook
    state: str
    why: str  # it does not call, where that is not said by the state
    can_go_on: bool
    waiting: int
    failed: int


def lines_of(rows: Any) -> list[Line]:
    """Of a queryset of webhooks, in four statements however many there are."""
    found = list(rows.select_related("project", "made_by").order_by("ended_at", "pk"))
    calling = set(Webhook.objects.calling().filter(pk__in=[row.pk for row in found]).values_list("pk", flat=True))
    kept = WebhookDelivery.objects.filter(webhook__in=found).order_by()
    times = {
        (pk, state): count for pk, state, count in kept.values_list("webhook", "state").annotate(times=Count("pk"))
    }
    return [
        Line(
            row,
            *_standing(row, row.pk in calling),
            waiting=times.get((row.pk, DeliveryState.WAITING), 0),
            failed=times.get((row.pk, DeliveryState.FAILED), 0),
        )
        for row in found
    ]


def _standing(webhook: Webhook, is_calling: bool) -> tuple[str, str, bool]:
    """State, why, and whether a lead can let it go on."""
    if webhook.ended_at:
        return "ended", "", False
    if webhook.project.state == ProjectState.ARCHIVED:
        return "paused", "The project is archived.", False
    if webhook.paused_at:
        return "paused", "", True
    if not is_calling:
        why = "Whoever made it does not lead this project any more: another lead can let it go on."
        return "stopped", why, True
    if not is_on_named(webhook.url, settings.WEBHOOK_HOSTS):
        return "stopped", "The operator does not name its host any more.", False
    return "open", "", False


def deliveries_page(webhook: Webhook, before: int | None) -> tuple[list[WebhookDelivery], int | None]:
    """The newest first, and where the next page begins."""
    rows = WebhookDelivery.objects.of(webhook).newest_first()
    found = list((rows if before is None else rows.filter(pk__lt=before))[: PAGE + 1])
    return found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None
