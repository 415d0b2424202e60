"""A thesaurus: synonyms in order, by word or phrase and part of speech. Read from tables or from WordNet's files."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Self

from annotator.domain.formats.reading import Report, clip, lines_of
from annotator.domain.lengths import MAX_SUBSTITUTE_LENGTH
from annotator.domain.text import collapse_spaces, forbidden_character

# Noun, verb, adjective, adverb: the letters of WordNet, in the order in which parts are tried where nobody tells them.
PARTS = "nvar"
COLUMNS = ("word", "pos", "synonym")
WORDNET_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_SPELLED = {"noun": "n", "verb": "v", "adj": "a", "adjective": "a", "adv": "r", "adverb": "r"}
_MARKER = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand
Row = tuple[str, str, str]  # word, part, synonym


@dataclass(frozen=True)
class Thesaurus:
    """`synonyms` by part and word, words in lower case. `phrases` by their first word and their second: how many words
    the longest of them has."""

    synonyms: Mapping[str, Mapping[str, tuple[str, ...]]]
    phrases: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Self:
        """Rows in order; one that comes again says nothing new."""
        found: dict[str, dict[str, tuple[str, ...]]] = {part: {} for part in PARTS}
        for word, part, synonym in rows:
            entries, word = found[part], sys.intern(word.lower())
            known = entries.get(word, ())
            if synonym not in known:
                entries[word] = (*known, sys.intern(synonym))
        phrases: dict[str, dict[str, int]] = {}
        for phrase in (word for entries in found.values() for word in entries if " " in word):
            first, second, *rest = phrase.split(" ")
            seconds = phrases.setdefault(sys.intern(first), {})
            seconds[sys.intern(second)] = max(seconds.get(second, 0), 2 + len(rest))
        return cls(found, phrases)

    def __len__(self) -> int:
        return sum(map(len, self.synonyms.values()))


def read_table(data: bytes, report: Report) -> Iterator[Row]:
    """Rows of word, part of speech and synonym, with tabs between; the head may be left out. `report` names every bad
    line."""
    for number, line in lines_of(BytesIO(data), report):
        cells = [collapse_spaces(cell) for cell in line.split("\t")]
        if not any(cells) or (number == 1 and tuple(cell.lower() for cell in cells) == COLUMNS):
            continue
        part = _SPELLED.get(cells[1].lower(), cells[1].lower()) if len(cells) > 1 else ""
        if reason := _wrong_row(cells, part):
            report.add(number, reason)
        else:
            yield cells[0], part, cells[2]


def _wrong_row(cells: list[str], part: str) -> str:
    if len(cells) != len(COLUMNS):
        return f"The row has {len(cells)} of the three cells word, pos and synonym, with tabs between them."
    word, pos, synonym = cells
    if part not in PARTS or len(part) != 1:
        return f"“{clip(pos)}” is no part of speech: n, v, a or r (noun, verb, adjective, adverb)."
    if not word or not synonym:
        return f"The {'word' if not word else 'synonym'} is missing."
    if max(len(word), len(synonym)) > MAX_SUBSTITUTE_LENGTH:
        return f"“{clip(max(cells, key=len))}” has more than {MAX_SUBSTITUTE_LENGTH} characters."
    if character := forbidden_character(word + synonym):
        return f"The row holds the control character {character}."
    return f"“{clip(word)}” is given as a synonym of itself." if word.lower() == synonym.lower() else ""


def read_wordnet(part: str, *, index: bytes, data: bytes, reports: tuple[Report, Report]) -> Iterator[Row]:
    """Of one part of speech: the other members of each synset that a word is in, senses in WordNet's order.
    `reports`: on the index and on the data."""
    synsets = _synsets(data, reports[1])
    for number, line in _wordnet_lines(index, reports[0]):
        try:
            lemma, senses = _index_line(line)
            members = [synsets[sense] for sense in senses]
        except (ValueError, IndexError):
            reports[0].add(number, f"This is no line of an index of WordNet: “{clip(line)}”.")
            continue
        except KeyError as error:
            reports[0].add(number, f"It names the synset {error.args[0]:08d}, which the data do not have.")
            continue
        yield from ((lemma, part, word) for synset in members for word in synset if word.lower() != lemma)


def _wordnet_lines(data: bytes, report: Report) -> Iterator[tuple[int, str]]:
    """Without the licence at the head, whose lines begin with two spaces."""
    return ((number, line) for number, line in lines_of(BytesIO(data), report) if not line.startswith("  "))


def _index_line(line: str) -> tuple[str, list[int]]:
    """`lemma pos synsets pointers [pointer …] senses tagged [offset …]` (wndb(5))."""
    lemma, _, synsets, pointers, *rest = line.split()
    offsets = rest[int(pointers) + 2 :]
    if len(offsets) != int(synsets) or not offsets:
        raise ValueError
    return lemma.replace("_", " "), [int(offset) for offset in offsets]


def _synsets(data: bytes, report: Report) -> dict[int, tuple[str, ...]]:
    """By offset its words; `offset file type words [word number …] …`, the count of words in hexadecimal (wndb(5))."""
    found: dict[int, tuple[str, ...]] = {}
    for number, line in _wordnet_lines(data, report):
        try:
            offset, _, _, count, *rest = line.partition(" | ")[0].split()
            words = rest[: 2 * int(count, 16) : 2]
            if len(rest) <= 2 * int(count, 16) or not words:  # the count of pointers follows in any case
                raise ValueError
            # One that stands alone has no synonyms: nothing to keep of it but that it is there.
            found[int(offset)] = tuple(map(_plain_word, words)) if len(words) > 1 else ()
        except ValueError:
            report.add(number, f"This is no synset of WordNet: “{clip(line)}”.")
    return found


def _plain_word(word: str) -> str:
    return sys.intern(_MARKER.sub("", word).replace("_", " "))
