"""How many passages of work somebody is to be given at the most; the name "quota" is that of substitutes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotator", "0013_submitters")]
    operations = [
        migrations.RenameField(
            model_name="membership",
            old_name="quota",
            new_name="most_passages",
        ),
    ]
