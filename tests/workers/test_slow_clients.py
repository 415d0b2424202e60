"""`manage.py up` among clients that never finish: half-sent requests and idle connections stop nobody else."""

import contextlib
import os
import signal
import socket
import sqlite3
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import House
from tests.services import wait_until
from tests.workers.saver import Saver

pytestmark = pytest.mark.services
HEADER = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-"
BODY = (
    b"PUT /api/v1/assignments/x/answer HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 50000\r\n\r\n{"
)


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    made = House()
    made.seed("ten_annotators")
    made.start()
    yield made
    made.remove()


@contextlib.contextmanager
def clients(house: House, *sent: bytes) -> Iterator[None]:
    """One for each text, who then wait."""
    made: list[socket.socket] = []
    try:
        for text in sent:
            made.append(socket.create_connection(("127.0.0.1", house.port), timeout=5))
            made[-1].sendall(text)
        yield
    finally:
        for client in made:
            client.close()


def seconds_of_health(house: House) -> float:
    began = time.monotonic()
    with urllib.request.urlopen(f"{house.url}/healthz", timeout=10) as answer:
        assert answer.status == 200
    return time.monotonic() - began


def web_processes(house: House) -> list[int]:
    """The first is the one that keeps the others."""
    return [pid for pid in house.processes() if b"config.serving" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_half_sent_requests_stop_nobody(house: House) -> None:
    saver = Saver(house.url, 0)

    with clients(house, *[HEADER, BODY] * 32):
        assert max(seconds_of_health(house) for _ in range(8)) < 1
        began = time.monotonic()
        assert saver.save("children") == 1
        assert time.monotonic() - began < 1

    house.wait_for("person0@example.org", words=["children"])


def test_thousands_of_idle_connections_stop_nobody(house: House) -> None:
    with clients(house, *[b""] * 2500):
        assert max(seconds_of_health(house) for _ in range(4)) < 1


def test_a_killed_web_process_is_replaced_while_the_others_serve(house: House) -> None:
    before = web_processes(house)
    assert len(before) == 3

    os.kill(before[1], signal.SIGKILL)

    assert seconds_of_health(house) < 5
    wait_until(lambda: len(web_processes(house)) == 3 and before[1] not in web_processes(house), seconds=5, what="it")
    assert web_processes(house)[0] == before[0]
    assert "A web process stopped (status -9); starting another." in house.log.read_text()


def test_a_save_in_hand_is_finished_when_assay_stops(house: House) -> None:
    """Its database is kept locked by somebody else while Ctrl-C comes."""
    saver, saved = Saver(house.url, 1), list[int]()
    lock = sqlite3.connect(house.folder / "data" / "assay.sqlite3")
    lock.execute("BEGIN IMMEDIATE")
    saving = threading.Thread(target=lambda: saved.append(saver.save("last word")))
    saving.start()
    time.sleep(0.3)

    assert house.process is not None
    house.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    lock.close()
    saving.join(5)

    assert saved == [1]
    assert house.process.wait(10) == 0
    house.wait_for("person1@example.org", words=["last word"])
