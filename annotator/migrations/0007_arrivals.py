"""What comes from files comes under an arrival, and is nowhere until it is done."""

import uuid

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models.deletion import CASCADE, PROTECT

from annotator.guards import install_guards


def arrival() -> models.ForeignKey:
    return models.ForeignKey(blank=True, null=True, on_delete=PROTECT, related_name="+", to="annotator.arrival")


class Migration(migrations.Migration):
    dependencies = [("annotator", "0006_earlier_guidelines")]
    operations = [
        migrations.CreateModel(
            name="Arrival",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=0)),
                ("chain_head", models.CharField(blank=True, default="", max_length=64)),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("kind", models.CharField(max_length=10)),
                ("name", models.CharField(max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                ("options", models.JSONField(default=dict)),
                ("rows", models.PositiveIntegerField(default=0)),
                ("report", models.JSONField(blank=True, null=True)),
                ("result", models.JSONField(blank=True, null=True)),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("over_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(null=True, on_delete=PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
                ),
                (
                    "job",
                    models.OneToOneField(null=True, on_delete=PROTECT, related_name="arrival", to="annotator.job"),
                ),
                (
                    "project",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=PROTECT, related_name="arrivals", to="annotator.project"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done_at", None), ("over_at", None)),
                        fields=("project",),
                        name="one_unfinished_arrival",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["passages", "answers", "project"])),
                        name="arrival_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("done_at", None), ("over_at", None), _connector="OR"), name="done_or_over"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("size", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "arrival",
                    models.OneToOneField(null=True, on_delete=CASCADE, related_name="upload", to="annotator.arrival"),
                ),
            ],
        ),
        *(
            migrations.AddField(model_name=name, name="arrival", field=arrival())
            for name in ("assignment", "membership", "passage", "project")
        ),
        # The guard of submissions lets go of those that never arrived.
        migrations.RunPython(
            lambda apps, editor: install_guards(editor.connection), lambda apps, editor: None, elidable=False
        ),
    ]
