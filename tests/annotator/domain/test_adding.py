"""Where an answer goes in the guidelines."""

import pytest

from annotator.domain.guidelines import headings, with_addition

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


def test_each_heading_is_listed_once() -> None:
    assert headings(f"{TEXT}\n# Names\n#No heading\n####### Nor this") == ["What to mark", "Fixed expressions", "Names"]
