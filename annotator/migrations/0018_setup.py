"""Steps of the set-up that were skipped, and files that are looked at before they are taken in."""

import uuid

from django.conf import settings
from django.db import migrations, models
from django.db.models import deletion
from django.utils import timezone


class Migration(migrations.Migration):
    dependencies = [("annotator", "0017_tallies")]
    operations = [
        migrations.CreateModel(
            name="Preview",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("kind", models.CharField(max_length=10)),
                ("name", models.CharField(max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                ("options", models.JSONField(default=dict)),
                ("result", models.JSONField(blank=True, null=True)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.AddField(
            model_name="project",
            name="skipped_steps",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="preview",
            name="by",
            field=models.ForeignKey(
                null=True, on_delete=deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="preview",
            name="job",
            field=models.ForeignKey(null=True, on_delete=deletion.PROTECT, related_name="+", to="annotator.job"),
        ),
        migrations.AddField(
            model_name="preview",
            name="project",
            field=models.ForeignKey(on_delete=deletion.PROTECT, related_name="previews", to="annotator.project"),
        ),
        migrations.AddField(
            model_name="preview",
            name="upload",
            field=models.OneToOneField(
                null=True, on_delete=deletion.SET_NULL, related_name="preview", to="annotator.upload"
            ),
        ),
    ]
