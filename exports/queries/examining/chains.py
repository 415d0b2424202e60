"""Of the log: nothing in it was changed, and every row is where its last event left it."""

from collections.abc import Iterator

from adjudication.models import Comment, Decision, Double
from annotator.domain.events import event_hash
from annotator.models import (
    Arrival,
    Assignment,
    Event,
    Job,
    Membership,
    Passage,
    Project,
    Question,
    Subject,
    User,
)
from exports.models import Card, Release, SystemRun, Webhook
from exports.queries.examining.examined import CHUNK, Examined

# By kind of row, the way to its project; people have none.
WAYS: dict[type[Subject], str] = {
    User: "",
    Project: "pk",
    Membership: "project",
    Arrival: "project",
    Passage: "project",
    Assignment: "passage__project",
    Question: "assignment__passage__project",
    Job: "project",
    Decision: "passage__project",
    Double: "passage__project",
    Comment: "passage__project",
    Card: "project",
    Release: "project",
    SystemRun: "release__project",
    Webhook: "project",
}


def examine_chains(found: Examined) -> Iterator[str]:
    """Every event seals the one before it, and the row knows the last."""
    heads: dict[tuple[str, int], tuple[int, str]] = {}
    imported = Decision.objects.filter(steps_imported__gt=0).values_list("pk", "steps_imported")
    begins = {(Decision.subject_name(), pk): steps for pk, steps in imported}
    names = ("subject", "subject_id", "seq", "kind", "by_id", "at", "payload", "previous_hash", "hash")
    events = found.rows(Event.objects.order_by("subject", "subject_id", "seq"), "project")
    for subject, pk, seq, kind, by, at, payload, before, own in events.values_list(*names).iterator(chunk_size=CHUNK):
        found.looked_at += 1
        key = (subject, pk)
        last, previous = heads.get(key) or (begins.get(key, 0), "")
        if found.project is not None and key not in heads and seq > last + 1:
            last, previous = seq - 1, before  # it began before it had a project
        sealed = event_hash(
            previous=previous,
            subject=subject,
            subject_id=pk,
            seq=last + 1,
            kind=kind,
            by_id=by,
            at=at.isoformat(),
            payload=payload,
        )
        if (seq, before, own) != (last + 1, previous, sealed):
            yield f"the chain of {subject} {pk} is broken at event {seq}"
        heads[key] = (seq, own)
    for model, way in WAYS.items():
        if found.project is not None and not way:
            continue
        name = model.subject_name()
        rows = found.rows(model._default_manager.all(), way).values_list("pk", "version", "chain_head")
        for pk, version, head in rows.iterator(chunk_size=CHUNK):
            said = heads.get((name, pk)) or (begins.get((name, pk), 0), "")
            if said != (version, head) and not _is_sound_now(model, pk, begins.get((name, pk), 0)):
                yield f"{name} {pk} is at version {version}, which is not what its last event says"


def _is_sound_now(model: type[Subject], pk: int, begins: int) -> bool:
    """Somebody may have saved between the look at the events and that at the row."""
    newest = Event.objects.filter(subject=model.subject_name(), subject_id=pk).order_by("-seq")
    said = newest.values_list("seq", "hash").first() or (begins, "")
    return bool(model._default_manager.filter(pk=pk, version=said[0], chain_head=said[1]).exists())
