"""Projects in which several people have said something, merged and measured; run inside a house by House.seed."""

import random
from typing import Any
from uuid import uuid4

from adjudication.actions.curves import CURVE
from adjudication.actions.measuring import AGREEMENT, agreement_settings, ask_for_agreement
from adjudication.actions.merging import merge_project
from annotator.actions.accounts import set_password
from annotator.actions.assignments import submit_assignment
from annotator.actions.importing.answers import add_voices
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.actions.running import work_here
from annotator.domain.answers import Answer, parse_answer
from annotator.domain.passages import NewPassage
from annotator.domain.protocols import SubstituteType
from annotator.models import Assignment, Job, Project, User
from config.demo.answers import Material, answer_of, material
from config.demo.people import ANNOTATORS, VOICES, Habit
from tests.factories import make_user, mark
from tests.house import PASSWORD

HEBREW = "הילד הלך מהר הביתה כי הוא היה רעב מאוד."
ARABIC = "ذهب الولد إلى البيت بسرعة لأنه كان جائعا جدا."
ODD_ONE = "V08"  # marks what nobody else does
CROWD = 60
LONG_NAME = "A project whose name somebody wrote as a whole sentence " * 4
LONG_PSEUDONYM = "Participant-{:02d}-of-the-spring-workshops"
LONG_SUBSTITUTE = "at the very end of a long and rather tiring day " * 5
TYPES = ("refine-usage", "diversify-expression", "formality", "collocation", "word-order")


def agreeing() -> None:
    """Three projects of one lead, all merged and measured: ten people, two people, and everything too long."""
    people = {name: make_user(name) for name in ("lead", "tomas", "ann", "ben")}
    for user in people.values():
        set_password(user, by=user, password=PASSWORD)
    _ten_people(**people)
    _two_people(people["lead"])
    _crowd(people["lead"])


def _project(lead: User, slug: str, name: str, passages: list[NewPassage]) -> Project:
    project = create_project(by=None, slug=slug, preset="sws", lead=lead, name=name, seed=slug)
    switches = {**project.protocol_data, "warn_below_marks": 0}
    if slug == "crowd":
        switches["types"] = [
            SubstituteType(key, key.replace("-", " ").capitalize(), code).__dict__ | {"aliases": []}
            for code, key in enumerate(TYPES, start=1)
        ]
    Project.objects.filter(pk=project.pk).update(protocol_data=switches)
    project.refresh_from_db()
    add_passages(project, by=lead, passages=passages)
    return project


def _measured(project: Project, lead: User) -> None:
    merge_project(project, by=lead)
    job = ask_for_agreement(project, by=lead, settings=agreement_settings(project))
    for kind in (AGREEMENT, CURVE):
        for pk in Job.objects.waiting().filter(project=project, kind=kind.name).values_list("pk", flat=True):
            work_here(pk, kind.work)
    assert Job.objects.get(pk=job.pk).state == "done"


def _ten_people(lead: User, tomas: User, ann: User, ben: User) -> None:
    items = material()
    right_to_left = [NewPassage("hebrew", HEBREW, lang="he"), NewPassage("arabic", ARABIC, lang="ar")]
    project = _project(lead, "essays", "Essays", [*(item.passage for item in items.values()), *right_to_left])
    answers = {name: _answers(project, name, habit, items) for name, habit in VOICES.items()}
    answers[ODD_ONE] = _parsed(project, {item.passage.external_id: _odd(item.passage.text) for item in items.values()})
    for name, offer in (("V01", "רץ"), ("V02", "צעד")):
        answers[name] |= _parsed(project, {"hebrew": [mark(HEBREW, "הלך", offer), mark(HEBREW, "רעב מאוד", "מורעב")]})
    answers["V01"] |= _parsed(project, {"arabic": [mark(ARABIC, "ذهب", "مضى")]})
    answers["V02"] |= _parsed(project, {"arabic": [mark(ARABIC, "بسرعة", "مسرعا", type="diversify-expression")]})
    add_voices(project, by=lead, answers=answers)
    for user, role in ((tomas, "adjudicator"), (ann, "annotator"), (ben, "annotator")):
        add_member(project, user=user, by=lead, roles={role})
    change_project_state(project, by=lead, act="open")
    for user, habit in zip((ann, ben), ANNOTATORS.values(), strict=False):
        own = Assignment.objects.own(user).select_related("membership", "passage__project").in_order()
        for row in [row for row in own if row.passage.external_id in items][:12]:
            answer = answer_of(user.email, habit, items[row.passage.external_id])
            submit_assignment(row, by=user, version=0, save_id=uuid4(), active_ms=0, answer=answer)
    _measured(project, lead)


def said_later() -> None:
    """ann submits one more passage, long after the others, and it is merged again."""
    project = Project.objects.get(slug="essays")
    rows = Assignment.objects.select_related("membership", "passage__project")
    row = rows.get(membership__user__email="ann@example.org", passage__external_id="arabic", passage__project=project)
    said = {**mark(ARABIC, "ذهب", "مضى", "سار"), "note": "Both are fine.", "unsure": True}
    answer = {"marks": [said, mark(ARABIC, "البيت", "المنزل")]}
    assert row.membership.user is not None
    submit_assignment(
        row, by=row.membership.user, version=row.version, save_id=uuid4(), active_ms=34_000, answer=answer
    )
    lead = project.memberships.leading().select_related("user").get().user
    merge_project(project, by=lead)


def _two_people(lead: User) -> None:
    items = dict(list(material().items())[:6])
    project = _project(lead, "two", "Two people", [item.passage for item in items.values()])
    answers = {name: _answers(project, name, VOICES[name], items) for name in ("V01", "V02")}
    add_voices(project, by=lead, answers=answers)
    _measured(project, lead)


def _crowd(lead: User) -> None:
    """Sixty people with long names; a long passage, long substitutes, five types, spans that overlap."""
    short = "The boy walked quickly home because he was hungry and tired."
    long = " ".join(f"{'small' if n % 9 else 'enormous'} stone{n}" for n in range(200))
    texts = {"short": short, "long": long, "passage-with-an-id-that-somebody-took-from-a-file-name-of-2026": short}
    passages = [NewPassage(name, text) for name, text in texts.items()]
    project = _project(lead, "crowd", LONG_NAME[:200], passages)
    draw = random.Random("crowd")
    answers = {}
    for number in range(CROWD):
        own = {name: _much(text, draw) for name, text in texts.items()}
        answers[LONG_PSEUDONYM.format(number)] = _parsed(project, own)
    add_voices(project, by=lead, answers=answers)
    _measured(project, lead)


def _much(text: str, draw: random.Random) -> list[dict[str, Any]]:
    words = [word for word in text.split() if text.count(word) == 1]
    found = []
    for word in draw.sample(words, 6):
        offer = draw.choice([LONG_SUBSTITUTE[:200], "somewhere else", f"{word}s", "Donaudampfschifffahrtsgesellschaft"])
        found.append(mark(text, word.strip("."), offer, f"not {word}", type=draw.choice(TYPES)))
    if "boy walked quickly" in text:
        found.append(mark(text, "boy walked quickly", "child hurried", type=draw.choice(TYPES)))
    return found


def _odd(text: str) -> list[dict[str, Any]]:
    first = text.split()[0].strip(",")
    return [mark(text, first, "Well")]


def _answers(project: Project, name: str, habit: Habit, items: dict[str, Material]) -> dict[str, Answer]:
    own = {external_id: answer_of(name, habit, item) for external_id, item in items.items()}
    return {
        external_id: parse_answer(answer, text=items[external_id].passage.text, protocol=project.protocol)
        for external_id, answer in own.items()
    }


def _parsed(project: Project, marks: dict[str, list[dict[str, Any]]]) -> dict[str, Answer]:
    texts = dict(project.passages.values_list("external_id", "text"))
    return {
        external_id: parse_answer({"marks": found}, text=texts[external_id], protocol=project.protocol)
        for external_id, found in marks.items()
    }
