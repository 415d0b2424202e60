"""What may stand in a stored text, and the keys by which two typed texts count as the same."""

import re
import unicodedata
from functools import lru_cache

from annotator.domain.errors import Problem
from annotator.domain.lengths import MAX_PASSAGE_LENGTH

MAX_REMEMBERED = 40  # code points: words and phrases come again and again, long texts would only fill the memory

# C0 and C1 controls but tab and line feed; NUL and the surrogates among what no text may hold.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_STRAIGHT_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})


def forbidden_character(text: str) -> str:
    """The first character that no stored text may hold, as U+XXXX, or "" where there is none."""
    found = _FORBIDDEN.search(text)
    return f"U+{ord(found.group()):04X}" if found else ""


def is_blank(text: str) -> bool:
    """Nothing to see: white space and invisible format characters (zero-width spaces and the like) only."""
    if text[:1].isalnum():  # nearly every text
        return False
    return all(char.isspace() or unicodedata.category(char) == "Cf" for char in text)


def line_problems(text: str, *, what: str, path: str, most: int) -> list[Problem]:
    """What keeps `text` from being a name or a remark: one rule for everything people type outside an answer."""
    problems = []
    if len(text) > most:
        problems.append(Problem("too_long", f"{what} has {len(text)} characters: {most} are the most.", path))
    if character := forbidden_character(text.replace("\r\n", "\n")):
        problems.append(Problem("forbidden_character", f"{what} holds the control character {character}.", path))
    return problems


def with_line_feeds(text: str) -> str:
    """CRLF becomes LF once, at import, before any offset exists."""
    return text.replace("\r\n", "\n")


def passage_text_problems(text: str) -> list[Problem]:
    """What keeps `text` from being a passage."""
    problems = []
    if is_blank(text):
        problems.append(Problem("empty_text", "The passage has no text.", "text"))
    if len(text) > MAX_PASSAGE_LENGTH:
        message = f"The passage has {len(text):,} characters; {MAX_PASSAGE_LENGTH:,} are the most."
        problems.append(Problem("text_too_long", message, "text"))
    if character := forbidden_character(text):
        problems.append(Problem("forbidden_character", f"The passage holds the control character {character}.", "text"))
    return problems


def collapse_spaces(text: str) -> str:
    return " ".join(text.split())


def substitute_key(text: str, *, folds: bool) -> str:
    """By this key two substitutes count as one; `folds` off: exact NFC only (hoo, wets)."""
    return _remembered_key(text, folds) if len(text) <= MAX_REMEMBERED else _key(text, folds)


@lru_cache(maxsize=20_000)  # some 10 MB at the most
def _remembered_key(text: str, folds: bool) -> str:
    return _key(text, folds)


def _key(text: str, folds: bool) -> str:
    if not folds:
        return unicodedata.normalize("NFC", text)
    folded = collapse_spaces(unicodedata.normalize("NFC", text)).translate(_STRAIGHT_QUOTES).casefold()
    return unicodedata.normalize("NFC", folded)
