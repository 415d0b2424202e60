"""Files that somebody has sent, and that wait for a word on how they are read."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("annotator", "0022_api_tokens")]
    operations = [
        migrations.AddField("upload", "name", models.CharField(blank=True, default="", max_length=200)),
        migrations.AddField("upload", "sha256", models.CharField(blank=True, default="", max_length=64)),
        migrations.AddField(
            "upload",
            "project",
            models.ForeignKey(
                null=True, on_delete=deletion.PROTECT, related_name="uploads", to="annotator.project"
            ),
        ),
        migrations.AddField(
            "upload",
            "by",
            models.ForeignKey(
                null=True, on_delete=deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
    ]
