"""The order of people in the matrix."""

from itertools import combinations

from adjudication.domain.agreement.orders import Order, ordered

NAMES = ("a1", "b1", "a2", "b2", "a3")


def rows(likeness: float = 0.9) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Two camps: within one they agree, across they do not."""
    people: list[dict[str, object]] = [{"name": name, "pa_det": 0.5} for name in NAMES]
    pairs: list[dict[str, object]] = [
        {"a": a, "b": b, "pa_det": likeness if a[0] == b[0] else 0.1} for a, b in combinations(NAMES, 2)
    ]
    return people, pairs


def test_like_minded_people_stand_together() -> None:
    found = ordered(*rows(), Order.LIKENESS)

    assert "".join(name[0] for name in found) in ("aaabb", "bbaaa")
    assert ordered(*rows(), Order.LIKENESS) == found


def test_by_name_and_by_agreement() -> None:
    people, pairs = rows()
    people[3]["pa_det"], people[0]["pa_det"] = 0.9, None

    assert ordered(people, pairs, Order.NAME) == list(NAMES)
    assert ordered(people, pairs, Order.PA) == ["b2", "a2", "a3", "b1", "a1"]


def test_few_people_or_pairs_that_never_met() -> None:
    people, _ = rows()

    assert ordered(people[:2], [], Order.LIKENESS) == list(NAMES[:2])
    assert sorted(ordered(people, [], Order.LIKENESS)) == sorted(NAMES)
