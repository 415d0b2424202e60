"""The hash chain: no part of an event can be changed without changing its hash and all that follow."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.events import event_hash
from tests.annotator.domain.strategies import texts

EVENT = {
    "previous": "ab" * 32,
    "subject": "assignment",
    "subject_id": 12,
    "seq": 3,
    "kind": "assignment.saved",
    "by_id": 5,
    "at": "2031-02-03T04:05:06.000007+00:00",
    "payload": {"marks": 2, "substitutes": 4},
}


def chain(payloads):
    hashes = [""]
    for seq, payload in enumerate(payloads, start=1):
        hashes.append(event_hash(**{**EVENT, "previous": hashes[-1], "seq": seq, "payload": payload}))
    return hashes[1:]


def test_hash_is_sha256_of_the_parts_in_canonical_json():
    written = (
        f'["{EVENT["previous"]}","assignment",12,3,"assignment.saved",5,'
        '"2031-02-03T04:05:06.000007+00:00",{"marks":2,"substitutes":4}]'
    )

    assert event_hash(**EVENT) == hashlib.sha256(written.encode()).hexdigest()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("previous", ""),
        ("subject", "project"),
        ("subject_id", 13),
        ("seq", 4),
        ("kind", "assignment.submitted"),
        ("by_id", None),
        ("by_id", 6),
        ("at", "2031-02-03T04:05:06.000008+00:00"),
        ("payload", {"marks": 2, "substitutes": 5}),
        ("payload", {}),
    ],
)
def test_every_part_is_sealed(part, value):
    assert event_hash(**{**EVENT, part: value}) != event_hash(**EVENT)


def test_nobody_is_not_the_person_with_number_nought():
    assert event_hash(**{**EVENT, "by_id": None}) != event_hash(**{**EVENT, "by_id": 0})


def test_order_of_keys_in_the_payload_does_not_matter():
    turned_round = {"substitutes": 4, "marks": 2}

    assert event_hash(**{**EVENT, "payload": turned_round}) == event_hash(**EVENT)


@given(texts(min_pieces=1), texts(min_pieces=1))
def test_parts_do_not_run_into_one_another(subject, kind):
    whole = event_hash(**{**EVENT, "subject": subject + kind, "kind": ""})

    assert whole != event_hash(**{**EVENT, "subject": subject, "kind": kind})


@given(st.lists(st.dictionaries(texts(), st.integers() | texts(), max_size=3), min_size=1, max_size=5), st.data())
def test_change_in_one_event_shows_in_it_and_in_every_later_one(payloads, data):
    place = data.draw(st.integers(0, len(payloads) - 1))
    changed = [*payloads[:place], {**payloads[place], "forged": True}, *payloads[place + 1 :]]

    before, after = chain(payloads), chain(changed)

    assert after[:place] == before[:place]
    assert all(one != other for one, other in zip(after[place:], before[place:], strict=True))
