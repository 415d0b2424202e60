"""What a lead may want to know of a passage before anybody is given it. A finding never keeps one out."""

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from annotator.domain.language import is_word_character, words_are
from annotator.domain.text import substitute_key

DIGEST = 32  # characters
LEAST_WORDS = 5
MOST_WORDS = 100
# By code, as a list of kinds says it.
FINDINGS = {
    "same": "same text",
    "short": f"under {LEAST_WORDS} words",
    "long": f"over {MOST_WORDS}",
    "several": "several sentences",
    "hidden": "hidden character",
    "entity": "&amp;",
}
# Zero-width and bidirectional characters: how they are shown, and what they are called.
HIDDEN = {
    "\u00ad": ("SHY", "soft hyphen"),
    "\u061c": ("ALM", "Arabic letter mark"),
    "\u180e": ("MVS", "Mongolian vowel separator"),
    "\u200b": ("ZWSP", "zero-width space"),
    "\u200c": ("ZWNJ", "zero-width non-joiner"),
    "\u200d": ("ZWJ", "zero-width joiner"),
    "\u200e": ("LRM", "left-to-right mark"),
    "\u200f": ("RLM", "right-to-left mark"),
    "\u202a": ("LRE", "left-to-right embedding"),
    "\u202b": ("RLE", "right-to-left embedding"),
    "\u202c": ("PDF", "end of an embedding"),
    "\u202d": ("LRO", "left-to-right override"),
    "\u202e": ("RLO", "right-to-left override"),
    "\u2060": ("WJ", "word joiner"),
    "\u2066": ("LRI", "left-to-right isolate"),
    "\u2067": ("RLI", "right-to-left isolate"),
    "\u2068": ("FSI", "first-strong isolate"),
    "\u2069": ("PDI", "end of an isolate"),
    "\ufeff": ("BOM", "byte order mark"),
}
_JOINERS = "\u200c\u200d"
_HIDDEN = re.compile(f"[{''.join(HIDDEN)}]")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,20});")
_ODD = re.compile(f"{_HIDDEN.pattern}|{_ENTITY.pattern}")
# Where a sentence may end and another begin: at a stop, closing signs and a space, before no small letter; or at the
# stop of a script that sets no space. Titles, initials and the like end none.
_END = re.compile(r"(?<=[.!?…])[.!?…]*[\"'”’»)\]]*\s+(?=[\"'“‘«(\[¿¡]*[^\W_a-z])|[。！？।॥]+(?=\s*\w)")
_NO_END = re.compile(
    r"(?:^|[\s(\"'“‘])(?:[A-Z]|[A-Za-z](?:\.[A-Za-z])+|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|No|Nr|Fig|cf|ca|al|pp?|approx)\.$"
)
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


@dataclass(frozen=True)
class RowFinding:
    code: str  # of FINDINGS
    message: str


@dataclass(frozen=True)
class Piece:
    """Of a text as it is shown: `kind` is "" for what stands there, hidden for a character that cannot be seen (`text`
    is what is shown for it), entity for what was likely meant to be another character."""

    kind: str
    text: str
    name: str = ""


def text_key(text: str) -> str:
    """By this two passages are the same text: spaces, quotation marks and small or capital letters aside."""
    return substitute_key(text, folds=True)


def text_digest(text: str) -> str:
    """The key as it is kept: of one length, however long the text is."""
    return hashlib.sha256(text_key(text).encode()).hexdigest()[:DIGEST]


def passage_findings(text: str, lang: str) -> list[RowFinding]:
    """Of the text alone; whether there is the same text elsewhere is known to whoever has them all."""
    return [*_length(text, lang), *_sentences(text), *_hidden(text), *_entities(text)]


def same_as(where: str) -> RowFinding:
    return RowFinding("same", f"Same text as {where}")


def pieces(text: str) -> Iterator[Piece]:
    at = 0
    for found in _ODD.finditer(text):
        is_hidden = found.group() in HIDDEN
        if is_hidden and _is_at_home(text, found.start()):
            continue
        if not is_hidden and not _meant(found.group()):
            continue
        if found.start() > at:
            yield Piece("", text[at : found.start()])
        shown, name = HIDDEN.get(found.group(), (found.group(), _meant(found.group())))
        yield Piece("hidden" if is_hidden else "entity", shown, name)
        at = found.end()
    if at < len(text):
        yield Piece("", text[at:])


def count_words(text: str, lang: str) -> int:
    """Letters, in a script that puts no spaces between words."""
    if words_are([lang]) == "letters":
        return sum(char.isalnum() for char in text)
    return sum(1 for word in text.split() if word[0].isalnum() or any(map(str.isalnum, word)))


def count_sentences(text: str) -> int:
    return 1 + sum(1 for found in _END.finditer(text) if not _NO_END.search(text[: found.start()][-20:]))


def _length(text: str, lang: str) -> Iterator[RowFinding]:
    words, what = count_words(text, lang), words_are([lang])
    if words < LEAST_WORDS:
        what = what if words != 1 else what.removesuffix("s")
        yield RowFinding("short", f"{words} {what}, fewer than {LEAST_WORDS}")
    if words > MOST_WORDS:
        yield RowFinding("long", f"{words:,} {what}, more than {MOST_WORDS}")


def _sentences(text: str) -> Iterator[RowFinding]:
    if (sentences := count_sentences(text)) > 1:
        said = _NUMBERS[sentences] if sentences < len(_NUMBERS) else f"{sentences:,}"
        yield RowFinding("several", f"{said} sentences")


def _hidden(text: str) -> Iterator[RowFinding]:
    found = [match.start() for match in _HIDDEN.finditer(text) if not _is_at_home(text, match.start())]
    if found:
        name = HIDDEN[text[found[0]]][1]
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        yield RowFinding("hidden", f"{_a(name)} {_after(text[: found[0]])}{more}; it is kept")


def _entities(text: str) -> Iterator[RowFinding]:
    for written in dict.fromkeys(_ENTITY.findall(text)):
        if meant := _meant(written):
            yield RowFinding("entity", f"Reads “{written}”: meant “{meant}”?")
            return


def _meant(entity: str) -> str:
    """What a browser would show for it, or "" where that is nothing else, or nothing that can be seen."""
    meant = html.unescape(entity)
    return "" if meant == entity or unicodedata.category(meant[0]) in ("Cc", "Cs", "Cn") else meant


def _is_at_home(text: str, at: int) -> bool:
    """Joiners are letters of scripts that join, and hold emoji together."""
    around = (text[at - 1 : at], text[at + 1 : at + 2])
    return text[at] in _JOINERS and all(char and ord(char) > 0x2FF and not char.isspace() for char in around)


def _after(before: str) -> str:
    words = before.split()
    if not words:
        return "at the beginning"
    word = "".join(char for char in words[-1] if is_word_character(char)) or words[-1]
    return f"after “{_HIDDEN.sub('', word)[-30:]}”"


def _a(name: str) -> str:
    return f"{'An' if name[0] in 'aeioA' else 'A'} {name}"
