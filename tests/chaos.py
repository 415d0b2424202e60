"""`make chaos`: things are killed at random while people save and jobs run; afterwards everything is there, once.

python -m tests.chaos [--seconds 300] [--seed 1] [filesystem redis]
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPException

from tests.house import ROOT
from tests.services import free_port, wait_until
from tests.workers.crew import Crew
from tests.workers.saver import Saver

WEB = ["-m", "config.serving", "--bind"]
SAVERS, WORKERS = 4, 2
STEPS = 30
LIGHTS_OUT = (OSError, ValueError, HTTPException)  # whatever a dying server leaves of an answer
RESTED = 180.0  # seconds for everything to come to an end once the killing is over


class Persistent(Saver):
    """Goes on saving whatever happens; notes every way in which an acknowledged save is not there any more."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(url, number)
        self.is_over, self.lost = threading.Event(), list[str]()

    def run(self) -> None:
        while not self.is_over.is_set():
            try:
                self.version = self.save(f"word {self.version + 1}")
                self.acknowledged = self.version
            except LIGHTS_OUT:
                time.sleep(0.2)
                self.look_again()

    def look_again(self) -> None:
        """After a lost answer: what is stored is what was acknowledged, or the one after it."""
        try:
            found = self.call("GET", f"/api/v1/assignments/{self.detail['uuid']}")
        except LIGHTS_OUT:
            return
        text = found["answer"]["marks"][0]["substitutes"][0]["text"] if found["version"] else ""
        if found["version"] not in (self.acknowledged, self.acknowledged + 1) or text not in (
            "",
            f"word {found['version']}",
        ):
            self.lost.append(f"{self.email}: {self.acknowledged} acknowledged, {found['version']} stored ({text!r})")
        self.version = self.acknowledged = found["version"]


@dataclass
class Chaos:
    kind: str
    seed: int
    seconds: float
    killed: dict[str, int] = field(default_factory=dict)
    jobs: list[int] = field(default_factory=list)

    def run(self) -> list[str]:
        """What went wrong; nothing, if all is well."""
        self.random = random.Random(f"{self.seed}:{self.kind}")
        self.crew = Crew(self.kind, is_durable=True)
        try:
            self.crew.house.seed("ten_annotators")
            self.port, self.web = free_port(), None
            self.start_web()
            savers = [Persistent(f"http://127.0.0.1:{self.port}", number) for number in range(SAVERS)]
            for _ in range(WORKERS):
                self.crew.hire()
            for saver in savers:
                saver.start()
            self.kill_for_a_while()
            return self.rest_and_look(savers)
        finally:
            if self.web is not None:
                os.killpg(self.web.pid, signal.SIGKILL)
                self.web.wait()
            self.crew.remove()

    def start_web(self) -> None:
        with open(self.crew.house.folder / "web.log", "ab") as log:
            command = [sys.executable, *WEB, f"127.0.0.1:{self.port}"]
            self.web = subprocess.Popen(
                command, cwd=ROOT, env=self.crew.house.env, stdout=log, stderr=log, start_new_session=True
            )
        wait_until(self.is_served, seconds=30, what="the web server")

    def is_served(self) -> bool:
        import urllib.request

        try:
            return bool(urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2).status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill_for_a_while(self) -> None:
        acts = [self.kill_worker, self.kill_worker, self.stop_worker, self.kill_web, self.ask, self.ask, self.ask]
        if self.crew.redis:
            acts += [self.kill_broker, self.kill_database]
        end = time.monotonic() + self.seconds
        self.ask()
        while time.monotonic() < end:
            self.random.choice(acts)()
            time.sleep(self.random.uniform(0.2, 3))

    def ask(self) -> None:
        kind = self.random.choice(["count", "sum"])
        self.jobs.append(self.crew.ask(kind, steps=STEPS, parts=3, pause=0.05))

    def _killed(self, what: str) -> None:
        self.killed[what] = self.killed.get(what, 0) + 1

    def a_worker(self) -> subprocess.Popen[bytes]:
        return self.random.choice([worker for worker in self.crew.workers if worker.poll() is None])

    def kill_worker(self) -> None:
        self.crew.kill(self.a_worker())
        self.crew.hire()
        self._killed("worker")

    def stop_worker(self) -> None:
        worker = self.a_worker()
        worker.send_signal(signal.SIGTERM)
        try:
            worker.wait(5)
        except subprocess.TimeoutExpired:
            self.crew.kill(worker)
        self.crew.hire()
        self._killed("worker, politely")

    def kill_web(self) -> None:
        assert self.web is not None
        os.killpg(self.web.pid, signal.SIGKILL)
        self.web.wait()
        self.start_web()
        self._killed("web server")

    def kill_broker(self) -> None:
        assert self.crew.redis is not None
        self.crew.redis.kill()
        time.sleep(self.random.uniform(0, 4))
        self.crew.redis.start()
        self._killed("broker")

    def kill_database(self) -> None:
        assert self.crew.database is not None
        self.crew.database.kill()
        time.sleep(self.random.uniform(0, 2))
        self.crew.database.start()
        self._killed("database")

    def rest_and_look(self, savers: list[Persistent]) -> list[str]:
        for saver in savers:
            saver.is_over.set()
        for saver in savers:
            saver.join(30)
            saver.look_again()
        wrong = [line for saver in savers for line in saver.lost]
        wrong += [line for pk in self.jobs if (line := self.look_at_job(pk))]
        saves, jobs = sum(saver.acknowledged for saver in savers), len(self.jobs)
        killed = ", ".join(f"{what} {times} ×" for what, times in sorted(self.killed.items()))
        print(f"{self.kind}: {saves:,} saves acknowledged, {jobs} jobs asked for; killed: {killed}")
        return wrong

    def look_at_job(self, pk: int) -> str:
        """Done, once, with every step written once. One that was killed three times may be tried again by hand."""
        deadline = time.monotonic() + RESTED
        while (found := self.crew.job(pk))["state"] != "done":
            if found["state"] == "failed" and "stopped 3 times" in found["message"]:
                [[uuid]] = self.crew.sql(f"SELECT uuid FROM annotator_job WHERE id = {pk}")
                self.crew.house.command("jobs", "--retry", str(uuid))
            if time.monotonic() > deadline or (found["state"] in ("failed", "cancelled") and not found["message"]):
                return f"job {pk} is {found}"
            time.sleep(0.2)
        parts = [row[0] for row in self.crew.sql(f"SELECT id FROM annotator_job WHERE parent_id = {pk}")] or [pk]
        written = [self.crew.rows_written(part) for part in parts]
        if written != [STEPS] * len(parts) or found["result"] != {"steps": STEPS * len(parts)}:
            return f"job {pk} wrote {written} and says {found['result']}"
        return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make chaos")
    parser.add_argument("kinds", nargs="*", default=["filesystem", "redis"])
    parser.add_argument("--seconds", type=float, default=300, help="for each kind of broker")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = []
    for kind in given.kinds:
        wrong += Chaos(kind, given.seed, given.seconds).run()
    for line in wrong:
        print("LOST:", line)
    print("Something was lost." if wrong else "Nothing was lost, nothing was done twice.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
