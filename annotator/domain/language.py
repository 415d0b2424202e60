"""What is known of languages: tokens, and the forms of English words. The libraries are large: loaded on first use."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from annotator.domain.errors import Invalid
from annotator.domain.tokens import Span, StoredTokens, stored_tokens

MAX_LANG = 35
MAX_WORD = 50  # code points: no English word is longer
_RTL_LANGUAGES = frozenset(
    ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "nqo", "prs", "ps", "sd", "syr", "ug", "ur", "yi"]
)
_RTL_SCRIPTS = frozenset(["adlm", "arab", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"])
# Scripts that put no spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han. There each letter with its marks is a
# token, so that wherever words are thought to end, tokens do.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WITHOUT_SPACES = {"zh", "yue", "ja", "th", "lo", "km", "my"}
_JOINERS = "-‐‑'’·"
# Where syntok can find but one sentence: it divides at signs that end one, save before a small letter, and at brackets
# and empty lines. Most passages are such, and to know it takes a hundredth of the time.
_ONE_SENTENCE = re.compile(r"""(?! )(?:[\w ,:'’"“”–—-]|[.!?;](?= [a-z]))+(?<! )[.!?]?""")
_BOUND = "\u200c\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # the non-joiner, skin tones
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


def is_language_tag(text: str) -> bool:
    """The look of BCP 47; whether there is such a language is not asked."""
    return len(text) <= MAX_LANG and bool(re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", text))


def is_english(lang: str) -> bool:
    return lang.lower().partition("-")[0] == "en"


def direction(lang: str, text: str) -> str:
    """rtl or ltr: as the language is written; where that is not from right to left, as most letters of the text run."""
    language, *subtags = lang.lower().split("-")
    script = next((tag for tag in subtags if len(tag) == 4 and tag.isalpha()), "")
    if script in _RTL_SCRIPTS or (language in _RTL_LANGUAGES and not script):
        return "rtl"
    if script:
        return "ltr"
    runs = Counter(unicodedata.bidirectional(char) for char in text)
    return "rtl" if runs["R"] + runs["AL"] > runs["L"] else "ltr"


def words_are(languages: Iterable[str]) -> str:
    """What is counted as a word in these languages: letters, where a script has no spaces."""
    kinds = {"letters" if lang.partition("-")[0].lower() in _WITHOUT_SPACES else "words" for lang in languages}
    return " and ".join(sorted(kinds, reverse=True)) or "words"


def made_tokens(text: str, lang: str) -> StoredTokens:
    """Tokens of a text that came without: Penn Treebank for English (Wang et al. 2023 release theirs so)."""
    if is_english(lang):
        try:
            return stored_tokens(text, _penn_tokens(text))
        except Invalid:
            pass  # the tokenizer rewrote something the text does not have: words and signs are always there
    return tuple(plain_tokens(text))


def plain_tokens(text: str) -> Iterator[Span]:
    """A word with its inner hyphens and apostrophes, a letter of a script without spaces, or a sign; each with the
    marks that combine with it."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        end = _with_marks(text, at + 1)
        if is_word_character(text[at]) and not _UNSPACED.match(text[at]):
            end = _end_of_word(text, end)
        yield at, end
        at = end


def _end_of_word(text: str, end: int) -> int:
    while end < len(text):
        is_inner = text[end] in _JOINERS and end + 1 < len(text) and is_word_character(text[end + 1])
        if _UNSPACED.match(text[end]) or not (is_word_character(text[end]) or is_inner):
            break
        end += 1
    return end


def _with_marks(text: str, end: int) -> int:
    """Past combining marks, and past whatever a joiner binds to what stands before it."""
    while end < len(text):
        if unicodedata.category(text[end]).startswith("M") or text[end] in _BOUND:
            end += 1
        elif text[end] == "\u200d":
            end = min(len(text), end + 2)
        else:
            break
    return end


def is_cut_out(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends inside a word: at a letter next to a letter, at an inner hyphen or apostrophe, or
    between a sign and what combines with it."""
    return _is_inside(text, start) or _is_inside(text, end)


def _is_inside(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _with_marks(text, at) != at or before == "\u200d":
        return True
    if _UNSPACED.match(before) or _UNSPACED.match(after):
        return False
    far_before = text[at - 2] if at > 1 else ""
    far_after = text[at + 1] if at + 1 < len(text) else ""
    if is_word_character(before) and is_word_character(after):
        return True
    is_joined_on = after in _JOINERS and is_word_character(before) and far_after != "" and is_word_character(far_after)
    is_joined_to = (
        before in _JOINERS and is_word_character(after) and far_before != "" and is_word_character(far_before)
    )
    return is_joined_on or is_joined_to


def is_word_character(char: str) -> bool:
    """Letters, digits, the marks that combine with them, joiners between them, and the low line."""
    return char.isalnum() or unicodedata.category(char).startswith("M") or char in "_\u200c\u200d"


def _penn_tokens(text: str) -> list[str]:
    tokenize = _tokenizer()
    return [token for sentence in sentences(text) for token in tokenize(sentence)]


@cache
def _tokenizer() -> Callable[[str], list[str]]:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    found: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return found


def sentences(text: str) -> Iterator[str]:
    if _ONE_SENTENCE.fullmatch(text):
        yield text
    else:
        yield from divided(text)


def divided(text: str) -> Iterator[str]:
    """Sentences as syntok finds them."""
    from syntok.segmenter import analyze

    for paragraph in analyze(text):
        for sentence in paragraph:
            tokens = list(sentence)
            yield text[tokens[0].offset : tokens[-1].offset + len(tokens[-1].value)]


@cache
def _forms() -> Any:
    import lemminflect

    return lemminflect


def tags_of(word: str) -> frozenset[str]:
    """The Penn-Treebank tags that this very form of an English word can have; none for a word that is not known."""
    return _tags_of(word.lower()) if len(word) <= MAX_WORD else frozenset()


@lru_cache(maxsize=5_000)  # some 5 MB at the most, as of the forms
def _tags_of(word: str) -> frozenset[str]:
    forms, found = _forms(), set()
    for part, lemmas in forms.getAllLemmas(word).items():
        for lemma in lemmas:
            for tag, inflected in forms.getAllInflections(lemma, upos=part).items():
                if word in inflected:
                    found.add(tag)
    return frozenset(found)


def inflected(word: str, tag: str) -> str:
    """This word in the form that `tag` names, or "" where it has none."""
    return _inflected(word.lower(), tag) if len(word) <= MAX_WORD else ""


@lru_cache(maxsize=5_000)
def _inflected(word: str, tag: str) -> str:
    forms = _forms()
    parts = {"N": "NOUN", "V": "VERB", "J": "ADJ", "R": "ADV"}
    part = parts[tag[0]]
    for lemma in forms.getAllLemmas(word, upos=part).get(part, ()):
        for form in forms.getInflection(lemma, tag=tag, inflect_oov=False):
            return str(form)
    return ""
