"""The whole document by token, as a lead, an annotator and a stranger: whoever asks whatever of whatever is there, no
bug answers, and every answer is as the document says."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode

from adjudication.models import AgreementReport, Merge
from annotator.models import Invitation, Job, Membership, Question
from exports.models import Release, SystemRun
from tests.annotator.test_made_up_requests import CALLS, CHECKS, one_connection, schema  # noqa: F401 (a fixture)
from tests.factories import Cast
from tests.matrix.routes import a_job, a_question, an_invitation, measured, released, with_runs
from tests.test_access import program

pytestmark = [pytest.mark.process, pytest.mark.slow]
EXAMPLES = 6
# Signing in and out takes no token.
ASKED = [call for call in CALLS if call[1] != "/api/v1/session"]


@pytest.mark.parametrize("role", ["lead", "ann", "stranger"])
@pytest.mark.parametrize(("method", "path"), ASKED, ids=lambda value: str(value))
def test_whoever_asks_is_answered_as_the_document_says(
    cast: Cast,
    schema: Any,  # noqa: F811
    method: str,
    path: str,
    role: str,
) -> None:
    there = _there(cast) if "uuid" in path else {}
    token = program(cast, role).defaults["HTTP_AUTHORIZATION"]

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=schema[path][method].as_strategy(generation_mode=GenerationMode.POSITIVE)
        | schema[path][method].as_strategy(generation_mode=GenerationMode.NEGATIVE),
        uuid=st.sampled_from(list(there.values()) or [""]),
        is_aimed=st.booleans(),
    )
    def ask(case: Case, uuid: str, is_aimed: bool) -> None:
        if is_aimed and "slug" in case.path_parameters:
            case.path_parameters["slug"] = cast.project.slug
        if is_aimed and "uuid" in case.path_parameters:
            case.path_parameters["uuid"] = there.get(path.split("/")[-2], uuid)
        if is_aimed and "If-Match" in (case.headers or {}):
            case.headers["If-Match"] = '"0"'
        cache.clear()
        with one_connection(), transaction.atomic():
            response = case.call(headers={"Authorization": token, "Idempotency-Key": uuid4().hex})
            transaction.set_rollback(True)
        case.validate_response(response, checks=CHECKS)

    ask()


def _there(cast: Cast) -> dict[str, str]:
    """Of every kind of row one, by the noun that stands before it in an address."""
    measured(cast, "")
    released().path(cast)
    with_runs().path(cast)
    row = cast.assignment("ann")
    found = {
        "assignments": row,
        "passages": row.passage,
        "gold": row.passage,
        "merges": Merge.objects.current().get(),
        "agreement": AgreementReport.objects.get(),
        "releases": Release.objects.latest("pk"),
        "runs": SystemRun.objects.latest("pk"),
        "questions": a_question(cast),
        "jobs": a_job(cast),
        "members": cast.membership("ben"),
        "invitations": an_invitation(cast),
    }
    assert {type(one) for one in found.values()} >= {Job, Question, Membership, Invitation}
    return {noun: str(one.uuid) for noun, one in found.items()}
