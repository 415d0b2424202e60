"""What changed between two versions of the guidelines."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.guidelines import changed_lines

lines = st.lists(st.sampled_from(["Mark verbs.", "Mark nouns.", "No names.", ""]), max_size=8).map("\n".join)


def test_gone_and_new_lines_in_order() -> None:
    found = changed_lines("# Do\n\nMark verbs.\nMark nouns.", "# Do\nMark verbs.\nMark names.\nTwo substitutes.")

    assert [(line.text, line.is_new) for line in found] == [
        ("Mark nouns.", False),
        ("Mark names.", True),
        ("Two substitutes.", True),
    ]


@given(lines, lines)
def test_what_is_gone_stood_in_the_old_text_and_what_is_new_stands_in_the_new(old: str, new: str) -> None:
    found = changed_lines(old, new)

    count = {text: old.split("\n").count(text) for text in old.split("\n")}
    for line in found:
        count[line.text] = count.get(line.text, 0) + (1 if line.is_new else -1)
    assert {text: n for text, n in count.items() if n and text} == {
        text: new.split("\n").count(text) for text in set(new.split("\n")) if text
    }
