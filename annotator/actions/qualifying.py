"""The qualification test: its keys, and what comes of it."""

from typing import Any

from django.db import transaction

from annotator.actions.assigning import _assign_everyone
from annotator.actions.log import write
from annotator.domain.answers import Answer, parse_answer, stored_answer, submit_problems
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.passages import PassageKind
from annotator.domain.qualification import Qualification, assess
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Check, Membership, Passage, User
from annotator.permissions import check_can_lead
from annotator.queries.testing import tests_of

KEYED = (PassageKind.TEST, PassageKind.CONTROL)
OVER = (AssignmentState.SUBMITTED, AssignmentState.DISCARDED, AssignmentState.WITHDRAWN)


@transaction.atomic
def set_key(passage: Passage, *, by: User | None, answer: Any) -> None:
    """What the answers to a test or control passage are measured by. Who joins after a test has one is tested first."""
    check_can_lead(by, passage.project)
    if passage.kind not in KEYED:
        raise Conflict("Only a test or control passage has a key.", code="no_test")
    protocol = passage.project.protocol
    parsed = parse_answer(answer, text=passage.text, protocol=protocol)
    if problems := submit_problems(parsed, protocol):
        raise Invalid(problems)
    write(passage, "passage.key_set", by=by, changes={"key_answer": parsed.as_dict()})
    Check.objects.filter(assignment__passage=passage, assignment__is_repeat=False).delete()  # they told of another key


def _settle_qualification(membership: Membership, *, by: User | None) -> None:
    """In the transaction of whatever ended a test passage: with the last one the test is over; a pass opens work."""
    # Locked before anything is read: of two who end the last two passages at once, the second sees the first.
    rows = Membership.objects.select_related("project").select_for_update(of=("self",), no_key=True)
    membership = rows.get(pk=membership.pk)
    tests = list(tests_of(membership).filter(number__gte=membership.tests_from).select_related("passage"))
    if membership.qualification != Qualification.PENDING or any(row.state not in OVER for row in tests):
        return
    if not tests:  # the file they came from was taken back
        before = Qualification.FAILED if tests_of(membership).exists() else Qualification.NONE  # of an earlier try
        write(membership, "qualification.dropped", by=by, changes={"qualification": before})
        _assign_everyone(membership.project, by=None, only=membership)
        return
    pairs = [
        (stored_answer(key), _answered(row))
        for row in tests
        if (key := row.passage.key_answer) is not None and row.state != AssignmentState.WITHDRAWN
    ]
    found = assess(pairs, membership.project.protocol)
    outcome = Qualification.PASSED if found.is_passed else Qualification.FAILED
    changes = {"qualification": outcome, "qualification_result": found.as_dict()}
    write(membership, f"qualification.{outcome}", by=by, payload=found.as_dict(), changes=changes)
    if found.is_passed:
        _assign_everyone(membership.project, by=None, only=membership)


def _answered(row: Assignment) -> Answer:
    """Setting a test passage aside is answering nothing."""
    if row.state != AssignmentState.SUBMITTED:
        return Answer(none=True)
    return stored_answer(row.submissions.get(number=row.submissions_made).answer)
