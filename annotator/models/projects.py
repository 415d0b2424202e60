"""A gold set being built, and the passages it is built from."""

import uuid
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotator.domain.language import MAX_LANG
from annotator.domain.lengths import MAX_ID_LENGTH, MAX_PROJECT_NAME_LENGTH
from annotator.domain.passage_findings import DIGEST, text_digest
from annotator.domain.passages import PassageKind
from annotator.domain.protocols import Protocol, protocol_from_dict
from annotator.domain.screening import SCREENING_REASONS, Screening
from annotator.domain.states import ProjectState
from annotator.models.arrivals import Arrival, ArrivedManager, ArrivingQuerySet
from annotator.models.events import Subject
from annotator.models.people import Membership, User


class ProjectQuerySet(ArrivingQuerySet["Project"]):
    def visible_to(self, user: User) -> "ProjectQuerySet":
        return self.filter(Exists(Membership.objects.of(user).filter(project=OuterRef("pk"))))

    def led_by(self, user: User) -> "ProjectQuerySet":
        return self.filter(Exists(Membership.objects.of(user).leading().filter(project=OuterRef("pk"))))


class Project(Subject):
    slug = models.SlugField(max_length=50, unique=True)
    name = models.CharField(max_length=MAX_PROJECT_NAME_LENGTH)
    state = models.CharField(max_length=10, default=ProjectState.DRAFT)
    protocol_data = models.JSONField()
    guidelines = models.TextField(blank=True, default="")
    guidelines_version = models.PositiveIntegerField(default=1)
    look_up_policy = models.TextField(blank=True, default="")  # which dictionaries and tools annotators may use
    language = models.CharField(max_length=MAX_LANG, default="en")  # BCP 47
    time_zone = models.CharField(max_length=50, default="UTC")
    # Hides order: pseudonyms and everyone's order of work are shuffled by it.
    seed = models.CharField(max_length=64)
    shows_names_to_adjudicators = models.BooleanField(default=False)
    skipped_steps = models.JSONField(default=list)  # of the set-up, which a lead has said to do without
    created_at = models.DateTimeField(default=timezone.now)
    arrival = models.ForeignKey(Arrival, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    objects = ArrivedManager.from_queryset(ProjectQuerySet)()
    all_rows = ProjectQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=list(ProjectState)), name="project_state_is_known"),
        ]

    @property
    def event_project_id(self) -> int | None:
        return self.pk

    @property
    def protocol(self) -> Protocol:
        return protocol_from_dict(self.protocol_data)

    @property
    def has_guidelines(self) -> bool:
        return bool(self.guidelines or self.look_up_policy)

    @property
    def is_open(self) -> bool:
        return self.state == ProjectState.OPEN


class EarlierGuidelines(models.Model):
    """Guidelines as they stood until a lead changed them; written once, at the change."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="earlier_guidelines")
    version = models.PositiveIntegerField()
    guidelines = models.TextField(blank=True)
    look_up_policy = models.TextField(blank=True)
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="earlier_guidelines_once_per_version"),
        ]


class PassageQuerySet(ArrivingQuerySet["Passage"]):
    def in_use(self) -> "PassageQuerySet":
        """Neither archived nor refused at screening."""
        return self.filter(archived_at=None).exclude(screening=Screening.REFUSED)

    def work(self) -> "PassageQuerySet":
        return self.in_use().filter(kind=PassageKind.WORK)

    def of_kinds(self, kinds: Iterable[str]) -> "PassageQuerySet":
        return self.in_use().filter(kind__in=list(kinds))

    def keyed_tests(self) -> "PassageQuerySet":
        return self.in_use().filter(kind=PassageKind.TEST, key_answer__isnull=False)

    def visible_to(self, user: User) -> "PassageQuerySet":
        """Adjudicators and leads see all; an annotator sees what was given to them."""
        own = Membership.objects.of(user).filter(project=OuterRef("project"))
        return self.filter(
            Exists(own.seeing_all()) | Exists(own.annotating().filter(assignments__passage=OuterRef("pk")))
        )


class TextDigestField(models.CharField):  # type: ignore[type-arg]
    """Follows from the text, whatever writes the row."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        digest = text_digest(model_instance.text)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, digest)
        return digest

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs  # to the database it is nothing else


class Passage(Subject):
    """The unit shown to an annotator. A faulty one is archived and replaced, its text never edited."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="passages")
    external_id = models.CharField(max_length=MAX_ID_LENGTH)
    text = models.TextField()
    text_digest = TextDigestField(max_length=DIGEST, default="", editable=False)
    group = models.CharField(max_length=MAX_ID_LENGTH, blank=True, default="")
    lang = models.CharField(max_length=MAX_LANG, blank=True, default="")  # "": the project's
    context_before = models.TextField(blank=True, default="")
    context_after = models.TextField(blank=True, default="")
    source_text = models.TextField(blank=True, default="")
    tokens = models.JSONField(null=True, blank=True)  # [[start, end], …] in code points, where they were given
    kind = models.CharField(max_length=10, default=PassageKind.WORK)
    key_answer = models.JSONField(null=True, blank=True)  # of a test or control: what annotators are measured by
    screening = models.CharField(max_length=10, blank=True, default=Screening.NONE)
    screening_reason = models.CharField(max_length=20, blank=True, default="")
    # The faulty one that this stands for, which is archived.
    replaces = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by")
    split = models.CharField(max_length=20, blank=True, default="")
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    arrival = models.ForeignKey(Arrival, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    objects = ArrivedManager.from_queryset(PassageQuerySet)()
    all_rows = PassageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "external_id"], name="external_id_once_per_project"),
            models.CheckConstraint(condition=~Q(text=""), name="passage_has_text"),
            models.CheckConstraint(condition=Q(kind__in=list(PassageKind)), name="passage_kind_is_known"),
            models.CheckConstraint(
                condition=Q(screening=Screening.REFUSED, screening_reason__in=list(SCREENING_REASONS))
                | (Q(screening__in=[Screening.NONE, Screening.ACCEPTED]) & Q(screening_reason="")),
                name="refused_means_a_reason",
            ),
        ]
        indexes = [models.Index(fields=["project", "text_digest"], name="same_text")]

    @property
    def event_project_id(self) -> int | None:
        return self.project_id

    @property
    def is_in_use(self) -> bool:
        return self.archived_at is None and self.screening != Screening.REFUSED
