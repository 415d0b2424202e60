"""The true workbench on passages that are nobody's work: nothing is stored by looking."""

import pytest
from django.test import Client

from annotator.actions.projects import add_passages
from annotator.domain.passages import NewPassage
from annotator.models import Project, User
from tests.factories import TEXTS, mark
from tests.kept import everything_stored


@pytest.fixture
def with_passages(draft: Project, lead: User) -> Project:
    add_passages(draft, by=lead, passages=[NewPassage(f"e{n}", text) for n, text in enumerate(TEXTS, start=1)])
    return draft


def test_without_passages_an_example_is_shown(at_desk: Client) -> None:
    shown = at_desk.get("/p/novels/preview").content.decode()

    assert "My uncle has a very big house." in shown
    assert "there are no passages yet" in shown


def test_it_is_the_annotators_page_with_a_bar_that_says_so(at_desk: Client, with_passages: Project) -> None:
    shown = at_desk.get("/p/novels/preview")

    assert "annotator/work.html" in [template.name for template in shown.templates]
    assert "Nothing is saved. What you write is sent only to be looked at for findings." in shown.content.decode()
    assert shown.context["assignment"].membership.roles == ["annotator"]
    assert shown.context["page"]["project_state"] == "open"


def test_looking_stores_nothing(at_desk: Client, with_passages: Project) -> None:
    before = everything_stored()
    page = at_desk.get("/p/novels/preview")

    at_desk.get(page.context["trial"]["next"])

    assert everything_stored() == before


def test_a_passage_is_chosen_by_its_id(at_desk: Client, with_passages: Project) -> None:
    shown = at_desk.get("/p/novels/preview", {"id": "e3"})
    missing = at_desk.get("/p/novels/preview", {"id": "e9"})

    assert shown.context["passage"].external_id == "e3"
    assert missing.status_code == 404
    assert "There is no passage “e9” in this project." in missing.content.decode()


def test_one_leads_to_the_next_and_the_last_to_none(at_desk: Client, with_passages: Project) -> None:
    first = at_desk.get("/p/novels/preview").context["trial"]["next"]
    last = with_passages.passages.latest("pk")

    assert at_desk.get(first).context["passage"].external_id == "e2"
    assert at_desk.get(f"/p/novels/preview/{last.uuid}").context["trial"]["next"] == ""


def test_findings_are_told_of_any_text(at_desk: Client) -> None:
    text = "He took a nap."
    body = {"text": text, "answer": {"marks": [mark(text, "a nap", "a rest")]}}

    told = at_desk.post("/api/v1/projects/novels/findings", body, content_type="application/json")

    assert told.status_code == 200
    assert [finding["path"] for finding in told.json()["findings"]]


def test_a_mark_that_is_not_in_the_text_is_refused(at_desk: Client) -> None:
    body = {"text": "A dog.", "answer": {"marks": [mark("A cat.", "cat", "pet")]}}

    told = at_desk.post("/api/v1/projects/novels/findings", body, content_type="application/json")

    assert told.status_code == 422
