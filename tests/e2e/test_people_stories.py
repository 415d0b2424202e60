"""Stories of people: invited by the dozen, changed one by one, and each at home in an account of their own."""

import csv
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Work
from tests.e2e.test_page_stories import violations
from tests.house import PASSWORD, House
from tests.services import wait_until
from tests.smtp import MailServer

pytestmark = pytest.mark.e2e
PEOPLE = "/p/stories/people"


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    made = MailServer()
    yield made
    made.end()


def house_of(seeded: Path, **env: str) -> Iterator[House]:
    made = House(**env)
    shutil.copytree(seeded, made.folder / "data")
    made.start()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def house(seeded: Path) -> Iterator[House]:
    """Stories here add and remove people: a house for all of them."""
    yield from house_of(seeded)


@pytest.fixture(scope="module")
def house_with_mail(seeded: Path, server: MailServer) -> Iterator[House]:
    yield from house_of(seeded, ASSAY_EMAIL_URL=f"smtp://127.0.0.1:{server.port}?from=assay@example.org")


def lead_at(contexts: Any, house: House, **given: Any) -> Page:
    page: Page = Work(contexts(**given).new_page(), house, "lead@example.org", house.url).log_in().page
    page.goto(f"{house.url}{PEOPLE}")
    return page


def invite(page: Page, emails: str) -> None:
    page.get_by_label("E-mail addresses").fill(emails)
    page.get_by_role("button", name="Invite", exact=True).click()


def test_01_many_are_invited_and_the_links_taken_by_copying_and_as_a_table(contexts: Any, house: House) -> None:
    page = lead_at(contexts, house, permissions=["clipboard-read", "clipboard-write"])
    invite(page, "one@example.org, Two <two@example.org>\nbroken")
    expect(page.get_by_text("“broken” is not an e-mail address.")).to_be_visible()
    expect(page.get_by_label("E-mail addresses")).to_have_value("one@example.org, Two <two@example.org>\nbroken")

    page.get_by_role("button", name="Invite the other 2 without it").click()

    link = page.get_by_label("Invitation link for one@example.org").input_value()
    page.get_by_role("button", name="Copy: one@example.org").click()
    expect(page.get_by_text("Copied", exact=True).first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.get_by_role("button", name="Copy all 2").click()
    expect(page.locator("footer").get_by_text("Copied", exact=True).first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith(f"one@example.org\t{link}\ntwo@example.org\t")
    with page.expect_download() as taken:
        page.get_by_role("link", name="CSV").click()
    rows = list(csv.reader(Path(taken.value.path()).read_text().splitlines()))
    assert taken.value.suggested_filename == "stories-invitations.csv"
    assert (rows[1][0], rows[1][2], len(rows)) == ("one@example.org", link, 3)


def test_02_somebody_is_paused_removed_and_brought_back_without_scripts(contexts: Any, house: House) -> None:
    page = lead_at(contexts, house, java_script_enabled=False)

    for button, said in (
        ("Pause Ann1", "Ann1 is paused"),
        ("Resume Ann1", "Ann1 is resumed"),
        ("Remove Ann1", "Ann1 is removed."),
    ):
        page.get_by_label("Change Ann1", exact=True).click()
        page.get_by_role("button", name=button).click()
        expect(page.get_by_text(said)).to_be_visible()
    page.get_by_label("State").select_option("removed")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_label("Change Ann1", exact=True).click()
    page.get_by_role("button", name="Bring Ann1 back").click()

    expect(page.get_by_text("Ann1 is in the project again")).to_be_visible()


def test_03_a_forgotten_password_is_helped_by_a_lead(contexts: Any, house: House) -> None:
    page = lead_at(contexts, house)
    page.get_by_label("Change Ann2", exact=True).click()
    page.get_by_role("button", name="Make a link for a new password").click()
    link = page.get_by_label("Link to set a password").input_value()
    ann = contexts().new_page()
    ann.goto(house.url + re.sub(r"^http://[^/]+", "", link))
    ann.get_by_label("New password").fill("quite-another-pass")
    ann.get_by_role("button", name=re.compile("password")).click()

    Work(contexts().new_page(), house, "ann2@example.org", house.url).log_in("quite-another-pass")


def test_04_somebody_sees_where_they_are_signed_in_and_signs_out_there(contexts: Any, house: House) -> None:
    there = Work(contexts().new_page(), house, "ann3@example.org", house.url).log_in()
    here = Work(contexts().new_page(), house, "ann3@example.org", house.url).log_in()
    here.page.get_by_label("account menu").click()
    here.page.get_by_role("link", name="Account").click()
    expect(here.page.get_by_text("this one")).to_be_visible()

    here.page.get_by_role("button", name=re.compile("^Sign out .* last seen")).click()

    expect(here.page.get_by_text("That browser is signed out.")).to_be_visible()
    there.page.goto(f"{house.url}/account")
    expect(there.page).to_have_url(re.compile("/log-in"))


def test_05_what_was_pasted_outlives_a_session_that_ran_out(contexts: Any, house: House) -> None:
    page = lead_at(contexts, house)
    page.get_by_label("E-mail addresses").fill("one@example.org\ntwo@example.org")
    page.context.clear_cookies(name="assay_session")
    page.get_by_role("button", name="Invite", exact=True).click()
    page.get_by_label("E-mail").fill("lead@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_label("E-mail addresses")).to_have_value("one@example.org\ntwo@example.org")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_role("heading", name="2 links")).to_be_visible()
    page.goto(f"{house.url}{PEOPLE}")
    expect(page.get_by_label("E-mail addresses")).to_have_value("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_06_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    contexts: Any, house: House, scheme: str, width: int
) -> None:
    page = lead_at(contexts, house, color_scheme=scheme, bypass_csp=True)
    page.set_viewport_size({"width": width, "height": 844})
    found, widths = {"people": violations(page)}, {}

    def look(name: str) -> None:
        found[name], widths[name] = violations(page), page.evaluate("document.documentElement.scrollWidth")

    page.get_by_label("Change Ann1", exact=True).click()
    look("a person")
    invite(page, "broken\none@example.org")
    look("refused")
    page.get_by_role("button", name=re.compile("Invite the other")).click()
    look("one link")
    invite(page, "three@example.org, four@example.org")
    page.get_by_label("Change the invitation for three@example.org").click()
    look("links")
    page.goto(f"{house.url}{PEOPLE}?state=removed")
    look("nobody")
    page.goto(f"{house.url}/account")
    look("account")
    page.goto(f"{house.url}/account/tokens")
    look("no token")
    page.get_by_label("What it is for").fill(
        "A notebook with a rather long name, so that it has to be wrapped somewhere"
    )
    page.get_by_role("button", name="Make the token").click()
    expect(page.get_by_label("The new token")).to_have_value(re.compile("^assay_.{43}$"))
    look("a token")
    page.get_by_role("button", name=re.compile("Revoke the token")).click()
    expect(page.get_by_text("opens nothing any more")).to_be_visible()

    assert {name: problems for name, problems in found.items() if problems} == {}
    assert {name: most for name, most in widths.items() if most > width} == {}


def link_to(server: MailServer, house: House, email: str, what: str) -> str:
    """In the newest letter there, once a worker has sent it."""

    def links() -> list[str]:
        texts = [letter.get_content() for letter in server.letters if letter["To"] == email]
        return [path for text in texts for path in re.findall(rf"http://[^/\s]+(/{what}/\S+)", text)]

    wait_until(lambda: bool(links()), seconds=20, what=f"a letter to {email}")
    return f"{house.url}{links()[-1]}"


def test_07_an_invitation_and_a_forgotten_password_go_by_email(
    contexts: Any, house_with_mail: House, server: MailServer
) -> None:
    house = house_with_mail
    page = lead_at(contexts, house, bypass_csp=True)
    assert violations(page) == []
    invite(page, "seven@example.org")
    expect(page.get_by_text("1 invitation goes out by e-mail.")).to_be_visible()
    newcomer = contexts(bypass_csp=True).new_page()
    newcomer.goto(link_to(server, house, "seven@example.org", "invite"))
    newcomer.get_by_label("Your name").fill("Seven")
    newcomer.get_by_label("New password").fill(PASSWORD)
    newcomer.get_by_role("button", name="Make my account and join").click()
    expect(newcomer.get_by_text("Welcome to Stories.")).to_be_visible()
    newcomer.get_by_label("account menu").click()
    newcomer.get_by_role("button", name="Sign out").click()

    newcomer.get_by_role("link", name="Have a link sent to you").click()
    assert violations(newcomer) == []
    newcomer.get_by_label("E-mail").fill("seven@example.org")
    newcomer.get_by_role("button", name="Send me a link").click()
    expect(newcomer.get_by_text("is on its way there")).to_be_visible()
    newcomer.goto(link_to(server, house, "seven@example.org", "set-password"))
    newcomer.get_by_label("New password").fill("quite-another-pass")
    newcomer.get_by_role("button", name="Set password and sign in").click()

    expect(newcomer.get_by_text("Stories").first).to_be_visible()
