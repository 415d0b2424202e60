"""Packed numbers are kept as they are: PostgreSQL would try to press them, for long and for little."""

from django.db import migrations

COLUMNS = (("sharddata", "given"), ("sharddata", "counted"), ("agreementpair", "rows"))


def keep_as_they_are(apps, editor):
    if editor.connection.vendor == "postgresql":
        for table, column in COLUMNS:
            editor.execute(f"ALTER TABLE adjudication_{table} ALTER COLUMN {column} SET STORAGE EXTERNAL")


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0004_results")]

    operations = [migrations.RunPython(keep_as_they_are, migrations.RunPython.noop)]
