"""Invitations that a job sends, and what the mail server said."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0019_sign_ins")]
    operations = [
        migrations.AddField(
            model_name="invitation", name="goes_by_email", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="invitation", name="emailed_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="invitation", name="mail_refusal", field=models.PositiveSmallIntegerField(blank=True, null=True)
        ),
    ]
