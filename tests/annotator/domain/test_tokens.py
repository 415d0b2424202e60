"""Tokens in few bytes, and back."""

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.language import made_tokens, plain_tokens
from annotator.domain.tokens import pack_tokens, texts_of, unpack_tokens
from tests.annotator.domain.strategies import texts


@pytest.mark.parametrize(
    ("text", "stored", "numbers", "rewritten"),
    [
        ("I don't.", [[0, 1], [2, 4], [4, 7], [7, 8]], [0, 1, 1, 2, 4, 1, 4, 7, 1, 7, 8, 0], {}),
        ('a "b', [(0, 1), (2, 3, "``"), (3, 4)], [0, 1, 1, 2, 3, 0, 3, 4, 1], {"1": "``"}),
        ("I am", [[0, 1, "I"], [2, 4]], [0, 1, 1, 2, 4, 1], {}),  # given, though the text says the same
        ("😀 ก 漢", [(0, 1), (2, 3), (4, 5)], [0, 1, 0, 2, 3, 1, 4, 5, 1], {}),
        (" ", [], [], {}),
    ],
)
def test_tokens_are_packed(text: str, stored: Any, numbers: list[int], rewritten: dict[str, str]) -> None:
    packed = pack_tokens(text, stored)

    assert packed == (struct.pack(f"<{len(numbers)}i", *numbers), rewritten)
    assert texts_of(text, unpack_tokens(*packed)) == texts_of(text, stored)


@given(texts(), st.sampled_from(["en", "th"]))
def test_what_is_packed_comes_back(text: str, lang: str) -> None:
    made = made_tokens(text, lang)

    assert unpack_tokens(*pack_tokens(text, made)) == made


@given(texts(), st.data())
def test_tokens_that_say_it_otherwise_come_back(text: str, data: st.DataObject) -> None:
    stored = tuple(
        (start, end, data.draw(texts().filter(lambda token, there=text[start:end]: token != there)))  # type: ignore[misc]
        if data.draw(st.booleans())
        else (start, end)
        for start, end in plain_tokens(text)
    )

    assert unpack_tokens(*pack_tokens(text, stored)) == stored
