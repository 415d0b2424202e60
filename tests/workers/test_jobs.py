"""Jobs on real brokers with real workers: whatever is killed, each is done once, and no step is written twice."""

import signal
import socket
import time
from collections.abc import Iterator

import pytest

from tests.house import House
from tests.services import free_port, wait_until
from tests.workers.crew import Crew

pytestmark = pytest.mark.services
SETTLED = 60.0  # seconds: a lease (30), a sweep (5), and the work itself


@pytest.fixture(params=["filesystem", "redis"])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    made = Crew(request.param)
    yield made
    made.remove()


def test_a_worker_killed_in_the_middle_of_a_job(crew: Crew) -> None:
    """kill -9: the job waits for its lease, another worker goes on where it stopped."""
    first = crew.hire()
    pk = crew.ask("count", steps=40, pause=0.1)
    crew.wait_for_step(pk, 5)
    crew.kill(first)
    done = crew.job(pk)["done"]
    crew.hire()

    found = crew.wait(pk, seconds=SETTLED, state="done")

    assert 5 <= done < 40
    assert (found["result"], found["attempts"]) == ({"steps": 40}, 2)
    assert crew.rows_written(pk) == 40


def test_a_worker_told_to_stop_hands_over_at_once(crew: Crew) -> None:
    first = crew.hire()
    pk = crew.ask("count", steps=60, pause=0.1)
    crew.wait_for_step(pk, 5)
    first.send_signal(signal.SIGTERM)
    crew.wait(pk, seconds=5, state="waiting", attempts=0)
    crew.hire()

    found = crew.wait(pk, seconds=20, state="done")

    assert found["attempts"] == 1
    assert crew.rows_written(pk) == 60
    assert first.wait(20) == 0


def test_parts_on_two_workers_rung_for_many_times_add_up_once(crew: Crew) -> None:
    crew.hire()
    crew.hire()
    pk = crew.ask("sum", parts=6, steps=20, pause=0.1)
    crew.ring("sum", pk, 5)

    found = crew.wait(pk, seconds=SETTLED, state="done")

    assert found["result"] == {"steps": 120}
    parts = crew.sql(f"SELECT id, worker, attempts FROM annotator_job WHERE parent_id = {pk}")
    assert [crew.rows_written(part) for part, _, _ in parts] == [20] * 6
    assert len({worker for _, worker, _ in parts}) == 2
    [[ends]] = crew.sql(
        f"SELECT count(*) FROM annotator_event WHERE subject = 'job' AND subject_id = {pk} AND kind = 'job.done'"
    )
    assert ends == 1


def test_the_broker_dies_and_comes_back() -> None:
    """While it is away a job can be asked for; it starts by itself when the broker is back."""
    crew = Crew("redis")
    assert crew.redis is not None
    try:
        crew.hire()
        running = crew.ask("count", steps=40, pause=0.1)
        crew.wait_for_step(running, 3)

        crew.redis.kill()
        asked = crew.ask("count", steps=3)
        crew.wait(running, seconds=20, state="done")
        assert crew.job(asked)["state"] == "waiting"
        crew.redis.start()

        crew.wait(asked, seconds=SETTLED, state="done")
        assert [crew.rows_written(pk) for pk in (running, asked)] == [40, 3]
    finally:
        crew.remove()


def test_without_a_worker_the_job_waits_and_starts_when_one_comes(crew: Crew) -> None:
    pk = crew.ask("count", steps=3)
    time.sleep(1)
    assert crew.job(pk)["state"] == "waiting"

    crew.hire()

    crew.wait(pk, seconds=20, state="done")
    wait_until(lambda: crew.rows_written(pk) == 3, seconds=1, what="the rows")


TIMED = """
import time
from annotator.actions.jobs import enqueue
from django.db import connection
connection.ensure_connection()
began = time.monotonic()
enqueue("count", by=None, params={"steps": 1})
print(time.monotonic() - began)
"""


@pytest.mark.parametrize("broker", ["refuses", "hangs"])
def test_a_broker_that_is_down_does_not_slow_whoever_asks(broker: str) -> None:
    """The answer to the page does not wait for the ring: it comes from a thread of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1] if broker == "hangs" else free_port()
        house = House(CELERY_BROKER_URL=f"redis://127.0.0.1:{port}/0")
        try:
            house.command("prepare")
            done = house.command("shell", "--no-imports", "-c", TIMED)
            assert done.returncode == 0, done.stderr
            assert float(done.stdout) < 0.2
            [[state]] = house.query("SELECT state FROM annotator_job")
            assert state == "waiting"
        finally:
            house.remove()
