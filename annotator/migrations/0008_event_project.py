"""Every event knows the project whose activity it is; those of before are told, and their chains looked at."""

from typing import Any

from django.db import migrations, models, transaction
from django.db.models.deletion import PROTECT

from annotator.domain.events import event_hash
from annotator.guards import install_guards, remove_guards

BATCH = 2000
# By subject: where its row's project stands.
PROJECT_OF = {
    "project": "SELECT id FROM annotator_project WHERE id = subject_id",
    "membership": "SELECT project_id FROM annotator_membership WHERE id = subject_id",
    "passage": "SELECT project_id FROM annotator_passage WHERE id = subject_id",
    "job": "SELECT project_id FROM annotator_job WHERE id = subject_id",
    "assignment": "SELECT p.project_id FROM annotator_assignment a JOIN annotator_passage p ON p.id = a.passage_id "
    "WHERE a.id = subject_id",
    "question": "SELECT p.project_id FROM annotator_question q JOIN annotator_assignment a ON a.id = q.assignment_id "
    "JOIN annotator_passage p ON p.id = a.passage_id WHERE q.id = subject_id",
}


def fill(apps: Any, editor: Any) -> None:
    """In batches, each a transaction of its own: run again after a crash, it goes on."""
    connection = editor.connection
    remove_guards(connection)
    try:
        last = apps.get_model("annotator", "Event").objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        for start in range(0, last + 1, BATCH):
            with transaction.atomic(), connection.cursor() as cursor:
                for subject, found in PROJECT_OF.items():
                    cursor.execute(
                        f"UPDATE annotator_event SET project_id = ({found}) "  # noqa: S608 (fixed text)
                        "WHERE subject = %s AND project_id IS NULL AND id >= %s AND id < %s",
                        [subject, start, start + BATCH],
                    )
    finally:
        install_guards(connection)
    _check_chains(apps.get_model("annotator", "Event"))


def _check_chains(event_model: Any) -> None:
    heads: dict[tuple[str, int], tuple[int, str]] = {}
    for event in event_model.objects.order_by("subject", "subject_id", "seq").iterator(chunk_size=BATCH):
        seq, previous = heads.get((event.subject, event.subject_id), (0, ""))
        sealed = event_hash(
            previous=previous,
            subject=event.subject,
            subject_id=event.subject_id,
            seq=seq + 1,
            kind=event.kind,
            by_id=event.by_id,
            at=event.at.isoformat(),
            payload=event.payload,
        )
        if event.hash != sealed:
            raise RuntimeError(
                f"The chain of {event.subject} {event.subject_id} is broken at event {event.seq}: `manage.py doctor` "
                "of the version before says more. Nothing but the projects of events was filled in."
            )
        heads = {(event.subject, event.subject_id): (event.seq, event.hash)}  # only the row at hand: they are in order


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("annotator", "0007_arrivals")]
    operations = [
        migrations.AddField(
            model_name="event",
            name="project",
            field=models.ForeignKey(
                db_index=False, null=True, on_delete=PROTECT, related_name="+", to="annotator.project"
            ),
        ),
        migrations.AddIndex(
            model_name="event", index=models.Index(fields=["project", "id"], name="event_by_project")
        ),
        migrations.RunPython(fill, lambda apps, editor: None),
    ]
