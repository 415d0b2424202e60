"""Passages are looked at before they are given to anybody, and stand for those that they replace."""

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
    dependencies = [("annotator", "0014_most_passages")]
    operations = [
        migrations.RunPython(lift, guard),
        migrations.AddField(
            model_name="passage",
            name="replaces",
            field=models.OneToOneField(
                blank=True, null=True, on_delete=deletion.PROTECT, related_name="replaced_by", to="annotator.passage"
            ),
        ),
        migrations.AddField(
            model_name="passage",
            name="screening",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
        migrations.AddField(
            model_name="passage",
            name="screening_reason",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
        migrations.AddConstraint(
            model_name="passage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("screening", "refused"),
                        ("screening_reason__in", ["unclear", "grammar", "short", "personal", "offensive", "duplicate"]),
                    ),
                    models.Q(("screening__in", ["", "accepted"]), ("screening_reason", "")),
                    _connector="OR",
                ),
                name="refused_means_a_reason",
            ),
        ),
        migrations.RunPython(guard, lift),
    ]
