"""Counters by person and day."""

from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("annotator", "0016_repeats_and_checks")]
    operations = [
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("submitted", models.PositiveIntegerField(default=0)),
                ("resubmitted", models.PositiveIntegerField(default=0)),
                ("discarded", models.PositiveIntegerField(default=0)),
                ("marks", models.IntegerField(default=0)),
                ("substitutes", models.IntegerField(default=0)),
                ("by_type", models.JSONField(default=dict)),
                ("active_ms", models.PositiveBigIntegerField(default=0)),
                ("last_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="tally",
            name="membership",
            field=models.ForeignKey(on_delete=deletion.PROTECT, related_name="tallies", to="annotator.membership"),
        ),
        migrations.AddConstraint(
            model_name="tally",
            constraint=models.UniqueConstraint(fields=("membership", "day"), name="tally_once_a_day"),
        ),
    ]
