"""The broker in a folder: messages are there whole or not at all."""

import os
import threading
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

import config.celery  # noqa: F401 (sets the transport)


@pytest.fixture
def channel(tmp_path: Path) -> Any:
    folder = tmp_path / "queue"
    folder.mkdir()
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder), "control_folder": str(tmp_path)}
    with Connection("filesystem://localhost/", transport_options=options) as connection:
        yield connection.default_channel


def test_what_is_put_is_got_once(channel: Any) -> None:
    for number in range(3):
        channel._put("celery", {"number": number})
    channel._put("other", {"number": 9})

    assert sorted(channel._get("celery")["number"] for _ in range(3)) == [0, 1, 2]
    with pytest.raises(Empty):
        channel._get("celery")


def test_half_a_message_of_a_killed_process_is_dropped(channel: Any, tmp_path: Path) -> None:
    (tmp_path / "queue" / "0_empty.celery.msg").touch()
    (tmp_path / "queue" / "0_half.celery.msg").write_text('{"number": ')
    channel._put("celery", {"number": 1})

    assert channel._get("celery") == {"number": 1}
    assert os.listdir(tmp_path / "queue") == []


def test_nobody_meets_a_message_that_is_being_written(channel: Any, tmp_path: Path) -> None:
    """Whoever lists the folder meanwhile sees whole messages only."""
    seen, is_over = set(), threading.Event()

    def look() -> None:
        while not is_over.is_set():
            for path in (tmp_path / "queue").glob("*.msg"):
                seen.add(path.stat().st_size)

    thread = threading.Thread(target=look)
    thread.start()
    for _ in range(300):
        channel._put("celery", {"text": "x" * 1000})
    is_over.set()
    thread.join()

    assert len(seen) == 1
