"""Decisions with their steps, which are never changed, and comments."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models

from annotator.guards import install_guards


class Migration(migrations.Migration):

    dependencies = [
        ('adjudication', '0005_packed_columns'),
        ('annotator', '0011_seen_all'),
    ]

    operations = [
        migrations.AddField(
            model_name='merge',
            name='types',
            field=models.JSONField(default=list),
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('chain_head', models.CharField(blank=True, default='', max_length=64)),
                ('start', models.PositiveIntegerField(null=True)),
                ('end', models.PositiveIntegerField(null=True)),
                ('seat', models.PositiveSmallIntegerField(default=0)),
                ('content', models.JSONField()),
                ('verdict', models.CharField(blank=True, default='', max_length=10)),
                ('is_empty', models.BooleanField(default=True)),
                ('reason', models.TextField(blank=True, default='')),
                ('cause', models.CharField(blank=True, default='', max_length=10)),
                ('evidence', models.CharField(blank=True, default='', max_length=32)),
                ('snapshot', models.JSONField(default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('act', models.UUIDField(null=True)),
                ('proposed', models.PositiveIntegerField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.membership')),
                ('passage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='annotator.passage')),
            ],
        ),
        migrations.CreateModel(
            name='DecisionStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('content', models.JSONField()),
                ('reason', models.TextField(blank=True)),
                ('cause', models.CharField(blank=True, max_length=10)),
                ('evidence', models.CharField(blank=True, max_length=32)),
                ('snapshot', models.JSONField()),
                ('merge', models.CharField(max_length=64)),
                ('is_proposal', models.BooleanField(default=False)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('act', models.UUIDField()),
                ('undoes', models.UUIDField(null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.membership')),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='adjudication.decision')),
            ],
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=0)),
                ('chain_head', models.CharField(blank=True, default='', max_length=64)),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('start', models.PositiveIntegerField(null=True)),
                ('end', models.PositiveIntegerField(null=True)),
                ('text', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('resolved_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.membership')),
                ('passage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='annotator.passage')),
                ('resolved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotator.membership')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('resolved_at', None)), fields=['passage'], name='comment_unresolved')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('end__isnull', True), ('start__isnull', True)), ('start__lte', models.F('end')), _connector='OR'), name='comment_is_about_a_span_or_all')],
            },
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(condition=models.Q(('start__isnull', False)), fields=('passage', 'start', 'end', 'seat'), name='decision_once_per_span'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(condition=models.Q(('start__isnull', True)), fields=('passage', 'seat'), name='decision_once_per_passage'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('end__isnull', True), ('start__isnull', True)), ('start__lte', models.F('end')), _connector='OR'), name='decision_is_about_a_span_or_all'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('seat__in', (0, 1, 2))), name='decision_seat_is_known'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('cause__in', ['', 'guideline', 'ambiguous', 'slip', 'taste', 'other'])), name='decision_cause_is_known'),
        ),
        migrations.AddIndex(
            model_name='decisionstep',
            index=models.Index(fields=['act'], name='step_by_act'),
        ),
        migrations.AddConstraint(
            model_name='decisionstep',
            constraint=models.UniqueConstraint(fields=('decision', 'number'), name='step_number_once'),
        ),
        migrations.AddConstraint(
            model_name='decisionstep',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='step_numbers_start_at_one'),
        ),
        migrations.RunPython(
            lambda apps, editor: install_guards(editor.connection), lambda apps, editor: None, elidable=False
        ),
    ]
