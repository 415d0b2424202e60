"""What somebody has said at screening and may take back: one act after the other, the newest first, by the log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.formats.reading import counted
from annotator.domain.screening import Screening
from annotator.models import Assignment, Event, Passage, Project, User

LOOKED_BACK = 200  # events; one act on many passages may have forty
VERDICTS = {
    "passage.accepted": Screening.ACCEPTED,
    "passage.refused": Screening.REFUSED,
    "passage.unscreened": Screening.NONE,
}
REPLACED, MANY, MANY_BACK = "passage.replaced", "passages.screened", "passages.unscreened"
KINDS = (*VERDICTS, REPLACED, MANY, MANY_BACK, "passage.put_back")


@dataclass(frozen=True)
class Act:
    """`events`: one; of what was done to many passages those of all its batches, newest first."""

    events: Sequence[Event]
    passage: Passage | None = None  # that it was about
    made: Passage | None = None  # that stands for it since

    @property
    def key(self) -> int:
        return self.events[0].pk

    @property
    def many(self) -> int:
        return sum(len(event.payload["passages"]) for event in self.events) if self.passage is None else 1

    @property
    def says(self) -> str:
        if self.passage is not None:
            name = self.passage.external_id
            return f"the copy of {name}" if self.made else name
        is_refused = Screening.REFUSED.value in self.events[0].payload
        return f"{counted(self.many, 'passage')} {'refused' if is_refused else 'accepted'} at once"


def last_act(project: Project, by: User) -> Act | None:
    """The newest that still stands, and was not taken back. What others have changed since is passed over."""
    # Of all that they did, by its index: asked for the project too, SQLite would walk through everybody's saves.
    rows = list(Event.objects.filter(by=by, kind__in=KINDS).order_by("-pk")[:LOOKED_BACK])
    rows = [event for event in rows if event.project_id == project.pk]
    passages = Passage.objects.in_bulk({event.subject_id for event in rows if event.subject == "passage"})
    undone = undone_by(rows)
    for event in rows:
        if event.pk in undone or "undoes" in event.payload:
            continue
        if event.kind == MANY and event.payload.get("passages"):
            job = event.payload.get("job")
            same = [row for row in rows if row.kind == MANY and row.payload.get("job") == job and row.pk not in undone]
            return Act(same if job else [event])
        if (passage := passages.get(event.subject_id)) is not None and event.subject == "passage":
            passage.project = project
            if act := _act_on(passage, event):
                return act
    return None


def undone_by(events: Sequence[Event]) -> set[int]:
    return {pk for event in events for pk in event.payload.get("undoes", ())}


def _act_on(passage: Passage, event: Event) -> Act | None:
    if event.kind == REPLACED:
        made = Passage.objects.filter(pk=event.payload.get("replaced_by"), replaces=passage, archived_at=None).first()
        is_answered = made is not None and Assignment.objects.filter(passage=made, submissions_made__gt=0).exists()
        return Act([event], passage, made) if made is not None and not is_answered else None
    said: tuple[Any, Any] = (VERDICTS.get(event.kind), event.payload.get("reason", ""))
    stands = passage.archived_at is None and said == (passage.screening, passage.screening_reason)
    return Act([event], passage) if stands else None
