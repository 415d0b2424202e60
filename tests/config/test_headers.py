"""Safety headers on every kind of answer."""

import pytest
from django.test import Client

from tests.factories import Cast

ADDRESSES = [
    "/log-in",
    "/",
    "/nothing",
    "/healthz",
    "/api/v1/session",
    "/api/v1/nothing",
    "/api/",
    "/api/v1/openapi.json",
    "/invite/x",
    "/p/essays/work/1",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_carries_the_safety_headers(cast: Cast, client_of, address: str) -> None:
    response = client_of("ann").get(address)

    policy = response["Content-Security-Policy"]
    for part in (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    ):
        assert part in policy
    assert "unsafe" not in policy
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_a_page_with_work_on_it_is_not_kept_by_caches(cast: Cast, client_of) -> None:
    assert "no-store" in client_of("ann").get("/p/essays/work/1")["Cache-Control"]


def test_health_says_when_the_database_answers(db: None) -> None:
    response = Client().get("/healthz")

    assert response.status_code == 200
    # No worker and no broker's folder here: that is said, and is no reason to take the web server away.
    missing = {"broker": "does not answer", "worker": "none", "workers": 0}
    assert response.json() == {"web": "ok", "database": "ok", **missing}
