"""Undo and redo of acts on one decision, as an editor has them."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from adjudication.domain.undoing import Made, Stands, standing_after, standing_now, times_turned

A, B, C, U, V, R = (UUID(int=number) for number in range(1, 7))


def steps(*pairs: tuple[UUID, UUID | None]) -> list[Made]:
    return [Made(number, act, undoes) for number, (act, undoes) in enumerate(pairs, start=1)]


def test_the_newest_act_is_taken_back_then_the_one_before() -> None:
    made = steps((A, None), (B, None))

    assert standing_after(made, B) == Stands(1)
    assert standing_after(made, A) is None
    assert standing_after([*made, Made(3, U, B)], A) == Stands(0)


def test_an_undo_is_taken_back_unless_something_else_was_decided() -> None:
    made = steps((A, None), (B, None), (U, B), (V, A))

    assert standing_after(made, V) == Stands(1)
    assert standing_after(made, U) is None  # first what was undone last
    assert standing_after([*made, Made(5, R, V)], U) == Stands(2)
    assert standing_after([*made, Made(5, R, V)], R) == Stands(0)
    assert standing_after([*made, Made(5, C, None)], V) is None


def test_what_is_proposed_stands_beside_what_is_decided_until_somebody_agrees() -> None:
    proposed = [Made(1, A, None), Made(2, B, None, is_proposal=True)]

    assert standing_now(proposed) == Stands(1, proposed=2)
    assert standing_after(proposed, B) == Stands(1)
    assert standing_now([*proposed, Made(3, C, None)]) == Stands(3)
    assert standing_after([*proposed, Made(3, C, None)], C) == Stands(1, proposed=2)
    # Taken back, and done again.
    again = [*proposed, Made(3, C, None), Made(4, U, C), Made(5, V, U)]
    assert (standing_now(again[:4]), standing_now(again)) == (Stands(1, proposed=2), Stands(3))


@given(st.lists(st.sampled_from(["act", "undo", "redo"]), max_size=30))
def test_it_is_what_two_stacks_say(moves: list[str]) -> None:
    """The reference keeps whole contents on two stacks."""
    made: list[Made] = []
    done: list[tuple[UUID, int]] = []
    undone: list[tuple[UUID, int]] = []
    stands: dict[int, int] = {}  # by step the content that stands after it, named by the step that wrote it first
    for number, move in enumerate(moves, start=1):
        act, at = UUID(int=100 + number), len(made) + 1
        if move == "act":
            made.append(Made(at, act, None))
            done.append((act, at))
            undone.clear()
            stands[at] = at
        elif move == "undo" and done:
            taken, content = done.pop()
            assert standing_after(made, taken) == Stands(done[-1][1] if done else 0)
            made.append(Made(at, act, taken))
            undone.append((act, content))
        elif move == "redo" and undone:
            taken, content = undone.pop()
            assert standing_after(made, taken) == Stands(content)
            made.append(Made(at, act, taken))
            done.append((act, content))


def test_an_act_is_told_from_what_took_it_back_and_from_what_did_it_again() -> None:
    undoes = {A: None, U: A, R: U, V: R}

    assert [times_turned(undoes, act) for act in (A, U, R, V)] == [0, 1, 2, 3]
    assert times_turned({U: A}, U) == 1  # the act itself is on another passage
