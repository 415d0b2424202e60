"""Jobs that wait for their time, and members whose work is paused."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0008_event_project")]
    operations = [
        migrations.AddField(
            model_name="job", name="due_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="membership", name="paused_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AlterField(
            model_name="passage", name="kind", field=models.CharField(default="work", max_length=10)
        ),
    ]
