"""The same passage a second time, and what controls and repeats told."""

from typing import Any

from django.db import migrations, models
from django.db.models import deletion

from annotator.guards import install_guards, remove_guards


def lift(apps: Any, editor: Any) -> None:
    """SQLite makes these tables anew, and guards of other tables refer to them."""
    remove_guards(editor.connection)


def guard(apps: Any, editor: Any) -> None:
    install_guards(editor.connection)


class Migration(migrations.Migration):
    dependencies = [("annotator", "0015_screening")]
    operations = [
        migrations.RunPython(lift, guard),
        migrations.CreateModel(
            name="Check",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("submissions", models.JSONField(default=list)),
                ("is_met", models.BooleanField(null=True)),
                ("spans_shared", models.PositiveIntegerField(default=0)),
                ("spans_either", models.PositiveIntegerField(default=0)),
                ("words", models.JSONField(default=list)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="assignment",
            name="assigned_once_per_round",
        ),
        migrations.AddField(
            model_name="assignment",
            name="is_repeat",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="membership",
            name="tests_from",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                fields=("membership", "passage", "round", "is_repeat"), name="assigned_once_per_round"
            ),
        ),
        migrations.AddField(
            model_name="check",
            name="assignment",
            field=models.OneToOneField(on_delete=deletion.PROTECT, related_name="told", to="annotator.assignment"),
        ),
        migrations.RunPython(guard, lift),
    ]
