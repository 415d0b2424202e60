"""Sessions, for those whose they are."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import deletion
from django.utils import timezone


class Migration(migrations.Migration):
    dependencies = [("annotator", "0018_setup")]
    operations = [
        migrations.CreateModel(
            name="SignIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session_key", models.CharField(max_length=40, unique=True)),
                ("browser", models.CharField(blank=True, default="", max_length=100)),
                ("began_at", models.DateTimeField(default=timezone.now)),
                ("seen_at", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.AddField(
            model_name="signin",
            name="user",
            field=models.ForeignKey(on_delete=deletion.CASCADE, related_name="sign_ins", to=settings.AUTH_USER_MODEL),
        ),
    ]
