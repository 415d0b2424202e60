"""Small rules of background work."""

import pytest

from annotator.domain.jobs import percent, spoken_time


@pytest.mark.parametrize(
    ("done", "total", "expected"), [(0, 0, 0), (0, 5, 0), (1, 3, 33), (2, 3, 66), (299, 300, 99), (3, 3, 100)]
)
def test_a_hundred_percent_means_all(done: int, total: int, expected: int) -> None:
    assert percent(done, total) == expected


@pytest.mark.parametrize(
    ("seconds", "spoken"),
    [(-1, "0 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (3700, "1 h 1 min"), (172800, "2 days")],
)
def test_lengths_of_time_are_spoken(seconds: float, spoken: str) -> None:
    assert spoken_time(seconds) == spoken
