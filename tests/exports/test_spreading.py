"""Work spread over processes: in order, few things in memory, and an end that leaves nobody behind."""

import multiprocessing
import os
import signal
from collections.abc import Iterator

import pytest
from django.core.management import CommandError

from exports.management.spreading import MOST_WAITING, in_order

pytestmark = pytest.mark.slow


def doubled(number: int) -> int:
    return 2 * number


def killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def failed(number: int) -> int:
    raise ValueError(number)


@pytest.mark.parametrize("processes", [1, 3])
def test_results_come_in_order(processes: int) -> None:
    assert list(in_order(doubled, range(50), processes=processes)) == list(range(0, 100, 2))
    assert list(in_order(doubled, [], processes=processes)) == []


def test_no_more_is_taken_than_the_processes_can_have_at_hand() -> None:
    taken: list[int] = []

    def things() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    for done, _ in enumerate(in_order(doubled, things(), processes=2), start=1):
        assert len(taken) - done < MOST_WAITING * 2


def test_whoever_stops_early_leaves_nobody_behind() -> None:
    results = in_order(doubled, range(1000), processes=2)
    next(results)
    assert multiprocessing.active_children()

    results.close()

    assert multiprocessing.active_children() == []


def test_a_process_that_is_killed_is_no_wait_for_ever() -> None:
    with pytest.raises(CommandError, match="One of the processes was killed"):
        list(in_order(killed, range(5), processes=2))


def test_an_error_there_is_an_error_here() -> None:
    with pytest.raises(ValueError, match="0"):
        list(in_order(failed, range(5), processes=2))
    assert multiprocessing.active_children() == []
