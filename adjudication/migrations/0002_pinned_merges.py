"""A merge can be kept by what rests on it, and knows who is making it."""

from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0001_merges"), ("annotator", "0009_pauses")]
    operations = [
        migrations.AddField(model_name="merge", name="is_pinned", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="merge",
            name="job",
            field=models.ForeignKey(null=True, on_delete=PROTECT, related_name="+", to="annotator.job"),
        ),
    ]
