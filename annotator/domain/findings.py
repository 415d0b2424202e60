"""Findings: what a careful colleague would point out about an answer (method.md 4; Wang et al. 2023, appendix A).

They are hints and never block anything; only submit_problems does. One table of rules: each has a code, a severity, the
guideline it comes from, and where there is one a fix, which is the whole mark as it would be.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from annotator.domain import wording
from annotator.domain.answers import Answer, Mark, Substitute
from annotator.domain.language import is_english
from annotator.domain.protocols import Protocol
from annotator.domain.text import substitute_key


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"


@dataclass(frozen=True)
class Fix:
    """One key away: `mark` in place of the one at fault."""

    label: str
    mark: Mark

    def as_dict(self) -> dict[str, Any]:
        return {"label": self.label, "mark": self.mark.as_dict()}


@dataclass(frozen=True)
class Finding:
    code: str
    severity: Severity
    guideline: str
    message: str
    path: str
    fix: Fix | None = None

    def as_dict(self) -> dict[str, Any]:
        fix = self.fix.as_dict() if self.fix else None
        return {
            **{name: getattr(self, name) for name in ("code", "severity", "guideline", "message", "path")},
            "fix": fix,
        }


@dataclass(frozen=True)
class Found:
    """What a rule says; `substitute` is the index of the one at fault, None for the mark or the answer."""

    message: str
    substitute: int | None = None
    fix: Fix | None = None
    severity: Severity | None = None  # where it is not the rule's own


@dataclass(frozen=True)
class Look:
    """One mark of an answer, and where it stands."""

    text: str
    lang: str
    protocol: Protocol
    mark: Mark

    @cached_property
    def is_english(self) -> bool:
        return is_english(self.lang)

    def is_same(self, one: str, two: str) -> bool:
        folds = self.protocol.folds_substitutes
        return substitute_key(one, folds=folds) == substitute_key(two, folds=folds)

    def with_texts(self, index: int, *texts: str) -> Mark:
        """The mark with other texts in place of one substitute; none twice."""
        given = list(self.mark.substitutes)
        given[index : index + 1] = [replace(given[index], text=text) for text in texts]
        once: dict[str, Substitute] = {}
        for item in given:
            once.setdefault(substitute_key(item.text, folds=self.protocol.folds_substitutes), item)
        return replace(self.mark, substitutes=tuple(once.values()))

    def cut(self, start: int, end: int, texts: list[str] | None = None) -> Mark:
        """A smaller mark inside this one; `start` and `end` count from its beginning."""
        given = self.mark.substitutes
        if texts is not None:
            given = tuple(replace(item, text=text) for item, text in zip(given, texts, strict=True))
        first = self.mark.start + start
        return replace(
            self.mark, start=first, end=self.mark.start + end, quote=self.mark.quote[start:end], substitutes=given
        )


def comma(look: Look) -> Iterator[Found]:
    for index, item in enumerate(look.mark.substitutes):
        parts = wording.comma_parts(item.text)
        if look.protocol.separator and len(parts) > 1 and len(wording.comma_parts(look.mark.quote)) == 1:
            label = f"{look.protocol.separator} ".join(parts)
            fix = Fix(label, look.with_texts(index, *parts))
            yield Found(
                f"“{item.text}” has a comma: substitutes are parted by “{look.protocol.separator}”.", index, fix
            )


def same_as_quote(look: Look) -> Iterator[Found]:
    for index, item in enumerate(look.mark.substitutes):
        if look.is_same(item.text, look.mark.quote):
            yield Found(f"“{item.text}” is what stands there already.", index)


def punctuation(look: Look) -> Iterator[Found]:
    quote = look.mark.quote
    if not wording.has_punctuation(quote):
        return
    start, end = wording.without_outer_punctuation(quote)
    is_better = (start, end) != (0, len(quote)) and start < end and not wording.has_punctuation(quote[start:end])
    fix = Fix(f"“{quote[start:end]}”", look.cut(start, end)) if is_better else None
    yield Found(f"“{quote}” holds punctuation: mark words only.", fix=fix)


def long_mark(look: Look) -> Iterator[Found]:
    words = wording.words(look.mark.quote)
    if len(words) >= 3:
        yield Found(f"“{look.mark.quote}” is {len(words)} words long: a mark is usually one word or two.")


def named_entity(look: Look) -> Iterator[Found]:
    for start, end in wording.words(look.mark.quote):
        word = look.mark.quote[start:end]
        if wording.looks_like_a_name(word) and not wording.begins_a_sentence(look.text, look.mark.start + start):
            yield Found(f"“{word}” looks like a name, and names usually stay.")
            return


def smaller_span(look: Look) -> Iterator[Found]:
    quote = look.mark.quote
    for index, item in enumerate(look.mark.substitutes):
        front, back = wording.shared_ends(quote, item.text)
        if not front + back:
            continue
        (start, end), (left, right) = wording.middle(quote, front, back), wording.middle(item.text, front, back)
        wanted = f"“{quote[start:end]}” → “{item.text[left:right]}”"
        is_phrase = look.is_english and all(map(wording.is_function_word, wording.shared_words(quote, front, back)))
        fix = _cut_everywhere(look, front, back, wanted)
        message = f"{wanted} would do{', unless it is a fixed phrase' if is_phrase else ''}: mark as little as you can."
        yield Found(message, index, fix, Severity.INFO if is_phrase else None)


def _cut_everywhere(look: Look, front: int, back: int, label: str) -> Fix | None:
    """The smaller mark, where every substitute of the mark can be cut alike."""
    ends = [wording.shared_ends(look.mark.quote, item.text) for item in look.mark.substitutes]
    if any(a < front or b < back for a, b in ends):
        return None
    texts = []
    for item in look.mark.substitutes:
        left, right = wording.middle(item.text, front, back)
        texts.append(item.text[left:right])
    return Fix(label, look.cut(*wording.middle(look.mark.quote, front, back), texts)) if all(texts) else None


def article(look: Look) -> Iterator[Found]:
    """A mark and all its substitutes begin with a or an; or a substitute brings one where one stands already."""
    quote, given = look.mark.quote, look.mark.substitutes
    own = wording.indefinite_article(quote)
    brought = [wording.indefinite_article(item.text) for item in given]
    if own and given and all(brought):
        texts = [item.text[length:] for item, length in zip(given, brought, strict=True)]
        fix = Fix(f"“{quote[own:]}” → “{texts[0]}”", look.cut(own, len(quote), texts))
        yield Found("Leave “a” or “an” outside the mark: it adapts by itself.", fix=fix)
    elif not own and wording.follows_an_article(look.text, look.mark.start):
        for index, length in enumerate(brought):
            if length:
                text = given[index].text
                fix = Fix(f"“{text[length:]}”", look.with_texts(index, text[length:]))
                yield Found(f"An article stands before the mark already: “{text}” would double it.", index, fix)


def other_form(look: Look) -> Iterator[Found]:
    quote = look.mark.quote
    there = {text.casefold() for text in (quote, *(item.text for item in look.mark.substitutes))}
    for index, item in enumerate(look.mark.substitutes):
        difference = wording.difference_of_form(quote, item.text)
        if difference is None:
            continue
        if not difference.form:
            message = f"“{item.text}” may be another part of speech than “{quote}”."
            yield Found(message, index, severity=Severity.INFO)
        elif not difference.better or difference.better.casefold() in there:
            yield Found(f"“{quote}” is {difference.form}, “{item.text}” is not.", index)
        else:
            fix = Fix(f"“{difference.better}”", look.with_texts(index, difference.better))
            yield Found(f"“{quote}” is {difference.form}: “{difference.better}”?", index, fix)


def function_word(look: Look) -> Iterator[Found]:
    words = [look.mark.quote[start:end] for start, end in wording.words(look.mark.quote)]
    if words and all(wording.is_function_word(word) for word in words):
        yield Found(f"“{look.mark.quote}” is a function word: a mark is usually a noun, verb, adjective or adverb.")


def first_letter(look: Look) -> Iterator[Found]:
    for index, item in enumerate(look.mark.substitutes):
        adapted = wording.with_case_of(item.text, look.mark.quote)
        # A capital that only the sentence asks for is put there by the preview and by the merge.
        is_of_the_sentence = look.mark.quote[:1].isupper() and wording.begins_a_sentence(look.text, look.mark.start)
        if adapted != item.text and not is_of_the_sentence:
            yield Found(
                f"“{item.text}” begins otherwise than “{look.mark.quote}”: small or capital?",
                index,
                Fix(f"“{adapted}”", look.with_texts(index, adapted)),
            )


@dataclass(frozen=True)
class Rule:
    code: str
    severity: Severity
    guideline: str
    check: Callable[[Look], Iterator[Found]]
    needs_english: bool = False


A1 = "What to change: usually fewer than three words, a content word, no name (SWS guideline A.1)"
A2 = "How to substitute: the sentence stays as fluent as it was (SWS guideline A.2)"
A3_SEPARATOR = "Substitutes are parted by “;” (SWS guideline A.3)"
A3_PUNCTUATION = "A mark is exactly the words of the sentence, without punctuation (SWS guideline A.3)"
A3_SMALLEST = "Mark the smallest range, unless it cannot be divided (SWS guideline A.3)"
A3_FORM = "Same tense, number and part of speech (SWS guideline A.3)"
A_COUNT = "At least three words or phrases to change in a sentence (SWS guideline A)"
_INFO, _WARNING = Severity.INFO, Severity.WARNING
RULES = (
    Rule("comma", _WARNING, A3_SEPARATOR, comma),
    Rule("same_as_quote", _WARNING, A2, same_as_quote),
    Rule("punctuation", _WARNING, A3_PUNCTUATION, punctuation),
    Rule("long_mark", _INFO, A1, long_mark),
    Rule("named_entity", _INFO, A1, named_entity, needs_english=True),
    Rule("smaller_span", _WARNING, A3_SMALLEST, smaller_span),
    Rule("article", _WARNING, A3_SMALLEST, article, needs_english=True),
    Rule("other_form", _WARNING, A3_FORM, other_form, needs_english=True),
    Rule("function_word", _INFO, A1, function_word, needs_english=True),
    Rule("first_letter", _INFO, A2, first_letter),
)


def find(answer: Answer, *, text: str, lang: str, protocol: Protocol) -> list[Finding]:
    """Everything worth pointing out, mark by mark; then what is about the whole answer. Passages that are not in
    English get the rules that need no knowledge of a language."""
    found = []
    for index, mark in enumerate(answer.marks):
        look = Look(text, lang, protocol, mark)
        for rule in RULES:
            if not rule.needs_english or look.is_english:
                found += [_finding(rule, item, f"marks[{index}]") for item in rule.check(look)]
    return [*found, *_same_span(answer), *_few_marks(answer, protocol)]


def _finding(rule: Rule, item: Found, path: str) -> Finding:
    where = path if item.substitute is None else f"{path}.substitutes[{item.substitute}]"
    return Finding(rule.code, item.severity or rule.severity, rule.guideline, item.message, where, item.fix)


def _same_span(answer: Answer) -> Iterator[Finding]:
    counts = Counter((mark.start, mark.end) for mark in answer.marks)
    for index, mark in enumerate(answer.marks):
        if counts[mark.start, mark.end] > 1:
            message = f"“{mark.quote}” is marked {counts[mark.start, mark.end]} times: they count as one."
            yield Finding("same_span", _WARNING, A3_SMALLEST, message, f"marks[{index}]")


def _few_marks(answer: Answer, protocol: Protocol) -> Iterator[Finding]:
    if not answer.none and len(answer.marks) < protocol.warn_below_marks:
        message = f"{len(answer.marks)} marked: at least {protocol.warn_below_marks} are asked for."
        yield Finding("few_marks", _WARNING, A_COUNT, message, "answer")
