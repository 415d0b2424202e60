"""Asking the lead, and being told."""

from django.db import transaction
from django.utils import timezone

from annotator.actions.guidelines import change_guidelines
from annotator.actions.log import locked, write
from annotator.domain.errors import Invalid, Problem, Stale
from annotator.domain.guidelines import QUESTIONS, headings, with_addition, with_question
from annotator.domain.lengths import MAX_QUESTION_LENGTH
from annotator.domain.text import is_blank, line_problems
from annotator.models import Assignment, Question, User
from annotator.permissions import check_can_annotate, check_can_answer

MOST_OPEN = 20  # unanswered questions of one person about one passage


def _checked(text: str, what: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if is_blank(text):
        raise Invalid([Problem("blank", f"{what} is empty.", "text")])
    if problems := line_problems(text, what=what, path="text", most=MAX_QUESTION_LENGTH):
        raise Invalid(problems)
    return text


@transaction.atomic
def ask_question(assignment: Assignment, *, by: User, text: str) -> Question:
    check_can_annotate(by, assignment)
    text = _checked(text, "The question")
    if Question.objects.filter(assignment=assignment, answered_at=None).count() >= MOST_OPEN:
        raise Invalid([Problem("too_many", "There are many open questions here already: wait for an answer.", "text")])
    question = Question.objects.create(assignment=assignment, text=text, asked_at=timezone.now())
    write(question, "question.asked", by=by)
    return question


@transaction.atomic
def answer_question(
    question: Question, *, by: User, version: int, text: str, adds: bool = False, under: str = ""
) -> Question:
    """`adds`: the answer goes into the guidelines too, as their next version: under this heading, else with the
    question under one for both."""
    check_can_answer(by, question)
    text = _checked(text, "The answer")
    if adds:
        _add_to_guidelines(question, by=by, text=text, under=under)
    if question.version != version:
        stored = {"version": question.version, "text": question.answer}
        raise Stale("Somebody else has answered this in the meantime.", stored=stored)
    changes = {"answer": text, "answered_by": by, "answered_at": timezone.now()}
    write(question, "question.answered", by=by, changes=changes)
    return question


def _add_to_guidelines(question: Question, *, by: User, text: str, under: str) -> None:
    """Before the question is touched: acts on several rows take the project first."""
    project = locked(question.assignment.passage.project)
    if under != QUESTIONS and under in headings(project.guidelines):
        changed = with_addition(project.guidelines, text, under=under)
    else:
        changed = with_question(project.guidelines, question.text, text)
    change_guidelines(
        project,
        by=by,
        version=project.guidelines_version,
        guidelines=changed,
        look_up_policy=project.look_up_policy,
    )
