"""Where an answer goes in the guidelines."""

import pytest

from annotator.domain.guidelines import headings, with_addition, with_question

TEXT = """# What to mark

Mark words.

## Fixed expressions

- Mark the whole of them.
- Nothing else.

## Names

Leave names alone.
"""


@pytest.mark.parametrize(
    ("under", "line", "before", "after"),
    [
        ("Fixed expressions", "- As one.", "- Nothing else.", ""),
        ("Names", "As one.", "", None),
        ("What to mark", "As one.", "", ""),
        ("No such heading", "As one.", "", None),
        ("", "As one.", "", None),
    ],
)
def test_it_is_the_last_thing_under_its_heading(under: str, line: str, before: str, after: str | None) -> None:
    lines = with_addition(TEXT, "As\n one.", under=under).splitlines()

    place = lines.index(line)
    assert lines[place - 1] == before
    assert (lines[place + 1] if place + 1 < len(lines) else None) == after
    assert [kept for kept in lines if kept.strip() and kept != line] == [row for row in TEXT.splitlines() if row]


def test_in_empty_guidelines_it_is_all_there_is() -> None:
    assert with_addition("", "As one.") == "As one."
    assert with_addition("# Rules\n# Names", "As one.", under="Rules") == "# Rules\n\nAs one.\n\n# Names"


def test_question_and_answer_stand_under_a_heading_of_their_own_at_the_end() -> None:
    once = with_question(TEXT, "Is *New York*\none piece?", "Yes, mark it as\none piece.")
    twice = with_question(once, "And names?", "No.")

    added = "## Questions and answers\n\n**Is New York one piece?**\n\nYes, mark it as one piece."
    assert once == f"{TEXT}\n{added}"
    assert twice == f"{once}\n\n**And names?**\n\nNo."


@pytest.mark.parametrize(
    ("text", "heading"), [("", "##"), ("Mark words.", "##"), ("# One\n# Two\n## Three", "#"), ("#### Deep", "####")]
)
def test_that_heading_is_of_the_rank_of_a_section(text: str, heading: str) -> None:
    assert f"{heading} Questions and answers" in with_question(text, "One?", "Two.").splitlines()


def test_each_heading_is_listed_once() -> None:
    assert headings(f"{TEXT}\n# Names\n#No heading\n####### Nor this") == ["What to mark", "Fixed expressions", "Names"]
