"""By what two passages are the same text, kept with each."""

from typing import Any

from django.db import migrations, models

from annotator.domain.passage_findings import text_digest
from annotator.guards import install_guards, remove_guards

BATCH = 500


def lift(apps: Any, editor: Any) -> None:
    """SQLite makes the table anew, and guards of other tables refer to it."""
    remove_guards(editor.connection)


def guard(apps: Any, editor: Any) -> None:
    install_guards(editor.connection)


def fill(apps: Any, schema_editor: Any) -> None:
    passages = apps.get_model("annotator", "Passage").objects
    last = 0
    while rows := list(passages.filter(pk__gt=last).order_by("pk").only("text")[:BATCH]):
        for row in rows:
            row.text_digest = text_digest(row.text)
        passages.bulk_update(rows, ["text_digest"])
        last = rows[-1].pk


class Migration(migrations.Migration):
    dependencies = [("annotator", "0024_indexes_of_the_board")]
    operations = [
        migrations.RunPython(lift, guard),
        migrations.AddField(
            model_name="passage",
            name="text_digest",
            field=models.CharField(default="", editable=False, max_length=32),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="passage", index=models.Index(fields=["project", "text_digest"], name="same_text")
        ),
        migrations.RunPython(guard, lift),
    ]
