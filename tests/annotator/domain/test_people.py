"""Pseudonyms and the order of work: never twice, never in order of joining, the same every time; and addresses as they
are pasted."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.people import ROLES, addresses_in, network_of, pseudonym, work_order
from annotator.domain.states import DISCARD_REASONS

SEEDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)
IDS = st.lists(
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12), unique=True, max_size=20
)


def numbers(seed, ordinals):
    return [int(pseudonym(seed, ordinal)[1:]) for ordinal in ordinals]


def test_first_1500_pseudonyms_are_all_different():
    names = [pseudonym("harbour", ordinal) for ordinal in range(1_500)]

    assert len(set(names)) == 1_500


@settings(max_examples=10)
@given(SEEDS)
def test_first_ninety_nine_are_a_shuffle_of_a01_to_a99(seed):
    names = [pseudonym(seed, ordinal) for ordinal in range(99)]

    assert sorted(names) == [f"A{number:02d}" for number in range(1, 100)]
    assert names != sorted(names)


def test_next_nine_hundred_are_a_shuffle_of_a100_to_a999():
    names = [pseudonym("harbour", ordinal) for ordinal in range(99, 999)]

    assert sorted(names) == [f"A{number}" for number in range(100, 1_000)]
    assert names != sorted(names)


@pytest.mark.parametrize(
    ("ordinal", "least", "most"),
    [(0, 1, 99), (98, 1, 99), (99, 100, 999), (998, 100, 999), (999, 1_000, 9_999), (9_999, 10_000, 99_999)],
)
def test_blocks_follow_one_another_without_a_gap(ordinal, least, most):
    (number,) = numbers("harbour", [ordinal])

    assert least <= number <= most


def test_pseudonyms_once_given_stay_with_later_versions_of_the_code():
    names = [pseudonym("harbour", ordinal) for ordinal in (0, 1, 2, 98, 99, 998)]

    assert names == ["A27", "A84", "A11", "A56", "A586", "A587"]


def test_another_seed_gives_another_order():
    assert numbers("harbour", range(99)) != numbers("lighthouse", range(99))


def test_number_does_not_tell_who_joined_first():
    order = numbers("harbour", range(99))

    rises = sum(earlier < later for earlier, later in pairwise(order))

    assert 30 < rises < 68  # 49 is what chance gives; 98 or 0 would be the order of joining


@given(SEEDS, IDS)
def test_order_of_work_is_a_permutation_whatever_order_the_ids_come_in(seed, ids):
    order = work_order(seed, "A07", ids)

    assert sorted(order) == sorted(ids)
    assert work_order(seed, "A07", reversed(ids)) == order


@given(SEEDS, IDS, IDS)
def test_ids_added_later_do_not_reorder_the_rest(seed, ids, added):
    before = work_order(seed, "A07", ids)

    after = work_order(seed, "A07", {*ids, *added})

    assert [item for item in after if item in ids] == before


def test_everyone_has_an_order_of_their_own_and_not_the_order_of_import():
    ids = [f"s{number:03d}" for number in range(40)]

    orders = [work_order("harbour", name, ids) for name in ("A01", "A02", "A03")]

    assert len({tuple(order) for order in [*orders, ids]}) == 4


def test_order_of_work_depends_on_the_seed():
    ids = [f"s{number:03d}" for number in range(40)]

    assert work_order("harbour", "A01", ids) != work_order("lighthouse", "A01", ids)


def test_seed_and_pseudonym_do_not_run_into_one_another():
    ids = [f"s{number:03d}" for number in range(40)]

    assert work_order("harbourA", "01", ids) != work_order("harbour", "A01", ids)


def test_first_passage_is_spread_over_people():
    ids = [f"s{number:03d}" for number in range(10)]

    firsts = {work_order("harbour", f"A{number:02d}", ids)[0] for number in range(1, 100)}

    assert firsts == set(ids)


def test_roles_are_those_of_the_design_and_who_brings_systems():
    assert set(ROLES) == {"annotator", "adjudicator", "lead", "submitter"}


def test_discard_reasons_are_the_seven_of_the_design():
    keys, labels = list(DISCARD_REASONS), [label.lower() for label in DISCARD_REASONS.values()]

    assert keys == ["unintelligible", "grammar", "language", "duplicate", "personal", "context", "other"]
    assert labels[:3] == ["unintelligible", "grammar or typo", "wrong language"]
    assert labels[3:6] == ["duplicate", "personal or offensive", "too little context"]
    assert labels[6].startswith("other")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("10.1.2.3:5678", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("::FFFF:0a01:0203", "10.1.2.3"),
        ("[::ffff:10.1.2.3]:80", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("local", "unknown"),
        ("browser 0123", "unknown"),
        ("", "unknown"),
        ("1:2", "unknown"),
    ],
)
def test_an_address_is_counted_by_the_network_it_is_handed_out_in(address, network):
    assert network_of(address) == network


@pytest.mark.parametrize(
    ("pasted", "found"),
    [
        ("a@x.org", ["a@x.org"]),
        ("a@x.org, b@x.org;c@x.org d@x.org\ne@x.org", ["a@x.org", "b@x.org", "c@x.org", "d@x.org", "e@x.org"]),
        ("Ann Lee <ann@x.org>", ["ann@x.org"]),
        ("Lee, Ann <ann@x.org>; Ben <ben@x.org>,", ["ann@x.org", "ben@x.org"]),
        ('"Ann Lee" ann@x.org', ["ann@x.org"]),
        ("mailto:ann@x.org\t(ben@x.org).", ["ann@x.org", "ben@x.org"]),
        ("Ann Lee ann@x.org benx.org", ["ann@x.org", "benx.org"]),
        ("annx.org", ["annx.org"]),
        ("ann@x.org, benx.org", ["ann@x.org", "benx.org"]),
        ("benx.org, Ann <ann@x.org>", ["benx.org", "ann@x.org"]),
        ("\n ,; \n", []),
    ],
)
def test_addresses_are_read_as_people_paste_them(pasted: str, found: list[str]) -> None:
    assert addresses_in(pasted) == found


ADDRESSES = st.from_regex(r"[a-z0-9][a-z0-9.+_-]{0,9}@[a-z0-9-]{1,10}\.[a-z]{2,5}", fullmatch=True)


@given(st.lists(ADDRESSES), st.sampled_from(",; \n"))
def test_every_pasted_address_is_found_whatever_parts_them(addresses: list[str], between: str) -> None:
    assert addresses_in(between.join(addresses)) == addresses
