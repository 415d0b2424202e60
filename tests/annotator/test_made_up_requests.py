"""Requests made up by schemathesis from the API's own document, good ones and bad ones: no bug answers, and every
answer is as the document says."""

import contextlib
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage
from adjudication.models import AgreementReport, Double, Merge
from annotator.actions.accounts import allow_creating_projects
from annotator.actions.assignments import discard_assignment, submit_assignment
from config.wsgi import application
from tests.annotator import made_up_exports as exports
from tests.factories import Cast, answer_for
from tests.matrix.passages import a_failed_job
from tests.matrix.routes import a_job, a_question, an_arrival, an_invitation, an_upload, marked, measured

# Over ten seconds: left out of `make check` with what starts processes.
pytestmark = pytest.mark.process

MINE = "/api/v1/assignments/{uuid}"
UPLOADS, IMPORTS = (f"/api/v1/projects/{{slug}}/{noun}" for noun in ("uploads", "imports"))
QUESTION = "/api/v1/questions/{uuid}/answer"
JOB = ["/api/v1/jobs/{uuid}", "/api/v1/jobs/{uuid}/cancel", "/api/v1/jobs/{uuid}/retry"]
TEXT = "/api/v1/projects/{slug}/findings"
PASSAGE = "/api/v1/projects/{slug}/passages/{uuid}"
PROJECT = "/api/v1/projects/{slug}"
# Those of a project as a whole, with what a good body is.
OF_PROJECT: dict[tuple[str, str], Any] = {
    ("GET", "/api/v1/projects"): None,
    ("POST", "/api/v1/projects"): {"name": "A new one"},
    ("GET", PROJECT): None,
    ("PATCH", PROJECT): {"name": "Renamed"},
    ("POST", f"{PROJECT}/state"): {"act": "pause"},
    ("GET", f"{PROJECT}/members"): None,
    ("PATCH", f"{PROJECT}/members/{{uuid}}"): {"is_paused": True},
    ("GET", f"{PROJECT}/invitations"): None,
    ("POST", f"{PROJECT}/invitations"): {"emails": ["new@example.org"], "roles": ["lead"]},
    ("PATCH", f"{PROJECT}/invitations/{{uuid}}"): {"is_revoked": True},
    ("POST", f"{PROJECT}/invitations/{{uuid}}/renew"): {},
    ("GET", f"{PROJECT}/guidelines"): None,
    ("PUT", f"{PROJECT}/guidelines"): {"guidelines": "Mark little.", "look_up_policy": ""},
    ("GET", f"{PROJECT}/protocol"): None,
    ("PUT", f"{PROJECT}/protocol"): {"protocol": {"keep_at": 3}},
    ("GET", f"{PROJECT}/board"): None,
    ("GET", f"{PROJECT}/activity"): None,
    ("POST", f"{PROJECT}/assignment-plan"): {},
    ("POST", f"{PROJECT}/assignment-plan/apply"): {"act": "hand_out"},
}
CALLS = [
    ("GET", "/api/v1/session"),
    ("POST", "/api/v1/session"),
    ("GET", "/api/v1/assignments"),
    ("GET", MINE),
    ("PUT", f"{MINE}/answer"),
    *(("POST", f"{MINE}/{act}") for act in ("submit", "discard", "undo-discard", "reopen", "findings", "questions")),
    ("GET", "/api/v1/projects/{slug}/progress"),
    ("POST", "/api/v1/projects/{slug}/guidelines-read"),
    ("POST", TEXT),
    *((method, f"/api/v1/projects/{{slug}}/{noun}") for noun in ("merges", "agreement") for method in ("GET", "POST")),
    ("GET", "/api/v1/projects/{slug}/merges/{uuid}"),
    ("GET", "/api/v1/projects/{slug}/merges/{uuid}/targets"),
    ("GET", "/api/v1/agreement/{uuid}"),
    ("GET", "/api/v1/agreement/{uuid}/pairs/{a}/{b}"),
    ("GET", PASSAGE),
    ("PATCH", PASSAGE),
    ("GET", "/api/v1/projects/{slug}/passages"),
    ("GET", f"{PASSAGE}/targets"),
    ("PUT", f"{PASSAGE}/decisions/{{start}}-{{end}}"),
    ("PUT", f"{PASSAGE}/decisions/passage"),
    ("POST", f"{PASSAGE}/decisions/undo"),
    ("POST", f"{PASSAGE}/decisions/unite"),
    ("POST", f"{PASSAGE}/findings"),
    ("GET", f"{PASSAGE}/same"),
    ("POST", "/api/v1/projects/{slug}/decisions/same"),
    ("POST", "/api/v1/projects/{slug}/decisions/undo"),
    ("GET", f"{PASSAGE}/comments"),
    ("POST", f"{PASSAGE}/comments"),
    ("POST", "/api/v1/projects/{slug}/comments/{uuid}/resolve"),
    ("GET", "/api/v1/projects/{slug}/questions"),
    ("POST", QUESTION),
    ("GET", "/api/v1/projects/{slug}/jobs"),
    *zip(("GET", "POST", "POST"), JOB, strict=True),
    ("POST", UPLOADS),
    *((method, IMPORTS) for method in ("GET", "POST")),
    ("GET", f"{IMPORTS}/{{uuid}}"),
    ("GET", "/api/v1/projects/{slug}/gold"),
    ("GET", "/api/v1/projects/{slug}/gold/{uuid}"),
    *exports.CALLS,
    *OF_PROJECT,
]
OF_LEADS = (TEXT, UPLOADS, IMPORTS, "/api/v1/projects/{slug}/questions", "/api/v1/projects/{slug}/jobs")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]
EXAMPLES = 25


@contextlib.contextmanager
def one_connection() -> Iterator[None]:
    """As Django's own test client does it: the test's transaction outlives the request."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def schema(db: None) -> Any:
    # Every request is ann's: who may not is the business of tests/test_access.py.
    config = schemathesis.Config.from_dict({"generation": {"with-security-parameters": False}})
    with one_connection():
        return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application, config=config)


def test_every_call_is_tried(schema: Any) -> None:
    assert {(one.ok().method.upper(), one.ok().path) for one in schema.get_all_operations()} == set(CALLS)


GOOD, BAD = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
# These take nothing that could be bad.
PLAIN = {
    ("GET", "/api/v1/session"),
    ("GET", "/api/v1/projects/{slug}/progress"),
    ("GET", "/api/v1/projects/{slug}/merges"),
    ("GET", "/api/v1/projects/{slug}/agreement"),
    *exports.PLAIN,
    *(("GET", f"{PROJECT}{tail}") for tail in ("", "/protocol", "/board")),
}
TRIES = [*((GOOD, *call) for call in CALLS), *((BAD, *call) for call in CALLS if call not in PLAIN)]


@pytest.mark.parametrize(("mode", "method", "path"), TRIES, ids=lambda value: str(value))
def test_every_answer_is_as_the_document_says(
    cast: Cast, schema: Any, mode: GenerationMode, method: str, path: str
) -> None:
    row, client = cast.assignment("ann"), Client()
    is_of_all = any(word in path for word in ("/merges", "/agreement", "/passages", "/decisions", "/comments", "/gold"))
    there = exports.made(cast, path)
    if is_of_all:
        measured(cast, "")
    comment = add_comment(row.passage, by=cast.lead, text="Is this a name?") if "/comments/" in path else None
    act = _decided(cast, row) if path.endswith("decisions/undo") else None
    if path.endswith("decisions/unite"):
        _settled_by_two(cast, row)
    file = an_arrival(cast) if path.endswith("imports/{uuid}") else None
    sent = an_upload(cast) if (method, path) == ("POST", IMPORTS) else None
    named, of_project = _named(cast, path), (method, path) in OF_PROJECT
    if of_project:
        allow_creating_projects(cast.lead, by=None)
    is_leads = there or named or of_project or is_of_all or path.startswith(OF_LEADS)
    client.force_login(cast.lead if is_leads else cast.ann)
    client.get("/api/v1/session")
    cookies = {name: item.value for name, item in client.cookies.items()}
    if path.endswith("reopen"):
        saved = {"active_ms": 0, "answer": answer_for(row)}
        submit_assignment(row, by=cast.ann, version=0, save_id=uuid4(), **saved)
    if path.endswith("undo-discard"):
        discard_assignment(row, by=cast.ann, version=0, save_id=uuid4(), reason="grammar")
    statuses = set()

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=schema[path][method].as_strategy(generation_mode=mode), known=st.sampled_from(["", "row", "answer"]))
    def ask(case: Case, known: str) -> None:
        checks = list(CHECKS)
        if known and mode is GOOD:
            _aim(case, cast, row, answer_for(row) if known == "answer" else None)
            for name in ("merges", "agreement"):
                if f"/{name}/" in path:
                    kept = {"merges": Merge, "agreement": AgreementReport}[name]
                    case.path_parameters["uuid"] = str(kept.objects.get().uuid)
            if "/passages/" in path or "/gold/" in path:
                case.path_parameters["uuid"] = str(row.passage.uuid)
            if comment:
                case.path_parameters["uuid"] = str(comment.uuid)
                case.headers["If-Match"] = '"1"'
            if method != "GET" and "/decisions/" in path:
                _aim_decision(case, cast, row, act)
            if there:
                exports.aim(case, method, path, there)
            if file:
                case.path_parameters["uuid"] = str(file.uuid)
            if named:
                case.path_parameters["uuid"] = str(named.uuid)
            if path == QUESTION:
                case.headers["If-Match"], case.body = '"1"', {"text": "No.", "add_to_guidelines": known == "row"}
            if method == "PATCH" and path == PASSAGE:
                case.body = {"screening": "accepted"} if known == "row" else {"text": "Another text."}
            if path == UPLOADS:
                case.query, case.body = {"name": "more.txt"}, b"One more thing that is new."
            if sent:
                case.body = {"upload": str(sent.uuid), "kind": "passages"}
            if path == TEXT:
                case.body = {"text": row.passage.text, "answer": answer_for(row)}
            if path == f"{PASSAGE}/findings":
                case.body = dict(zip(("start", "end"), marked(cast), strict=True)) | {"text": "better"}
            if "a" in case.path_parameters:
                people = [cast.membership(name).pseudonym for name in ("ann", "ben")]
                case.path_parameters |= dict(zip("ab", people, strict=True))
            if (method, path) in OF_PROJECT:
                _aim_at_project(case, cast, path, OF_PROJECT[method, path])
            if method == "POST" and path.endswith("/agreement"):
                case.body = {"resamples": 100}
        elif mode is BAD:
            checks.append(negative_data_rejection)
        cache.clear()
        with one_connection(), transaction.atomic():
            response = case.call(cookies=cookies, headers={"X-CSRFToken": cookies["assay_csrf"]})
            transaction.set_rollback(True)
        statuses.add(response.status_code)
        if response.status_code == 413 and mode is BAD:
            checks.remove(negative_data_rejection)  # refused, though it does not know this one for a refusal
        case.validate_response(response, checks=checks)

    ask()

    # Or all of it would have been turned away at the gate.
    assert mode is BAD or statuses & ({403} if (method, path) == CALLS[1] else {200, 201, 202}), statuses


def _aim(case: Case, cast: Cast, row: Any, answer: Any) -> None:
    """At what is there: made up, no address would ever be found."""
    if "uuid" in case.path_parameters:
        case.path_parameters["uuid"] = str(row.uuid)
    if "slug" in case.path_parameters:
        case.path_parameters["slug"] = cast.project.slug
    if "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = f'"{row.version}"'
    if answer and isinstance(case.body, dict):
        real = {"answer": answer, "reason": "grammar", "text": "Is this a name?", "version": 1}
        case.body = {key: real.get(key, value) for key, value in case.body.items()}


def _named(cast: Cast, path: str) -> Any:
    """What an address names by its uuid alone."""
    if path == QUESTION:
        return a_question(cast)
    if path not in JOB:
        return None
    return a_failed_job(cast) if path.endswith("retry") else a_job(cast)


def _aim_at_project(case: Case, cast: Cast, path: str, body: Any) -> None:
    if "uuid" in case.path_parameters:
        found = an_invitation(cast) if "invitations" in path else cast.membership("ben")
        case.path_parameters["uuid"] = str(found.uuid)
    if "If-Match" in (case.headers or {}):
        version = cast.project.guidelines_version if path.endswith("guidelines") else cast.project.version
        case.headers["If-Match"] = f'"{version}"'
    if body is not None:
        case.body = body
    if case.path.endswith("activity") and case.query:
        case.query.pop("person", None)


def _decided(cast: Cast, row: Any) -> UUID:
    act = uuid4()
    decide_passage(row.passage, by=cast.lead, version=0, act=act, content={"verdict": "settled"})
    return act


def _settled_by_two(cast: Cast, row: Any) -> None:
    Double.objects.create(passage=row.passage)
    for user in (cast.lead, cast.adjudicator):
        decide_passage(row.passage, by=user, version=0, act=uuid4(), content={"verdict": "settled"})


def _aim_decision(case: Case, cast: Cast, row: Any, act: UUID | None) -> None:
    start, end = marked(cast)
    case.headers["If-Match"] = '"0"'
    if "start" in case.path_parameters:
        case.path_parameters |= {"start": start, "end": end}
    if act:
        case.body = {"act": str(uuid4()), "undoes": str(act)}
        return
    if case.path.endswith("unite"):
        case.body = {"act": str(uuid4()), "take": "both"}
        return
    verdict = "settled" if case.path.endswith("passage") else "keep"
    case.body = {"act": str(uuid4()), "content": {"verdict": verdict}}
    if case.path.endswith("same"):
        case.body["targets"] = [{"passage": str(row.passage.uuid), "start": start, "end": end, "version": 0}]
