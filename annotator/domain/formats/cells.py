"""Cells that a spreadsheet would carry out as formulas: written with a quote before them, and read without."""

import re

_CLOSING = re.compile(r"'(?!\w)")
_BEGINS = ("=", "+", "-", "@", "\t", "\r")


def neutral(text: str) -> str:
    return f"'{text}" if text.startswith(_BEGINS) else text


def as_meant(text: str) -> str:
    """The cell before it was made neutral."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_BEGINS) else text


def text_as_meant(text: str) -> str:
    """The same of running text, where a quote that is closed again is one of its own: “'-ish' is a suffix.”"""
    return text if _CLOSING.search(text, 1) else as_meant(text)
