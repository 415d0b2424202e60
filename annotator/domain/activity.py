"""What happened in a project, as its leads read it. Every app says it of its own kinds of events (`domain/activity.py`
there), and where the rows that they are about stand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# What events are about, in the order of the filter.
GROUPS = {
    "project": "The project and its rules",
    "people": "People",
    "passages": "Passages and files",
    "work": "Work",
    "questions": "Questions",
    "results": "Merge and agreement",
    "decisions": "Adjudication",
    "releases": "Releases and systems",
    "jobs": "Jobs",
}


@dataclass(frozen=True)
class Place:
    """Where rows of one subject stand: which fields lead to the project, to the passage (where an event tells of what
    somebody did to one), and to what people call it by. Each as the ORM writes it."""

    group: str
    project: str
    passage: str = ""
    names: tuple[str, ...] = ()
    called: str = ""  # with a place for each of `names`
    whose: str = ""  # likewise: whose work it is
    is_many: bool = False  # there are too many such rows to name them all


@dataclass(frozen=True)
class Words:
    """What is said of one kind of event: `{about}` is what its row is called, `{whose}` whose work it is; the rest is
    of its payload, `{targets:target}` with its noun."""

    text: str
    group: str = ""  # where it is not the one of its subject


class _Told(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"


_PLACES: dict[str, Place] = {}
_WORDS: dict[str, Words] = {}
# Saves are many and tell nothing; what a job does on its way is told by its page.
NOT_TOLD = ("assignment.saved", "job.running", "job.waiting", "job.split", "job.parts_done", "job.divided")
# What came of a job is told by itself; only who asks for jobs reads of these.
ROUTINE = ("job.asked", "job.done")


def tells(places: Mapping[str, Place], words: Mapping[str, Words]) -> None:
    """Called by each app, once."""
    _PLACES.update(places)
    _WORDS.update(words)


def place_of(subject: str) -> Place | None:
    return _PLACES.get(subject)


def places() -> Iterator[tuple[str, Place]]:
    yield from _PLACES.items()


def kinds_told() -> list[str]:
    return sorted(_WORDS)


def kinds_of(group: str) -> list[str]:
    """Kinds of events that stand in another group than their subject's."""
    return [kind for kind, words in _WORDS.items() if words.group == group]


def said_of(kind: str, about: str, whose: str, payload: Mapping[str, Any]) -> str:
    """A sentence without its subject: whoever did it stands before it."""
    words = _WORDS.get(kind)
    if words is None:
        return kind.replace("_", " ").replace(".", " ")  # of a version to come, or one that is gone
    plain = {name: _plain(value) for name, value in payload.items()}
    return words.text.format_map(_Told(plain, about=about, whose=whose))


class _Many(int):
    def __format__(self, noun: str) -> str:
        return f"{int(self):,} {noun}{'' if self == 1 else 's'}" if noun else f"{int(self):,}"


def _plain(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return _Many(value)
    if isinstance(value, list):
        return ", ".join(str(item).replace("_", " ") for item in value)
    return str(value)


OF_THE_HOUSE = {
    "project": Place("project", "pk"),
    "membership": Place("people", "project", names=("pseudonym", "user__name"), called="{0} ({1})"),
    "passage": Place("passages", "project", names=("external_id",), called="“{0}”"),
    "arrival": Place("passages", "project", names=("name",), called="“{0}”"),
    "assignment": Place(
        "work",
        "passage__project",
        "passage",
        ("passage__external_id", "membership__pseudonym"),
        "“{0}”",
        "{1}",
        is_many=True,
    ),
    "question": Place(
        "questions",
        "assignment__passage__project",
        "assignment__passage",
        ("assignment__passage__external_id",),
        "“{0}”",
    ),
    "job": Place("jobs", "project", names=("kind",), called="{0}"),
}
SAID = {
    "project.created": Words("made the project"),
    "project.imported": Words("brought the project in from a file"),
    "project.open": Words("opened the project"),
    "project.pause": Words("paused the project"),
    "project.close": Words("closed the project"),
    "project.archive": Words("archived the project"),
    "project.unarchive": Words("took the project out of the archive"),
    "project.return_to_draft": Words("took the project out of the archive, as a draft"),
    "project.settings_changed": Words("changed the settings: {settings}"),
    "protocol.changed": Words("changed the rules: {switches}"),
    "guidelines.changed": Words("wrote version {version} of the guidelines"),
    "setup.skipped": Words("skipped a step of the set-up: {step}"),
    "setup.taken_up": Words("took a step of the set-up up again: {step}"),
    "invitation.made": Words("invited somebody as {roles}", "people"),
    "invitations.made": Words("made {links:invitation} as {roles}", "people"),
    "invitation.renewed": Words("renewed an invitation", "people"),
    "invitations.sent": Words("had {sent:invitation} sent by e-mail", "people"),
    "invitation.revoked": Words("revoked an invitation", "people"),
    "member.joined": Words("let {about} in as {roles}"),
    "member.rejoined": Words("let {about} in again as {roles}"),
    "member.roles_changed": Words("changed the roles of {about}: {before} → {after}"),
    "member.removed": Words("removed {about}"),
    "member.brought_back": Words("brought {about} back"),
    "member.most_changed": Words("changed how many passages {about} is to have at most"),
    "member.password_link_made": Words("made a link by which {about} can set a new password"),
    "member.paused": Words("paused {about}"),
    "member.resumed": Words("let {about} go on"),
    "member.renamed": Words("renamed a voice: {about}"),
    "voice.imported": Words("brought in the voice {about}"),
    "guidelines.read": Words("read version {version} of the guidelines"),
    "qualification.passed": Words("ended the test of {about}: passed"),
    "qualification.failed": Words("ended the test of {about}: not passed"),
    "qualification.let_pass": Words("let {about} pass the test"),
    "qualification.tried_again": Words("gave {about} one more try at the test"),
    "qualification.asked_for": Words("asked {about} to take the test first"),
    "qualification.dropped": Words("dropped the test of {about}: its passages were taken back"),
    "passages.added": Words("added {passages:passage}", "passages"),
    "passage.key_set": Words("set the key of {about}"),
    "passage.kind_changed": Words("made {about} a {kind} passage"),
    "passages.screened": Words("screened what was left of the passages", "passages"),
    "passages.unscreened": Words("took back what was said of many passages at once at screening", "passages"),
    "passage.put_back": Words("took the replacement of {about} back"),
    "passage.accepted": Words("accepted {about} at screening"),
    "passage.refused": Words("refused {about} at screening"),
    "passage.unscreened": Words("took back what was said of {about} at screening"),
    "passage.archived": Words("archived {about}"),
    "passage.replaced": Words("replaced {about} by another text"),
    "file.sent": Words("sent a file, to be imported", "passages"),
    "arrival.begun": Words("began to import {about}"),
    "arrival.done": Words("imported {about}"),
    "arrival.refused": Words("could not import {about}"),
    "arrival.cancelled": Words("called off the import of {about}"),
    "arrival.taken_back": Words("took {about} back"),
    "work.assigned": Words("handed out {assignments:passage}", "work"),
    "work.moved": Words("gave {moved:passage} to other people", "work"),
    "assignment.submitted": Words("submitted {about}"),
    "assignment.reopened": Words("reopened {about}"),
    "assignment.discarded": Words("discarded {about}"),
    "assignment.undiscarded": Words("took the discard of {about} back"),
    "assignment.withdrawn": Words("withdrew {about} from {whose}"),
    "question.asked": Words("asked about {about}"),
    "question.answered": Words("answered a question about {about}"),
    "job.asked": Words("asked for a job: {about}"),
    "job.done": Words("ended a job: {about}"),
    "job.failed": Words("could not do a job: {about}"),
    "job.cancelled": Words("cancelled a job: {about}"),
    "job.cancel_asked": Words("asked to stop a job: {about}"),
    "job.retried": Words("tried a job again: {about}"),
}
tells(OF_THE_HOUSE, SAID)
