"""One access matrix: every route × method × role → expected status, and nothing changes where it is refused.

A route without an entry fails. 404 is for what one may not know of.
"""

import datetime
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from adjudication.actions.comments import add_comment
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.models import AgreementReport, Comment, Merge
from annotator import uploads
from annotator.actions.assignments import submit_assignment
from annotator.actions.importing.arrivals import begin_arrival
from annotator.actions.importing.passages import passages_options
from annotator.actions.importing.previews import LOOK_AT_FILE, begin_preview
from annotator.actions.invitations import invite
from annotator.actions.questions import ask_question
from annotator.actions.running import work_here
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.jobs import JobState
from annotator.models import Arrival, Assignment, Invitation, Job, LoginAttempt, Preview, Question, SignIn
from exports.actions.foreign import import_gold
from exports.actions.releasing import build_release, draft_release
from exports.actions.runs import measure_system
from exports.domain.releases import ReleaseSettings
from exports.domain.runs import System
from exports.models import Release, SystemRun
from tests.document import CheckedClient
from tests.factories import Cast, answer_for, save_body
from tests.kept import Stored, everything_stored, once

ROLES = ("nobody", "stranger", "former", "ann", "ben", "adjudicator", "lead", "other_lead")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass
class Route:
    """`allowed`: by method, the status per role; `*` stands for all other roles. Other methods are 405 or the same
    refusal."""

    path: Callable[[Cast], str]
    allowed: dict[str, dict[str, int]]
    body: Callable[[Cast], Any] = lambda cast: {}
    is_api: bool = False
    content_type: str = "application/json"  # of what is sent to the API
    query: dict[str, str] = field(default_factory=dict)  # by method, what stands behind the path
    headers: dict[str, str] = field(default_factory=dict)


def page(path: str, **allowed: dict[str, int]) -> Route:
    return Route(lambda cast: path, allowed)


def ann_api(tail: str, method: str, statuses: dict[str, int], body: Callable[[Cast], Any] = lambda cast: None) -> Route:
    def path(cast: Cast) -> str:
        return f"/api/v1/assignments/{cast.assignment('ann').uuid}{tail}"

    return Route(path, {method: statuses}, body, is_api=True, headers={"If-Match": '"0"'})


ANYONE = dict.fromkeys(ROLES, 200)
MEMBERS = {"nobody": 302, "ann": 200, "ben": 200, "adjudicator": 200, "lead": 200, "*": 404}
LEADS = {"nobody": 302, "lead": 200, "*": 404}
LEADS_POST = {"nobody": 302, "lead": 302, "*": 404}
SIGNED_IN_POST = dict.fromkeys(ROLES, 302)
ANNOTATORS = {"nobody": 302, "ann": 200, "ben": 200, "*": 404}
ONLY_ANN = {"nobody": 401, "ann": 200, "*": 404}
SAVE_ID = str(uuid4())
UNKNOWN = str(uuid4())


def an_invitation(cast: Cast) -> Invitation:
    found = cast.project.invitations.first()
    return found or invite(cast.project, by=cast.lead, email="new@example.org", roles={"annotator"})[0]


def a_sign_in(cast: Cast) -> SignIn:
    return SignIn.objects.get_or_create(user=cast.ann, session_key="elsewhere")[0]


def a_question(cast: Cast) -> Question:
    return Question.objects.first() or ask_question(cast.assignment("ann"), by=cast.ann, text="Is this a name?")


def a_job(cast: Cast, state: JobState = JobState.WAITING) -> Job:
    return cast.project.jobs.first() or Job.objects.create(project=cast.project, kind="assign_everyone", state=state)


def measured(cast: Cast, tail: str) -> str:
    """An address about a merge and a report that are there."""
    if not AgreementReport.objects.exists():
        once(_measure, cast)
    names = [cast.membership(name).pseudonym for name in ("ann", "ben")]
    passage = cast.assignment("ann").passage
    start, end = marked(cast)
    return tail.format(slug="essays", a=names[0], b=names[1], passage=passage.uuid, start=start, end=end, **_uuids())


def _measure(cast: Cast) -> None:
    rows = Assignment.objects.filter(passage=cast.assignment("ann").passage, membership__removed_at=None)
    for row in rows.select_related("membership__user", "passage__project"):
        given = {"version": 0, "save_id": uuid4(), "active_ms": 0, "answer": answer_for(row)}
        submit_assignment(row, by=row.membership.user, **given)
    merge_project(cast.project, by=cast.lead)
    measure_agreement(cast.project, by=cast.lead, settings=agreement_settings(cast.project))


def marked(cast: Cast) -> tuple[int, int]:
    """The span that both have marked."""
    found = answer_for(cast.assignment("ann"))["marks"][0]
    return found["start"], found["end"]


def _uuids() -> dict[str, str]:
    return {"merge": str(Merge.objects.get().uuid), "report": str(AgreementReport.objects.get().uuid)}


SEEING_ALL = {"nobody": 302, "adjudicator": 200, "lead": 200, "*": 404}
SEEING_ALL_API = {**SEEING_ALL, "nobody": 401}
SEEING_ALL_POST = {**SEEING_ALL, "adjudicator": 302, "lead": 302}


def of_all(tail: str, **allowed: dict[str, int]) -> Route:
    """A page over everybody's work."""
    return Route(lambda cast: measured(cast, f"/p/{{slug}}/{tail}"), allowed or {"GET": SEEING_ALL})


ASKING = {"nobody": 401, "lead": 202, "*": 404}
LEADS_API = {**ASKING, "lead": 200}


def api_of_all(tail: str, **allowed: dict[str, int]) -> Route:
    def path(cast: Cast) -> str:
        return measured(cast, f"/api/v1/projects/{{slug}}/{tail}")

    return Route(path, allowed or {"GET": SEEING_ALL_API}, lambda cast: {} if allowed else None, is_api=True)


def api_deciding(tail: str, method: str, body: Callable[[Cast], Any], status: int = 200) -> Route:
    """A call about the passage that ann and ben have submitted, by which adjudicators and leads decide or comment."""

    def path(cast: Cast) -> str:
        return measured(cast, f"/api/v1/projects/{{slug}}/{tail}")

    statuses = {"nobody": 401, "adjudicator": status, "lead": status, "*": 404}
    return Route(path, {method: statuses}, body, is_api=True, headers={"If-Match": '"0"'})


def a_decision(content: dict[str, Any]) -> Callable[[Cast], Any]:
    return lambda cast: {"act": str(uuid4()), "content": content}


def a_comment(cast: Cast) -> Comment:
    passage = cast.assignment("ann").passage
    return Comment.objects.first() or add_comment(passage, by=cast.lead, text="Is this a name?")


def _build(cast: Cast) -> None:
    settings = ReleaseSettings((("test", 1),), with_pos=False)
    build_release(draft_release(cast.project, by=None, date=datetime.date(2026, 11, 18), settings=settings), by=None)


def released(tail: str = "", **allowed: dict[str, int]) -> Route:
    """A page about release 1, a draft that was built."""

    def path(cast: Cast) -> str:
        measured(cast, "")
        if not Release.objects.exists():
            once(_build, cast)
        return f"/p/essays/releases/1{tail}"

    return Route(path, allowed or {"GET": SEEING_ALL})


def with_runs(tail: str = "", **allowed: dict[str, int]) -> Route:
    """A page about two systems on a release from elsewhere; `{one}` and `{two}` are their ids."""

    def path(cast: Cast) -> str:
        if not SystemRun.objects.exists():
            once(_score, cast)
        one, two = SystemRun.objects.order_by("pk").values_list("uuid", flat=True)[:2]
        return f"/p/essays/runs{tail}".format(one=one, two=two)

    return Route(path, allowed or {"GET": SEEING_ALL})


def _score(cast: Cast) -> None:
    gold = {"s1": {"sentence": "So.", "sentence_split": ["So", "."], "substitutes": [[[0, 1], {"Thus": 1}, 1]]}}
    files = [("test", "gold.json", kept_file(gold))]
    release = import_gold(cast.project, by=None, files=files, date=datetime.date(2026, 11, 18))
    for name, spans in (("quill", []), ("graft", [[["So", 0, 1], ["Thus"]]])):
        data = kept_file({"s1": {"input_words": ["So", "."], "substitute_topk": spans}})
        measure_system(release, by=None, split="test", system=System(name), file=data)


def of_passage(path: str, allowed: dict[str, dict[str, int]], body: Callable[[Cast], Any] = lambda cast: {}) -> Route:
    return Route(lambda cast: path.format(uuid=cast.assignment("ann").passage.uuid), allowed, body)


def previewed(tail: str = "", **allowed: dict[str, int]) -> Route:
    """A page about a file that the lead has sent, and that was looked at."""

    def path(cast: Cast) -> str:
        return f"/p/essays/previews/{a_preview(cast).uuid}{tail}"

    return Route(path, allowed or {"GET": LEADS})


def a_preview(cast: Cast) -> Preview:
    found = Preview.objects.first()
    if found is None:
        file = uploads.keep(io.BytesIO(b"essay,satz\ne1,One more thing that is new.\n"))
        found = begin_preview(cast.project, by=cast.lead, file=file, name="more.csv")
        assert found.job is not None
        work_here(found.job.pk, LOOK_AT_FILE.work)
    return found


def an_arrival(cast: Cast) -> Arrival:
    found = cast.project.arrivals.first()
    return found or begin_arrival(
        cast.project,
        by=cast.lead,
        kind=ArrivalKind.PASSAGES,
        file=uploads.keep(io.BytesIO(b"One more thing that is new.")),
        name="more.txt",
        options=passages_options(),
    )


def kept_file(data: Any) -> uploads.KeptFile:
    return uploads.keep(io.BytesIO(json.dumps(data).encode()))


LEADS = {"nobody": 302, "lead": 200, "*": 404}
LEADS_POST = {**LEADS, "lead": 302}

MATRIX: dict[str, Route] = {
    "healthz": page("/healthz", GET=ANYONE),
    # with one project, home leads straight to it
    "home": page("/", GET={"stranger": 200, "former": 200, "*": 302}),
    "log_in": page("/log-in", GET=ANYONE, POST=dict.fromkeys(ROLES, 400)),
    "log_out": page("/log-out", POST=dict.fromkeys(ROLES, 302)),
    # there is no e-mail here
    "forgotten": page("/forgotten", GET=dict.fromkeys(ROLES, 404), POST=dict.fromkeys(ROLES, 404)),
    "account": page("/account", GET={"nobody": 302, "*": 200}),
    "account_name": Route(lambda cast: "/account/name", {"POST": SIGNED_IN_POST}, lambda cast: {"name": "Renamed"}),
    "account_email": page("/account/email", POST={"nobody": 302, "*": 400}),
    "account_session_end": Route(
        lambda cast: f"/account/sessions/{a_sign_in(cast).pk}/end", {"POST": {"nobody": 302, "ann": 302, "*": 404}}
    ),
    "account_sessions_end": page("/account/sessions/end", POST=SIGNED_IN_POST),
    "account_data": page("/account/data", GET={"nobody": 302, "*": 200}),
    "change_password": page("/password", GET={"nobody": 302, "*": 200}, POST={"nobody": 302, "*": 400}),
    "open_account": page("/set-password/Ng/not-a-token", GET=dict.fromkeys(ROLES, 410), POST=dict.fromkeys(ROLES, 410)),
    "first_person": page("/first/not-a-token", GET=dict.fromkeys(ROLES, 410), POST=dict.fromkeys(ROLES, 410)),
    "new_project": page("/new", GET={"nobody": 302, "*": 404}, POST={"nobody": 302, "*": 404}),
    "invitation": page("/invite/not-a-token", GET=dict.fromkeys(ROLES, 410), POST=dict.fromkeys(ROLES, 410)),
    "sign_in": page("/sign-in/not-a-token", GET=dict.fromkeys(ROLES, 404), POST=dict.fromkeys(ROLES, 404)),
    "switch_person": page(f"/switch/{UNKNOWN}", POST=dict.fromkeys(ROLES, 404)),
    "styleguide": page("/styleguide", GET=dict.fromkeys(ROLES, 404)),  # only in the demo
    "project": page("/p/essays/", GET={**MEMBERS, "lead": 302}),  # to the board
    "board": page("/p/essays/board", GET=LEADS),
    "board_csv": page("/p/essays/board.csv", GET=LEADS),
    "board_jobs": page("/p/essays/board/jobs", GET=LEADS_POST),  # without htmx, to the page of all jobs
    "board_question": Route(
        lambda cast: f"/p/essays/board/questions/{a_question(cast).uuid}",
        {"GET": LEADS_POST, "POST": LEADS_POST},  # signing in again leads there by GET
        lambda cast: {f"{a_question(cast).pk}-text": "Yes.", f"{a_question(cast).pk}-version": 1},
    ),
    "project_state": Route(lambda cast: "/p/essays/state", {"POST": LEADS_POST}, lambda cast: {"act": "pause"}),
    "settings": page("/p/essays/settings", GET=LEADS, POST={"nobody": 302, "lead": 422, "*": 404}),
    "setup_copy": page("/p/essays/settings/copy", GET=LEADS, POST={"nobody": 302, "lead": 422, "*": 404}),
    "activity": page("/p/essays/activity", GET=LEADS),
    "setup": page("/p/essays/setup", GET=LEADS_POST),
    "setup_rules": page("/p/essays/setup/rules", GET=LEADS, POST={**LEADS, "lead": 400}),
    "setup_type": page("/p/essays/setup/rules/type", POST={**LEADS, "lead": 400}),
    "setup_passages": page("/p/essays/setup/passages", GET=LEADS),
    "setup_screening": page("/p/essays/setup/screening", GET=LEADS),
    "screening_all": Route(
        lambda cast: "/p/essays/setup/screening/all", {"POST": LEADS_POST}, lambda cast: {"act": "accept_rest"}
    ),
    "screening_say": of_passage(
        "/p/essays/setup/screening/{uuid}", {"POST": LEADS_POST}, lambda cast: {"verdict": "unclear"}
    ),
    "screening_replace": of_passage(
        "/p/essays/setup/screening/{uuid}/replace", {"POST": LEADS_POST}, lambda cast: {"text": "Another text."}
    ),
    "setup_guidelines": page("/p/essays/setup/guidelines", GET=LEADS, POST={**LEADS, "lead": 400}),
    "setup_people": page("/p/essays/setup/people", GET=LEADS, POST={**LEADS, "lead": 400}),
    "setup_test": page("/p/essays/setup/test", GET=LEADS, POST={**LEADS, "lead": 400}),
    "setup_test_choose": page("/p/essays/setup/test/choose", POST=LEADS_POST),
    "setup_test_early": page("/p/essays/setup/test/early", POST=LEADS_POST),
    "setup_test_try": page("/p/essays/setup/test/try", GET=LEADS_POST, POST=LEADS_POST),  # there is no test
    "setup_test_key": Route(
        lambda cast: f"/p/essays/setup/test/{cast.project.passages.earliest('pk').uuid}/key",
        {"GET": {"nobody": 302, "*": 404}, "POST": {"nobody": 302, "*": 404}},  # it is no test passage
    ),
    "trial": page("/p/essays/preview", GET=LEADS),
    "trial_passage": Route(
        lambda cast: f"/p/essays/preview/{cast.project.passages.earliest('pk').uuid}", {"GET": LEADS}
    ),
    "setup_open": page("/p/essays/setup/open", GET=LEADS, POST={**LEADS, "lead": 409}),  # it is open already
    "setup_skip": page("/p/essays/setup/screening/skip", POST=LEADS_POST),
    "people": page("/p/essays/people", GET=LEADS, POST={"nobody": 302, "lead": 400, "*": 404}),
    "member_roles": Route(
        lambda cast: f"/p/essays/people/{cast.membership('ben').uuid}/roles",
        {"POST": LEADS_POST},
        lambda cast: {"roles": ["adjudicator"]},
    ),
    "member_remove": Route(lambda cast: f"/p/essays/people/{cast.membership('ben').uuid}/remove", {"POST": LEADS_POST}),
    "member_bring_back": Route(
        lambda cast: f"/p/essays/people/{cast.membership('former').uuid}/bring-back", {"POST": LEADS_POST}
    ),
    "member_password_link": Route(
        lambda cast: f"/p/essays/people/{cast.membership('ben').uuid}/password-link", {"POST": LEADS}
    ),
    "invitation_renew": Route(lambda cast: f"/p/essays/invitations/{an_invitation(cast).uuid}/renew", {"POST": LEADS}),
    "invitation_revoke": Route(
        lambda cast: f"/p/essays/invitations/{an_invitation(cast).uuid}/revoke", {"POST": LEADS_POST}
    ),
    "member_pause": Route(lambda cast: f"/p/essays/people/{cast.membership('ben').uuid}/pause", {"POST": LEADS_POST}),
    "member_resume": Route(lambda cast: f"/p/essays/people/{cast.membership('ben').uuid}/resume", {"POST": LEADS_POST}),
    "passages": page("/p/essays/passages", GET=LEADS),
    "passages_add": page("/p/essays/passages/add", GET=LEADS, POST={"nobody": 302, "lead": 400, "*": 404}),
    "passage": of_passage("/p/essays/passages/{uuid}", {"GET": LEADS}),
    "passage_archive": of_passage("/p/essays/passages/{uuid}/archive", {"POST": LEADS_POST}),
    "passage_replace": of_passage(
        "/p/essays/passages/{uuid}/replace", {"POST": LEADS_POST}, lambda cast: {"text": "Another text."}
    ),
    "preview": previewed(),
    "preview_look": previewed("/look", POST=LEADS_POST),
    "preview_take": previewed("/take", POST=LEADS_POST),
    "preview_drop": previewed("/drop", POST=LEADS_POST),
    "preview_report": previewed("/report.csv"),
    "member_test": Route(lambda cast: f"/p/essays/people/{cast.membership('ben').uuid}/test", {"GET": LEADS}),
    **{
        f"member_{name}": Route(
            lambda cast, tail=tail: f"/p/essays/people/{cast.membership('ben').uuid}/test/{tail}",  # type: ignore[misc]
            {"POST": LEADS_POST},
        )
        for name, tail in (("let_pass", "let-pass"), ("try_again", "try-again"), ("ask", "ask"))
    },
    "assignment": page("/p/essays/assignment", GET=LEADS, POST={**LEADS, "lead": 422}),
    "assignment_plan": page("/p/essays/assignment/plan", POST=LEADS_POST),
    "assignment_even": page("/p/essays/assignment/even", POST=LEADS_POST),
    "assignment_withdraw": Route(
        lambda cast: f"/p/essays/assignment/withdraw/{cast.membership('ben').uuid}", {"GET": LEADS, "POST": LEADS_POST}
    ),
    "controls": page("/p/essays/controls", GET=LEADS, POST={**LEADS, "lead": 422}),
    "hand_out": Route(lambda cast: "/p/essays/hand-out", {"POST": LEADS_POST}),
    "jobs": page("/p/essays/jobs", GET=LEADS),
    "job": Route(lambda cast: f"/p/essays/jobs/{a_job(cast).uuid}", {"GET": LEADS}),
    "job_cancel": Route(lambda cast: f"/p/essays/jobs/{a_job(cast).uuid}/cancel", {"POST": LEADS_POST}),
    "job_retry": Route(lambda cast: f"/p/essays/jobs/{a_job(cast, JobState.FAILED).uuid}/retry", {"POST": LEADS_POST}),
    "merge": of_all("merge", GET=SEEING_ALL, POST=LEADS_POST),
    "merge_passages": of_all("merge/passages"),
    "merge_passage": of_all("merge/passages/{passage}"),
    "adjudicate": of_all("adjudicate"),
    "adjudicate_passage": of_all("adjudicate/{passage}"),
    "adjudicate_next": of_all("adjudicate/{passage}/next"),
    "adjudicate_quiet": of_all("adjudicate/quiet", GET=SEEING_ALL, POST=SEEING_ALL_POST),
    "adjudicate_twice": of_all("adjudicate/twice", GET=SEEING_ALL, POST=SEEING_ALL_POST),
    "adjudicate_undo": of_all(f"adjudicate/undo/{UNKNOWN}", POST=SEEING_ALL_POST),
    "releases": of_all("releases"),
    "release_new": of_all("releases/new", GET=LEADS, POST={**LEADS, "lead": 400}),
    "card": of_all("releases/card", GET=LEADS, POST={**LEADS, "lead": 400}),
    "release": released(),
    "release_build": released("/build", POST=LEADS_POST),
    "release_freeze": released("/freeze", POST=LEADS_POST),
    "release_withdraw": released("/withdraw", POST=LEADS_POST),
    "release_drop": released("/drop", POST=LEADS_POST),
    "release_file": released("/file"),
    "release_compare": released("/compare/1"),
    "gold_import": page("/p/essays/releases/import", GET=LEADS, POST={**LEADS, "lead": 400}),
    "runs": with_runs(),
    "run_new": with_runs("/new", GET=LEADS, POST={**LEADS, "lead": 400}),
    "run": with_runs("/{one}"),
    "run_json": with_runs("/{one}.json"),
    "runs_compared": with_runs("/{one}/against/{two}"),
    "leaderboard_file": with_runs("/leaderboard.csv"),
    "split_sentences": with_runs("/sentences/1/test.json"),
    "gold": of_all("gold"),
    "gold_passage": of_all("gold/{passage}"),
    "agreement": of_all("agreement", GET=SEEING_ALL, POST=LEADS_POST),
    "agreement_json": of_all("agreement.json"),
    "agreement_csv": of_all("agreement-pairs.csv"),
    "agreement_person": of_all("agreement/{a}"),
    "agreement_pair": of_all("agreement/{a}/{b}"),
    "agreement_pair_csv": of_all("agreement/{a}/{b}/passages.csv"),
    "api_merges": api_of_all("merges", GET=SEEING_ALL_API, POST=ASKING),
    "api_merge": api_of_all("merges/{merge}"),
    "api_targets": api_of_all("merges/{merge}/targets"),
    "api_reports": api_of_all("agreement", GET=SEEING_ALL_API, POST=ASKING),
    "api_report": api_of_all("agreement/{report}"),
    "api_pair": api_of_all("agreement/{report}/pairs/{a}/{b}"),
    "api_adjudication": api_of_all("passages/{passage}"),
    "api_decision": api_deciding("passages/{passage}/decisions/{start}-{end}", "PUT", a_decision({"verdict": "keep"})),
    "api_passage_decision": api_deciding(
        "passages/{passage}/decisions/passage", "PUT", a_decision({"verdict": "settled"})
    ),
    # there is nothing of theirs to take back
    "api_undo_act": api_deciding(
        "passages/{passage}/decisions/undo", "POST", lambda cast: {"act": str(uuid4()), "undoes": UNKNOWN}, 409
    ),
    # no two have settled it
    "api_unite": api_deciding(
        "passages/{passage}/decisions/unite", "POST", lambda cast: {"act": str(uuid4()), "take": "both"}, 409
    ),
    "api_suggestion_findings": api_deciding(
        "passages/{passage}/findings", "POST", lambda cast: {"start": 0, "end": 1, "text": "kin"}
    ),
    "api_same_words": api_of_all("passages/{passage}/same?start={start}&end={end}"),
    "api_decide_same": api_deciding(
        "decisions/same",
        "POST",
        lambda cast: {
            **a_decision({"verdict": "keep"})(cast),
            "targets": [
                {
                    "passage": str(cast.assignment("ann").passage.uuid),
                    "start": marked(cast)[0],
                    "end": marked(cast)[1],
                    "version": 0,
                }
            ],
        },
    ),
    "api_undo_everywhere": api_deciding(
        "decisions/undo", "POST", lambda cast: {"act": str(uuid4()), "undoes": UNKNOWN}, 409
    ),
    "api_comments": Route(
        lambda cast: measured(cast, "/api/v1/projects/{slug}/passages/{passage}/comments"),
        {"GET": SEEING_ALL_API, "POST": {**SEEING_ALL_API, "adjudicator": 201, "lead": 201}},
        lambda cast: {"text": "Is this a name?"},
        is_api=True,
    ),
    "api_resolve": Route(
        lambda cast: measured(cast, "/api/v1/projects/{slug}/") + f"comments/{a_comment(cast).uuid}/resolve",
        {"POST": SEEING_ALL_API},
        is_api=True,
        headers={"If-Match": '"1"'},
    ),
    "api_gold": api_of_all("gold"),
    "api_gold_of": api_of_all("gold/{passage}"),
    "my_work": page("/p/essays/work", GET=ANNOTATORS),
    "next_work": page("/p/essays/work/next", GET={"stranger": 404, "former": 404, "other_lead": 404, "*": 302}),
    "work": page("/p/essays/work/1", GET=ANNOTATORS),
    "work_act": Route(
        lambda cast: "/p/essays/work/1/discard",
        {"POST": {"nobody": 302, "ann": 302, "ben": 302, "*": 404}},
        lambda cast: {"version": 0, "save_id": SAVE_ID, "reason": "grammar"},
    ),
    "api": page("/api/", GET=ANYONE),
    "api_problems": page("/api/problems", GET=dict.fromkeys(ROLES, 302)),
    "openapi": page("/api/v1/openapi.json", GET=ANYONE),
    "api_session": Route(
        lambda cast: "/api/v1/session",
        {"GET": ANYONE, "POST": dict.fromkeys(ROLES, 422)},
        is_api=True,
    ),
    "api_assignments": Route(
        lambda cast: "/api/v1/assignments", {"GET": {"nobody": 401, "*": 200}}, lambda cast: None, is_api=True
    ),
    "api_assignment": ann_api("", "GET", ONLY_ANN),
    "api_answer": ann_api("/answer", "PUT", ONLY_ANN, lambda cast: save_body(answer_for(cast.assignment("ann")))),
    "api_findings": ann_api("/findings", "POST", ONLY_ANN, lambda cast: {"answer": answer_for(cast.assignment("ann"))}),
    "api_text_findings": Route(
        lambda cast: "/api/v1/projects/essays/findings",
        {"POST": {"nobody": 401, "lead": 200, "*": 404}},
        lambda cast: {"text": "A dog.", "answer": {"none": True}},
        is_api=True,
    ),
    "api_questions": ann_api("/questions", "POST", {**ONLY_ANN, "ann": 201}, lambda cast: {"text": "Is this a name?"}),
    "api_arrivals": Route(
        lambda cast: "/api/v1/projects/essays/arrivals",
        {"GET": LEADS_API, "POST": ASKING},
        lambda cast: b"One more thing that is new.",
        is_api=True,
        content_type="application/octet-stream",
        query={"POST": "?kind=passages&name=more.txt"},
    ),
    "api_arrival": Route(
        lambda cast: f"/api/v1/projects/essays/arrivals/{an_arrival(cast).uuid}",
        {"GET": LEADS_API},
        is_api=True,
    ),
    "api_progress": Route(
        lambda cast: "/api/v1/projects/essays/progress",
        {"GET": {"nobody": 401, "ann": 200, "ben": 200, "*": 404}},
        lambda cast: None,
        is_api=True,
    ),
    "api_guidelines_read": Route(
        lambda cast: "/api/v1/projects/essays/guidelines-read",
        {"POST": {"nobody": 401, "ann": 200, "ben": 200, "*": 404}},
        lambda cast: {"version": 1},
        is_api=True,
    ),
    "guidelines": page("/p/essays/guidelines", GET=MEMBERS),
    "guidelines_version": page("/p/essays/guidelines/1", GET=MEMBERS),
    "guidelines_read": Route(
        lambda cast: "/p/essays/guidelines/read",
        {"POST": {"nobody": 302, "ann": 302, "ben": 302, "*": 404}},
        lambda cast: {"version": 1},
    ),
    "guidelines_change": Route(
        lambda cast: "/p/essays/guidelines/change",
        {"GET": LEADS, "POST": LEADS_POST},
        lambda cast: {"version": 1, "guidelines": "Mark verbs.", "look_up_policy": ""},
    ),
    "questions": page("/p/essays/questions", GET=LEADS),
    "question_answer": Route(
        lambda cast: f"/p/essays/questions/{a_question(cast).uuid}",
        {"GET": LEADS_POST, "POST": LEADS_POST},  # signing in again leads there by GET
        lambda cast: {f"{a_question(cast).pk}-text": "Yes.", f"{a_question(cast).pk}-version": 1},
    ),
    "api_submit": ann_api("/submit", "POST", ONLY_ANN, lambda cast: save_body(answer_for(cast.assignment("ann")))),
    "api_discard": ann_api("/discard", "POST", ONLY_ANN, lambda cast: {"save_id": SAVE_ID, "reason": "grammar"}),
    "api_undo_discard": ann_api("/undo-discard", "POST", {**ONLY_ANN, "ann": 409}, lambda cast: {"save_id": SAVE_ID}),
    "api_reopen": ann_api("/reopen", "POST", {**ONLY_ANN, "ann": 409}, lambda cast: {"save_id": SAVE_ID}),
}


def all_route_names() -> set[str]:
    names, waiting = set(), list(get_resolver().url_patterns)
    while waiting:
        item = waiting.pop()
        if isinstance(item, URLResolver):
            waiting += item.url_patterns
        elif isinstance(item, URLPattern):
            names.add(item.name or repr(item.pattern))
    return names


def stored() -> Stored:
    return everything_stored(apart_from=(LoginAttempt, Session))


def client_for(cast: Cast, role: str) -> Client:
    client = CheckedClient(raise_request_exception=False)
    if role != "nobody":
        client.force_login(cast.person(role))
    return client


def call(client: Client, method: str, route: Route, cast: Cast) -> Any:
    path, body = route.path(cast) + route.query.get(method, ""), route.body(cast)
    if method == "GET" and isinstance(body, bytes):
        body = None
    if route.is_api:
        return getattr(client, method.lower())(path, body, content_type=route.content_type, headers=route.headers)
    return getattr(client, method.lower())(path, body if method == "POST" else None)


def test_every_route_has_an_entry() -> None:
    assert all_route_names() == set(MATRIX)


# A release is built for each of these: `make check` leaves them to `make test`.
BUILT = [name for name in MATRIX if name.startswith("release_")]
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in BUILT else name for name in MATRIX]


# The three that tell most are asked in `make check`, all of them in `make test`.
FIRST = ("stranger", "ann", "lead")
ASKED = [role if role in FIRST else pytest.param(role, marks=pytest.mark.slow) for role in ROLES]


@pytest.mark.parametrize("role", ASKED)
@pytest.mark.parametrize("name", NAMES)
def test_the_matrix(cast: Cast, name: str, role: str) -> None:
    route = MATRIX[name]
    route.path(cast)  # makes what the address names
    for method, statuses in route.allowed.items():
        client, expected = client_for(cast, role), statuses.get(role, statuses.get("*", 0))
        before = stored() if expected >= 400 else {}

        response = call(client, method, route, cast)

        assert response.status_code == expected, (method, response.content[:200])
        if expected >= 400:
            assert stored() == before


@pytest.mark.slow
@pytest.mark.parametrize("role", ["nobody", "ann", "lead"])
@pytest.mark.parametrize("name", MATRIX)
def test_other_methods_are_refused_and_change_nothing(cast: Cast, name: str, role: str) -> None:
    route = MATRIX[name]
    route.path(cast)
    client = client_for(cast, role)
    before = stored()
    for method in METHODS:
        if method in route.allowed:
            continue
        response = call(client, method, route, cast)

        # Nobody is asked to sign in first; an API door asks who it is before it says what it takes.
        assert response.status_code in ({302, 401, 403, 405} if role == "nobody" else {405}), (
            method,
            response.status_code,
        )
        if response.status_code == 405:
            assert response["Allow"]
    assert stored() == before


@pytest.mark.parametrize("act", ["discard", "undo-discard", "reopen"])
def test_a_form_on_anothers_number_acts_on_ones_own_work(cast: Cast, act: str) -> None:
    """The same address means ben's own passage for ben: ann's is out of reach."""
    before = cast.assignment("ann").version

    client_for(cast, "ben").post(f"/p/essays/work/1/{act}", {"version": 0, "save_id": SAVE_ID, "reason": "grammar"})

    assert cast.assignment("ann").version == before


def test_a_lead_cannot_reach_members_of_another_project(cast: Cast) -> None:
    client = client_for(cast, "other_lead")
    uuid = cast.membership("ben").uuid

    answers = [client.post(f"/p/letters/people/{uuid}/{act}", {"roles": ["lead"]}) for act in ("roles", "remove")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert cast.membership("ben").roles == ["annotator"]
