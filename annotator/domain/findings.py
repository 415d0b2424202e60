"""Findings: what a careful colleague would point out about an answer (method.md 4; Wang et al. 2023, appendix A).

They are hints and never block anything; only submit_problems does. One table of rules: each has a code, a severity, the
guideline it comes from, and where there is one a fix, which is the whole mark as it would be. Whatever the answer, they
take little time and say little.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from annotator.domain import wording
from annotator.domain.answers import Answer, Mark
from annotator.domain.canonical import canonical_json
from annotator.domain.formats.reading import clip
from annotator.domain.look import MAX_QUOTE, Fix, Found, Look, Severity
from annotator.domain.protocols import Protocol
from annotator.domain.wording import Phrase

MAX_FINDINGS = 50  # of an answer: warnings go before infos, then what comes first
MAX_FIXES = 40_000  # bytes of the JSON of all fixes of an answer: with the rest it stays under 100,000


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


def comma(look: Look) -> Iterator[Found]:
    separator = look.protocol.separator
    if not separator or len(wording.comma_parts(look.mark.quote)) != 1:
        return
    for index, item in enumerate(look.mark.substitutes):
        parts = wording.comma_parts(item.text)
        if len(parts) > 1:
            fix = look.fix(clip(f"{separator} ".join(parts)), index, *parts)
            yield Found(f"“{clip(item.text)}” has a comma: substitutes are parted by “{separator}”.", index, fix)


def same_as_quote(look: Look) -> Iterator[Found]:
    if len(look.mark.quote) > MAX_QUOTE:
        return
    there = look.key(look.mark.quote)
    for index, key in enumerate(look.keys):
        if key == there:
            yield Found(f"“{clip(look.mark.substitutes[index].text)}” is what stands there already.", index)


def punctuation(look: Look) -> Iterator[Found]:
    quote = look.mark.quote
    if not wording.has_punctuation(quote):
        return
    start, end = wording.without_outer_punctuation(quote)
    is_better = (start, end) != (0, len(quote)) and start < end and not wording.has_punctuation(quote[start:end])
    fix = Fix(f"“{clip(quote[start:end])}”", look.cut(start, end)) if is_better else None
    yield Found(f"“{clip(quote)}” holds punctuation: mark words only.", fix=fix)


def long_mark(look: Look) -> Iterator[Found]:
    words = len(look.quote.spans)
    if words >= 3:
        yield Found(f"“{clip(look.mark.quote)}” is {words} words long: a mark is usually one word or two.")


def named_entity(look: Look) -> Iterator[Found]:
    if look.is_long:
        return
    for word, (start, _) in zip(look.quote.words, look.quote.spans, strict=True):
        if wording.looks_like_a_name(word) and not wording.begins_a_sentence(look.text, look.mark.start + start):
            yield Found(f"“{clip(word)}” looks like a name, and names usually stay.")
            return


def smaller_span(look: Look) -> Iterator[Found]:
    if look.is_long or not look.mark.substitutes:
        return
    given = [Phrase(item.text) for item in look.mark.substitutes]
    ends = [wording.shared_ends(look.quote, phrase) for phrase in given]
    # The only smaller mark there can be: every substitute of the mark is cut alike.
    everywhere = min(front for front, _ in ends), min(back for _, back in ends)
    smaller = _cut_alike(look, given, *everywhere) if any(everywhere) else None
    for index, (front, back) in enumerate(ends):
        if not front + back:
            continue
        wanted = " → ".join(f"“{clip(phrase.middle(front, back))}”" for phrase in (look.quote, given[index]))
        shared = look.quote.words[:front] + look.quote.words[len(look.quote.words) - back :]
        is_phrase = look.is_english and all(map(wording.is_function_word, shared))
        fix = Fix(wanted, smaller) if smaller and (front, back) == everywhere else None
        message = f"{wanted} would do{', unless it is a fixed phrase' if is_phrase else ''}: mark as little as you can."
        yield Found(message, index, fix, Severity.INFO if is_phrase else None)


def _cut_alike(look: Look, given: list[Phrase], front: int, back: int) -> Mark:
    return look.cut(*look.quote.span(front, back), [phrase.middle(front, back) for phrase in given])


def article(look: Look) -> Iterator[Found]:
    """A mark and all its substitutes begin with a or an; or a substitute brings one where one stands already."""
    quote, given = look.mark.quote, look.mark.substitutes
    own = wording.indefinite_article(quote)
    brought = [wording.indefinite_article(item.text) for item in given]
    if own and given and all(brought):
        texts = [item.text[length:] for item, length in zip(given, brought, strict=True)]
        fix = Fix(f"“{clip(quote[own:])}” → “{clip(texts[0])}”", look.cut(own, len(quote), texts))
        yield Found("Leave “a” or “an” outside the mark: it adapts by itself.", fix=fix)
    elif not own and wording.follows_an_article(look.text, look.mark.start):
        for index, length in enumerate(brought):
            if length:
                text = given[index].text
                message = f"An article stands before the mark already: “{clip(text)}” would double it."
                yield Found(message, index, look.fix(f"“{clip(text[length:])}”", index, text[length:]))


def other_form(look: Look) -> Iterator[Found]:
    quote = look.mark.quote
    if look.is_long or not quote.isalpha():
        return
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
            fix = look.fix(f"“{difference.better}”", index, difference.better)
            yield Found(f"“{quote}” is {difference.form}: “{difference.better}”?", index, fix)


def function_word(look: Look) -> Iterator[Found]:
    if not look.is_long and look.quote.words and all(map(wording.is_function_word, look.quote.words)):
        yield Found(
            f"“{clip(look.mark.quote)}” is a function word: a mark is usually a noun, verb, adjective or adverb."
        )


def first_letter(look: Look) -> Iterator[Found]:
    quote = look.mark.quote
    if quote[:1].isupper() and wording.begins_a_sentence(look.text, look.mark.start):
        return  # a capital that only the sentence asks for is put there by the preview and by the merge
    for index, item in enumerate(look.mark.substitutes):
        adapted = wording.with_case_of(item.text, quote)
        if adapted != item.text:
            message = f"“{clip(item.text)}” begins otherwise than “{clip(quote)}”: small or capital?"
            yield Found(message, index, look.fix(f"“{clip(adapted)}”", index, adapted))


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
    """What is worth pointing out, mark by mark; then what is about the whole answer. Passages that are not in English
    get the rules that need no knowledge of a language."""
    kept: dict[Severity, list[tuple[int, Finding]]] = {Severity.WARNING: [], Severity.INFO: []}
    for place, item in enumerate(_all_findings(answer, text, lang, protocol)):
        if len(kept[item.severity]) < MAX_FINDINGS:
            kept[item.severity].append((place, item))
        if len(kept[Severity.WARNING]) == MAX_FINDINGS:
            break
    chosen = [*kept[Severity.WARNING], *kept[Severity.INFO]][:MAX_FINDINGS]
    return list(_with_few_fixes(item for _, item in sorted(chosen, key=itemgetter(0))))


def _all_findings(answer: Answer, text: str, lang: str, protocol: Protocol) -> Iterator[Finding]:
    for index, mark in enumerate(answer.marks):
        look = Look(text, lang, protocol, mark)
        for rule in RULES:
            if not rule.needs_english or look.is_english:
                yield from (_finding(rule, item, f"marks[{index}]") for item in rule.check(look))
    yield from _same_span(answer)
    yield from _few_marks(answer, protocol)


def _with_few_fixes(findings: Iterable[Finding]) -> Iterator[Finding]:
    """A fix carries its whole mark: those that would make too much of it are left out, the hint stays."""
    left = MAX_FIXES
    for item in findings:
        size = len(canonical_json(item.fix.as_dict())) if item.fix else 0
        if size <= left:
            left -= size
            yield item
        else:
            yield replace(item, fix=None)


def _finding(rule: Rule, item: Found, path: str) -> Finding:
    where = path if item.substitute is None else f"{path}.substitutes[{item.substitute}]"
    return Finding(rule.code, item.severity or rule.severity, rule.guideline, item.message, where, item.fix)


def _same_span(answer: Answer) -> Iterator[Finding]:
    counts = Counter((mark.start, mark.end) for mark in answer.marks)
    for index, mark in enumerate(answer.marks):
        if counts[mark.start, mark.end] > 1:
            message = f"“{clip(mark.quote)}” is marked {counts[mark.start, mark.end]} times: they count as one."
            yield Finding("same_span", _WARNING, A3_SMALLEST, message, f"marks[{index}]")


def _few_marks(answer: Answer, protocol: Protocol) -> Iterator[Finding]:
    if not answer.none and len(answer.marks) < protocol.warn_below_marks:
        message = f"{len(answer.marks)} marked: at least {protocol.warn_below_marks} are asked for."
        yield Finding("few_marks", _WARNING, A_COUNT, message, "answer")
