"""Looking at what was submitted for controls and repeats: by a job and never with the submission, so that nobody can
tell one from their other work by the time it takes."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from annotator.actions.jobs import _enqueue
from annotator.actions.running import Result, Run
from annotator.bulk import BATCH
from annotator.domain.answers import Answer, stored_answer
from annotator.domain.checks import compared, is_met
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.states import ProjectState
from annotator.models import Check, Passage, Project, Submission
from annotator.queries.checks import Due, due_checks

LOOK_EVERY = 300.0  # seconds
_looked_at = 0.0


def ask_for_checks() -> None:
    """Called with every sweep; looks only now and then."""
    global _looked_at
    if time.monotonic() - _looked_at < LOOK_EVERY:
        return
    _looked_at = time.monotonic()
    for project in Project.objects.exclude(state__in=[ProjectState.DRAFT, ProjectState.ARCHIVED]).order_by("pk"):
        protocol = project.protocol
        if (protocol.controls_per_hundred or protocol.repeats_per_hundred) and due_checks(project):
            _enqueue(LOOK.name, by=None, project=project)


def _look_at_checks(run: Run) -> Result:
    """The job. Begun again after a crash, it finds what is left."""
    project = run.job.project
    assert project is not None
    due = due_checks(project)
    done = run.job.done
    for start in range(0, len(due), BATCH):
        batch = due[start : start + BATCH]
        with run.step(done=done + start + len(batch), total=done + len(due)):
            _look(project, batch)
    return {"checks": done + len(due)}


def _look(project: Project, batch: Sequence[Due]) -> None:
    ids = [pk for due in batch for pk in due.submissions]
    answers = {row.pk: stored_answer(row.answer) for row in Submission.objects.filter(pk__in=ids)}
    controls = [due.passage for due in batch if not due.is_repeat]
    keys: dict[int, Any] = dict(Passage.objects.filter(pk__in=controls).values_list("pk", "key_answer"))
    for due in batch:
        said = [answers[pk] for pk in due.submissions]
        told = _of_a_repeat(project, said) if due.is_repeat else _of_a_control(project, keys[due.passage], said[0])
        Check.objects.update_or_create(assignment_id=due.assignment, defaults={"submissions": due.submissions, **told})


def _of_a_control(project: Project, key: dict[str, Any], answer: Answer) -> dict[str, Any]:
    return {"is_met": is_met(stored_answer(key), answer, project.protocol)}


def _of_a_repeat(project: Project, said: Sequence[Answer]) -> dict[str, Any]:
    found = compared(*said, folds=project.protocol.folds_substitutes)
    return {
        "spans_shared": found.spans_shared,
        "spans_either": found.spans_either,
        "words": [list(pair) for pair in found.words],
    }


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    return f"{result.get('checks', 0):,} controls and repeats looked at." if state == JobState.DONE else ""


LOOK = JobKind("look_at_checks", "Look at controls and repeats", _look_at_checks, _says)
