"""Cells that a spreadsheet would carry out as formulas: written with a quote before them, and read without."""

_BEGINS = ("=", "+", "-", "@", "\t", "\r")


def neutral(text: str) -> str:
    return f"'{text}" if text.startswith(_BEGINS) else text


def as_meant(text: str) -> str:
    """The cell before it was made neutral."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_BEGINS) else text
