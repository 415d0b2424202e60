"""The entries of a thesaurus in a sentence, and what it offers for each in the form that the sentence has.

Whether "a" or "an" stands before a word is not looked at: a synonym is put in, nothing around it is changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from exports.domain.english import AMBIGUOUS_WORDS, ENDS, FUNCTION_WORDS, TAGS, form_of, inflect, lemmas_of, tagged
from exports.domain.thesaurus import PARTS, Thesaurus

_REMEMBERED = 20_000  # words, and words with their tags: the same come again and again
_OPENING = ENDS | {"``", '"', "“", "''", ":"}  # after these a capital is no sign of a name
_PREPOSITIONS = frozenset(
    ("about", "against", "at", "between", "by", "for", "from", "in", "into", "of", "on", "to", "under", "with")
)
Reading = tuple[str, str, str]  # part, key, form


@dataclass(frozen=True)
class Entry:
    """Tokens [start, end) are the entry `key` as this part of speech; `form` is what its synonyms take, "" for none."""

    start: int
    end: int
    part: str
    key: str
    form: str


class EntryFinder:
    """Without the tagger a word is the first part of speech that the thesaurus has it as, in the order of PARTS."""

    def __init__(self, thesaurus: Thesaurus, *, with_tagger: bool = True) -> None:
        self.thesaurus, self.with_tagger = thesaurus, with_tagger
        self._never = FUNCTION_WORDS if with_tagger else FUNCTION_WORDS | AMBIGUOUS_WORDS
        self._is_known = lru_cache(maxsize=_REMEMBERED)(self._look_up)
        self._seconds = lru_cache(maxsize=_REMEMBERED)(self._second_words)
        self._word = lru_cache(maxsize=_REMEMBERED)(self._read_word)

    def entries(self, tokens: Sequence[str]) -> list[Entry]:
        """Left to right, at each place the longest, none over another (Wang et al. 2023, 3.2)."""
        words = [token.lower() for token in tokens]
        if not any(map(self._is_known, words)):
            return []  # without a question to the tagger, which takes most of the time
        tags = tagged(tokens) if self.with_tagger else [""] * len(tokens)
        found: list[Entry] = []
        end = 0
        for at in range(len(words)):
            if at >= end and (self.with_tagger or not _looks_like_a_name(tokens, at)):
                entry = self._phrase_at(at, words, tags) or self._word_at(at, words, tags)
                if entry:
                    found.append(entry)
                    end = entry.end
        return found

    def offers(self, entry: Entry, tokens: Sequence[str], *, first: int = 0) -> Iterator[str]:
        """Its synonyms in order, from the `first` on and round, in the form and with the first letter of what stands
        there; nothing twice, and not what stands there."""
        original = " ".join(tokens[entry.start : entry.end])
        synonyms = self.thesaurus.synonyms[entry.part][entry.key]
        told = {original.lower()}
        for number in range(len(synonyms)):
            text = inflected_phrase(synonyms[(first + number) % len(synonyms)], entry.part, entry.form)
            if text.lower() not in told:
                told.add(text.lower())
                yield text[0].upper() + text[1:] if original[0].isupper() else text

    def _phrase_at(self, at: int, words: list[str], tags: list[str]) -> Entry | None:
        for end in range(min(at + self._longest(words, at), len(words)), at + 1, -1):
            if reading := self._read_phrase(words[at:end], tags[at:end]):
                return Entry(at, end, *reading)
        return None

    def _word_at(self, at: int, words: list[str], tags: list[str]) -> Entry | None:
        reading = self._word(words[at], tags[at])
        return Entry(at, at + 1, *reading) if reading else None

    def _look_up(self, word: str) -> bool:
        """Whether an entry may begin here, whatever the tagger says."""
        return bool(self._seconds(word)) or any(
            key in self.thesaurus.synonyms[part] for part in PARTS for key in (word, *lemmas_of(word, part))
        )

    def _second_words(self, word: str) -> Mapping[str, int]:
        """The second words of phrases that begin with a form of this one, and how long those may be."""
        firsts = {word, *lemmas_of(word, "v"), *lemmas_of(word, "n")}
        found = [self.thesaurus.phrases[first] for first in firsts if first in self.thesaurus.phrases]
        if len(found) < 2:
            return found[0] if found else {}  # not copied: some words begin thousands of phrases
        return {second: max(seconds.get(second, 0) for seconds in found) for seconds in found for second in seconds}

    def _longest(self, words: list[str], at: int) -> int:
        """How many words a phrase may have that begins here."""
        seconds = self._seconds(words[at])
        if not seconds or at + 1 == len(words):
            return 0
        second = words[at + 1]
        return max([seconds.get(second, 0), *[seconds.get(lemma, 0) for lemma in lemmas_of(second, "n")]])

    def _read_word(self, word: str, tag: str) -> Reading | None:
        if len(word) < 2 or not word[0].isalpha() or word in self._never:
            return None
        for part, form in self._parts(word, tag):
            for key in _keys(word, part, form):
                if key in self.thesaurus.synonyms[part]:
                    return part, key, _form_for(key, word, part, form)
        return None

    def _read_phrase(self, words: list[str], tags: list[str]) -> Reading | None:
        """Verbs and nouns by the word that takes the form; of other phrases every word stands as it is."""
        for part in PARTS:
            at = _head(words, part)
            if at is None:
                if (phrase := " ".join(words)) in self.thesaurus.synonyms[part]:
                    return part, phrase, ""
                continue
            form = dict(self._parts(words[at], tags[at])).get(part)
            for key in _keys(words[at], part, form) if form is not None else ():
                phrase = " ".join([*words[:at], key, *words[at + 1 :]])
                if phrase in self.thesaurus.synonyms[part]:
                    return part, phrase, _form_for(key, words[at], part, form or "")
        return None

    def _parts(self, word: str, tag: str) -> list[tuple[str, str]]:
        """What a word may be here, and in which form."""
        if not self.with_tagger:
            return [(part, form_of(word, part)) for part in PARTS]
        part, form = TAGS.get(tag, ("", ""))
        # HanTa has one tag for all adverbs.
        return [(part, form_of(word, part) if part == "r" else form)] if part else []


def _looks_like_a_name(tokens: Sequence[str], at: int) -> bool:
    return at > 0 and tokens[at][0].isupper() and tokens[at - 1] not in _OPENING


def _keys(word: str, part: str, form: str) -> tuple[str, ...]:
    """Under what a word may stand in a thesaurus: as it is written, or by its lemma. Where it is an inflected form that
    is also a lemma ("found"), the likelier lemma goes first."""
    lemmas = lemmas_of(word, part)
    if form and word in lemmas:
        return lemmas
    return (word, *(lemma for lemma in lemmas if lemma != word))


def _form_for(key: str, word: str, part: str, form: str) -> str:
    """An entry that is an inflected form itself has synonyms in that form."""
    return form if key in lemmas_of(word, part) else ""


def _head(words: Sequence[str], part: str) -> int | None:
    """Which word of a phrase takes its form: of a verb the first; of a noun the last, or that before a preposition."""
    if part == "v":
        return 0
    if part == "n":
        return next((at for at, word in enumerate(words[1:]) if word in _PREPOSITIONS), len(words) - 1)
    return None


@lru_cache(maxsize=_REMEMBERED)
def inflected_phrase(synonym: str, part: str, form: str) -> str:
    """Names and phrases without a head stay as they are."""
    words = synonym.split(" ")
    at = _head(words, part) if len(words) > 1 else 0
    if not form or at is None or not words[at].islower():
        return synonym
    return " ".join([*words[:at], inflect(words[at], form), *words[at + 1 :]])
