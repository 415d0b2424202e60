"""A project with life in it, made through the same actions as any other."""

import random
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from adjudication.actions.measuring import agreement_settings, ask_for_agreement
from adjudication.actions.merging import ask_to_merge
from annotator.actions.accounts import create_user
from annotator.actions.assignments import discard_assignment, save_answer, submit_assignment
from annotator.actions.importing.answers import add_voices
from annotator.actions.jobs import enqueue
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.domain.answers import Answer, parse_answer
from annotator.domain.passages import NewPassage
from annotator.domain.protocols import SWS
from annotator.management.base import AssayCommand
from annotator.models import Assignment, Project, User
from config.demo.answers import SEED, Material, active_ms_of, answer_of, guidelines, material
from config.demo.people import ANNOTATORS, PEOPLE, VOICES, Habit

SLUG = "learner-essays"
# Of each annotator's passages: so many submitted, then one discarded, then two begun; the rest is open work.
SUBMITTED = 26
PRACTICE = "Try it out here: the nice old man did a big effort to make all the people in the room very happy."


class Command(AssayCommand):
    help = "Make the demo project, once; running it again changes nothing."

    @transaction.atomic
    def run(self, **options: Any) -> dict[str, Any]:
        if Project.objects.filter(slug=SLUG).exists():
            return {"project": SLUG, "created": False}
        self.say("Making the demo project …", **options)
        people = {
            person.email: create_user(by=None, email=person.email, name=person.name, is_demo=True) for person in PEOPLE
        }
        lead = next(people[person.email] for person in PEOPLE if person.role == "lead")
        project = create_project(
            by=None, slug=SLUG, name="Learner essays", preset="sws", lead=lead, guidelines=guidelines(), seed=SEED
        )
        for person in PEOPLE:
            if person.role != "lead":
                add_member(project, user=people[person.email], by=lead, roles={person.role})
        items = material()
        add_passages(project, by=lead, passages=[item.passage for item in items.values()])
        add_voices(
            project, by=lead, answers={name: self._answers(name, habit, items) for name, habit in VOICES.items()}
        )
        change_project_state(project, by=lead, act="open")
        for email, habit in ANNOTATORS.items():
            self._work(people[email], habit, items)
        practice = NewPassage("practice-1", PRACTICE, kind="practice")
        add_passages(project, by=lead, passages=[practice])  # given to everybody, after their work
        # By the worker, behind the first page.
        ask_to_merge(project, by=lead)
        enqueue("decide_demo", by=lead, project=project)
        ask_for_agreement(project, by=lead, settings=agreement_settings(project))
        return {"project": SLUG, "created": True}

    def _answers(self, name: str, habit: Habit, items: dict[str, Material]) -> dict[str, Answer]:
        return {
            external_id: parse_answer(answer_of(name, habit, item), text=item.passage.text, protocol=SWS)
            for external_id, item in items.items()
        }

    def _work(self, user: User, habit: Habit, items: dict[str, Material]) -> None:
        """Their first passages done, one set aside, two begun."""
        draw = random.Random(f"{SEED}:{user.email}")  # noqa: S311 (a demo, not a secret)
        own = Assignment.objects.own(user).select_related("membership", "passage__project").in_order()
        for index, assignment in enumerate(own[: SUBMITTED + 3]):
            item = items[assignment.passage.external_id]
            answer = answer_of(user.email, habit, item)
            active_ms = active_ms_of(user.email, habit, item, answer)
            # As if handed out so long before: nobody works longer than the clock runs. The act writes the time of now.
            assignment.changed_at -= timedelta(milliseconds=active_ms)
            given: dict[str, Any] = {"by": user, "version": 0, "save_id": UUID(int=draw.getrandbits(128), version=4)}
            if index < SUBMITTED:
                submit_assignment(assignment, active_ms=active_ms, answer=answer, **given)
            elif index == SUBMITTED:
                discard_assignment(assignment, reason="context", **given)
            elif "marks" in answer:
                save_answer(assignment, active_ms=active_ms // 2, answer={"marks": answer["marks"][:1]}, **given)
