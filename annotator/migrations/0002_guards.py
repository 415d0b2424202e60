"""Events and submissions are append-only from the first day."""

from django.db import migrations

from annotator.guards import install_guards, remove_guards


class Migration(migrations.Migration):
    dependencies = [("annotator", "0001_house")]
    operations = [
        migrations.RunPython(
            lambda apps, editor: install_guards(editor.connection),
            lambda apps, editor: remove_guards(editor.connection),
        )
    ]
