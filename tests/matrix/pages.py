"""Pages, by app and noun."""

from annotator.domain.jobs import JobState
from tests.matrix.routes import (
    ANNOTATORS,
    ANYONE,
    LEADS,
    LEADS_POST,
    MEMBERS,
    ROLES,
    SAVE_ID,
    SEEING_ALL,
    SEEING_ALL_POST,
    SIGNED_IN_POST,
    UNKNOWN,
    Route,
    a_job,
    a_question,
    a_sign_in,
    a_token,
    an_invitation,
    of_all,
    of_passage,
    page,
    previewed,
    released,
    with_runs,
)

PAGES: dict[str, Route] = {
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
    "account_tokens": page("/account/tokens", GET={"nobody": 302, "*": 200}, POST={"nobody": 302, "*": 400}),
    "account_token_revoke": Route(
        lambda cast: f"/account/tokens/{a_token(cast).uuid}/revoke", {"POST": {"nobody": 302, "ann": 302, "*": 404}}
    ),
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
    "screening_undo": page("/p/essays/setup/screening/undo", POST=LEADS_POST),  # there is nothing to undo
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
}
