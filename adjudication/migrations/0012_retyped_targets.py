from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0011_whole_reports")]

    operations = [
        migrations.AlterField(
            model_name="target",
            name="change",
            field=models.CharField(
                blank=True,
                choices=[
                    ("added", "added"),
                    ("kept", "newly kept"),
                    ("dropped", "newly dropped"),
                    ("moved", "votes moved"),
                    ("retyped", "types changed"),
                ],
                max_length=8,
            ),
        ),
    ]
