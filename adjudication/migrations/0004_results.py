"""What merges and reports keep so that their pages open in a moment, and what their jobs are made of."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('adjudication', '0003_forget_merges'),
        ('annotator', '0009_pauses'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AgreementPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('a', models.CharField(max_length=100)),
                ('b', models.CharField(max_length=100)),
                ('rows', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='AnnotatorCurve',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('result', models.JSONField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='PassageResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('of', models.PositiveIntegerField()),
                ('discards', models.PositiveIntegerField()),
                ('verdict', models.CharField(max_length=20)),
                ('targets', models.PositiveIntegerField()),
                ('kept', models.PositiveIntegerField()),
                ('dispute', models.PositiveIntegerField()),
                ('pa_det', models.PositiveIntegerField(null=True)),
                ('type_ties', models.PositiveIntegerField()),
                ('overlaps', models.PositiveIntegerField()),
                ('variants', models.PositiveIntegerField()),
                ('near_misses', models.PositiveIntegerField()),
                ('near', models.PositiveIntegerField()),
                ('singles', models.PositiveIntegerField()),
                ('asks', models.BooleanField()),
                ('evidence', models.CharField(max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name='ShardData',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('given', models.BinaryField()),
                ('counted', models.BinaryField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='SubmissionDigest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('folds', models.BooleanField()),
                ('data', models.BinaryField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='agreementreport',
            name='same_input_measured_once',
        ),
        migrations.RemoveField(
            model_name='merge',
            name='passage_ids',
        ),
        migrations.AddField(
            model_name='agreementreport',
            name='is_done',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='agreementreport',
            name='job',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.job'),
        ),
        migrations.AddField(
            model_name='agreementreport',
            name='listed_at_event',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='agreementreport',
            name='passage_ids',
            field=models.BinaryField(default=b''),
        ),
        migrations.AddField(
            model_name='agreementreport',
            name='settings',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='agreementreport',
            name='settings_hash',
            field=models.CharField(default='', max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='agreementreport',
            name='took_ms',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='merge',
            name='asking',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='merge',
            name='by_annotators',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='merge',
            name='changes',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='merge',
            name='discarded_targets',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='merge',
            name='listed_at_event',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='merge',
            name='took_ms',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='target',
            name='change',
            field=models.CharField(blank=True, choices=[('added', 'added'), ('kept', 'newly kept'), ('dropped', 'newly dropped'), ('moved', 'votes moved')], max_length=8),
        ),
        migrations.AddField(
            model_name='target',
            name='evidence',
            field=models.CharField(default='', max_length=32),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='target',
            name='has_variants',
            field=models.BooleanField(default=False),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='target',
            name='is_near_miss',
            field=models.BooleanField(default=False),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='target',
            name='is_overlapping',
            field=models.BooleanField(default=False),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='target',
            name='quote_key',
            field=models.CharField(default='', max_length=100),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='agreementreport',
            name='signature',
            field=models.TextField(),
        ),
        migrations.AlterField(
            model_name='target',
            name='merge',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='adjudication.merge'),
        ),
        migrations.AddIndex(
            model_name='agreementreport',
            index=models.Index(fields=['project', 'settings_hash', 'made_at'], name='report_by_settings'),
        ),
        migrations.AddIndex(
            model_name='target',
            index=models.Index(fields=['merge', 'quote_key'], name='target_by_quote'),
        ),
        migrations.AddIndex(
            model_name='target',
            index=models.Index(condition=models.Q(('change', ''), _negated=True), fields=['merge', 'change'], name='target_by_change'),
        ),
        migrations.AddConstraint(
            model_name='agreementreport',
            constraint=models.UniqueConstraint(condition=models.Q(('is_done', True)), fields=('project', 'input_hash'), name='same_input_measured_once'),
        ),
        migrations.AddField(
            model_name='agreementpair',
            name='report',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='adjudication.agreementreport'),
        ),
        migrations.AddField(
            model_name='annotatorcurve',
            name='report',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='curve', to='adjudication.agreementreport'),
        ),
        migrations.AddField(
            model_name='passageresult',
            name='merge',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='adjudication.merge'),
        ),
        migrations.AddField(
            model_name='passageresult',
            name='passage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.passage'),
        ),
        migrations.AddField(
            model_name='sharddata',
            name='job',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.job'),
        ),
        migrations.AddField(
            model_name='submissiondigest',
            name='submission',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='annotator.submission'),
        ),
        migrations.AddConstraint(
            model_name='agreementpair',
            constraint=models.UniqueConstraint(fields=('report', 'a', 'b'), name='pair_once_per_report'),
        ),
        migrations.AddIndex(
            model_name='passageresult',
            index=models.Index(fields=['merge', 'asks', 'dispute', 'passage'], name='result_by_dispute'),
        ),
        migrations.AddConstraint(
            model_name='passageresult',
            constraint=models.UniqueConstraint(fields=('merge', 'passage'), name='result_once_per_merge'),
        ),
        migrations.AddConstraint(
            model_name='passageresult',
            constraint=models.CheckConstraint(condition=models.Q(('kept__lte', models.F('targets'))), name='kept_are_among_targets'),
        ),
        migrations.AddConstraint(
            model_name='sharddata',
            constraint=models.UniqueConstraint(fields=('job', 'number'), name='shard_once_per_job'),
        ),
        migrations.AddConstraint(
            model_name='submissiondigest',
            constraint=models.UniqueConstraint(fields=('submission', 'folds'), name='digest_once_per_submission'),
        ),
    ]
