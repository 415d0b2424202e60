"""Tokens of passages, made once. Those of passages that are here already are made when they are first needed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0009_pauses")]
    operations = [
        migrations.CreateModel(
            name="PassageTokens",
            fields=[
                (
                    "passage",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="annotator.passage",
                    ),
                ),
                ("lang", models.CharField(max_length=35)),
                ("spans", models.BinaryField()),
                ("rewritten", models.JSONField(default=dict)),
            ],
        ),
    ]
