"""Which word of a sentence a row means: the one that occurs there exactly so, by itself; else why there is none."""

import unicodedata

from annotator.domain.formats.reading import clip
from annotator.domain.language import is_cut_out
from annotator.domain.text import collapse_spaces

Span = tuple[int, int]
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")  # one character for one: places stay


class WrongRow(Exception):
    """What a row is told that cannot be taken."""


def span_of_word(word: str, occurrence: int | None, text: str) -> Span:
    """`occurrence` counts from 1 where the word occurs by itself more than once."""
    if not word:
        raise WrongRow("The word to change is missing.")
    everywhere, places = _everywhere(word, text), places_of(word, text)
    shown = clip(word)
    if not places:
        raise WrongRow(_missing(word, text, is_inside=bool(everywhere)))
    if occurrence is None and len(places) > 1:
        raise WrongRow(
            f"“{shown}” occurs {len(places)} times in the sentence: say which by occurrence, or start and end."
        )
    if occurrence is not None and not 1 <= occurrence <= len(places):
        times = "once" if len(places) == 1 else f"{len(places)} times"
        raise WrongRow(f"“{shown}” occurs {times} in the sentence: there is no occurrence {occurrence}.")
    start = places[(occurrence or 1) - 1]
    return start, start + len(word)


def places_of(word: str, text: str) -> list[int]:
    """Where it occurs by itself, not inside a longer word: what an occurrence is counted over."""
    return [start for start in _everywhere(word, text) if not is_cut_out(text, start, start + len(word))]


def _everywhere(word: str, text: str) -> list[int]:
    """Where it begins, also where it overlaps itself."""
    found, at = [], text.find(word)
    while at >= 0:
        found.append(at)
        at = text.find(word, at + 1)
    return found


def _missing(word: str, text: str, *, is_inside: bool) -> str:
    shown = clip(word)
    if is_inside:
        return f"“{shown}” does not occur in the sentence but inside a longer word: give start and end."
    composed = unicodedata.normalize("NFC", word)
    if composed in unicodedata.normalize("NFC", text):
        where = ("", "in the sentence without") if word != composed else ("in the sentence ", "here without")
        return f"“{shown}” is written {where[0]}with combining characters, and {where[1]}: copy it from the sentence."
    hint = _other_case(word, text) or _other_spaces(word, text) or _other_quotes(word, text)
    return f"“{shown}” does not occur in the sentence{hint}."


def _other_case(word: str, text: str) -> str:
    lower = text.lower()
    starts = _everywhere(word.lower(), lower) if len(lower) == len(text) else []  # a few capitals become two letters
    there = next((text[at : at + len(word)] for at in starts if not is_cut_out(text, at, at + len(word))), "")
    if not there:
        return ""
    size = "small" if there[0].islower() else "capital"
    how = f"with a {size} letter" if there[1:] == word[1:] else "with other small and capital letters"
    return f": the sentence has “{clip(there)}”, {how}"


def _other_spaces(word: str, text: str) -> str:
    trimmed = collapse_spaces(word)
    is_there = trimmed and trimmed != word and trimmed in text
    return f": the sentence has “{clip(trimmed)}”, with fewer spaces" if is_there else ""


def _other_quotes(word: str, text: str) -> str:
    at = text.translate(_STRAIGHT).find(word.translate(_STRAIGHT))
    there = text[at : at + len(word)] if at >= 0 else ""
    return f": the sentence has “{clip(there)}”, with other apostrophes or quotation marks" if there else ""
