"""Stories of releasing: a lead drafts, looks, ticks, freezes, downloads and checks what came."""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.e2e.test_page_stories import violations
from tests.house import House

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    made = House()
    made.seed("agreeing", "tests.seeds_agreement")
    made.start()
    yield made
    made.remove()


@pytest.fixture
def lead(contexts: Any, house: House) -> Page:
    page: Page = contexts(accept_downloads=True, bypass_csp=True).new_page()
    Work(page, house, "lead@example.org", house.url).log_in()
    return page


def test_01_from_nothing_to_a_checked_release(lead: Page, house: House) -> None:
    lead.goto(f"{house.url}/p/essays/releases")
    expect(lead.locator("main")).to_contain_text("No release yet")
    lead.get_by_role("link", name="New release").click()
    lead.get_by_label("Splits", exact=True).fill("validation=1,validation=2")
    lead.get_by_role("button", name="Build the draft").click()
    expect(lead.locator(".error")).to_contain_text("Two splits have the same name.")
    lead.get_by_label("Splits", exact=True).fill("validation=1,test=4")
    lead.get_by_role("button", name="Build the draft").click()
    freeze = lead.get_by_role("button", name="Freeze release 1")
    expect(freeze).to_be_visible(timeout=30_000)
    expect(lead.locator(".ticks")).to_contain_text("The doctor found nothing")

    freeze.click()
    expect(lead.locator(".messages")).to_contain_text("Not ticked yet")
    for box in lead.locator(".ticks input").all():
        box.check()
    lead.get_by_role("button", name="Freeze release 1").click()
    expect(lead.locator(".messages")).to_contain_text("Release 1 is frozen")
    shown = lead.locator(".hash").inner_text()
    with lead.expect_download() as coming:
        lead.get_by_role("link", name="Download").click()
    data = coming.value.path().read_bytes()
    assert hashlib.sha256(data).hexdigest() == shown
    assert coming.value.suggested_filename == "essays-1.zip"
    bundle = zipfile.ZipFile(io.BytesIO(data))
    sums = dict(reversed(line.split("  ")) for line in bundle.read("essays-1/SHA256SUMS").decode().splitlines())
    assert {name: hashlib.sha256(bundle.read(f"essays-1/{name}")).hexdigest() for name in sums} == sums


def test_02_the_card_is_filled_in_and_told_by_the_next_draft(lead: Page, house: House) -> None:
    lead.goto(f"{house.url}/p/essays/releases/card")
    lead.get_by_label("Licence").fill("cc-by-4.0")
    lead.get_by_role("button", name="Keep it").click()
    lead.get_by_role("link", name="New release").click()
    lead.get_by_role("button", name="Build the draft").click()
    expect(lead.locator(".card h3", has_text="Licence").locator("+ p")).to_have_text("cc-by-4.0", timeout=30_000)
    lead.get_by_text("Its head, for data set hubs").click()
    expect(lead.locator("main")).to_contain_text('license: "cc-by-4.0"')
    lead.get_by_role("link", name="Compare with release 1").click()
    expect(lead.locator("h1")).to_contain_text("From release 1 to release 2")
    lead.go_back()
    lead.get_by_role("button", name="Drop this draft").click()
    expect(lead.locator(".messages")).to_contain_text("The draft is gone.")


def test_03_who_has_still_to_annotate_gets_no_file(contexts: Any, house: House) -> None:
    page = contexts().new_page()
    Work(page, house, "ann@example.org", house.url).log_in()
    assert page.goto(f"{house.url}/p/essays/releases").status == 404  # type: ignore[union-attr]
    assert page.request.get(f"{house.url}/p/essays/releases/1/file").status == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_04_axe_finds_nothing(lead: Page, house: House, width: int, scheme: str) -> None:
    lead.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    lead.set_viewport_size({"width": width, "height": 800})
    found = {}
    for path in ("releases", "releases/new", "releases/1", "releases/card", "releases/1/compare/1"):
        lead.goto(f"{house.url}/p/essays/{path}")
        found[path] = violations(lead)
        assert lead.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert found == {name: [] for name in found}


def test_05_predictions_come_in_and_stand_on_the_leaderboard(lead: Page, house: House, tmp_path: Path) -> None:
    """From the release that was downloaded: one system says what the gold says, one says nothing right."""
    lead.goto(f"{house.url}/p/essays/releases/1")
    with lead.expect_download() as coming:
        lead.get_by_role("link", name="Download").click()
    gold = json.loads(zipfile.ZipFile(coming.value.path()).read("essays-1/test.json"))
    files = {"oracle": tmp_path / "oracle.json", "wrong": tmp_path / "wrong.json", "broken": tmp_path / "broken.json"}
    files["oracle"].write_text(json.dumps({name: said(item, best=True) for name, item in gold.items()}))
    files["wrong"].write_text(json.dumps({name: said(item, best=False) for name, item in gold.items()}))
    files["broken"].write_text(json.dumps({name: {} for name in gold}))

    for system, says in (("broken", "Not scored"), ("wrong", "End to end"), ("oracle", "End to end")):
        lead.get_by_role("link", name="Systems", exact=True).first.click()
        lead.get_by_role("link", name="Upload predictions").click()
        lead.get_by_label("Predictions", exact=True).set_input_files(files[system])
        lead.get_by_label("System", exact=True).fill(system)
        lead.get_by_role("button", name="Score it").click()
        expect(lead.locator("main")).to_contain_text(says, timeout=15_000)
    expect(lead.locator(".versus")).to_contain_text("1.000")

    lead.get_by_role("link", name="Systems", exact=True).first.click()
    rows = lead.locator(".board-table tbody tr:not(.human)")
    expect(rows.nth(0)).to_contain_text("oracle")
    expect(rows.nth(1)).to_contain_text("wrong")
    expect(lead.locator(".page-head")).to_contain_text("test has been scored 2 times for 2 systems")
    expect(lead.locator("main")).to_contain_text("every figure")  # side by side has come
    lead.get_by_role("link", name="wrong", exact=True).first.click()
    lead.get_by_role("link", name=re.compile("Right word, other suggestion")).click()
    expect(lead.locator(".err").first).to_contain_text("zzz")


def said(item: dict[str, Any], *, best: bool) -> dict[str, Any]:
    words = item["sentence_split"]
    spans = [
        [[" ".join(words[start:end]), start, end], list(votes) if best else ["zzz"]]
        for (start, end), votes, _ in item["substitutes"]
    ]
    return {"input_words": words, "substitute_topk": spans}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_06_axe_finds_nothing_about_systems(lead: Page, house: House, width: int, scheme: str) -> None:
    lead.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    lead.set_viewport_size({"width": width, "height": 800})
    lead.goto(f"{house.url}/p/essays/runs")
    runs = [lead.locator(".run-cols .stack a", has_text=name).get_attribute("href") for name in ("wrong", "broken")]
    oracle = lead.locator(".run-cols .stack a", has_text="oracle").get_attribute("href")
    found = {}
    against = f"{oracle}/against/{str(runs[0])[-36:]}"
    for path in ("/p/essays/runs", "/p/essays/runs/new", "/p/essays/releases/import", *runs, against):
        lead.goto(f"{house.url}{path}")
        found[path] = violations(lead)
        assert lead.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert found == {name: [] for name in found}


def test_07_it_is_withdrawn_and_says_why(lead: Page, house: House) -> None:
    lead.goto(f"{house.url}/p/essays/releases/1")
    lead.get_by_text("Withdraw this release").click()
    lead.get_by_label("Why").fill("A wrong file.")
    lead.get_by_role("button", name="Withdraw", exact=True).click()
    expect(lead.locator("main")).to_contain_text(re.compile("Withdrawn.*A wrong file"))
