"""Addresses to which leads have news sent, and each message on its way there."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from annotator.domain.states import ProjectState
from annotator.models import Membership, Project, Subject, User
from exports.domain.hosts import MAX_ADDRESS
from exports.domain.webhooks import DELIVERY_MOVES, LABELS, MAX_SAID, DeliveryState, News


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def visible_to(self, user: User) -> "WebhookQuerySet":
        return self.filter(project__in=Project.objects.led_by(user))

    def of(self, project: Project) -> "WebhookQuerySet":
        return self.filter(project=project)

    def not_ended(self) -> "WebhookQuerySet":
        return self.filter(ended_at=None)

    def calling(self) -> "WebhookQuerySet":
        """Neither paused nor ended, of a project in use, and made by somebody who leads it still: who has left a
        project has nothing told about it."""
        leads = Membership.objects.leading().filter(project=OuterRef("project"), user=OuterRef("made_by"))
        is_led = Q(made_by=None) | Exists(leads.filter(user__is_active=True))
        return self.not_ended().filter(is_led, paused_at=None).exclude(project__state=ProjectState.ARCHIVED)


class Webhook(Subject):
    """An address that is told what happens in a project. Its secret signs what is sent, so it stands here as it is; it
    is shown once, and nowhere else."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=MAX_ADDRESS)
    news = models.JSONField()  # of News
    secret = models.CharField(max_length=100)
    former_secret = models.CharField(max_length=100, blank=True, default="")
    former_until = models.DateTimeField(null=True)  # what is sent is signed with it, too
    made_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    paused_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    read_to = models.BigIntegerField()  # the event up to which the log was read for it
    looked_at = models.DateTimeField(default=timezone.now)

    objects = WebhookQuerySet.as_manager()

    @property
    def event_project_id(self) -> int | None:
        return self.project_id

    @property
    def labels(self) -> list[str]:
        return [label for news, label in LABELS.items() if news in self.news]

    @property
    def secrets(self) -> list[str]:
        """The newest first."""
        former = self.former_until is not None and self.former_until > timezone.now()
        return [self.secret, *([self.former_secret] if former else [])]

    def wants(self, news: News) -> bool:
        return news in self.news


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def of(self, webhook: Webhook) -> "WebhookDeliveryQuerySet":
        return self.filter(webhook=webhook)

    def waiting(self) -> "WebhookDeliveryQuerySet":
        return self.filter(state=DeliveryState.WAITING)

    def due(self) -> "WebhookDeliveryQuerySet":
        """Whose time has come, the longest due first."""
        return self.waiting().filter(next_at__lte=Now()).order_by("next_at", "pk")

    def newest_first(self) -> "WebhookDeliveryQuerySet":
        return self.order_by("-pk")

    def move(self, act: str, **changes: Any) -> int:
        """The one way a state changes: those that DELIVERY_MOVES lets do this. How many there were."""
        [state] = {after for (_, move), after in DELIVERY_MOVES.items() if move == act}
        before = [state for state, move in DELIVERY_MOVES if move == act]
        return self.filter(state__in=before).update(state=state, **changes)


class WebhookDelivery(models.Model):
    """One message to one address: ids and counts, and what came of sending it."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)  # the message's id
    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    type = models.CharField(max_length=40)
    body = models.TextField()  # as it is signed, byte for byte
    state = models.CharField(max_length=10, default=DeliveryState.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)  # since it was made, or sent again
    since = models.DateTimeField(default=timezone.now)
    next_at = models.DateTimeField(null=True, default=timezone.now)
    status = models.PositiveSmallIntegerField(null=True)  # of the last answer
    said = models.CharField(max_length=MAX_SAID, blank=True, default="")  # the beginning of it
    problem = models.CharField(max_length=300, blank=True, default="")  # why it was not taken, in our words
    at = models.DateTimeField(default=timezone.now)
    tried_at = models.DateTimeField(null=True)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=list(DeliveryState)), name="delivery_state_is_known"),
            models.CheckConstraint(
                condition=Q(state="waiting", next_at__isnull=False) | (~Q(state="waiting") & Q(next_at=None)),
                name="waiting_means_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["webhook", "state", "next_at"], name="deliveries_due"),
            models.Index(fields=["at"], name="deliveries_by_age"),
        ]

    @property
    def is_waiting(self) -> bool:
        return self.state == DeliveryState.WAITING
