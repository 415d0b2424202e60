"""English as the baseline needs it: tokens of a sentence, parts of speech by HanTa, lemmas and forms by lemminflect."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from annotator.domain.errors import Invalid
from annotator.domain.language import MAX_WORD, plain_tokens, tags_of
from annotator.domain.tokens import Span, align_tokens

LONGEST_RUN = 1000  # tokens tagged at a time: the tagger gives up on paths that are too unlikely, as very long ones are
_REMEMBERED = 20_000  # words, of each kind: a few MB
_UPOS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}
# By tag of HanTa (CLAWS) the part of speech and the form (Penn Treebank; "" where the lemma stands). Names are no words
# of a thesaurus. Forms of be, do and have count in phrases only: alone they are function words.
TAGS = {
    **dict.fromkeys(("NN", "NN0", "NN1"), ("n", "")),
    "NN2": ("n", "NNS"),
    **{f"V{kind}{last}": ("v", "") for kind in "VBDH" for last in "BI"},
    **{f"V{kind}{last}": ("v", f"VB{last}") for kind in "VBDH" for last in "DGNZ"},
    "AJ0": ("a", ""),
    "AJC": ("a", "JJR"),
    "AJS": ("a", "JJS"),
    "AV0": ("r", ""),
}
_FORMS = {"n": ("NNS",), "v": ("VBZ", "VBD", "VBG", "VBN"), "a": ("JJR", "JJS"), "r": ("RBR", "RBS")}
ENDS = frozenset(".!?")
# Sentences whose Penn-Treebank tokens are plain to see, which most are and which takes an eighth of the time: words,
# with what they are contracted with and a comma or the like after them, and a sign at the end.
_ENDING = r"(?:n't|'(?:s|m|d|re|ve|ll))"
_WORD = r"[^\W_]+(?:-[^\W_]+)*"
_NO_WORD_OF_TWO = r"(?!.*(?i:cannot|gimme|gonna|gotta|lemme|wanna))"
_PLAIN = re.compile(rf"{_NO_WORD_OF_TWO}(?:{_WORD}{_ENDING}?[,;:]? )*{_WORD}{_ENDING}?[.!?]?")
_PLAIN_TOKEN = re.compile(rf"(?:[^\W_]|-)+?(?=n't)|{_ENDING}|(?:[^\W_]|-)+|[,;:.!?]")
# Never improved by themselves, whatever a thesaurus says; the last line is what Penn tokens leave of contractions.
_FUNCTION_WORDS = """
a an the this that these those my your his her its our their yours hers ours theirs
i me you he him she it we us they them myself yourself himself herself itself ourselves yourselves themselves
who whom whose which what whoever whatever whichever where when why how whether
somebody someone something anybody anyone anything everybody everyone everything nobody nothing none
some any each every either neither both all no many much few several more most less least such other another
one two three four five six seven eight nine ten
about above across after against along among around as at before behind below beneath beside besides between beyond
by despite down during except for from in into of off on onto out over per since
through throughout till to toward towards under underneath until up upon via with within without
and but or nor so yet if because although though unless while whereas than then there here not only
be am is are was were been being do does did done doing have has had having could shall should would ought
n't 's 're 've 'll 'd 'm ca wo sha ai gon na wan ta
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_AMBIGUOUS_WORDS = "can first inside like may might mine must near outside own past round second third will"
AMBIGUOUS_WORDS = frozenset(_AMBIGUOUS_WORDS.split())  # only the tagger can tell


def tokens_of(sentence: str) -> tuple[list[str], list[Span]]:
    """Penn-Treebank tokens of one sentence, and where each stands; words and signs where those are not in the text."""
    if _PLAIN.fullmatch(sentence):
        spans = [found.span() for found in _PLAIN_TOKEN.finditer(sentence)]
        return [sentence[start:end] for start, end in spans], spans
    tokens = _tokenizer()(sentence)
    try:
        return tokens, align_tokens(sentence, tokens)
    except Invalid:
        spans = list(plain_tokens(sentence))
        return [sentence[start:end] for start, end in spans], spans


@cache
def _tokenizer() -> Callable[[str], list[str]]:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    found: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return found


def tagged(tokens: Sequence[str]) -> list[str]:
    """The tag of each token. The end of a sentence is one for the tagger, too: after it a capital says nothing."""
    tag = _tagger()
    return [found for run in _runs(tokens) for found in tag([token[:MAX_WORD] for token in run], taglevel=0)]


def _runs(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    start = 0
    for at, token in enumerate(tokens, start=1):
        if token in ENDS or at - start == LONGEST_RUN or at == len(tokens):
            yield tokens[start:at]
            start = at


@cache
def _tagger() -> Callable[..., list[str]]:
    from HanTa.HanoverTagger import HanoverTagger

    found: Callable[..., list[str]] = HanoverTagger("morphmodel_en.pgz").tag_sent
    return found


@cache
def _lemminflect() -> Any:
    import lemminflect

    return lemminflect


def lemmas_of(word: str, part: str) -> tuple[str, ...]:
    """The likeliest first; none for a word that is not known as this part of speech."""
    return _lemmas(word).get(_UPOS[part], ())


@lru_cache(maxsize=_REMEMBERED)
def _lemmas(word: str) -> dict[str, tuple[str, ...]]:
    return dict(_lemminflect().getAllLemmas(word)) if len(word) <= MAX_WORD else {}


@lru_cache(maxsize=_REMEMBERED)
def form_of(word: str, part: str) -> str:
    """What form this word is in, going by itself: "" for the lemma."""
    if lemmas_of(word, part)[:1] in ((), (word,)):
        return ""
    return next((form for form in _FORMS[part] if form in tags_of(word)), "")


@lru_cache(maxsize=_REMEMBERED)
def inflect(lemma: str, form: str) -> str:
    """The lemma in this form; itself where there is no such form."""
    found = _lemminflect().getInflection(lemma, tag=form, inflect_oov=False) if form else ()
    return str(found[0]) if found else lemma
