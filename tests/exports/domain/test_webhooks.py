"""How a message looks and is signed (Standard Webhooks 1.0.0), and when it is tried again."""

import itertools
import json

import pytest

from exports.domain.webhooks import (
    COUNTED,
    KINDS,
    LABELS,
    LONGEST_TRIED,
    MAX_SAID,
    WAITS,
    Message,
    News,
    headers_of,
    next_wait,
    problem_of,
    secret_of,
    shown,
    signature,
)


def test_the_signature_is_that_of_the_specifications_own_example() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    signed = signature(secret, id="msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp=1614265330, body='{"test": 2432232314}')

    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_two_secrets_sign_side_by_side() -> None:
    one, two = secret_of(b"a" * 32), secret_of(b"b" * 32)
    given = {"id": "m", "timestamp": 7, "body": "{}"}

    told = headers_of([one, two], **given)  # type: ignore[arg-type]

    assert one.startswith("whsec_")
    assert told["webhook-signature"].split(" ") == [signature(s, **given) for s in (one, two)]  # type: ignore[arg-type]
    assert (told["webhook-id"], told["webhook-timestamp"]) == ("m", "7")


def test_a_body_says_type_instant_and_data() -> None:
    body = Message(News.SUBMITTED, "2026-03-02T12:00:00+00:00", {"project": "essays", "submissions": 3}).body()

    assert json.loads(body) == {
        "type": "answers.submitted",
        "timestamp": "2026-03-02T12:00:00+00:00",
        "data": {"project": "essays", "submissions": 3},
    }


def test_waits_grow_and_end_within_a_day() -> None:
    assert all(a < b for a, b in itertools.pairwise(WAITS))
    assert 20 * 3600 < sum(WAITS) < LONGEST_TRIED
    assert [next_wait(tries, 0) for tries in (1, len(WAITS), len(WAITS) + 1)] == [WAITS[0], WAITS[-1], None]
    assert next_wait(2, LONGEST_TRIED) is None


@pytest.mark.parametrize(("asks", "wait"), [(0, 30), (10, 30), (90, 90), (10**7, 3600)])
def test_an_answer_may_ask_for_some_time(asks: int, wait: int) -> None:
    assert next_wait(1, 0, asks) == wait


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (200, ""),
        (204, ""),
        (299, ""),
        (302, "not followed"),
        (404, "404"),
        (410, "no more"),
        (500, "500"),
        (103, "103"),
    ],
)
def test_what_counts_as_taken(status: int, says: str) -> None:
    problem = problem_of(status)

    assert says in problem
    assert bool(problem) == bool(says)


def test_of_an_answer_its_beginning_is_shown() -> None:
    assert shown(b"a" * 900) == "a" * MAX_SAID
    assert shown(b"\x00\x1b[31mno\r\n\xff\xe2\x80\xae") == "  [31mno  \ufffd "


def test_every_news_has_a_label_and_an_event_and_counts_name_events_of_theirs() -> None:
    assert set(LABELS) == set(KINDS.values()) == set(News)
    assert all(KINDS[kind] == news for news, kinds in COUNTED.items() for kind in kinds)
