"""The page of a release: all that is to be known before it is frozen, and what was known after it."""

import re
from typing import Any

import pytest

from annotator.actions.questions import ask_question
from annotator.models import Project
from exports.actions.releasing import freeze_release
from exports.domain.releases import CARD_FIELDS
from exports.models import Release
from tests.adjudication.conftest import assignment_of
from tests.exports.systems import client_of
from tests.exports.test_releasing import draft, files_of, frozen
from tests.factories import Cast

pytestmark = pytest.mark.slow


def page_of(cast: Cast, query: str = "", **given: Any) -> str:
    answer = client_of(cast.lead).get(f"/p/essays/releases/{Release.objects.get().number}{query}", **given)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_head_names_decisions_and_the_rule(decided: Cast) -> None:
    draft(decided)
    assert "and 3 decisions · dated 18 November 2026 · rules sws, kept from 2 votes" in plain(page_of(decided))


def test_splits_have_deviations_and_a_row_for_all(decided: Cast) -> None:
    made = draft(decided)
    shares = made.counts["shares"]
    made.counts["shares"] = [{**shares[0], "asked": 2}, {**shares[1], "asked": 1}]
    Release.objects.update(counts=made.counts)

    page = page_of(decided)
    [table] = re.findall(r'aria-label="Splits">(.*?)</table>', page)
    rows = [re.findall(r">([^<>]+)<", row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table)]

    assert rows[0] == ["Split", "Asked", "Got", "Deviation", "Groups", "New", "Words each", "Votes each"]
    assert [row[:4] for row in rows[1:3]] == [["validation", "2", "1", "−1"], ["test", "1", "2", "+1"]]
    assert rows[3][:3] == ["all", "3", "3"]
    words = sum(row["words"] * row["got"] for row in shares) / 3
    assert rows[3][-2] == f"{words:.1f}"


def test_the_doctors_verdict_is_told_part_by_part(decided: Cast) -> None:
    made = draft(decided)

    page = plain(page_of(decided))

    looked_at = made.counts["looked_at"]
    assert f"The doctor found nothing in {len(looked_at)} parts, " in page
    assert "Verdict" in page
    for check, times in looked_at.items():
        assert f"{check} {times:,}" in page


def test_what_the_doctor_finds_is_listed(decided: Cast) -> None:
    decided.project.passages.filter(external_id="essays-1").update(tokens=[[0, 9999]])
    made = draft(decided)

    page = page_of(decided)

    assert made.findings
    assert all(finding in plain(page) for finding in ["passages: passage essays-1: a token lies outside the text"])
    assert "The doctor found nothing" not in page
    assert re.search(r'<button class="btn go" disabled>Freeze release 1', page)


def test_many_findings_are_cut_and_counted(decided: Cast) -> None:
    draft(decided)
    Release.objects.update(findings=[f"passages: number {number}" for number in range(25)])

    page = plain(page_of(decided))

    assert "number 19" in page
    assert "number 20" not in page
    assert "and 5 more" in page


def test_ticks_stay_where_freezing_is_refused(decided: Cast) -> None:
    made = draft(decided)
    codes = [row["code"] for row in made.warnings]
    assert len(codes) == 2
    assert "0 of 2 warnings ticked" in plain(page_of(decided))

    client = client_of(decided.lead)
    path = f"/p/essays/releases/{made.number}"
    answer = client.post(f"{path}/freeze", {"version": made.version, "ticked": codes[:1]}, follow=True)

    page = re.sub(r"\s+", " ", answer.content.decode())
    assert "Not ticked yet" in page
    assert "1 of 2 warnings ticked" in plain(page)
    assert re.findall(r'value="(\w+)" id="warning-\w+" checked', page) == codes[:1]


def test_frozen_it_says_what_was_ticked(decided: Cast) -> None:
    ask_question(assignment_of(decided.ann, "essays-2"), by=decided.ann, text="Why?")
    made = draft(decided)
    texts = {row["code"]: row["text"] for row in made.warnings}
    assert set(texts) == {"questions", "unsettled", "agreement"}
    freeze_release(made, by=decided.lead, version=made.version, ticked=list(texts))

    page = plain(page_of(decided))

    assert "Known when it was frozen" in page
    for text in texts.values():
        assert text.capitalize() in page or text[0].upper() + text[1:] in page
    assert 'name="ticked"' not in page_of(decided)


def test_notes_are_on_the_page_and_in_the_card(decided: Cast) -> None:
    release = frozen(decided, notes="Without the essays of May.\nThey come later <b>.")

    assert "Without the essays of May." in page_of(decided)
    assert "They come later &lt;b&gt;." in page_of(decided)
    readme = files_of(release)["README.md"].decode()
    assert "## Notes\n\nWithout the essays of May.\nThey come later <b>.\n" in readme


def test_a_release_without_notes_has_none(decided: Cast) -> None:
    assert "## Notes" not in files_of(frozen(decided))["README.md"].decode()


def test_the_rule_on_looking_things_up_counts_among_what_is_stated_and_the_form_leads_to_it(decided: Cast) -> None:
    fields = len(CARD_FIELDS) + 1
    for policy, unstated in (("", fields), ("Dictionaries.", fields - 1)):
        Project.objects.filter(pk=decided.project.pk).update(look_up_policy=policy)
        decided.project.refresh_from_db()
        draft(decided)
        assert f"{unstated} of {fields} fields of the card not stated" in page_of(decided)
        form = plain(client_of(decided.lead).get("/p/essays/releases/card").content.decode())
        assert ("Looking things up: not stated" in form) == (not policy)
    page = client_of(decided.lead).get("/p/essays/releases/card").content.decode()
    assert 'href="/p/essays/guidelines/change"' in page
    assert client_of(decided.lead).get("/p/essays/guidelines/change").status_code == 200
