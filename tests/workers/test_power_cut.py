"""T28: kill -9 on database and web server in the middle of saves; every acknowledged version is there afterwards."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from typing import Any
from uuid import uuid4

import pytest

from tests.house import PASSWORD, House
from tests.services import PostgreSQL, wait_until

pytestmark = pytest.mark.services


class Saver(threading.Thread):
    """Saves one passage again and again, remembering what was acknowledged."""

    def __init__(self, url: str, number: int) -> None:
        super().__init__(daemon=True)
        self.url, self.email = url, f"person{number}@example.org"
        jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self.jar, self.version, self.acknowledged = jar, 0, 0
        self.call("GET", "/api/v1/session")
        self.call("POST", "/api/v1/session", {"email": self.email, "password": PASSWORD})
        row = self.call("GET", "/api/v1/assignments?limit=1")["results"][0]
        self.detail = self.call("GET", f"/api/v1/assignments/{row['uuid']}")

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        token = next((cookie.value for cookie in self.jar if cookie.name == "assay_csrf"), "") or ""
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "X-CSRFToken": token, **headers},
        )
        with self.opener.open(request, timeout=10) as response:
            return json.load(response)

    def save(self, text: str) -> int:
        mark = {"start": 4, "end": 10, "quote": "pupils", "substitutes": [{"text": text, "type": "refine-usage"}]}
        path = f"/api/v1/assignments/{self.detail['uuid']}/answer"
        body = {"save_id": str(uuid4()), "answer": {"marks": [mark]}}
        return int(self.call("PUT", path, body, **{"If-Match": f'"{self.version}"'})["version"])

    def run(self) -> None:
        try:
            while True:
                self.version = self.save(f"word {self.version + 1}")
                self.acknowledged = self.version
        except (OSError, urllib.error.URLError, ValueError):
            return  # the lights went out


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest) -> Iterator[tuple[House, PostgreSQL | None]]:
    database = PostgreSQL(is_durable=True) if request.param == "postgresql" else None
    made = House(**({"DATABASE_URL": database.url} if database else {}))
    made.seed("ten_annotators")
    made.start()
    yield made, database
    made.remove()
    if database:
        database.stop()


def test_t28_every_acknowledged_save_survives(house: tuple[House, PostgreSQL | None]) -> None:
    house_, database = house
    savers = [Saver(house_.url, number) for number in range(4)]
    for saver in savers:
        saver.start()
    wait_until(lambda: all(saver.acknowledged >= 15 for saver in savers), seconds=30, what="the savers")

    if database:
        database.kill()
    house_.kill()
    for saver in savers:
        saver.join(30)
    if database:
        database.start()
    house_.start()

    for saver in savers:
        after = saver.call("GET", f"/api/v1/assignments/{saver.detail['uuid']}")
        # One more may have been stored whose answer was lost with the server; never one less.
        assert after["version"] in (saver.acknowledged, saver.acknowledged + 1)
        assert after["answer"]["marks"][0]["substitutes"][0]["text"] == f"word {after['version']}"
        saver.version = after["version"]
        assert saver.save("afterwards") == after["version"] + 1
