from typing import Any

from django.db import migrations, models


def tell_whole_ones(apps: Any, schema: Any) -> None:
    reports = apps.get_model("adjudication", "AgreementReport").objects
    whole = [
        pk
        for pk, settings in reports.values_list("pk", "settings")
        if not settings.get("people") and not settings.get("groups")
    ]
    reports.filter(pk__in=whole).update(is_whole=True)


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0010_most_disputed_first")]

    operations = [
        migrations.AddField(
            model_name="agreementreport",
            name="is_whole",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(tell_whole_ones, migrations.RunPython.noop, elidable=True),
    ]
