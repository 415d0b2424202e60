"""Celery's broker in a folder, as kombu has it, but for one thing: there is never half a message.

Kombu opens a message under its final name and then writes it: who looks in between takes an empty one away, and a
worker dies of it. Ours appear whole; what a killed process has left half-written is dropped, and the sweep rings again.
"""

import os
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, message: Any, **given: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{round(monotonic() * 1000)}_{uuid4()}.{queue}.msg"
        part = folder / f".{name}.part"  # no name of a message
        try:
            part.write_text(dumps(message), encoding="utf-8")  # type: ignore[no-untyped-call]
            os.replace(part, folder / name)
        except OSError as error:
            raise ChannelError(f"Cannot add a message to {folder}: {error.strerror}.") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        while True:
            try:
                return super()._get(queue)  # type: ignore[no-untyped-call]
            except ValueError:  # no JSON: it is out of the folder already
                continue


class Transport(filesystem.Transport):
    Channel = Channel


def use_whole_messages() -> None:
    """For every connection of this process from now on."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
