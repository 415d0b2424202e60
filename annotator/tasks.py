"""Celery's door: load by id, call one action."""

from celery import shared_task


@shared_task(name="ping")  # type: ignore[untyped-decorator]
def ping() -> str:
    """Proves that a worker hears the broker; its name and answer stand in the worker's log."""
    return "pong"
