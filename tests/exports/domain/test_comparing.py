"""Two releases of one project compared."""

from typing import Any

from exports.domain.comparing import compared


def row(name: str, *targets: dict[str, Any], split: str = "test") -> dict[str, Any]:
    return {"id": name, "split": split, "targets": list(targets)}


def target(start: int, quote: str, *suggestions: tuple[str, int], type: str = "refine-usage") -> dict[str, Any]:
    told = [{"text": text, "votes": votes} for text, votes in suggestions]
    return {"start": start, "end": start + len(quote), "quote": quote, "type": type, "suggestions": told}


def test_the_same_is_no_difference_in_whatever_order() -> None:
    rows = [row("a", target(0, "big", ("large", 2))), row("b")]

    found = compared(rows, rows[::-1])

    assert all(not getattr(found, name) for name in vars(found))


def test_targets_come_and_go_and_change_in_order() -> None:
    before = [row("b", target(4, "dog", ("hound", 2)), target(0, "big", ("large", 2), ("great", 1)))]
    after = [row("b", target(9, "ran", ("went", 3)), target(0, "big", ("large", 3), ("great", 1)))]

    found = compared(before, after)

    assert found.gone == [(("b", 4, 7), "dog")]
    assert found.added == [(("b", 9, 12), "ran")]
    assert found.changed == [
        (("b", 0, 3), "big", "refine-usage: large 2, great 1", "refine-usage: large 3, great 1"),
    ]


def test_another_type_is_a_change() -> None:
    before = [row("a", target(0, "big", ("large", 2)))]
    after = [row("a", target(0, "big", ("large", 2), type="diversify-expression"))]

    [(_, quote, one, two)] = compared(before, after).changed

    assert (quote, one, two) == ("big", "refine-usage: large 2", "diversify-expression: large 2")


def test_passages_come_and_go_and_their_targets_are_not_counted_twice() -> None:
    before = [row("a", target(0, "big", ("large", 2))), row("stays")]
    after = [row("stays"), row("new", target(0, "big", ("large", 2)))]

    found = compared(before, after)

    assert (found.passages_gone, found.passages_added) == (["a"], ["new"])
    assert (found.gone, found.added, found.changed) == ([], [], [])


def test_a_passage_in_another_split_is_named() -> None:
    assert compared([row("a")], [row("a", split="dev")]).passages_moved == ["a"]
