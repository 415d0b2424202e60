"""What is known of languages: tokens, and the forms of English words. The libraries are large: loaded on first use."""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from annotator.domain.errors import Invalid
from annotator.domain.tokens import StoredTokens, stored_tokens

# A word with its inner hyphens and apostrophes; one character of a script without spaces between words; a sign.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PLAIN_TOKEN = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])\w)+(?:[-'’](?:(?![{_CJK}])\w)+)*|[^\w\s]")
# Penn-Treebank tags that name a form, as one says it: what a substitute should share with the quote.
FORMS = {
    "NNS": "plural",
    "VBD": "in the past tense",
    "VBG": "an -ing form",
    "VBN": "a past participle",
    "VBZ": "in the third person singular",
    "JJR": "a comparative",
    "JJS": "a superlative",
    "RBR": "a comparative",
    "RBS": "a superlative",
}


def is_english(lang: str) -> bool:
    return lang.lower().partition("-")[0] == "en"


def made_tokens(text: str, lang: str) -> StoredTokens:
    """Tokens of a text that came without: Penn Treebank for English (Wang et al. 2023 release theirs so)."""
    if is_english(lang):
        try:
            return stored_tokens(text, _penn_tokens(text))
        except Invalid:
            pass  # the tokenizer rewrote something the text does not have: words and signs are always there
    return tuple(found.span() for found in _PLAIN_TOKEN.finditer(text))


def _penn_tokens(text: str) -> list[str]:
    tokenize = _tokenizer()
    return [token for sentence in sentences(text) for token in tokenize(sentence)]


@cache
def _tokenizer() -> Callable[[str], list[str]]:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    found: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return found


def sentences(text: str) -> Iterator[str]:
    from syntok.segmenter import analyze

    for paragraph in analyze(text):
        for sentence in paragraph:
            tokens = list(sentence)
            yield text[tokens[0].offset : tokens[-1].offset + len(tokens[-1].value)]


@cache
def _forms() -> Any:
    import lemminflect

    return lemminflect


@lru_cache(maxsize=20_000)
def tags_of(word: str) -> frozenset[str]:
    """The Penn-Treebank tags that this very form of an English word can have; none for a word that is not known."""
    forms, found = _forms(), set()
    for part, lemmas in forms.getAllLemmas(word.lower()).items():
        for lemma in lemmas:
            for tag, inflected in forms.getAllInflections(lemma, upos=part).items():
                if word.lower() in inflected:
                    found.add(tag)
    return frozenset(found)


@lru_cache(maxsize=20_000)
def inflected(word: str, tag: str) -> str:
    """This word in the form that `tag` names, or "" where it has none."""
    forms = _forms()
    parts = {"N": "NOUN", "V": "VERB", "J": "ADJ", "R": "ADV"}
    part = parts[tag[0]]
    for lemma in forms.getAllLemmas(word.lower(), upos=part).get(part, ()):
        for form in forms.getInflection(lemma, tag=tag, inflect_oov=False):
            return str(form)
    return ""
