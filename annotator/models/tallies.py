"""Counters: what boards show without reading anybody's answers, and what controls and repeats have told."""

from django.db import models

from annotator.models.people import Membership
from annotator.models.work import Assignment


class Tally(models.Model):
    """What one person did on one day of the project's time zone, in whatever looks like work to them. It follows from
    submissions and events and can be counted anew (`recount_tallies`); the doctor does."""

    membership = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="tallies")
    day = models.DateField()
    submitted = models.PositiveIntegerField(default=0)  # for the first time
    resubmitted = models.PositiveIntegerField(default=0)
    discarded = models.PositiveIntegerField(default=0)  # and not taken back since
    # Of what was submitted; another submission of the same passage adds what it has more than the one before.
    marks = models.IntegerField(default=0)
    substitutes = models.IntegerField(default=0)
    by_type = models.JSONField(default=dict)
    active_ms = models.PositiveBigIntegerField(default=0)  # summed from the events of saves by a job, all passages
    last_at = models.DateTimeField(null=True)  # of what is counted here

    class Meta:
        constraints = [models.UniqueConstraint(fields=["membership", "day"], name="tally_once_a_day")]


class Check(models.Model):
    """What a submitted control or repeat told: whether the control was met, and how far somebody agreed with themself.
    Made by a job from what was submitted, never with it: whoever submits must not be able to tell by the time it
    takes."""

    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="told")
    submissions = models.JSONField(default=list)  # ids of what it was made from
    is_met = models.BooleanField(null=True)  # of a control
    # Of a repeat: spans marked both times and at least once, and for each of the former [shared, either] substitutes.
    spans_shared = models.PositiveIntegerField(default=0)
    spans_either = models.PositiveIntegerField(default=0)
    words = models.JSONField(default=list)
