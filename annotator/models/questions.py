"""What annotators ask their leads about a passage."""

import uuid

from django.db import models
from django.utils import timezone

from annotator.models.events import Subject
from annotator.models.people import Membership, User
from annotator.models.work import Assignment, unless_blind


class QuestionQuerySet(models.QuerySet["Question"]):
    def visible_to(self, user: User) -> "QuestionQuerySet":
        """One's own, and as a lead all of the project: nobody else learns that something was asked."""
        led = Membership.objects.of(user).leading().values("project")
        own = models.Q(assignment__in=Assignment.objects.own(user))
        others = models.Q(assignment__passage__project__in=led) & unless_blind(user, passage="assignment__passage")
        return self.filter(own | others)

    def open_first(self) -> "QuestionQuerySet":
        return self.order_by(models.F("answered_at").desc(nulls_first=True), "pk")


class Question(Subject):
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="questions")
    text = models.TextField()
    asked_at = models.DateTimeField(default=timezone.now)
    answer = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(null=True)

    objects = QuestionQuerySet.as_manager()

    @property
    def event_project_id(self) -> int | None:
        return self.assignment.passage.project_id
