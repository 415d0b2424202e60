"""An annotator can learn nothing of others' work: whatever ben does, ann's whole crawl stays the same."""

import contextlib
import datetime
import io
import json
import re
import zipfile
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import cache

from adjudication.actions.comments import add_comment
from adjudication.actions.deciding import decide_passage, decide_span
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.actions.settling import settle_quiet
from adjudication.models import AgreementReport, Double, Merge
from adjudication.queries.gold import standing_of
from adjudication.queries.merges import CHANGES, FLAGS
from annotator import uploads
from annotator.actions.people import add_member, change_roles
from annotator.actions.questions import answer_question, ask_question
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, Passage, Project, Question, User
from exports.actions.releasing import build_release, draft_release, freeze_release
from exports.actions.runs import measure_system
from exports.domain.releases import ReleaseSettings
from exports.domain.runs import System
from exports.models import Release, SystemRun
from exports.queries.runs import gold_of
from tests.conftest import Api
from tests.document import CheckedClient
from tests.factories import Cast, answer_for, make_user, save_body
from tests.test_access import program

NOON = "2026-03-02T12:00:00Z"
GROUP = "first"  # of the passages: what figures of it tell is of that one passage
VARIES = {"Date", "Set-Cookie"}
DAY = datetime.date(2026, 11, 18)


OF_EXPORTS = ("releases", "runs", "leaderboard", "sentences/1/test", "export?format=sws", "export?format=assay")


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and value and value[0] in "/?" and not value.startswith("/static/"):
                self.found.add(value)


def without_tokens(body: bytes) -> bytes:
    """Form tokens are masked anew on every page; save ids are random."""
    body = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", body)
    return re.sub(rb'name="save_id" value="[^"]+"', b"", body)


def crawl(client: CheckedClient, starts: list[str]) -> dict[str, Any]:
    """Every page and answer within reach, by address: status, headers, body."""
    seen: dict[str, Any] = {}
    waiting = list(starts)
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        response = client.get(address)
        headers = {name: value for name, value in response.items() if name not in VARIES}
        body = without_tokens(b"".join(response.streaming_content) if response.streaming else response.content)
        headers["Content-Length"] = str(len(body))
        seen[address] = (response.status_code, headers, body)
        if response.get("Location"):
            waiting.append(response["Location"])
        if response["Content-Type"].startswith("text/html"):
            links = Links()
            links.feed(response.content.decode())
            waiting += sorted(urljoin(address, link) for link in links.found)
        elif not response["Content-Type"].endswith("json"):
            pass  # a file
        elif isinstance(response.json(), dict) and response.json().get("next"):
            waiting.append(response.json()["next"])
    return seen


def starts_for(cast: Cast) -> list[str]:
    """Doors that no page links to, and guesses at what is not ann's."""
    own = [f"/api/v1/assignments/{cast.assignment('ann', n).uuid}" for n in range(1, 5)]
    foreign = [f"/api/v1/assignments/{cast.assignment('ben', n).uuid}" for n in range(1, 5)]
    guesses = [f"/p/essays/work/{n}" for n in range(0, 7)]
    pages = [f"/p/essays/{tail}" for tail in ("people", "merge", "merge/passages", "agreement", "agreement/A01/A02")]
    pages += [
        f"/p/essays/{tail}" for tail in ("adjudicate", "adjudicate/quiet", "adjudicate/twice", "gold", "releases")
    ]
    pages += [f"/p/essays/releases/{tail}" for tail in ("new", "card", "import", "1", "1/file", "1/compare/1")]
    pages += [f"/p/essays/runs{tail}" for tail in ("", "/new", "/leaderboard.csv", "/leaderboard.json")]
    pages += [f"/p/essays/{tail}/{row.uuid}" for tail in ("adjudicate", "gold") for row in cast.project.passages.all()]
    whole = ("merges", "agreement", "gold", "passages", "questions", "jobs", *OF_EXPORTS)
    whole += ("guidelines", "members", "invitations", "protocol", "board", "activity")
    doors = ["/api/v1/projects?limit=1", "/api/v1/projects/essays"]
    doors += [f"/api/v1/projects/essays/{tail}" for tail in whole]
    doors += [
        f"/api/v1/projects/essays/passages/{row.uuid}{tail}"
        for row in cast.project.passages.all()
        for tail in ("", "/targets")
    ]
    return ["/", *pages, "/api/v1/session", "/api/v1/assignments?limit=2", *doors, *own, *foreign, *guesses]


def merge_and_measure(cast: Cast) -> None:
    merge_project(cast.project, by=cast.lead)
    pair = tuple(sorted(cast.membership(name).pseudonym for name in ("ann", "ben")))
    for some in ({}, {"groups": (GROUP,)}, {"people": pair}):
        settings = agreement_settings(cast.project, resamples=100, **some)
        with contextlib.suppress(Conflict, Invalid):  # nobody may have submitted yet, and there may be no such group
            measure_agreement(cast.project, by=None, settings=settings)


def decide_and_comment(cast: Cast, by: User) -> None:
    """Everything that is merged is decided about, and talked about."""
    for passage in cast.project.passages.select_related("project"):
        standing = standing_of(passage, Merge.objects.of(cast.project).current().get())
        assert standing is not None
        for start, end in standing.by_span:
            content = {"verdict": "drop", "suggestions": [{"text": "decided word", "from": []}]}
            decide_span(
                passage,
                (start, end),
                by=by,
                version=0,
                act=uuid4(),
                content=content,
                reason="decided why",
                cause="guideline",
            )
        decide_passage(passage, by=by, version=0, act=uuid4(), content={"verdict": "settled"}, reason="decided so")
        add_comment(passage, by=by, text="decided talk")
    settle_quiet(cast.project, by=by, act=uuid4(), dispute=1000)


def settle_as_the_second(cast: Cast, eve: User) -> None:
    """Of two passages that another has settled as one of two, the other seats are taken; one is settled with it."""
    half, whole = (row.passage for row in Double.objects.of(cast.project).select_related("passage__project"))
    given, added = {"by": eve, "version": 0}, {"verdict": "keep", "suggestions": [{"text": "decided word", "from": []}]}
    decide_span(half, (0, 1), act=uuid4(), content=added, **given)
    decide_passage(whole, act=uuid4(), content={"verdict": "settled"}, **given)
    assert list(Double.objects.untouched()) == []
    assert Double.objects.settled_by_both().count() == 1


def release_and_score(cast: Cast) -> None:
    """The gold leaves the house, and two systems are scored on it: one that says it word by word."""
    settings = ReleaseSettings((("test", 1),), with_pos=False)
    try:
        draft = build_release(draft_release(cast.project, by=None, date=DAY, settings=settings), by=None)
    except Conflict:
        return  # nobody may have submitted yet
    ticked = [warning["code"] for warning in draft.warnings]
    release = freeze_release(draft, by=None, version=draft.version, ticked=ticked)
    gold = gold_of(release, "test")
    for name, spans in (("oracle", [target for row in gold for target in row.targets]), ("silent", [])):
        data = {
            row.id: {
                "input_words": list(row.tokens),
                "substitute_topk": [
                    [["x", *target.span], [text for text, _ in target.suggestions]]
                    for target in row.targets
                    if target in spans
                ],
            }
            for row in gold
        }
        file = uploads.keep(io.BytesIO(json.dumps(data).encode()))
        measure_system(release, by=None, split="test", system=System(name), file=file)


def everything_ben_can_do(cast: Cast) -> None:
    api = Api(cast.ben)
    one, two, three, four = (cast.assignment("ben", n) for n in range(1, 5))
    api.save(one, save_body(answer_for(one)), 0)
    api.act(two, "submit", save_body(answer_for(two)), 0)
    api.act(three, "discard", {"save_id": str(uuid4()), "reason": "other", "remark": "Ben was here"}, 0)
    api.act(four, "submit", save_body({"none": True}), 0)
    api.act(four, "reopen", {"save_id": str(uuid4())}, 1)
    api.save(four, save_body(answer_for(four, "ben's word")), 2)
    for row in (one, two):
        asked = api.call("POST", f"/api/v1/assignments/{row.uuid}/questions", {"text": "Ben asks this"})
        assert asked.status_code == 201
    states = [cast.assignment("ben", n).state for n in range(1, 5)]
    assert states == list(map(AssignmentState, ["started", "submitted", "discarded", "started"]))


def as_ann(cast: Cast, *, by_token: bool) -> CheckedClient:
    if by_token:
        return program(cast, "ann")
    client = CheckedClient()
    client.force_login(cast.ann)
    return client


@pytest.mark.parametrize("by_token", [False, True], ids=["in a browser", "by a token"])
@pytest.mark.parametrize("has_begun", [False, True], ids=["before ann has begun", "while ann works"])
def test_anns_crawl_is_the_same_whatever_ben_does(cast: Cast, has_begun: bool, by_token: bool) -> None:
    with time_machine.travel(NOON, tick=False):
        if has_begun:
            Api(cast.ann).act(cast.assignment("ann"), "submit", save_body(answer_for(cast.assignment("ann"))), 0)
            Api(cast.ann).save(cast.assignment("ann", 2), save_body(answer_for(cast.assignment("ann", 2))), 0)
        client, starts = as_ann(cast, by_token=by_token), starts_for(cast)
        before = crawl(client, starts)

        everything_ben_can_do(cast)
        merge_and_measure(cast)
        decide_and_comment(cast, cast.adjudicator)
        release_and_score(cast)
        runs = [f"{root}/runs/{row.uuid}" for row in SystemRun.objects.all() for root in ("/p/essays", "/api/v1")]
        runs = [address for address in runs if address.startswith("/api/") or not by_token]  # pages ask to sign in
        cache.clear()  # how often a program asks is counted
        after = crawl(client, starts + runs + [f"/api/v1/releases/{row.uuid}" for row in Release.objects.all()])

    assert {address for address in after if address not in before and after[address][0] != 404} == set()
    assert set(before) <= set(after)
    assert {address for address in before if before[address] != after[address]} == set()
    assert len(before) >= 20
    assert not any(b"Ben" in body for _, _, body in after.values())


def test_the_crawl_would_notice_anns_own_work(cast: Cast) -> None:
    """The test above can fail: the same crawl does see a change of ann's own."""
    with time_machine.travel(NOON, tick=False):
        client, starts = CheckedClient(), starts_for(cast)
        client.force_login(cast.ann)
        before = crawl(client, starts)

        Api(cast.ann).save(cast.assignment("ann"), save_body(answer_for(cast.assignment("ann"))), 0)

        assert crawl(client, starts) != before


# Whole-project sums: they tell how far everybody is and how far they agree, never what was done to which passage.
PAGES_OF_SUMS = ("", "board", "board.csv", "people", "assignment", "merge", "agreement", "releases", "runs")
SUMS = [f"/p/essays/{name}" for name in PAGES_OF_SUMS]
SUM_DOORS = (
    "/p/essays/assignment/withdraw",
    "/p/essays/agreement",
    "/api/v1/projects/essays/merges",
    "/api/v1/projects/essays/agreement",
    *(f"/api/v1/projects/essays/{name}" for name in ("releases", "runs", "leaderboard")),
    "/api/v1/projects/essays/board",
    "/api/v1/projects/essays/members",
)


# Who did what: what a lead or an operator did meanwhile stands there, and sums of what others did.
ACTIVITY = {"/p/essays/activity", "/api/v1/projects/essays/activity?limit=100"}
# What a lead's own acts leave elsewhere: the version of the project, and the splits of a release.
OF_LEADS = (
    rb'name="version" value="[0-9]+"',
    rb'<select name="split".*?</select>',
    rb" \xc2\xb7 test",
    rb"<small>test</small>",
    rb'"split":"[a-z]*"',
)


def is_same(before: Any, after: Any) -> bool:
    """But for what leads themselves have done."""
    return before == after or (after is not None and _without_leads(before) == _without_leads(after))


def _without_leads(answer: Any) -> tuple[Any, ...]:
    status, headers, body = answer
    for found in OF_LEADS:
        body = re.sub(found, b"", body)
    return status, {name: value for name, value in headers.items() if name != "Content-Length"}, body.split()


# With the settings of the last release, as a new one begins.
SETTINGS = {"/p/essays/releases/new"}


def is_sum(address: str) -> bool:
    """A project's, a merge's or a report's own page; of a pair or a person its figures, which are over the project."""
    path, _, query = address.partition("?")
    if "groups=" in query or "people=" in query:
        return False  # of some passages or some people
    return path in SUMS or path.startswith(SUM_DOORS)


def sieves(project: Project) -> list[str]:
    """Every filter of a merge's passages, and each with the name of one passage."""
    filters = [f"flag={key}" for key, _ in FLAGS] + [f"change={key}" for key, _ in CHANGES]
    names = project.passages.values_list("external_id", flat=True)
    return [*(f"{tail}&q=essays-1" for tail in filters), *(f"q={name}" for name in names), *filters]


def some_reports(cast: Cast) -> list[str]:
    """Of one group, and of two people: they may have met over one passage."""
    a, b = sorted(cast.membership(name).pseudonym for name in ("ann", "ben"))
    tails = ("agreement", "agreement.json", "agreement-pairs.csv", f"agreement/{a}/{b}", f"agreement/{a}")
    return [f"/p/essays/{tail}?{query}" for tail in tails for query in (f"groups={GROUP}", f"people={a}&people={b}")]


@pytest.mark.slow
@pytest.mark.parametrize("role", ["lead", "adjudicator"])
def test_who_does_both_is_blind_to_what_they_have_still_to_submit(cast: Cast, role: str) -> None:
    """Of others' work on passages that they annotate too, no page tells a lead or an adjudicator anything."""
    both, eve = cast.person(role), make_user("eve")
    add_member(cast.project, user=eve, by=cast.lead, roles={"adjudicator"})
    change_roles(cast.membership(role), by=cast.lead, roles={role, "annotator"})
    own = Assignment.objects.own(both)
    assert own.count() == 4
    texts = [row.passage.text for row in own.select_related("passage")]
    Passage.objects.filter(pk=cast.assignment("ben", 2).passage_id).update(group=GROUP)  # he submits it
    with time_machine.travel(NOON, tick=False):
        client = CheckedClient()
        client.force_login(both)
        for row in Assignment.objects.filter(membership__user=cast.ann).select_related(
            "membership", "passage__project"
        ):
            Api(cast.ann).act(row, "submit", save_body(answer_for(row, "ann's word")), 0)
        merge_and_measure(cast)
        for number in (3, 4):
            Double.objects.create(passage=cast.assignment("ann", number).passage)
        starts = ["/", "/p/essays/", "/p/essays/questions", "/p/essays/people", "/p/essays/work", "/p/essays/jobs"]
        starts += ["/p/essays/merge", "/p/essays/merge/passages", "/p/essays/agreement"]
        starts += [f"/p/essays/merge/passages?{tail}" for tail in sieves(cast.project)]
        starts += some_reports(cast)
        starts += [f"/p/essays/merge/passages/{row.passage.uuid}" for row in own.select_related("passage")]
        starts += [f"/p/essays/{tail}" for tail in ("adjudicate", "adjudicate/quiet", "adjudicate/twice", "gold")]
        starts += ["/p/essays/adjudicate?settled=all", "/p/essays/gold?only=decided", "/api/v1/projects/essays/gold"]
        starts += ["/p/essays/gold?cause=guideline", "/p/essays/gold?only=added"]
        starts += [f"/api/v1/projects/essays/{tail}" for tail in OF_EXPORTS]
        for row in own.select_related("passage"):
            starts += [f"/p/essays/{tail}/{row.passage.uuid}" for tail in ("adjudicate", "gold")]
            starts += [f"/p/essays/adjudicate/{row.passage.uuid}/next"]
            here = f"/api/v1/projects/essays/passages/{row.passage.uuid}"
            starts += [here, f"{here}/comments", f"{here}/same?start=0&end=3", f"{here}/targets"]
        starts += [f"/api/v1/projects/essays/{tail}" for tail in ("questions", "questions?state=open", "jobs")]
        starts += [f"{PASSAGES}{tail}" for tail in ("", "&answers=1", "&answers=0", "&questions=yes", "&discarded=1")]
        starts += [f"/api/v1/assignments/{row.uuid}" for row in own]
        starts += [f"/api/v1/assignments/{cast.assignment('ben', n).uuid}" for n in range(1, 5)]
        starts += [f"/api/v1/projects/essays/{tail}" for tail in ("board", "members?limit=2", "activity?limit=100")]
        before = crawl(client, starts)

        everything_ben_can_do(cast)
        merge_and_measure(cast)
        decide_and_comment(cast, cast.adjudicator if role == "lead" else cast.lead)
        settle_as_the_second(cast, eve)
        release_and_score(cast)
        starts += [f"/api/v1/projects/essays/merges/{Merge.objects.current().get().uuid}/targets"]
        some = AgreementReport.objects.filter(is_whole=False)
        assert some.count() >= 2
        refused = crawl(client, [f"/api/v1/agreement/{row.uuid}" for row in some])
        assert {status for status, _, _ in refused.values()} == {404}
        more = ["/p/essays/releases/1/file", "/p/essays/releases/1/compare/1"]  # refused, which the next page says
        for row in SystemRun.objects.all():
            more += [f"/p/essays/runs/{row.uuid}{tail}" for tail in ("", ".json", "?kind=other", "?kind=missed")]
            more += [f"/api/v1/runs/{row.uuid}{tail}" for tail in ("", "/errors", "/errors?kind=other")]
        for released in Release.objects.all():
            here = f"/api/v1/releases/{released.uuid}"
            files = ("test.json", "release.zip", "README.md")
            more += [here, f"{here}/compare/{released.uuid}", *(f"{here}/files/{name}" for name in files)]
        after = crawl(client, starts)
        after = {**crawl(client, more), **after}

        changed = {address for address in before if not is_same(before[address], after.get(address))}
        assert {address for address in changed if not is_sum(address)} <= JOBS | SETTINGS | ACTIVITY
        told = b"".join(after[address][2] for address in ACTIVITY) if role == "lead" else b""
        assert not [row.passage.external_id for row in own if row.passage.external_id.encode() in told]
        said = (b"Ben asks", b"Ben was here", b"ben's word", b"ben&#x27;s word", b"ann's word", b"ann&#x27;s word")
        said += (b"decided word", b"decided why", b"decided so", b"decided talk")
        for word in (*said, *(text.encode() for text in texts)):
            found = [address for address, (_, _, body) in after.items() if word in body and "/work" not in address]
            own_pages = ("/api/v1/assignments/", "/account/data")
            of_passages = (
                () if word in said else (PASSAGES, *(f"/p/essays/{name}" for name in ("passages", "setup/", "preview")))
            )  # leads take them in
            assert not [address for address in found if not address.startswith((*own_pages, *of_passages))], word
        # With their own answer handed in, a lead sees what was asked about that passage.
        for row in own.select_related("membership", "passage__project"):
            Api(both).act(row, "submit", save_body(answer_for(row)), 0)
        asked = crawl(client, ["/p/essays/questions"])["/p/essays/questions"][2]
        assert (b"Ben asks this" in asked) == (role == "lead")
        assert b"word" in crawl(client, ["/p/essays/merge/passages"])["/p/essays/merge/passages"][2]


def test_the_queue_counts_no_change_of_what_one_has_still_to_submit(cast: Cast) -> None:
    """After the merge, before the next one: that others hand in answers is not told either."""
    change_roles(cast.membership("adjudicator"), by=cast.lead, roles={"adjudicator", "annotator"})
    merge_and_measure(cast)
    with time_machine.travel(NOON, tick=False):
        client = CheckedClient()
        client.force_login(cast.adjudicator)
        before = crawl(client, ["/p/essays/adjudicate"])["/p/essays/adjudicate"]
        row = cast.assignment("ben")
        Api(cast.ben).act(row, "submit", save_body(answer_for(row)), 0)
        assert crawl(client, ["/p/essays/adjudicate"])["/p/essays/adjudicate"] == before

        own = Assignment.objects.own(cast.adjudicator).select_related("membership", "passage__project")
        mine = own.get(passage=row.passage)
        Api(cast.adjudicator).act(mine, "submit", save_body(answer_for(mine)), 0)
        told = crawl(client, ["/p/essays/adjudicate"])["/p/essays/adjudicate"][2]
        assert b"2 answers" in told


# That there were jobs is no secret of the passages.
JOBS = {"/p/essays/jobs", "/api/v1/projects/essays/jobs"}
PASSAGES = "/api/v1/projects/essays/passages?limit=100"


def test_a_lead_who_annotates_answers_no_question_about_their_own_open_passage(cast: Cast) -> None:
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    question = ask_question(cast.assignment("ben"), by=cast.ben, text="Is this a name?")

    with pytest.raises(NotAllowed, match="still to annotate yourself"):
        answer_question(question, by=cast.lead, version=1, text="No.")
    assert not Question.objects.visible_to(cast.lead).exists()
    assert Question.objects.visible_to(cast.ben).count() == 1


def test_the_order_of_work_and_pseudonyms_do_not_tell_who_came_first(cast: Cast) -> None:
    orders = {name: [cast.assignment(name, n).passage.external_id for n in range(1, 5)] for name in ("ann", "ben")}
    pseudonyms = [row.pseudonym for row in cast.project.memberships.order_by("pk")]

    assert orders["ann"] != orders["ben"]
    assert pseudonyms != sorted(pseudonyms)


def test_refusals_are_the_same_for_what_exists_and_what_does_not(cast: Cast) -> None:
    client = CheckedClient()
    client.force_login(cast.ann)
    exists = client.get(f"/api/v1/assignments/{cast.assignment('ben').uuid}")
    does_not = client.get(f"/api/v1/assignments/{uuid4()}")

    assert (exists.status_code, exists.content) == (does_not.status_code, does_not.content)


def told_by(answer: Any) -> dict[str, bytes]:
    """The files in a release but those with the seal of the log, which tells that there is more in it."""
    with zipfile.ZipFile(io.BytesIO(answer[2])) as bundle:
        names = {name.partition("/")[2]: name for name in bundle.namelist()}
        assert "answers.jsonl" in names
        return {name: bundle.read(path) for name, path in names.items() if name not in ("manifest.json", "SHA256SUMS")}


@pytest.mark.slow
def test_two_who_settle_a_passage_are_blind_to_each_other(cast: Cast) -> None:
    """Of what the other decides, says or takes back, no page and no door tells until both have settled it."""
    eve = make_user("eve")
    add_member(cast.project, user=eve, by=cast.lead, roles={"adjudicator"})
    for name, word in (("ann", "relative"), ("ben", "relatives")):  # variants ask for somebody
        for row in (cast.assignment(name, number) for number in range(1, 5)):
            Api(cast.person(name)).act(row, "submit", save_body(answer_for(row, word)), 0)
    merge_and_measure(cast)
    passages = list(cast.project.passages.select_related("project"))
    for passage in passages:
        Double.objects.create(passage=passage)
    with time_machine.travel(NOON, tick=False):
        client = CheckedClient()
        client.force_login(cast.adjudicator)
        starts = ["/p/essays/adjudicate", "/p/essays/adjudicate?settled=all", "/p/essays/adjudicate?flag=commented"]
        starts += ["/p/essays/adjudicate/quiet", "/p/essays/gold", "/api/v1/projects/essays/gold"]
        for passage in passages:
            here = f"/api/v1/projects/essays/passages/{passage.uuid}"
            starts += [f"/p/essays/{tail}/{passage.uuid}" for tail in ("adjudicate", "gold")]
            starts += [here, f"{here}/comments", f"{here}/same?start=0&end=3", f"{here}/targets"]
        file = "/p/essays/releases/1/file"
        settings = ReleaseSettings((("test", 1),), with_pos=False)
        draft = draft_release(cast.project, by=None, date=DAY, settings=settings)
        build_release(draft, by=None)
        before = crawl(client, [*starts, file])

        decide_and_comment(cast, eve)
        between = crawl(client, ["/p/essays/releases/1"])["/p/essays/releases/1"]
        build_release(draft, by=None)
        after = crawl(client, [*starts, file]) | {"before it is built again": between}

        # How many are under way is a sum; that somebody has decided something is all it tells.
        changed = {address for address in before if before[address] != after.get(address)}
        assert changed <= {"/p/essays/adjudicate/twice", "/p/essays/releases", "/p/essays/releases/1", file}
        assert told_by(before[file]) == told_by(after[file])
        for word in (b"decided word", b"decided why", b"decided so", b"decided talk"):
            assert not [address for address, (_, _, body) in after.items() if word in body]
