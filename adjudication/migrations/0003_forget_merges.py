"""Merges and reports of before have no results by passage and no evidence. They are derived: merging and measuring again
makes them, from the same answers."""

from django.db import migrations


def forget(apps, schema_editor):
    for name in ("Target", "Merge", "AgreementReport"):
        rows = apps.get_model("adjudication", name).objects.all()
        rows._raw_delete(rows.db)


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0002_pinned_merges")]
    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
