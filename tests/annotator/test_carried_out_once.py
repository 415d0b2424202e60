"""Requests that create something, sent more than once: `Idempotency-Key`."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from adjudication.models import Comment
from annotator.actions.answered import forget_old_keys
from annotator.actions.api_tokens import make_token
from annotator.api import once
from annotator.models import Event, IdempotencyKey, Job
from tests.annotator.test_saving_parallel import at_once
from tests.conftest import Api
from tests.factories import Cast
from tests.matrix.routes import measured

MERGES = "/api/v1/projects/essays/merges"


def leading(cast: Cast) -> Api:
    return Api(None, token=make_token(cast.lead, by=cast.lead, name="Notebook", scopes=["lead"])[1])


def create(api: Api, path: str, body: Any, key: str | None) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    return api.client.post(path, body, content_type="application/json", headers=headers)


def comments(cast: Cast) -> str:
    return measured(cast, "/api/v1/projects/{slug}/passages/{passage}/comments")


def test_by_a_token_what_creates_something_has_a_name(cast: Cast) -> None:
    refused = create(leading(cast), MERGES, {}, None)

    assert (refused.status_code, refused.json()["code"]) == (400, "no_idempotency_key")
    assert not Job.objects.filter(kind="merge").exists()


def test_in_a_browser_it_needs_none_and_may_have_one(cast: Cast) -> None:
    browser, path = Api(cast.lead), comments(cast)

    statuses = [create(browser, path, {"text": "So?"}, key).status_code for key in (None, None, "one", "one")]

    assert statuses == [201] * 4
    assert Comment.objects.count() == 3


def test_sent_again_it_is_answered_as_before_and_does_nothing(cast: Cast) -> None:
    api, path = leading(cast), comments(cast)
    first = create(api, path, {"text": "Is this a name?"}, "one")
    events = Event.objects.count()

    again = create(api, path, {"text": "Is this a name?"}, "one")

    assert (again.status_code, again.json()) == (201, first.json())
    assert again["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first
    assert (Comment.objects.count(), Event.objects.count()) == (1, events)


@pytest.mark.parametrize(
    ("tail", "body"), [("", {"text": "Another"}), ("?a=1", {"text": "So?"}), ("", {"text": "So?", "span": None})]
)
def test_a_name_is_for_one_request(cast: Cast, tail: str, body: Any) -> None:
    api, path = leading(cast), comments(cast)
    create(api, path, {"text": "So?"}, "one")

    refused = create(api, path + tail, body, "one")

    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "idempotency_key")
    assert Comment.objects.count() == 1


def test_a_name_is_one_persons_own(cast: Cast) -> None:
    path = comments(cast)

    statuses = [create(Api(user), path, {"text": "So?"}, "one").status_code for user in (cast.lead, cast.adjudicator)]

    assert statuses == [201, 201]
    assert Comment.objects.count() == 2


def test_what_was_refused_may_be_sent_again_when_it_can_be_done(cast: Cast) -> None:
    api, path = leading(cast), comments(cast)

    refused = create(api, path, {"text": "  "}, "one")
    done = create(api, path, {"text": "So?"}, "one")

    assert (refused.status_code, done.status_code) == (422, 201)
    assert IdempotencyKey.objects.count() == 1


@pytest.mark.parametrize("key", ["", "a b", "ü", "x" * 101])
def test_a_name_that_is_none_is_refused(cast: Cast, key: str) -> None:
    refused = create(leading(cast), MERGES, {}, key)

    assert (refused.status_code, refused.json()["code"]) == (400, "bad_idempotency_key")


def test_after_a_day_a_name_is_free(cast: Cast) -> None:
    api, path = leading(cast), comments(cast)
    create(api, path, {"text": "So?"}, "one")
    IdempotencyKey.objects.update(at=timezone.now() - timedelta(hours=25))

    assert create(api, path, {"text": "Well"}, "one").status_code == 201
    assert Comment.objects.count() == 2

    IdempotencyKey.objects.update(at=timezone.now() - timedelta(hours=25))
    forget_old_keys()
    assert not IdempotencyKey.objects.exists()


def test_an_answer_too_large_to_keep_is_not_made_twice(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(once, "MOST_KEPT", 10)
    api, path = leading(cast), comments(cast)
    create(api, path, {"text": "So?"}, "one")

    again = create(api, path, {"text": "So?"}, "one")

    assert (again.status_code, again.json()["code"]) == (409, "done_already")
    assert Comment.objects.count() == 1


def test_secrets_are_not_kept() -> None:
    told = {"results": [{"email": "a@example.org", "link": "https://…/3q2"}], "link": "x"}

    assert once._without(told, ("link",)) == {"results": [{"email": "a@example.org", "link": None}], "link": None}


def test_of_twenty_equal_requests_at_once_one_is_carried_out(cast_committed: Cast) -> None:
    """All are answered alike: those that come meanwhile wait for the first."""
    path = comments(cast_committed)
    apis = [leading(load) for load in [cast_committed] * 20]

    answers = at_once([lambda api=api: create(api, path, {"text": "So?"}, "one") for api in apis])

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert Comment.objects.count() == 1
    assert sum("Idempotency-Replayed" in answer for answer in answers) == 19
