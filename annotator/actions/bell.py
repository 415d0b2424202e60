"""The doorbell: tells the workers, through the broker, that a job waits.

It rings from a thread of its own, so that a broker that is down or hangs neither fails nor slows what asked for the
job. A ring may be lost: the sweep rings again.
"""

import atexit
import logging
import os
import queue
import threading

from django.db import transaction

from annotator.domain.jobs import load_kinds

logger = logging.getLogger(__name__)
LAST_WAIT = 3.0  # seconds a command that ends at once gives its last ring


class _Bell:
    def __init__(self) -> None:
        self.pid = os.getpid()
        self.rings: queue.Queue[tuple[str, int]] = queue.Queue()
        self.pending: set[tuple[str, int]] = set()
        threading.Thread(target=self._ring_for_ever, name="doorbell", daemon=True).start()

    def put(self, kind: str, pk: int) -> None:
        if (kind, pk) not in self.pending:  # a broker that hangs gathers no crowd
            self.pending.add((kind, pk))
            self.rings.put((kind, pk))

    def _ring_for_ever(self) -> None:
        load_kinds()  # with them comes the Celery application of our settings
        from celery import current_app

        while True:
            kind, pk = self.rings.get()
            self.pending.discard((kind, pk))
            try:
                current_app.send_task(kind, args=[pk], retry=False, ignore_result=True)
            except Exception as error:  # whatever a broker's library may raise
                logger.warning("The broker does not answer (%s); job %s waits.", type(error).__name__, pk)
            self.rings.task_done()

    def wait_until_idle(self, seconds: float) -> None:
        with self.rings.all_tasks_done:
            self.rings.all_tasks_done.wait_for(lambda: not self.rings.unfinished_tasks, timeout=seconds)


_bell: _Bell | None = None
_making = threading.Lock()


def _bell_of_this_process() -> _Bell:
    """Threads do not survive a fork, so every process has its own."""
    global _bell
    with _making:
        if _bell is None or _bell.pid != os.getpid():
            _bell = _Bell()
        return _bell


def ring(kind: str, pk: int) -> None:
    """Once the row is there for others to see."""
    transaction.on_commit(lambda: _bell_of_this_process().put(kind, pk), robust=True)


@atexit.register
def _last_rings() -> None:
    if _bell is not None and _bell.pid == os.getpid():
        _bell.wait_until_idle(LAST_WAIT)
