"""How marks and substitutes are worded: the small questions that findings ask."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from annotator.domain.language import FORMS, inflected, tags_of
from annotator.domain.text import substitute_key
from annotator.domain.tokens import Span

_WORD = re.compile(r"\S+")
_WORD_CHARACTER = re.compile(r"\w")
_ANY_COMMA = re.compile("[,，、،]")
_COMMA = re.compile(r"(?<!\d)[,，、،]|[,，、،](?!\d)")  # not the one inside 1,000
_ABBREVIATION = re.compile(r"(?:\w\.)+\w?")
_INNER = re.compile(r"(?<=\w)[-‐‑'’·](?=\w)|(?<=\w)['’](?=\s|$)")  # long-term, don't, parents'
_ARTICLE = re.compile(r"an?\s+(?=\S)", re.IGNORECASE)
_ARTICLE_BEFORE = re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)
_SENTENCE_BEFORE = re.compile(r"(?:^|[.!?:\n])[\s\"'“”‘’(\[«*-]*$")
_NO_NAMES = {"i", "i'm", "i've", "i'd", "i'll", "ok", "tv", "pc"}
_FUNCTION_WORDS = """
    a an the this that these those my your his her its our their some any no every each either neither such what which
    who whom whose i you he she it we they me him us them myself yourself himself herself itself ourselves themselves
    and or but nor so yet for if because although though while whereas since unless until when where whether than as of
    in on at by to from with without about into onto over under between among through during before after against up
    down out off is am are was were be been being do does did have has had having will would shall should can could may
    might must ought not n't there here
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True)
class Phrase:
    """A text in words, by white space: parted once, however often it is asked for them."""

    text: str

    @cached_property
    def words(self) -> list[str]:
        return [self.text[start:end] for start, end in self.spans]

    @cached_property
    def spans(self) -> list[Span]:
        return [found.span() for found in _WORD.finditer(self.text)]

    @cached_property
    def keys(self) -> list[str]:
        return [substitute_key(word, folds=True) for word in self.words]

    def span(self, front: int, back: int) -> Span:
        """Where the words between so many at the front and so many at the back stand."""
        return self.spans[front][0], self.spans[-1 - back][1]

    def middle(self, front: int, back: int) -> str:
        return self.text[slice(*self.span(front, back))]


def comma_parts(text: str) -> list[str]:
    if not _ANY_COMMA.search(text):  # nearly every text
        return [text.strip()] if text.strip() else []
    return [part.strip() for part in _COMMA.split(text) if part.strip()]


def has_punctuation(quote: str) -> bool:
    """Hyphens and apostrophes inside words are letters here, and so are the dots of abbreviations."""
    if _ABBREVIATION.fullmatch(quote):
        return False
    return any(unicodedata.category(char).startswith("P") and char not in "%&@#" for char in _INNER.sub("", quote))


def without_outer_punctuation(quote: str) -> Span:
    first, last = _WORD_CHARACTER.search(quote), _WORD_CHARACTER.search(quote[::-1])
    return (first.start(), len(quote) - last.start()) if first and last else (0, 0)


def looks_like_a_name(word: str) -> bool:
    return word[:1].isupper() and word.lower().replace("’", "'") not in _NO_NAMES


def begins_a_sentence(text: str, position: int) -> bool:
    return bool(_SENTENCE_BEFORE.search(text[max(0, position - 20) : position] if position else ""))


def shared_ends(quote: Phrase, substitute: Phrase) -> tuple[int, int]:
    """How many words at the front and at the back are the same, something being left of both."""
    one, two = quote.keys, substitute.words
    most = min(len(one), len(two)) - 1
    front = 0
    while front < most and one[front] == substitute_key(two[front], folds=True):
        front += 1
    back = 0
    while back < most - front and one[-1 - back] == substitute_key(two[-1 - back], folds=True):
        back += 1
    return front, back


def indefinite_article(text: str) -> int:
    """The length of a leading “a ” or “an ”, 0 where there is none."""
    found = _ARTICLE.match(text)
    return found.end() if found else 0


def follows_an_article(text: str, position: int) -> bool:
    return bool(_ARTICLE_BEFORE.search(text[max(0, position - 10) : position]))


def is_function_word(word: str) -> bool:
    return word.lower().replace("’", "'") in FUNCTION_WORDS


def with_case_of(text: str, quote: str) -> str:
    """The first letter as the quote's; words written otherwise on purpose (NASA, iPhone) stay."""
    if not text[:1].isalpha() or not quote[:1].isalpha() or text[1:2].isupper() or quote[1:2].isupper():
        return text
    if quote[0].isupper() and text[0].islower():
        return text[0].upper() + text[1:]
    if quote[0].islower() and text[0].isupper() and text != "I":
        return text[0].lower() + text[1:]
    return text


@dataclass(frozen=True)
class Difference:
    """`form`: what the quote is and the substitute is not, "" for another part of speech; `better`: the substitute in
    that form, where it is sure."""

    form: str = ""
    better: str = ""


def difference_of_form(quote: str, substitute: str) -> Difference | None:
    """Of two single English words that cannot be the same form; None where they can, or nothing is known of one."""
    if not (quote.isalpha() and substitute.isalpha()):
        return None
    wanted, there = _tags(quote), _tags(substitute)
    if not wanted or not there or wanted & there:
        return None
    for tag in sorted(wanted & FORMS.keys()):
        better = inflected(substitute, tag) if any(known[0] == tag[0] for known in there) else ""
        if better and better != substitute.lower():
            is_compared = tag[0] in "JR"  # “intenser”: whether it takes -er or “more” is not known
            return Difference(FORMS[tag], "" if is_compared else with_case_of(better, quote))
    return None if _parts(wanted) & _parts(there) else Difference()


def _tags(word: str) -> frozenset[str]:
    """What the form can be; participles also serve as adjectives, -ing forms as nouns, VB is VBP but for the person."""
    found = set(tags_of(word))
    if found & {"VB", "VBP"}:
        found |= {"VB", "VBP"}
    if "VBG" in found:
        found |= {"NN", "JJ"}
    if "VBN" in found:
        found.add("JJ")
    return frozenset(found)


def _parts(tags: frozenset[str]) -> set[str]:
    return {tag[0] for tag in tags}
