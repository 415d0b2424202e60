"""A file that a lead looks at before it is taken in."""

import uuid

from django.db import models
from django.utils import timezone

from annotator.domain.lengths import MAX_FILE_NAME_LENGTH
from annotator.models.arrivals import Upload
from annotator.models.jobs import Job
from annotator.models.people import User
from annotator.models.projects import Project


class Preview(models.Model):
    """What a job found in a file that was sent. It goes with its file: taken in, given up, or after a day."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="previews")
    upload = models.OneToOneField(Upload, null=True, on_delete=models.SET_NULL, related_name="preview")
    kind = models.CharField(max_length=10)  # of ArrivalKind
    name = models.CharField(max_length=MAX_FILE_NAME_LENGTH)  # of the file
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict)  # how it is read: sheet, which column is what
    result = models.JSONField(null=True, blank=True)  # counts, first rows, findings, errors; null: not looked at yet
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
