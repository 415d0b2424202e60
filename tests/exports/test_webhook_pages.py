"""The pages of webhooks: for leads, where the operator has named a host; secrets shown once."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotator.actions.people import add_member, remove_member
from exports.actions.webhooks import end_webhook, make_webhook, pause_webhook, send_test
from exports.domain.hosts import parse_host
from exports.domain.webhooks import LABELS, News
from exports.models import Webhook, WebhookDelivery
from exports.queries import webhooks as queries
from tests.exports.systems import client_of
from tests.factories import Cast, make_user
from tests.matrix.webhooks import ADDRESS, NAMED, WHERE_NAMED, a_webhook
from tests.test_access import ASKED, METHODS, call, client_for, stored

pytestmark = pytest.mark.usefixtures("named")
SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{44}")


@pytest.fixture
def named(settings: Any) -> None:
    settings.WEBHOOK_HOSTS = NAMED


@pytest.fixture
def lead(cast: Cast) -> Client:
    return client_of(cast.lead)


def body_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def page_of(webhook: Webhook) -> str:
    return f"/p/essays/webhooks/{webhook.uuid}"


@pytest.mark.parametrize("role", ASKED)
@pytest.mark.parametrize("name", WHERE_NAMED)
def test_the_matrix_where_a_host_is_named(cast: Cast, name: str, role: str) -> None:
    route = WHERE_NAMED[name]
    route.path(cast)
    for method in METHODS:
        statuses, client = route.allowed.get(method), client_for(cast, role)
        expected = statuses.get(role, statuses.get("*", 0)) if statuses else 405
        before = stored()

        response = call(client, method, route, cast)

        assert response.status_code in ({expected, 302} if role == "nobody" else {expected}), method
        if expected >= 400 or role == "nobody":
            assert stored() == before


@pytest.mark.parametrize("tail", ["", "/pause", "/end", "/secret", "/test"])
def test_a_webhook_of_another_project_is_not_there(cast: Cast, tail: str) -> None:
    webhook = a_webhook(cast)
    client = client_of(cast.other_lead)
    for slug in ("letters", "essays"):
        path = f"/p/{slug}/webhooks/{webhook.uuid}{tail}"
        assert (client.post(path) if tail else client.get(path)).status_code == 404
    webhook.refresh_from_db()
    assert (webhook.paused_at, webhook.ended_at, webhook.version) == (None, None, 1)


def test_a_message_of_another_webhook_is_not_there(cast: Cast, lead: Client) -> None:
    one, two = (make_webhook(cast.project, by=cast.lead, url=ADDRESS, news=News) for _ in range(2))
    message = send_test(one, by=cast.lead)

    assert lead.post(f"{page_of(two)}/messages/{message.uuid}/again").status_code == 404
    assert lead.post(f"{page_of(one)}/messages/{message.uuid}/again").status_code == 302


def test_settings_lead_there_where_a_host_is_named(cast: Cast, lead: Client, settings: Any) -> None:
    assert "/p/essays/webhooks" in body_of(lead, "/p/essays/settings")

    settings.WEBHOOK_HOSTS = ()

    told = body_of(lead, "/p/essays/settings")
    assert "ebhook" not in told
    assert "Other programs" not in told
    assert lead.get("/p/essays/webhooks").status_code == 404


def test_the_secret_is_shown_once(cast: Cast, lead: Client) -> None:
    given = {"url": ADDRESS, "news": ["answers.submitted", "gold.released"]}

    response = lead.post("/p/essays/webhooks", given)

    webhook = Webhook.objects.get()
    assert response.status_code == 200
    assert SECRET.findall(response.content.decode()) == [webhook.secret]
    assert response["Cache-Control"].count("no-store") == 1
    assert (webhook.url, webhook.news, webhook.made_by) == (ADDRESS, given["news"], cast.lead)
    pages = [body_of(lead, path) for path in ("/p/essays/webhooks", page_of(webhook), "/p/essays/activity")]
    assert "whsec_" not in "".join(pages)
    assert all(label in pages[0] for news, label in LABELS.items() if news in given["news"])
    assert "made a webhook: answers.submitted, gold.released" in pages[2]


def test_another_secret_is_shown_once(cast: Cast, lead: Client) -> None:
    webhook = a_webhook(cast)

    response = lead.post(f"{page_of(webhook)}/secret")

    former = webhook.secret
    webhook.refresh_from_db()
    assert SECRET.findall(response.content.decode()) == [webhook.secret]
    assert webhook.former_secret == former != webhook.secret
    assert "whsec_" not in body_of(lead, page_of(webhook))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, ["Give the address", "Choose what is to be told."]),
        ({"url": ADDRESS}, ["Choose what is to be told."]),
        ({"url": ADDRESS, "news": ["saved"]}, ["not one of the available choices"]),
        (
            {"url": "http://127.0.0.1:6379/", "news": ["run.scored"]},
            ["not among the hosts"],
        ),
        ({"url": "https://a:b@hooks.example.org/", "news": ["run.scored"]}, ["user and password"]),
        ({"url": "x" * 501, "news": ["run.scored"]}, ["at most 500 characters"]),
    ],
)
def test_what_is_wrong_is_said_and_nothing_made(
    cast: Cast, lead: Client, given: dict[str, Any], says: list[str]
) -> None:
    response = lead.post("/p/essays/webhooks", given)

    assert response.status_code == 400
    assert [word for word in says if word not in response.content.decode()] == []
    assert not Webhook.objects.exists()


def test_a_message_is_shown_with_what_came_of_it(cast: Cast, lead: Client) -> None:
    webhook = a_webhook(cast)
    row = send_test(webhook, by=cast.lead)
    came = {"status": 500, "said": "<script>alert(1)</script>", "problem": "It answered 500.", "tries": 3}
    WebhookDelivery.objects.filter(pk=row.pk).update(**came)

    shown = body_of(lead, page_of(webhook))

    assert all(word in shown for word in ("webhook.test", "waiting", "It answered 500.", "next try", str(row.uuid)))
    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert" not in shown
    WebhookDelivery.objects.filter(pk=row.pk).update(state="failed", next_at=None)
    assert "1" in re.findall(r'data-label="not taken">(\d+)', body_of(lead, "/p/essays/webhooks"))


def test_acts_by_their_buttons(cast: Cast, lead: Client) -> None:
    webhook = a_webhook(cast)
    said = []
    for act in ("test", "pause", "test", "resume", "end", "end"):
        response = lead.post(f"{page_of(webhook)}/{act}", follow=True)
        said += re.findall(r'<p class="message ([a-z]+)">', response.content.decode())

    assert said == ["success", "success", "error", "success", "success", "error"]
    webhook.refresh_from_db()
    assert webhook.ended_at is not None
    shown = body_of(lead, page_of(webhook))
    assert "Send again" not in shown.replace('visually-hidden">Send again', "")
    assert "/pause" not in shown


def test_how_each_stands_is_said(cast: Cast, lead: Client, settings: Any) -> None:
    eve = make_user("eve")
    add_member(cast.project, user=eve, by=cast.lead, roles={"lead"})
    rows = [make_webhook(cast.project, by=by, url=ADDRESS, news=News) for by in (cast.lead, cast.lead, cast.lead, eve)]
    pause_webhook(rows[1], by=cast.lead)
    end_webhook(rows[2], by=cast.lead)
    remove_member(cast.project.memberships.get(user=eve), by=cast.lead)

    lines = {line.webhook: line for line in queries.lines_of(Webhook.objects.all())}

    assert [lines[row].state for row in rows] == ["open", "paused", "ended", "stopped"]
    assert "does not lead this project any more" in body_of(lead, page_of(rows[3]))
    assert "/resume" in body_of(lead, page_of(rows[3]))
    settings.WEBHOOK_HOSTS = (parse_host("other.example.org"),)
    shown = body_of(lead, page_of(rows[0]))
    assert "does not name its host any more" in shown
    assert "/resume" not in shown


def test_many_messages_come_page_by_page_and_in_few_statements(
    cast: Cast, lead: Client, django_assert_max_num_queries: Any
) -> None:
    webhook = a_webhook(cast)
    made = [WebhookDelivery(webhook=webhook, type="webhook.test", body=f"body-{n}-") for n in range(45)]
    WebhookDelivery.objects.bulk_create(made)
    with django_assert_max_num_queries(15):
        first = body_of(lead, page_of(webhook))
    address = re.findall(r'rel="next" href="([^"]+)"', first)[0]
    second = body_of(lead, address)

    assert (first.count("<code>body-"), second.count("<code>body-")) == (20, 20)
    assert "body-44-" in first
    assert "body-24-" in second
    for odd in ("x", "-1", "9" * 30, "²"):
        assert body_of(lead, f"{page_of(webhook)}?before={odd}").count("<code>body-") == 20
    for _ in range(5):
        make_webhook(cast.project, by=cast.lead, url=ADDRESS, news=News)
    with django_assert_max_num_queries(15):
        body_of(lead, "/p/essays/webhooks")


def test_times_are_the_projects(cast: Cast, lead: Client) -> None:
    type(cast.project).objects.update(time_zone="Asia/Tokyo")
    webhook = a_webhook(cast)
    at = timezone.now().replace(2026, 3, 2, 20, 30, 5)
    WebhookDelivery.objects.create(webhook=webhook, type="webhook.test", body="{}", at=at)

    assert "3 Mar 2026, 05:30:05" in body_of(lead, page_of(webhook))
