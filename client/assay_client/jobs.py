"""Background work, followed until it is over."""

import time
from collections.abc import Callable
from typing import Any, Self, TypeVar

from assay_client.errors import Failed, StillGoing
from assay_client.progress import Progress, Watch, watch_of
from assay_client.thing import Thing
from assay_client.wire import Wire

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 2.0  # seconds between two questions
OVER = ("done", "failed", "cancelled")
T = TypeVar("T")


def asked_until(ask: Callable[[], T], is_over: Callable[[T], bool], *, timeout: float | None) -> T:
    """Asked again and again, ever more slowly."""
    deadline = None if timeout is None else time.monotonic() + timeout
    pause = FIRST_PAUSE
    while not is_over(found := ask()):
        left = LONGEST_PAUSE if deadline is None else deadline - time.monotonic()
        if left <= 0:
            raise StillGoing(f"It is not over after {timeout:g} s. It goes on; ask again later.")
        time.sleep(min(pause, left))
        pause = min(LONGEST_PAUSE, pause * 1.3)
    return found


class Job(Thing):
    """Work that the server's workers do."""

    @classmethod
    def of(cls, wire: Wire, uuid: str) -> "Job":
        return cls(wire, {"uuid": uuid}).refresh()

    def _address(self) -> str:
        return f"jobs/{self.uuid}"

    def _told(self) -> str:
        return f"{self.kind} {self.state} {self.percent} %"

    @property
    def kind(self) -> str:
        return str(self.data.get("kind", ""))

    @property
    def state(self) -> str:
        """waiting, running, done, failed or cancelled."""
        return str(self.data["state"])

    @property
    def percent(self) -> int:
        return int(self.data.get("percent") or 0)

    @property
    def says(self) -> str:
        """What it waits for, why it failed or what came of it, in words."""
        return str(self.data.get("message") or "")

    def made(self, noun: str) -> str:
        """The id of what it made (`merge`, `report`, `release`, `run`)."""
        return str(self.data["made"][noun])

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    def wait(self, *, timeout: float | None = None, progress: Progress = True) -> Self:
        """Until it is done; Failed where it ends otherwise, StillGoing after `timeout` seconds."""
        self._followed(watch_of(progress), timeout=timeout)
        if self.state != "done":
            raise Failed(f"{self._label()}: {self.state}. {self.says}".strip(), self)
        return self

    def _followed(self, watch: Watch, *, timeout: float | None) -> None:
        def ask() -> Job:
            found = self.refresh()
            watch(self._label(), 100 if self.state == "done" else min(99, self.percent), 100)
            return found

        asked_until(ask, lambda job: job.is_over, timeout=timeout)

    def _label(self) -> str:
        return str(self.data.get("title") or self.kind or "Job")

    def cancel(self) -> Self:
        """It ends after its current step."""
        return self._act("cancel", creates=False)

    def retry(self) -> Self:
        """Of one that failed or was cancelled: it goes on where it stopped."""
        return self._act("retry", creates=True)

    def _act(self, act: str, *, creates: bool) -> Self:
        self.data = self._wire.call("POST", f"{self._address()}/{act}", creates=creates).body
        return self


def job_of(wire: Wire, told: Any) -> Job | None:
    """The job that an answer names: by its id, or with how far it is."""
    if told is None:
        return None
    return Job(wire, told) if isinstance(told, dict) else Job.of(wire, str(told))
