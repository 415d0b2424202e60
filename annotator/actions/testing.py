"""A lead's word on somebody's qualification test: letting pass, one more try, and testing who was there before."""

from django.db import transaction
from django.db.models import Max

from annotator.actions.assigning import _assign_everyone
from annotator.actions.assignments import _withdraw
from annotator.actions.log import locked, write
from annotator.actions.qualifying import OVER
from annotator.domain.errors import Conflict
from annotator.domain.qualification import Qualification
from annotator.models import Membership, User
from annotator.permissions import check_can_lead
from annotator.queries.testing import tests_of, unused_tests


@transaction.atomic
def let_pass(membership: Membership, *, by: User | None) -> None:
    """Somebody is good enough, whatever the figures say; what is left of the test is withdrawn."""
    check_can_lead(by, membership.project)
    membership = _tested(membership)
    result = {**(membership.qualification_result or {}), "is_let_pass": True}
    changes = {"qualification": Qualification.PASSED, "qualification_result": result}
    write(membership, "qualification.let_pass", by=by, changes=changes)
    left = tests_of(membership).exclude(state__in=OVER).select_related("membership", "passage__project")
    for row in left.select_for_update(of=("self",), no_key=True):
        _withdraw(row, by=by)
    _assign_everyone(membership.project, by=by, only=membership)


@transaction.atomic
def give_another_try(membership: Membership, *, by: User | None) -> None:
    """Who did not pass is tested again, by test passages that they have not seen."""
    check_can_lead(by, membership.project)
    membership = _tested(membership)
    if membership.qualification != Qualification.FAILED:
        raise Conflict("Only who did not pass can try again.", code="not_failed")
    _begin_test(membership, by=by, kind="qualification.tried_again")


@transaction.atomic
def ask_for_test(membership: Membership, *, by: User | None) -> None:
    """Who joined before there was a test takes it first, unless they have submitted something: work that they have been
    given already waits for the pass."""
    check_can_lead(by, membership.project)
    locked(membership.project)
    membership = _annotating(membership)
    if membership.qualification != Qualification.NONE:
        raise Conflict("They are, or have been, tested already.", code="tested_already")
    if membership.assignments.filter(submissions_made__gt=0).exists():
        raise Conflict("They have submitted work already: it was accepted without a test.", code="submitted_already")
    _begin_test(membership, by=by, kind="qualification.asked_for")


def _tested(membership: Membership) -> Membership:
    """The project locked, and its row read anew."""
    locked(membership.project)
    membership = _annotating(membership)
    if membership.qualification not in (Qualification.PENDING, Qualification.FAILED):
        raise Conflict("They are not being tested.", code="not_tested")
    return membership


def _annotating(membership: Membership) -> Membership:
    found = membership.project.memberships.annotating().select_related("project").filter(pk=membership.pk).first()
    if found is None:
        raise Conflict("Only an annotator of the project can be tested.", code="no_annotator")
    return found


def _begin_test(membership: Membership, *, by: User | None, kind: str) -> None:
    """From the next own number on. The project is locked."""
    unused, wanted = unused_tests(membership), membership.project.protocol.test_passages
    if unused < max(1, wanted):
        takes = f"A try takes {wanted}, and {unused}" if wanted else "None"
        message = f"{takes} of the test passages with a key {'is' if unused == 1 else 'are'} new to them: add some."
        raise Conflict(message, code="no_unused_tests")
    last = membership.assignments.aggregate(last=Max("number"))["last"] or 0
    changes = {"qualification": Qualification.PENDING, "qualification_result": None, "tests_from": last + 1}
    write(membership, kind, by=by, changes=changes)
    _assign_everyone(membership.project, by=by, only=membership)
