"""Laws of where controls and repeats stand."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.planting import REPEATED_AFTER, Planting, Sequel

COUNTS = st.integers(0, 20)


def ids(count, word="p"):
    return [f"{word}{number}" for number in range(count)]


def after(so_far, places, controls):
    """What has been given, once `places` are."""
    work, repeated, used = list(so_far.work), set(so_far.not_again), set(so_far.controls)
    for number, place in enumerate(places, start=so_far.next_number):
        if place.is_repeat:
            repeated.add(place.passage)
        elif place.passage in controls:
            used.add(place.passage)
        else:
            work.append((number, place.passage))
    return Sequel(work, repeated, used, so_far.next_number + len(places))


@given(st.integers(0, 300), st.integers(0, 30), COUNTS, COUNTS, st.text("ab", max_size=2))
def test_all_the_work_in_its_order_controls_once_and_repeats_late(count, controls, some, others, seed):
    work, keyed = ids(count), ids(controls, "c")
    places = Planting(seed, "A01", some, others).planted(work, keyed, Sequel())

    repeats = [place.passage for place in places if place.is_repeat]
    planted = [place.passage for place in places if place.passage in keyed]
    assert [place.passage for place in places if not place.is_repeat and place.passage not in keyed] == work
    assert len(set(repeats)) == len(repeats)
    assert set(repeats) <= set(work)
    assert len(set(planted)) == len(planted)
    first = {place.passage: number for number, place in enumerate(places) if not place.is_repeat}
    for number, place in enumerate(places):
        if place.is_repeat:
            assert number - first[place.passage] >= REPEATED_AFTER


@given(st.integers(0, 20), st.integers(0, 20), st.text("ab", max_size=2))
def test_of_every_hundred_there_are_as_many_as_were_asked_for(some, others, seed):
    rest = 100 - some - others
    places = Planting(seed, "A01", some, others).planted(ids(10 * rest), ids(1000, "c"), Sequel())

    controls = [place for place in places if place.passage.startswith("c")]
    repeats = [place for place in places if place.is_repeat]
    assert len(controls) == 10 * some
    # Nothing is old enough for one before the fiftieth passage.
    assert 10 * others - others <= len(repeats) <= 10 * others


@given(st.lists(st.integers(0, 80), max_size=6), COUNTS, COUNTS, st.text("ab", max_size=2))
def test_places_are_the_same_whether_it_comes_at_once_or_bit_by_bit(sizes, some, others, seed):
    planting, work, controls = Planting(seed, "A01", some, others), ids(sum(sizes)), ids(60, "c")
    at_once = planting.planted(work, controls, Sequel())

    so_far, bit_by_bit, start = Sequel(), [], 0
    for size in sizes:
        places = planting.planted(work[start : start + size], controls, so_far)
        bit_by_bit += places
        so_far, start = after(so_far, places, controls), start + size

    assert bit_by_bit == at_once


def test_two_people_have_them_at_different_places():
    first, second = (Planting("s", name, 5, 5).planted(ids(200), ids(50, "c"), Sequel()) for name in ("A01", "A02"))

    assert [place.passage[0] + str(place.is_repeat) for place in first] != [
        place.passage[0] + str(place.is_repeat) for place in second
    ]
