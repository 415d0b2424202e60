"""The API: one's own work, and several people's."""

from uuid import uuid4

from tests.factories import answer_for, save_body
from tests.matrix.routes import (
    ANYONE,
    ASKING,
    ONLY_ANN,
    ROLES,
    SAVE_ID,
    SEEING_ALL_API,
    UNKNOWN,
    Route,
    a_comment,
    a_decision,
    ann_api,
    api_deciding,
    api_of_all,
    marked,
    measured,
)

API: dict[str, Route] = {
    "api_merges": api_of_all("merges", GET=SEEING_ALL_API, POST=ASKING),
    "api_merge": api_of_all("merges/{merge}"),
    "api_targets": api_of_all("merges/{merge}/targets"),
    "api_reports": api_of_all("agreement", GET=SEEING_ALL_API, POST=ASKING),
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
    "api_submit": ann_api("/submit", "POST", ONLY_ANN, lambda cast: save_body(answer_for(cast.assignment("ann")))),
    "api_discard": ann_api("/discard", "POST", ONLY_ANN, lambda cast: {"save_id": SAVE_ID, "reason": "grammar"}),
    "api_undo_discard": ann_api("/undo-discard", "POST", {**ONLY_ANN, "ann": 409}, lambda cast: {"save_id": SAVE_ID}),
    "api_reopen": ann_api("/reopen", "POST", {**ONLY_ANN, "ann": 409}, lambda cast: {"save_id": SAVE_ID}),
}
