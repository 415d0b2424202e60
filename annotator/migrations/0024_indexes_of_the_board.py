"""Indexes that alone answer how long submitted passages took, and what came when for the first time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0023_sent_files")]
    operations = [
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                fields=["membership", "state", "active_ms"],
                name="time_of_submitted",
                condition=models.Q(("state", "submitted")),
            ),
        ),
        migrations.AddIndex(
            model_name="submission",
            index=models.Index(
                fields=["at", "assignment"], name="first_submissions", condition=models.Q(("number", 1))
            ),
        ),
    ]
