"""Refusals as RFC 9457 has them: every code the API may answer with, in one table, and the body it comes in."""

from typing import Any

from rest_framework import serializers

from annotator.serializers.assignments import StoredSerializer

PROBLEM_JSON = "application/problem+json"
# code: (status, title, what it means). A code never changes its meaning; the API page explains them.
PROBLEMS = {
    "bad_request": (400, "The request cannot be read", "Something in the address, a header or a value is broken."),
    "bad_json": (400, "Not JSON", "The body cannot be read as JSON."),
    "bad_encoding": (400, "Not UTF-8", "The body is not UTF-8."),
    "too_deep": (400, "Nested too deep", "The JSON is nested deeper than 20 levels."),
    "duplicate_key": (400, "A key stands twice", "One object of the body has the same key twice."),
    "not_a_number": (400, "Not a number", "NaN, Infinity or a number too large to be one."),
    "number_too_long": (400, "Number too long", "A number has more than 18 digits."),
    "nul": (400, "NUL in a text", "A string holds the character NUL."),
    "lone_surrogate": (400, "Half a character", "A string holds half of a surrogate pair."),
    "no_idempotency_key": (400, "No name for the request", "By a token, what creates something takes Idempotency-Key."),
    "bad_idempotency_key": (400, "No such name", "Idempotency-Key is 1 to 100 letters, digits and signs, no spaces."),
    "unknown_filter": (400, "Unknown filter", "There is no such query parameter."),
    "bad_filter": (400, "Bad filter", "A query parameter has a value that it cannot have, or is lacking."),
    "refused": (400, "Refused", "It was not carried out, for the reason that detail gives."),
    "not_authenticated": (
        401,
        "Nobody is signed in",
        "There is no session, or it has run out. Sign in and send again.",
    ),
    "bad_token": (401, "No such token", "It is unknown, revoked or has run out, or its owner's account is closed."),
    "scope": (403, "Not by this token", "detail names the scopes that open this; some things no token opens."),
    "csrf": (403, "Form token missing or out of date", "Send the cookie assay_csrf as X-CSRFToken; read it anew."),
    "wrong_password": (403, "Wrong e-mail or password", "They do not match."),
    "not_allowed": (403, "Not allowed", "One may know of this, but not do that to it."),
    "not_found": (404, "Nothing here", "There is no such thing, or it is not yours to know of."),
    "method_not_allowed": (405, "Not that way", "Allow names the methods that this address takes."),
    "conflict": (409, "Not in this state", "The thing is not in a state that allows this."),
    "project_draft": (409, "The project is a draft", "Saves are taken only while the project is open."),
    "project_open": (409, "The project is open", "Its state does not allow this."),
    "project_paused": (409, "The project is paused", "Saves are taken only while the project is open. Try later."),
    "project_closed": (409, "The project is closed", "Saves are taken only while the project is open."),
    "project_archived": (409, "The project is archived", "Saves are taken only while the project is open."),
    "passage_assigned": (409, "The passage is not started", "The passage is in a state that does not allow this."),
    "passage_started": (409, "The passage is in work", "The passage is in a state that does not allow this."),
    "passage_submitted": (409, "The passage is submitted", "Reopen it first. stored is what stands there."),
    "passage_discarded": (409, "The passage is discarded", "Undo the discard first. stored is what stands there."),
    "passage_withdrawn": (409, "The passage is withdrawn", "A lead took it back. stored is what stands there."),
    "member_paused": (409, "Your work is paused", "A lead has paused your work in this project. Try later."),
    "too_many_submissions": (409, "Submitted too often", "The passage was handed in 20 times. Ask the lead."),
    "test_over": (409, "The test is over", "Nothing of the qualification test can be taken back any more."),
    "test_submitted": (409, "A test stays submitted", "A test passage stays as it was submitted."),
    "no_longer_blind": (409, "Not a blind answer", "Who can see others' answers cannot answer anew once they count."),
    "type_removed": (409, "A type was removed", "The project no longer has a type that the answer uses."),
    "slug_taken": (409, "The address is taken", "Another project has it."),
    "no_passages": (409, "Nothing to work on", "A project opens once it has passages of work."),
    "last_lead": (409, "The last lead", "A project keeps at least one lead."),
    "member_already": (409, "In the project already", "Nobody is invited or brought back who is in it."),
    "removed_already": (409, "Removed", "This person is not in the project any more."),
    "no_annotator": (409, "Not an annotator", "Only who annotates can be paused."),
    "voice": (409, "A voice", "Imported answers have no account: nothing can be done to who gave them."),
    "disabled": (409, "The account is closed", "Nobody can come in by it."),
    "no_mail": (409, "No e-mail here", "Assay sends none: pass the links on yourself."),
    "invitation_over": (409, "The invitation is over", "It has been used, revoked or has run out."),
    "open": (409, "The project is open", "The rules of the work change only while nobody works: pause it first."),
    "fixed": (409, "Fixed", "It says what the project is, and stays."),
    "fixed_by_work": (409, "Fixed by work", "Answers were given under this rule: it stays."),
    "type_in_use": (409, "The type is in use", "Answers may have it: it is retired, not deleted."),
    "type_order": (409, "Types keep their order", "Ties are broken by it: new ones come last."),
    "nothing_unfinished": (409, "Nothing to withdraw", "They have nothing of the kind that is not finished."),
    "no_merge": (409, "Nothing is merged", "There is no merge yet."),
    "not_merged": (409, "Not merged yet", "The passage came after the last merge."),
    "nothing_to_undo": (409, "Nothing to take back", "There is no such act here."),
    "not_all_submitted": (409, "Not all have submitted", "Under consensus all who annotate a passage submit it first."),
    "others_settle": (409, "Others settle it", "Two others settle this passage, blind to each other."),
    "unite": (409, "To be united", "Both have settled this passage by now: what they decided is to be united."),
    "not_settled": (409, "Not settled by two", "Both have to settle a passage before it is united."),
    "nothing_to_take": (409, "Nothing to take", "All of it is decided already."),
    "twice": (409, "Settled by two", "Two people settle this passage: it is not decided from elsewhere."),
    "not_yours": (409, "Somebody else's act", "Only whoever decided takes an act back."),
    "somebody_else": (409, "Somebody else is signed in", "The act is another person's: sign in as them."),
    "overtaken": (409, "Overtaken", "Somebody else was quicker. Look again, then try again."),
    "arriving": (409, "A file is on its way", "Another file is being imported. Let it end, or cancel its job first."),
    "clearing": (409, "Still being removed", "The rows of an import that was called off are being removed. Try later."),
    "done_already": (409, "Done already", "The first answer to this request was too large to be kept for its repeat."),
    "disk_full": (409, "Not kept", "The file cannot be kept: the disk is full, or cannot be written."),
    "no_length": (411, "No length named", "A file is sent with Content-Length."),
    "stale": (412, "Changed elsewhere", "If-Match names an older version. stored is what stands there now."),
    "too_large": (413, "Too large", "The body, or something in the answer, is larger than is taken."),
    "unsupported_media_type": (
        415,
        "Not sent as what is taken here",
        "Content-Type must be application/json, of a file application/octet-stream.",
    ),
    "invalid": (422, "Invalid", "A rule is broken; problems names each."),
    "no_if_match": (428, "No version named", "Calls that change what others may change, too, need If-Match."),
    "throttled": (429, "Too many at once", "Retry-After says in how many seconds to try again."),
    "server_error": (500, "An error of ours", "It is in the log. Nothing half-done was saved."),
    "unavailable": (503, "Not now", "The database cannot take this now. Nothing was saved; try again."),
}
# The codes inside problems.
INPUT_PROBLEMS = {
    "preset": "There is no such kind of work, or Assay cannot do it yet.",
    "slug": "Not what an address can be.",
    "language": "Not a language tag.",
    "time_zone": "There is no such time zone.",
    "roles": "No role, or one that there is not.",
    "email": "Not an e-mail address.",
    "member_already": "Of somebody who is in the project already.",
    "unknown_person": "Nobody of this project with an account.",
    "most_passages": "Too many.",
    "withdrawn_from": "Lacking where work is withdrawn, or there where it is not.",
    "protocol": "Rules that cannot be read, or that Assay cannot work by yet.",
    "kind": "No such kind of work.",
    "types": "Types that cannot be these.",
    **dict.fromkeys(
        ("keep_at", "min_answers", "max_substitutes", "answers_per_passage", "controls_per_hundred"),
        "A number that this rule cannot have.",
    ),
    **dict.fromkeys(
        ("repeats_per_hundred", "quota_per_passage", "qualify_f05", "qualify_shared"),
        "A number that this rule cannot have.",
    ),
    "quota_type": "There is no open type of this name.",
    "splits": "Splits that have the same name, or no size.",
    "invalid_choice": "None of those on the list.",
    "shape": "The value is of another JSON type than it must be.",
    "unknown_key": "The object has a key that is not taken.",
    "missing_key": "The object lacks a key.",
    "uuid": "Not a UUID written as 8-4-4-4-12 hexadecimal digits.",
    "min_value": "The number is too small.",
    "max_value": "The number is too large.",
    "if_match": "If-Match is not one version in quotes.",
    "idempotency_key": "This Idempotency-Key has been used for another request.",
    "save_id": "This save_id has been used for another body.",
    "span": "Not a span of the passage.",
    "quote": "The passage has another text there.",
    "type": "The project has no such type.",
    "via": "via is none of those on the list.",
    "too_many": "More than are taken.",
    "too_long": "Longer than is taken.",
    "forbidden_character": "A control character that no stored text may hold.",
    "empty": "Nothing is marked, and nothing says that there is nothing to improve.",
    "no_substitute": "A mark without a substitute.",
    "too_many_substitutes": "More substitutes for one mark than the project allows.",
    "duplicate": "The same substitute twice for one mark.",
    "blank": "An empty text.",
    "separator": "A substitute that holds the separator of substitutes.",
    "spaces": "A substitute with spaces to spare.",
    "overlap": "Two marks overlap.",
    "reason": "The reason is none of those on the list.",
    "remark": "This reason needs a remark.",
    "version": "There is no such version.",
    "verdict": "No such verdict, or not one that this thing can have.",
    "move_onto_itself": "A target cannot be moved onto itself.",
    "moved_with_more": "A moved target takes along what it has, unchanged.",
    "nothing_to_move": "Nobody marked this.",
    "nothing_to_keep": "Nobody marked this: a target that is added needs a suggestion.",
    "chain": "What was moved, or moved onto, is not moved on.",
    "named_twice": "The same key twice in one decision.",
    "nothing_left": "A kept target keeps at least one suggestion.",
    "join_across": "A key of another target.",
    "take": "Neither both nor one of the two who settled the passage.",
    "cause": "The cause is none of those on the list.",
    "act": "This act's id has been used for another body.",
    "targets": "None, or more than are taken at once.",
    "content": "A decision that cannot be made in this way.",
    "passage": "There is no such passage here.",
    "people": "There is no such annotator in the project, or only one is named.",
    "groups": "There is no such group in the project.",
    "resamples": "Too few to give an interval, or too many.",
    "format": "The file's name does not end in that of a format that is read.",
    "sheet": "Only a workbook has sheets.",
    "empty_file": "The file is empty.",
    "too_large": "Larger than is taken.",
    "min_length": "Too few.",
    "max_length": "Too many.",
    "null": "Not null here.",
    "required": "It is lacking.",
    "invalid": "It cannot be understood.",
    "not_a_list": "Not a list.",
}
OF_STATUS = {
    **{400: "bad_request", 401: "not_authenticated", 403: "not_allowed", 404: "not_found", 405: "method_not_allowed"},
    **{409: "conflict", 411: "no_length", 412: "stale", 413: "too_large", 415: "unsupported_media_type"},
    **{422: "invalid", 428: "no_if_match", 429: "throttled"},
    **{500: "server_error", 503: "unavailable"},
}


class InputProblemSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(list(INPUT_PROBLEMS))
    message = serializers.CharField()
    path = serializers.CharField(allow_blank=True, help_text="Where, as in marks[0].end.")


class ProblemSerializer(serializers.Serializer[Any]):
    """Why it was refused (RFC 9457)."""

    type = serializers.RegexField(r"\A/api/problems#[a-z_]+\Z", help_text="The address that explains the code.")
    title = serializers.CharField(help_text="The same for every problem of this code.")
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField(help_text="What is the matter this time, for people.")
    code = serializers.ChoiceField(list(PROBLEMS), help_text="For programs.")
    problems = InputProblemSerializer(many=True, required=False)
    stored = StoredSerializer(required=False)


def problem(code: str, detail: str, *, status: int) -> dict[str, Any]:
    """The body of a refusal; a code that is not on the table is told by its status."""
    if code not in PROBLEMS:
        code = OF_STATUS.get(status, "refused")
    _, title, _ = PROBLEMS[code]
    return {"type": f"/api/problems#{code}", "title": title, "status": status, "detail": detail, "code": code}
