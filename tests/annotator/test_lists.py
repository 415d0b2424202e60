"""Lists with filters and pages: by htmx only what changes, without it the whole page."""

import re
from typing import Any

import pytest

from annotator.actions.projects import add_passages
from annotator.domain.passages import NewPassage
from tests.factories import Cast

HX = {"HX-Request": "true"}
LISTS = ["passages", "people", "activity"]


@pytest.mark.parametrize("name", LISTS)
def test_htmx_gets_the_list_alone_and_everybody_else_the_page(cast: Cast, client_of: Any, name: str) -> None:
    client = client_of("lead")

    part = client.get(f"/p/essays/{name}", headers=HX).content.decode()
    whole = client.get(f"/p/essays/{name}").content.decode()

    assert part.lstrip().startswith('<div id="list"')
    assert "<html" not in part
    assert "data-stale" in whole
    assert '<div id="list"' in whole


@pytest.mark.parametrize("name", LISTS)
def test_a_page_that_the_history_has_lost_comes_whole(cast: Cast, client_of: Any, name: str) -> None:
    page = client_of("lead").get(f"/p/essays/{name}", headers={**HX, "HX-History-Restore-Request": "true"})

    assert "<html" in page.content.decode()


@pytest.mark.parametrize("name", LISTS)
def test_the_form_is_plain_and_htmx_asks_the_same(cast: Cast, client_of: Any, name: str) -> None:
    page = client_of("lead").get(f"/p/essays/{name}").content.decode()

    [form] = [form for form in re.findall(r"<form [^>]+>", page) if 'class="filters"' in form]
    assert 'method="get"' in form
    assert "action=" not in form
    assert f'hx-get="/p/essays/{name}"' in form
    assert 'hx-push-url="true"' in form


def test_a_link_to_the_next_page_leads_to_the_same_by_htmx(cast: Cast, client_of: Any) -> None:
    add_passages(cast.project, by=cast.lead, passages=[NewPassage(f"m{n}", f"Number {n} of many.") for n in range(60)])
    client = client_of("lead")

    part = client.get("/p/essays/passages?kind=work", headers=HX).content.decode()

    [(href, asked)] = re.findall(r'id="next-page" rel="next" href="([^"]+)" hx-get="([^"]+)"', part)
    assert href == asked
    assert "kind=work&amp;after=" in href
    following = client.get(href.replace("&amp;", "&"), headers=HX).content.decode()
    assert "m59" in following
    assert 'id="first-page"' in following
