"""The Celery application: `celery -A config.celery worker`."""

import logging
import os
import threading
import warnings
from typing import Any

from celery import Celery, bootsteps, signals
from django.db import connection

from config.broker import use_whole_messages

# Meant for pickled messages, which can carry code; ours are JSON.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

use_whole_messages()
app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.worker_name, app.is_stopping = "", False
logger = logging.getLogger(__name__)


class Housekeeping(bootsteps.StartStopStep):  # type: ignore[misc]
    """A timer in the worker's parent process: says that the worker lives, and sweeps up after those that do not."""

    requires = {"celery.worker.components:Timer", "celery.worker.components:Pool"}

    def __init__(self, worker: Any, **options: Any) -> None:
        # Two workers on one machine may have one node name. Set before the pool forks: its processes know it too.
        app.worker_name = f"{worker.hostname}:{os.getpid()}"
        self.timer: Any = None

    def start(self, worker: Any) -> None:
        from annotator.domain.jobs import HEARTBEAT

        self._tidy(worker)
        self.timer = worker.timer.call_repeatedly(HEARTBEAT, self._tidy, (worker,), priority=10)

    def stop(self, worker: Any) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def _tidy(self, worker: Any) -> None:
        from annotator.actions.answered import forget_old_keys
        from annotator.actions.checking import ask_for_checks
        from annotator.actions.importing.arrivals import forget_old_uploads
        from annotator.actions.sweeping import say_alive, sweep
        from annotator.actions.tallies import ask_for_tallies
        from config.housekeeping import ask_for_daily_copy
        from exports.actions.delivering import ask_for_deliveries

        if app.is_stopping:
            return
        try:
            say_alive(worker=app.worker_name, slots=worker.concurrency)
            sweep()
            ask_for_daily_copy()
            forget_old_uploads()
            forget_old_keys()
            ask_for_checks()
            ask_for_tallies()
            ask_for_deliveries()
        except Exception as error:  # a database that is away for a while must not end the worker
            logger.warning("The sweep failed (%s); the next one comes soon.", type(error).__name__)
        finally:
            connection.close()


app.steps["worker"].add(Housekeeping)


@signals.worker_shutting_down.connect  # type: ignore[untyped-decorator]
def let_go(**_: Any) -> None:
    """Told to stop: what this worker holds is free at once. In a thread, because a signal may have come in the middle
    of a sweep."""
    app.is_stopping = True
    thread = threading.Thread(target=_give_back, daemon=True)
    thread.start()
    thread.join(2.0)


def _give_back() -> None:
    from annotator.actions.sweeping import give_back

    try:
        give_back(worker=app.worker_name)
    except Exception as error:
        logger.warning("The jobs of this worker could not be given back (%s).", type(error).__name__)
    finally:
        connection.close()
