"""Who has been lead or adjudicator once may have seen others' work: as far as today's roles tell it."""

from typing import Any

from django.db import migrations, models
from django.db.models import Q


def remember(apps: Any, schema_editor: Any) -> None:
    memberships = apps.get_model("annotator", "Membership").objects
    memberships.filter(Q(is_lead=True) | Q(is_adjudicator=True)).update(has_seen_all=True)


class Migration(migrations.Migration):
    dependencies = [("annotator", "0010_passage_tokens")]
    operations = [
        migrations.AddField(
            model_name="membership", name="has_seen_all", field=models.BooleanField(default=False)
        ),
        migrations.RunPython(remember, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=Q(("has_seen_all", True), Q(("is_adjudicator", False), ("is_lead", False)), _connector="OR"),
                name="seeing_all_is_remembered",
            ),
        ),
    ]
