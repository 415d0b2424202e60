"""An annotator can learn nothing of others' work: whatever ben does, ann's whole crawl stays the same."""

import re
from html.parser import HTMLParser
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from annotator.domain.states import AssignmentState
from tests.conftest import Api
from tests.document import CheckedClient
from tests.factories import Cast, answer_for, save_body

NOON = "2026-03-02T12:00:00Z"
VARIES = {"Date", "Set-Cookie"}


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and value and value.startswith("/") and not value.startswith("/static/"):
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
        body = without_tokens(response.content)
        headers["Content-Length"] = str(len(body))
        seen[address] = (response.status_code, headers, body)
        if response.get("Location"):
            waiting.append(response["Location"])
        if response["Content-Type"].startswith("text/html"):
            links = Links()
            links.feed(response.content.decode())
            waiting += sorted(links.found)
        elif isinstance(response.json(), dict) and response.json().get("next"):
            waiting.append(response.json()["next"])
    return seen


def starts_for(cast: Cast) -> list[str]:
    """Doors that no page links to, and guesses at what is not ann's."""
    own = [f"/api/v1/assignments/{cast.assignment('ann', n).uuid}" for n in range(1, 5)]
    foreign = [f"/api/v1/assignments/{cast.assignment('ben', n).uuid}" for n in range(1, 5)]
    guesses = [f"/p/essays/work/{n}" for n in range(0, 7)]
    return ["/", "/p/essays/people", "/api/v1/session", "/api/v1/assignments?limit=2", *own, *foreign, *guesses]


def everything_ben_can_do(cast: Cast) -> None:
    api = Api(cast.ben)
    one, two, three, four = (cast.assignment("ben", n) for n in range(1, 5))
    api.save(one, save_body(answer_for(one)), 0)
    api.act(two, "submit", save_body(answer_for(two)), 0)
    api.act(three, "discard", {"save_id": str(uuid4()), "reason": "other", "remark": "Ben was here"}, 0)
    api.act(four, "submit", save_body({"none": True}), 0)
    api.act(four, "reopen", {"save_id": str(uuid4())}, 1)
    api.save(four, save_body(answer_for(four, "ben's word")), 2)
    states = [cast.assignment("ben", n).state for n in range(1, 5)]
    assert states == list(map(AssignmentState, ["started", "submitted", "discarded", "started"]))


@pytest.mark.parametrize("has_begun", [False, True], ids=["before ann has begun", "while ann works"])
def test_anns_crawl_is_the_same_whatever_ben_does(cast: Cast, has_begun: bool) -> None:
    with time_machine.travel(NOON, tick=False):
        if has_begun:
            Api(cast.ann).act(cast.assignment("ann"), "submit", save_body(answer_for(cast.assignment("ann"))), 0)
            Api(cast.ann).save(cast.assignment("ann", 2), save_body(answer_for(cast.assignment("ann", 2))), 0)
        client, starts = CheckedClient(), starts_for(cast)
        client.force_login(cast.ann)
        before = crawl(client, starts)

        everything_ben_can_do(cast)
        after = crawl(client, starts)

    assert set(after) == set(before)
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
