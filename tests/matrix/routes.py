"""What an entry of the access matrix is, and addresses of what must be there first."""

import datetime
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from adjudication.actions.comments import add_comment
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.models import AgreementReport, Comment, Merge
from annotator import uploads
from annotator.actions.api_tokens import make_token
from annotator.actions.assignments import submit_assignment
from annotator.actions.importing.arrivals import begin_arrival
from annotator.actions.importing.passages import passages_options
from annotator.actions.importing.previews import LOOK_AT_FILE, begin_preview
from annotator.actions.importing.sent import keep_upload
from annotator.actions.invitations import invite
from annotator.actions.questions import ask_question
from annotator.actions.running import work_here
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.jobs import JobState
from annotator.models import ApiToken, Arrival, Assignment, Invitation, Job, Preview, Question, SignIn, Upload
from exports.actions.foreign import import_gold
from exports.actions.releasing import build_release, draft_release
from exports.actions.runs import measure_system
from exports.domain.releases import ReleaseSettings
from exports.domain.runs import System
from exports.models import Release, SystemRun
from tests.factories import Cast, answer_for
from tests.kept import once

ROLES = ("nobody", "stranger", "former", "ann", "ben", "adjudicator", "lead", "other_lead")


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


def a_token(cast: Cast) -> ApiToken:
    found = ApiToken.objects.first()
    return found or make_token(cast.ann, by=cast.ann, name="Notebook", scopes=["read"])[0]


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


def an_upload(cast: Cast) -> Upload:
    if found := Upload.objects.sent_by(cast.lead, cast.project).first():
        return found
    file = uploads.keep(io.BytesIO(b"One more thing that is new."))
    return keep_upload(cast.project, by=cast.lead, file=file, name="more.txt")


def kept_file(data: Any) -> uploads.KeptFile:
    return uploads.keep(io.BytesIO(json.dumps(data).encode()))
