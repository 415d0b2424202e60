"""An index that alone answers how many answers each passage has."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0020_invitations_by_email")]
    operations = [
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                fields=["passage", "state", "is_repeat", "submissions_made", "arrival"], name="answers_by_passage"
            ),
        ),
    ]
