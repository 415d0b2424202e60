"""T28: kill -9 on database and web server in the middle of saves; every acknowledged version is there afterwards."""

from collections.abc import Iterator

import pytest

from tests.house import House
from tests.services import PostgreSQL, wait_until
from tests.workers.saver import Saver

pytestmark = pytest.mark.services


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
