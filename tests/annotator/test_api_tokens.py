"""Tokens: what they open, for whom, and for how long."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotator.actions.accounts import create_user, disable_user, erase_user
from annotator.actions.api_tokens import MOST_TOKENS, make_token, revoke_token
from annotator.actions.people import add_member, pause_member, remove_member
from annotator.actions.projects import create_project
from annotator.api.throttles import CreatesByToken, ReadsByToken
from annotator.domain.api_tokens import SCOPES, Scope, opens
from annotator.domain.errors import Conflict, Invalid, NotAllowed
from annotator.models import ApiToken, Event, Project, User
from tests.conftest import Api
from tests.document import CheckedClient
from tests.factories import Cast, answer_for, save_body
from tests.kept import everything_stored

LIST = "/api/v1/assignments"
MERGES = "/api/v1/projects/essays/merges"


def by_token(user: User, *scopes: str, **given: Any) -> Api:
    return Api(None, token=make_token(user, by=user, name="Notebook", scopes=scopes or list(SCOPES), **given)[1])


@pytest.mark.parametrize(
    ("held", "wanted", "is_open"),
    [
        (["read"], ["read"], True),
        (["score"], ["read"], False),
        (["score"], ["read", "score"], True),
        (["lead"], ["read"], True),
        (["lead"], ["score"], True),
        (["lead"], ["annotate"], False),
        (["read"], ["lead"], False),
        (["annotate", "read", "lead", "score"], [], False),
    ],
)
def test_an_operation_opens_by_one_of_its_scopes(held: list[str], wanted: list[str], is_open: bool) -> None:
    assert opens(held, wanted) is is_open


def test_a_token_does_what_its_person_does(cast: Cast) -> None:
    row, api = cast.assignment("ann"), by_token(cast.ann, "annotate")

    saved = api.save(row, save_body(answer_for(row)), 0)

    assert saved.status_code == 200
    assert cast.assignment("ann").marks == 1
    assert api.call("GET", LIST).json()["results"][0]["uuid"] == str(row.uuid)


def test_a_token_opens_only_what_its_scopes_name(cast: Cast) -> None:
    row, before = cast.assignment("ann"), everything_stored(apart_from=(ApiToken, User, Event))
    reading = by_token(cast.ann, "read")

    refused = reading.save(row, save_body(answer_for(row)), 0)

    assert (refused.status_code, refused.json()["code"]) == (403, "scope")
    assert "“annotate”" in refused.json()["detail"]
    assert everything_stored(apart_from=(ApiToken, User, Event)) == before


def test_what_a_lead_reads_and_changes_takes_their_scope(cast: Cast) -> None:
    given = {"Idempotency-Key": "one"}
    for scopes, read, asked in ((("read",), 200, 403), (("lead",), 200, 202), (("score",), 403, 403)):
        api = by_token(cast.lead, *scopes)
        assert api.call("GET", MERGES).status_code == read, scopes
        response = api.client.post(MERGES, {}, content_type="application/json", headers=given)
        assert response.status_code == asked, scopes


def test_a_token_never_opens_more_than_the_role_that_its_person_has_now(cast: Cast) -> None:
    membership = add_member(cast.project, user=cast.stranger, by=cast.lead, roles={"adjudicator"})
    api = by_token(cast.stranger, "read", "lead")
    assert api.call("GET", MERGES).status_code == 200

    remove_member(membership, by=cast.lead)

    assert api.call("GET", MERGES).status_code == 404
    assert by_token(cast.ann, "read", "lead").call("GET", MERGES).status_code == 404


def test_whoever_is_paused_reads_by_a_token_and_saves_nothing(cast: Cast) -> None:
    row, api = cast.assignment("ann"), by_token(cast.ann, "annotate")

    pause_member(cast.membership("ann"), by=cast.lead)

    refused = api.save(row, save_body(answer_for(row)), 0)
    assert (refused.status_code, refused.json()["code"]) == (409, "member_paused")
    assert api.call("GET", f"{LIST}/{row.uuid}").status_code == 200


def test_a_token_of_one_project_opens_no_other(cast: Cast) -> None:
    for name in ("ann", "lead"):
        add_member(cast.other_project, user=cast.person(name), by=cast.other_lead, roles={"annotator", "lead"})
    other, mine = cast.other_project, cast.project
    elsewhere = by_token(cast.ann, project=other)

    assert elsewhere.call("GET", LIST).json()["results"] == []
    assert elsewhere.call("GET", f"{LIST}/{cast.assignment('ann').uuid}").status_code == 404
    assert by_token(cast.ann, project=mine).call("GET", f"{LIST}/{cast.assignment('ann').uuid}").status_code == 200
    assert by_token(cast.lead, project=other).call("GET", MERGES).status_code == 404
    assert by_token(cast.lead, project=mine).call("GET", MERGES).status_code == 200


def test_a_token_of_one_project_makes_no_other(cast: Cast) -> None:
    user = create_user(by=None, email="maker@example.org", can_create_projects=True)
    user.only_project_id = cast.project.pk

    with pytest.raises(NotAllowed):
        create_project(by=user, slug="more", preset="sws", lead=user, name="More")


@pytest.mark.parametrize("how", ["revoked", "run out", "disabled", "made up", "cut short", "another kind"])
def test_what_opens_nothing_is_a_401_and_says_so(cast: Cast, how: str) -> None:
    row, token = make_token(cast.ann, by=cast.ann, name="Notebook", scopes=["annotate"])
    match how:
        case "revoked":
            revoke_token(row, by=cast.ann)
        case "run out":
            ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case "disabled":
            disable_user(cast.ann, by=None)
        case "made up":
            token = "assay_" + "x" * 43
        case "cut short":
            token = token[:-1]
        case "another kind":
            token = cast.ann.password

    response = Api(None, token=token).call("GET", LIST)

    assert (response.status_code, response.json()["code"]) == (401, "bad_token")
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_token_beside_a_session_counts_and_needs_no_form_token(cast: Cast) -> None:
    _, token = make_token(cast.ben, by=cast.ben, name="Notebook", scopes=["annotate"])
    client = CheckedClient(enforce_csrf_checks=True)
    client.force_login(cast.ann)
    row = cast.assignment("ben")

    headers = {"Authorization": f"Bearer {token}", "If-Match": '"0"'}
    body = save_body(answer_for(row))
    saved = client.put(f"{LIST}/{row.uuid}/answer", body, content_type="application/json", headers=headers)

    assert saved.status_code == 200


def test_no_token_makes_tokens_changes_accounts_or_opens_a_page(cast: Cast) -> None:
    api = by_token(cast.ann)

    for address in ("/account", "/account/tokens", "/password", "/account/data", "/p/essays/work"):
        assert api.client.get(address).status_code == 302, address
    assert api.call("GET", "/api/v1/session").json()["user"] is None


def test_what_is_kept_of_a_token_opens_nothing(cast: Cast) -> None:
    _, token = make_token(cast.ann, by=cast.ann, name="Notebook", scopes=["read"])

    kept = str(everything_stored())

    assert token not in kept
    for value in (*ApiToken.objects.values_list("sha256", flat=True), ApiToken.objects.get().prefix):
        assert Api(None, token=value).call("GET", LIST).status_code == 401


def test_use_is_noted_hourly_and_nothing_else_is_written(cast: Cast) -> None:
    api = by_token(cast.ann, "annotate")
    api.call("GET", LIST)
    first = ApiToken.objects.get().used_at
    assert first is not None

    with CaptureQueriesContext(connection) as queries:
        api.call("GET", LIST)
    assert not [query for query in queries if query["sql"].startswith("UPDATE")]
    assert len(queries) <= 3  # the token with its person, and the list

    ApiToken.objects.update(used_at=first - timedelta(hours=2))
    api.call("GET", LIST)
    assert ApiToken.objects.get().used_at > first


def test_erasing_somebody_leaves_nothing_of_their_tokens(cast: Cast) -> None:
    make_token(cast.ben, by=cast.ben, name="My thesis", scopes=["read"])

    erase_user(cast.ben, by=None)

    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"scopes": []}, "Choose at least one"),
        ({"scopes": ["admin"]}, "Choose at least one"),
        ({"days": 0}, "1 to 365 days"),
        ({"days": 366}, "1 to 365 days"),
        ({"name": "  "}, "needs something to be seen"),
        ({"name": "a" * 101}, "101 characters"),
    ],
)
def test_what_a_token_cannot_be_is_named(cast: Cast, given: dict[str, Any], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        make_token(cast.ann, by=cast.ann, **{"name": "Notebook", "scopes": ["read"], **given})


def test_a_token_is_for_a_project_that_its_person_is_in(cast: Cast) -> None:
    with pytest.raises(Invalid, match="not in that project"):
        make_token(cast.ann, by=cast.ann, name="Notebook", scopes=["read"], project=cast.other_project)


def test_there_is_an_end_to_tokens(cast: Cast) -> None:
    for _ in range(MOST_TOKENS):
        make_token(cast.ann, by=cast.ann, name="Notebook", scopes=["read"])

    with pytest.raises(Conflict, match="revoke those"):
        make_token(cast.ann, by=cast.ann, name="Notebook", scopes=["read"])

    revoke_token(ApiToken.objects.earliest("pk"), by=cast.ann)
    cast.ann.refresh_from_db()
    make_token(cast.ann, by=cast.ann, name="Notebook", scopes=["read"])


# --- how often --------------------------------------------------------------------------------------------------------


def test_more_reads_than_a_minute_takes_are_told_when_to_come_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ReadsByToken, "most", 3)
    one, two, row = by_token(cast.ann), by_token(cast.ann), cast.assignment("ann")

    statuses = [api.call("GET", LIST).status_code for api in (one, two, one, two)]

    assert statuses == [200, 200, 200, 429]
    refused = one.call("GET", LIST)
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert by_token(cast.ben).call("GET", LIST).status_code == 200  # somebody else
    assert Api(cast.ann).call("GET", LIST).status_code == 200  # a browser
    assert one.save(row, save_body(answer_for(row)), 0).status_code == 200  # nothing that was typed waits for it


def test_more_creates_than_a_minute_takes_are_refused(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CreatesByToken, "most", 1)
    api = by_token(cast.lead, "lead")

    def ask(key: str) -> int:
        headers = {"Idempotency-Key": key}
        return api.client.post(MERGES, {}, content_type="application/json", headers=headers).status_code

    assert [ask("one"), ask("two")] == [202, 429]


def test_the_limits_are_those_that_are_told() -> None:
    assert [(kind.most, kind.window) for kind in (ReadsByToken, CreatesByToken)] == [(600, 60), (60, 60)]


def test_where_nothing_can_be_counted_nobody_is_kept_out(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*given: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr("annotator.api.throttles.cache.get", gone)

    assert by_token(cast.ann).call("GET", LIST).status_code == 200


# --- the page and the command -----------------------------------------------------------------------------------------


def test_the_page_shows_a_token_once_and_revokes_it(cast: Cast, client_of: Any) -> None:
    client = client_of("ann")
    form = {"name": "Notebook", "scopes": ["annotate", "read"], "project": cast.project.pk, "days": 30}

    made = client.post("/account/tokens", form).content.decode()

    token = made.partition('value="assay_')[2].partition('"')[0]
    row = ApiToken.objects.get()
    assert Api(None, token=f"assay_{token}").call("GET", LIST).status_code == 200
    assert (row.scopes, row.project) == ([Scope.ANNOTATE, Scope.READ], cast.project)
    assert token not in client.get("/account/tokens").content.decode()
    client.post(f"/account/tokens/{row.uuid}/revoke")
    assert Api(None, token=f"assay_{token}").call("GET", LIST).status_code == 401


def test_the_page_names_what_is_wrong_and_offers_no_project_of_others(cast: Cast, client_of: Any) -> None:
    form = {"name": "", "scopes": ["admin"], "project": cast.other_project.pk, "days": 1000}

    page = client_of("ann").post("/account/tokens", form)

    assert page.status_code == 400
    assert page.content.decode().count('class="error"') == 4
    assert cast.other_project.name not in page.content.decode()
    assert not ApiToken.objects.exists()


def test_the_command_prints_a_token_that_opens(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_token", "lead@example.org", scopes="read,lead", project="essays", days=1)

    token = capsys.readouterr().out.split()[-1]
    assert Api(None, token=token).call("GET", MERGES).status_code == 200
    assert Project.objects.get(slug="essays").pk == ApiToken.objects.get().project_id
