"""The demo's past: the weeks in which its people have worked, so that its board has something to show."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.utils import timezone

from config.demo.answers import SEED

WEEKS = timedelta(days=33)  # from the opening until today
AT_WEEKENDS = 0.2  # how likely somebody works then, beside other days
BEGINS, ENDS = 8, 18  # hours
LEAST_AGO = timedelta(minutes=20)


def worked_at(name: str, number: int, now: datetime) -> list[datetime]:
    """When somebody did so many passages, in order: on the same days of these weeks wherever it runs."""
    draw = random.Random(f"{SEED}:days:{name}")  # noqa: S311 (a demo, not a secret)
    days = [now - timedelta(days=ago) for ago in range(WEEKS.days)]
    weights = [AT_WEEKENDS if day.weekday() >= 5 else 1.0 for day in days]
    chosen = draw.choices(days, weights, k=number)
    hours = [draw.uniform(BEGINS, ENDS) for _ in chosen]
    moments = [
        day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(hours=hour)
        for day, hour in zip(chosen, hours, strict=True)
    ]
    # Of today only what is over.
    latest = now - LEAST_AGO
    return sorted(
        moment if moment < latest else latest - timedelta(minutes=15 * hour)
        for moment, hour in zip(moments, hours, strict=True)
    )


@contextmanager
def as_of(moment: datetime) -> Iterator[None]:
    """What is done inside is done then, through the same actions as anybody's work. For a command that is alone in its
    process."""
    real = timezone.now
    timezone.now = lambda: moment
    try:
        yield
    finally:
        timezone.now = real
