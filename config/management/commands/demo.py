"""A project with life in it, made through the same actions as any other."""

import random
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from adjudication.actions.measuring import agreement_settings, ask_for_agreement
from adjudication.actions.merging import ask_to_merge
from annotator.actions.accounts import create_user
from annotator.actions.assignments import discard_assignment, save_answer, submit_assignment
from annotator.actions.importing.answers import add_voices
from annotator.actions.jobs import enqueue
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.actions.questions import answer_question, ask_question
from annotator.domain.answers import Answer, parse_answer
from annotator.domain.passages import NewPassage, PassageKind
from annotator.domain.protocols import SWS
from annotator.management.base import AssayCommand
from annotator.models import Assignment, Project, User
from config.demo.answers import SEED, Material, active_ms_of, answer_of, guidelines, material
from config.demo.days import WEEKS, as_of, worked_at
from config.demo.people import ANNOTATORS, PEOPLE, VOICES, Habit, Person

SLUG = "learner-essays"
# Of each annotator's passages: so many submitted, then one discarded, then two begun; the rest is open work.
SUBMITTED = 26
# Who asks about their n-th passage, how many hours ago, what, and what they were told.
QUESTIONS = (
    ("kofi@demo.invalid", 4, 190, "Does “Maths” keep its capital letter?", "Yes: leave names of subjects as they are."),
    ("lena@demo.invalid", 21, 27, "May two words stand for one?", ""),
    ("yuki@demo.invalid", 25, 3, "Is a set phrase one expression, or may I mark one word of it alone?", ""),
)
PRACTICE = "Try it out here: the nice old man did a big effort to make all the people in the room very happy."


class Command(AssayCommand):
    help = "Make the demo project, once; running it again changes nothing."

    @transaction.atomic
    def run(self, **options: Any) -> dict[str, Any]:
        if Project.objects.filter(slug=SLUG).exists():
            return {"project": SLUG, "created": False}
        self.say("Making the demo project …", **options)
        now = timezone.now()
        people = {person.email: self._person(person) for person in PEOPLE}
        lead = next(people[person.email] for person in PEOPLE if person.role == "lead")
        items = material()
        with as_of(now - WEEKS - timedelta(hours=1)):
            project = self._project(lead, people, items)
        for email, habit in ANNOTATORS.items():
            self._work(people[email], habit, items, now)
        self._ask(people, lead, now)
        practice = NewPassage("practice-1", PRACTICE, kind=PassageKind.PRACTICE)
        add_passages(project, by=lead, passages=[practice])  # given to everybody, after their work
        # By the worker, behind the first page.
        enqueue("count_tallies", by=lead, project=project)
        ask_to_merge(project, by=lead)
        enqueue("decide_demo", by=lead, project=project)
        ask_for_agreement(project, by=lead, settings=agreement_settings(project))
        return {"project": SLUG, "created": True}

    def _person(self, person: Person) -> User:
        """The lead may make projects of her own: docs/notebook.md begins with one."""
        may = person.role == "lead"
        return create_user(by=None, email=person.email, name=person.name, can_create_projects=may, is_demo=True)

    def _project(self, lead: User, people: dict[str, User], items: dict[str, Material]) -> Project:
        project = create_project(
            by=None, slug=SLUG, name="Learner essays", preset="sws", lead=lead, guidelines=guidelines(), seed=SEED
        )
        for person in PEOPLE:
            if person.role != "lead":
                add_member(project, user=people[person.email], by=lead, roles={person.role})
        add_passages(project, by=lead, passages=[item.passage for item in items.values()])
        add_voices(
            project, by=lead, answers={name: self._answers(name, habit, items) for name, habit in VOICES.items()}
        )
        return change_project_state(project, by=lead, act="open")

    def _answers(self, name: str, habit: Habit, items: dict[str, Material]) -> dict[str, Answer]:
        return {
            external_id: parse_answer(answer_of(name, habit, item), text=item.passage.text, protocol=SWS)
            for external_id, item in items.items()
        }

    def _work(self, user: User, habit: Habit, items: dict[str, Material], now: datetime) -> None:
        """Their first passages done over some weeks, one set aside, two begun."""
        draw = random.Random(f"{SEED}:{user.email}")  # noqa: S311 (a demo, not a secret)
        own = Assignment.objects.own(user).select_related("membership", "passage__project").in_order()
        moments = worked_at(user.email, SUBMITTED + 3, now)
        for index, (assignment, moment) in enumerate(zip(own[: SUBMITTED + 3], moments, strict=True)):
            item = items[assignment.passage.external_id]
            answer = answer_of(user.email, habit, item)
            active_ms = active_ms_of(user.email, habit, item, answer)
            # As if opened so long before: nobody works longer than the clock runs. The act writes its own time.
            assignment.changed_at = moment - timedelta(milliseconds=active_ms)
            given: dict[str, Any] = {"by": user, "version": 0, "save_id": UUID(int=draw.getrandbits(128), version=4)}
            with as_of(moment):
                if index < SUBMITTED:
                    submit_assignment(assignment, active_ms=active_ms, answer=answer, **given)
                elif index == SUBMITTED:
                    discard_assignment(assignment, reason=habit.sets_aside, **given)
                elif "marks" in answer:
                    begun = {"marks": answer["marks"][:1]}
                    save_answer(assignment, active_ms=active_ms // 2, answer=begun, **given)

    def _ask(self, people: dict[str, User], lead: User, now: datetime) -> None:
        """A few questions about passages they have been at, the first of them answered."""
        for email, number, hours, text, answer in QUESTIONS:
            own = Assignment.objects.own(people[email]).select_related("membership", "passage__project")
            with as_of(now - timedelta(hours=hours)):
                asked = ask_question(own.get(number=number), by=people[email], text=text)
            if answer:
                with as_of(now - timedelta(hours=hours - 1)):
                    answer_question(asked, by=lead, version=asked.version, text=answer)
