"""A proxy that nobody has named is noticed: once in the log, and by doctor; never with anybody's address."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from config.doctor import examine
from config.proxies import mark, noticing

FORWARDED = {"HTTP_X_FORWARDED_FOR": "203.0.113.7"}


@pytest.fixture(autouse=True)
def unmarked() -> Iterator[None]:
    yield
    mark().unlink(missing_ok=True)


def asked(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    return [b"answered"]


def found_by_doctor() -> list[str]:
    return next(finding.problems for finding in examine() if finding.check == "proxies")


def test_a_forwarded_request_is_noticed_once_and_answered(db: None, caplog: pytest.LogCaptureFixture) -> None:
    application = noticing(asked)
    with caplog.at_level(logging.WARNING):
        answers = [application(environ, None) for environ in ({}, FORWARDED, FORWARDED)]

    assert answers == [[b"answered"]] * 3
    assert caplog.text.count("set ASSAY_PROXIES") == 1
    assert "203.0.113.7" not in caplog.text
    assert mark().read_bytes() == b""
    [problem] = found_by_doctor()
    assert "ASSAY_PROXIES is 0" in problem


def test_other_requests_leave_no_mark(db: None, caplog: pytest.LogCaptureFixture) -> None:
    noticing(asked)({"REMOTE_ADDR": "203.0.113.7"}, None)

    assert (caplog.text, found_by_doctor()) == ("", [])


def test_a_named_proxy_is_nothing_to_notice(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    mark().touch()
    monkeypatch.setattr(settings, "PROXIES", 1)

    assert noticing(asked) is asked
    assert found_by_doctor() == []
