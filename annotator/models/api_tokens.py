"""What programs come in by, and what was answered to them."""

import uuid

from django.db import models
from django.utils import timezone

from annotator.domain.lengths import MAX_NAME_LENGTH
from annotator.models.people import User
from annotator.models.projects import Project


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def live(self) -> "ApiTokenQuerySet":
        return self.filter(revoked_at=None, expires_at__gt=timezone.now())


class ApiToken(models.Model):
    """Opens the API for a program as one person, and of what they may only what it names. The token itself is shown
    once; only its hash is kept. Its events are the person's."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    prefix = models.CharField(max_length=16)  # for its owner to know it by
    sha256 = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    # Null: all projects of the person.
    project = models.ForeignKey(Project, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # to the hour
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    @property
    def has_run_out(self) -> bool:
        return self.expires_at <= timezone.now()


class IdempotencyKey(models.Model):
    """A request that created something, and how it was answered: sent again, it creates nothing."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=500)
    body_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)  # 0: not answered yet
    etag = models.CharField(max_length=20, blank=True, default="")
    response = models.TextField(blank=True, default="")  # "": too large to be kept
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once_per_person")]
        indexes = [models.Index(fields=["at"], name="idempotency_key_by_age")]
