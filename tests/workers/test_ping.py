"""A task travels through each broker to a real worker and is done."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.house import ROOT, House
from tests.services import wait_until

pytestmark = pytest.mark.services
SEND = "from config.celery import app; [app.send_task('ping') for _ in range(20)]; print('sent')"
WORKER = ["-m", "celery", "-A", "config.celery", "worker", "--concurrency", "1", "--loglevel", "INFO"]


@pytest.fixture(params=["filesystem", "redis"])
def env(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    house = House()
    house.command("create_user", "somebody@example.org")
    if request.param == "redis":
        house.env["CELERY_BROKER_URL"] = os.environ["TEST_REDIS_URL"]
    else:
        for name in ("queue", "control"):
            (house.folder / "data" / "broker" / name).mkdir(parents=True)
    yield {**house.env, "HOUSE": str(house.folder)}
    house.remove()


@pytest.mark.parametrize("workers", [1, 2])
def test_twenty_pings_are_answered_once_each(env: dict[str, str], workers: int) -> None:
    logs = [os.path.join(env["HOUSE"], f"worker{n}.log") for n in range(workers)]
    processes = []
    for number, path in enumerate(logs):
        with open(path, "wb") as log:
            command = [sys.executable, *WORKER, "-n", f"w{number}@test"]
            processes.append(subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log))
    try:
        sent = subprocess.run(
            [sys.executable, "-c", SEND], cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        assert sent.stdout == "sent\n", sent.stderr

        def answered() -> int:
            # Of pings alone: a worker may also be asked for the daily copy.
            return sum(len(re.findall(r"Task ping\[.*succeeded in", open(path).read())) for path in logs)

        wait_until(lambda: answered() >= 20, seconds=60, what="the worker")
        assert answered() == 20
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(20)
