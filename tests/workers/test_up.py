"""`manage.py up` as one foreground command: starts, restarts what dies, stops cleanly, says what is wrong."""

import os
import re
import signal
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import House
from tests.services import wait_until

pytestmark = pytest.mark.services


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    yield made
    made.remove()


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def find(house: House, word: str) -> list[int]:
    return [pid for pid in house.processes() if word in command_line(pid)]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_everything_and_leaves_no_process(house: House, number: int) -> None:
    house.start()
    wait_until(lambda: len(find(house, "celery")) >= 2, seconds=20, what="the worker")
    everything = house.processes()
    assert len(everything) >= 5
    assert house.process is not None

    house.process.send_signal(number)
    code = house.process.wait(15)

    assert code == 0
    wait_until(lambda: not any(map(is_alive, everything)), seconds=5, what="the last process")


def test_killing_the_supervisor_leaves_no_process(house: House) -> None:
    house.start()
    wait_until(lambda: len(find(house, "celery")) >= 2, seconds=20, what="the worker")
    everything = house.processes()
    assert house.process is not None

    house.process.kill()
    house.process.wait()

    wait_until(lambda: not any(map(is_alive, everything)), seconds=20, what="the end of all processes")


@pytest.mark.parametrize("program", ["celery", "config.serving"])
def test_what_dies_is_started_again(house: House, program: str) -> None:
    house.start()
    wait_until(lambda: len(find(house, program)) >= 2, seconds=20, what=program)
    before = find(house, program)

    for pid in before:
        os.kill(pid, signal.SIGKILL)

    wait_until(lambda: len(set(find(house, program)) - set(before)) >= 2, seconds=20, what=f"a new {program}")
    wait_until(house.is_healthy, seconds=20, what="Assay")
    assert "starting it again" in house.log.read_text()


def test_a_taken_port_is_one_clear_line(house: House) -> None:
    with socket.create_server(("127.0.0.1", house.port)):
        done = house.command("up", "--port", str(house.port))

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"Port {house.port} on 127.0.0.1 cannot be used" in done.stderr
    assert f"PORT={house.port + 1}" in done.stderr


def test_two_at_once_on_one_data_folder_are_refused(house: House) -> None:
    house.start()

    done = house.command("up", "--port", "0")

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "running already" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--port", "99999"), "99999 is no port"),
        (("--port", "abc"), "invalid int value"),
        (("--host", "0.0.0.0"), "set ASSAY_URL"),
        (("--host", "203.0.113.7"), "set ASSAY_URL"),
    ],
)
def test_what_cannot_be_served_is_one_clear_line(house: House, words: tuple[str, ...], message: str) -> None:
    done = house.command("up", *words)

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert message in done.stderr


def test_links_of_other_commands_lead_to_where_it_serves(house: House) -> None:
    house.start()

    done = house.command("create_user", "somebody@example.org")

    assert f"{house.url}/set-password/" in done.stdout


def test_nobody_else_can_read_the_data(house: House) -> None:
    (house.folder / "data").mkdir(mode=0o755)
    house.start()

    readable = [path.name for path in (house.folder / "data").iterdir() if path.stat().st_mode & 0o077]

    assert readable == []


def test_the_demo_is_not_served_to_the_world(house: House) -> None:
    done = house.command("up", "--demo", "--host", "0.0.0.0")

    assert done.returncode == 1
    assert "this machine only" in done.stderr


def test_the_second_start_is_quick(house: House) -> None:
    """Under 3 s on an idle machine (`make bench` prints it); here against the time of the smallest command, since
    the machine may be busy: three programs start one after another, and nothing else takes long."""
    house.arguments = ("--demo",)
    house.start()
    house.stop()
    began = time.monotonic()
    house.command("check")
    one_command = time.monotonic() - began

    house.start()

    assert time.monotonic() - began - one_command < 5 * one_command


def test_the_database_is_copied_before_it_is_migrated(house: House) -> None:
    house.start()
    house.stop()
    assert not (house.folder / "data" / "backups").exists()
    house.command("migrate", "annotator", "0001_house")

    house.start()

    [copy] = (house.folder / "data" / "backups").glob("*.sqlite3")
    assert str(copy) in house.log.read_text()
    assert copy.stat().st_mode & 0o077 == 0
    triggers = {name for (name,) in house.query("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    assert "annotator_event_keep_update" in triggers


def test_links_are_fresh_with_every_start_and_only_hashes_are_kept(house: House) -> None:
    house.arguments = ("--demo",)
    house.start()
    house.stop()
    house.start()

    tokens = re.findall(r"/sign-in/(\S+)", house.log.read_text())

    assert len(tokens) == len(set(tokens)) == 10
    stored = str(house.query("SELECT * FROM annotator_user"))
    assert not any(token in stored for token in tokens)


def test_a_proxy_that_nobody_named_is_said_in_the_log(house: House) -> None:
    house.start()
    assert "ASSAY_PROXIES" not in house.log.read_text()

    forwarded = urllib.request.Request(f"{house.url}/healthz", headers={"X-Forwarded-For": "203.0.113.7"})
    for _ in range(20):
        urllib.request.urlopen(forwarded, timeout=5).close()

    said = house.log.read_text()
    assert 1 <= said.count("set ASSAY_PROXIES to how many") <= 2  # once for each process
    assert "203.0.113.7" not in said
    assert "ASSAY_PROXIES is 0" in house.command("doctor").stdout
    house.stop()
    house.start()
    assert house.log.read_text().count("Requests came with X-Forwarded-For") == 1  # and it is said at each start


def test_the_worker_does_a_task_sent_by_another_process(house: House) -> None:
    house.start()
    queue = house.folder / "data" / "broker" / "queue"
    wait_until(lambda: len(find(house, "celery")) >= 2, seconds=20, what="the worker")

    house.command("shell", "--no-imports", "-c", "from config.celery import app; app.send_task('ping')")

    wait_until(lambda: not list(queue.iterdir()), seconds=20, what="the worker")
