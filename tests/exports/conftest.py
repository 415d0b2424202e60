"""A project that is merged and decided about, and a data folder of one's own for what leaves the house."""

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from adjudication.actions.deciding import decide_passage, decide_span
from annotator.actions.people import add_member
from annotator.models import User
from exports.actions.foreign import import_gold
from exports.domain.hosts import parse_host
from exports.models import Release
from tests.adjudication.conftest import three  # noqa: F401 (a fixture)
from tests.adjudication.test_deciding import PARTY, passage_of
from tests.adjudication.test_queue import crowd  # noqa: F401 (a fixture)
from tests.exports.receiver import Receiver
from tests.exports.systems import gold, kept
from tests.factories import Cast, load_cast, make_user
from tests.kept import once


@pytest.fixture(autouse=True)
def _files(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.MEDIA_ROOT = tmp_path / "data" / "files"


@pytest.fixture
def decided(crowd: Cast) -> Cast:  # noqa: F811
    once(_decide, crowd)
    return load_cast()


def _decide(crowd: Cast) -> None:  # noqa: F811
    here = {"by": crowd.adjudicator, "version": 0}
    added = {"verdict": "keep", "suggestions": [{"text": "-ish", "from": []}]}
    decide_span(passage_of(crowd), PARTY, act=uuid4(), content=added, reason="so", cause="taste", **here)
    decide_passage(passage_of(crowd), act=uuid4(), content={"verdict": "settled"}, **here)
    decide_passage(passage_of(crowd, "essays-2"), act=uuid4(), content={"verdict": "discard"}, reason="a copy", **here)


@pytest.fixture
def released(cast: Cast) -> Release:
    files = [("validation", "v.json", kept(gold(0, 4))), ("test", "t.json", kept(gold(4, 7)))]
    return import_gold(cast.project, by=cast.lead, files=files, date=datetime.date(2026, 11, 18))


@pytest.fixture
def maker(cast: Cast) -> User:
    """Brings systems, and nothing else."""
    found = make_user("maker")
    add_member(cast.project, user=found, by=cast.lead, roles={"submitter"})
    return found


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    made = Receiver()
    settings.WEBHOOK_HOSTS = (made.host, parse_host("hooks.example.org"))
    yield made
    made.end()
