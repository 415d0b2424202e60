"""A database, a broker and any number of real workers, for tests that kill them."""

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import psycopg

from tests.house import ROOT, House
from tests.services import PostgreSQL, Redis, wait_until

COMMAND = ["-m", "celery", "-A", "tests.workers.app", "worker", "--concurrency", "1", "--loglevel", "WARNING"]
ASK = """
from annotator.actions.jobs import enqueue
print(enqueue({kind!r}, by=None, params={params!r}).pk)
"""


class Crew:
    """`kind`: "filesystem" (with SQLite) or "redis" (with PostgreSQL)."""

    def __init__(self, kind: str, *, is_durable: bool = False) -> None:
        self.database = PostgreSQL(is_durable=is_durable) if kind == "redis" else None
        self.redis = Redis() if kind == "redis" else None
        given = {}
        if self.database and self.redis:
            given = {"DATABASE_URL": self.database.url, "CELERY_BROKER_URL": self.redis.url}
        self.house = House(**given)
        for name in ("queue", "control"):
            (self.house.folder / "data" / "broker" / name).mkdir(parents=True)
        made = self.house.command("migrate", "--verbosity", "0")
        assert made.returncode == 0, made.stderr
        self.workers: list[subprocess.Popen[bytes]] = []

    def hire(self, *, is_mortal: bool = False, **env: str) -> subprocess.Popen[bytes]:
        """A worker, heard of before this returns, unless it may have died already."""
        with open(self.house.folder / "workers.log", "ab") as log:
            made = subprocess.Popen(
                [sys.executable, *COMMAND, "-n", f"w{len(self.workers)}@test"],
                cwd=ROOT, env={**self.house.env, **env}, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self.workers.append(made)
        if is_mortal:
            return made
        own = f"SELECT 1 FROM annotator_worker WHERE name LIKE '%:{made.pid}'"
        wait_until(lambda: len(self.sql(own)) == 1, seconds=30, what="the worker")
        return made

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """kill -9 on the worker and the processes it has made."""
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def let_leases_run_out(self) -> None:
        """Of all that is held: its workers are dead, and nobody waits half a minute for them."""
        self.sql("UPDATE annotator_job SET lease_until = '2000-01-01 00:00:00' WHERE state = 'running' RETURNING id")

    def ask(self, kind: str, **params: Any) -> int:
        done = self.house.command("shell", "--no-imports", "-c", ASK.format(kind=kind, params=params))
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    def ring(self, kind: str, pk: int, times: int) -> None:
        script = f"from config.celery import app; [app.send_task({kind!r}, [{pk}]) for _ in range({times})]"
        subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=self.house.env, check=True)

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        if self.database is None:
            return self.house.query(query)
        with psycopg.connect(host=str(self.database.folder), user="assay", dbname="assay") as connection:
            return connection.execute(query).fetchall()  # type: ignore[arg-type]

    def job(self, pk: int) -> dict[str, Any]:
        columns = ("state", "done", "total", "attempts", "result", "message")
        [row] = self.sql(f"SELECT {', '.join(columns)} FROM annotator_job WHERE id = {pk}")
        found = dict(zip(columns, row, strict=True))
        return {**found, "result": json.loads(found["result"]) if isinstance(found["result"], str) else found["result"]}

    def wait(self, pk: int, *, seconds: float, **wanted: Any) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while any((found := self.job(pk))[key] != value for key, value in wanted.items()):
            log = (self.house.folder / "workers.log").read_text()[-2000:]
            assert time.monotonic() < deadline, f"wanted {wanted}, found {found}\n{log}"
            time.sleep(0.1)
        return found

    def wait_for_step(self, pk: int, step: int) -> None:
        wait_until(lambda: self.job(pk)["done"] >= step, seconds=30, what=f"step {step} of job {pk}")

    def rows_written(self, pk: int) -> int:
        [[count]] = self.sql(f"SELECT count(*) FROM annotator_loginattempt WHERE email = '{pk}'")
        return int(count)

    def remove(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                self.kill(worker)
        self.house.remove()
        for server in (self.database, self.redis):
            if server:
                server.stop()
