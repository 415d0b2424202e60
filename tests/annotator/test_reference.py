"""The document of the API and the page made from it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from annotator.api.operation import Operation
from annotator.serializers.problems import INPUT_PROBLEMS, OF_STATUS, PROBLEMS
from tests.document import validator

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def document() -> dict:
    from annotator.api.document import document

    return document()


def calls(document: dict) -> set[str]:
    return {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}


def test_making_the_document_warns_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    from drf_spectacular.drainage import GENERATOR_STATS

    from annotator.api.document import Generator

    with GENERATOR_STATS.silence():
        Generator().get_schema(public=True)

    assert not GENERATOR_STATS, capsys.readouterr().err


def test_the_document_is_served_to_everybody_and_names_no_host(db: None, document: dict) -> None:
    response = Client().get("/api/v1/openapi.json")

    assert response.json() == json.loads(json.dumps(document))
    assert (document["openapi"][:3], document["info"]["title"]) == ("3.1", "Assay")
    assert "servers" not in document


def test_the_names_of_operations_stay(document: dict) -> None:
    names = {said["operationId"] for methods in document["paths"].values() for said in methods.values()}

    assert names == {
        *("get_session", "post_session", "assignments", "assignment", "answer", "submit", "discard", "undo", "reopen"),
        *("findings", "text_findings", "questions", "progress", "guidelines_read"),
        *("uploads", "get_imports", "post_imports", "imported"),
        *("get_projects", "post_projects", "get_project", "patch_project", "project_state"),
        *("members", "member", "get_invitations", "post_invitations", "invitation", "invitation_renew"),
        *("get_guidelines", "put_guidelines", "get_protocol", "put_protocol", "board", "activity"),
        *("assignment_plan", "assignment_plan_apply"),
        *(
            *("passages", "get_passage", "patch_passage", "project_questions", "question_answer"),
            *("jobs", "job", "job_cancel", "job_retry"),
            "decision",
            "passage_decision",
            "undo_act",
            "undo_everywhere",
            "unite",
            "suggestion_findings",
            "same_words",
            "decide_same",
        ),
        *("get_comments", "post_comments", "resolve", "gold", "gold_of"),
        *(
            "get_merges",
            "post_merges",
            "merge",
            "targets",
            "passage_targets",
            "get_reports",
            "post_reports",
            "report",
            "pair",
        ),
        *("get_releases", "post_releases", "release", "release_build", "release_freeze", "release_withdraw"),
        *("release_drop", "release_file", "releases_compared", "get_runs", "post_runs", "run", "run_errors"),
        *("runs_against", "leaderboard", "sentences", "export"),
    }


# All that is said to these is whom they are about.


def test_every_call_says_what_it_does_takes_and_answers(document: dict) -> None:
    for path, methods in document["paths"].items():
        for method, said in methods.items():
            assert said["summary"], path
            assert method != "get" or "requestBody" not in said, path
            assert {"400", "500", "503"} <= set(said["responses"]), path


def test_every_body_has_an_example_that_fits_its_schema(document: dict) -> None:
    for path, methods in document["paths"].items():
        for said in methods.values():
            for part in (said.get("requestBody"), *said["responses"].values()):
                for content in (part or {}).get("content", {}).values():
                    if "$ref" in content["schema"]:
                        validator(content["schema"]["$ref"]).validate(content["example"]), path


@pytest.mark.parametrize("act", ["answer", "submit", "discard", "undo-discard", "reopen"])
def test_what_changes_an_assignment_asks_for_its_version_and_gives_the_next(document: dict, act: str) -> None:
    path = f"/api/v1/assignments/{{uuid}}/{act}"
    [said] = document["paths"][path].values()

    [header] = [item for item in said["parameters"] if item["in"] == "header"]

    assert (header["name"], header["required"]) == ("If-Match", True)
    assert list(said["responses"]["200"]["headers"]) == ["ETag"]
    assert {"409", "412", "428"} <= set(said["responses"])


def test_the_page_shows_every_call_every_body_and_every_code(db: None, document: dict) -> None:
    page = Client().get("/api/").content.decode()

    for call in calls(document):
        assert f"<code>{call}</code>" in page
    for name in document["components"]["schemas"]:
        assert f'id="shape-{name}"' in page
    for code in PROBLEMS:
        assert f'id="{code}"' in page
    for code in INPUT_PROBLEMS:
        assert f"<code>{code}</code>" in page


def test_the_page_shows_an_example_and_the_scopes_of_every_call(db: None, document: dict) -> None:
    page = Client().get("/api/").content.decode()

    assert page.count("<summary>Example</summary>") >= len(calls(document)) - 3  # some give files and take nothing
    assert "<code>read</code>" in page
    assert "none: only a session" in page


def all_operations() -> list[tuple[str, Operation]]:
    views = [pattern.callback for pattern in get_resolver().url_patterns if isinstance(pattern, URLPattern)]
    for resolver in get_resolver().url_patterns:
        views += [found.callback for found in getattr(resolver, "url_patterns", ())]
    return [said for view in views for said in getattr(getattr(view, "cls", None), "operations", {}).items()]


def test_what_creates_something_can_be_sent_twice() -> None:
    """Where the body is a file, whoever sends it is looked at before it is read."""
    found = all_operations()

    assert len(found) > 80
    for method, said in found:
        makes = method == "POST" and {said.status, *said.also} & {201, 202}
        assert said.creates == bool(makes), said.summary
        assert said.admits or not (said.takes_file and said.creates), said.summary


def test_all_but_signing_in_says_which_scopes_open_it() -> None:
    assert {said.summary for _, said in all_operations() if not said.scopes} == {
        "Who is signed in; sets the form token's cookie",
        "Sign in",
    }


def test_every_link_of_the_page_leads_somewhere(db: None) -> None:
    page = Client().get("/api/").content.decode()

    ids, links = set(re.findall(r' id="([^"]+)"', page)), set(re.findall(r'href="#([^"]+)"', page))

    assert links - ids == set()
    assert len(re.findall(r' id="([^"]+)"', page)) == len(ids)


def test_the_type_of_a_problem_leads_to_the_page(db: None) -> None:
    response = Client().get("/api/problems")

    assert (response.status_code, response["Location"]) == (302, reverse("api"))


def test_every_status_has_a_code_of_its_own_status() -> None:
    assert {status: PROBLEMS[code][0] for status, code in OF_STATUS.items()} == {status: status for status in OF_STATUS}


def test_no_save_waits_for_the_document_to_be_made() -> None:
    """drf-spectacular is loaded by whoever asks for the document, not at start."""
    script = "import django; django.setup(); import config.urls, sys; print('drf_spectacular' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"


def test_the_guide_names_every_call_and_no_other(document: dict) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")

    named = set(re.findall(r"`((?:GET|PUT|POST|PATCH|DELETE) /api/v1/[^`?]*)`", text))

    assert named == calls(document)
