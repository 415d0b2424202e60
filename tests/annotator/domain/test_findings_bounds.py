"""Findings of answers made on purpose: whatever fits into a call is looked at in little time, and little is said."""

import itertools
import json
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.domain import language, text
from annotator.domain.answers import MAX_ANSWER, MAX_MARKS, MAX_SUBSTITUTES, parse_answer
from annotator.domain.canonical import canonical_json
from annotator.domain.findings import MAX_FINDINGS, find
from annotator.domain.language import inflected, tags_of
from annotator.domain.lengths import MAX_PASSAGE_LENGTH, MAX_SUBSTITUTE_LENGTH
from annotator.domain.protocols import SWS
from annotator.domain.text import substitute_key
from tests.annotator.domain.clock import cpu_seconds
from tests.annotator.domain.strategies import CLUSTERS

TYPE = "refine-usage"
MOST_SECONDS = 0.2  # of CPU; the worst shape takes about 0.06 on a quiet machine
MOST_BYTES = 100_000
Body = dict[str, Any]
Spans = list[tuple[int, int]]
Offers = Callable[[int], Iterable[str]]  # of the n-th mark


def body(passage: str, spans: Spans, offers: Offers, *, note: str = "") -> Body:
    """As many of the marks, with as many of the substitutes, as a call may hold."""
    marks, left = [], MAX_ANSWER - 20
    for number, (start, end) in enumerate(spans[:MAX_MARKS]):
        mark: Body = {"start": start, "end": end, "quote": passage[start:end], "note": note, "substitutes": []}
        left -= len(canonical_json(mark)) + 1
        if left < 0:
            break
        for offer in itertools.islice(offers(number), MAX_SUBSTITUTES):
            item = {"text": offer[:MAX_SUBSTITUTE_LENGTH], "type": TYPE}
            left -= len(canonical_json(item)) + 1
            if left < 0:
                break
            mark["substitutes"].append(item)
        marks.append(mark)
    return {"marks": marks}


def answered(passage: str, answer: Body, lang: str = "en") -> str:
    """As the call does it."""
    parsed = parse_answer(answer, text=passage, protocol=SWS)
    found = find(parsed, text=passage, lang=lang, protocol=SWS)
    return json.dumps([item.as_dict() for item in found], ensure_ascii=False, separators=(",", ":"))


def forget() -> None:
    for cache in (text._remembered_key, language._tags_of, language._inflected):
        cache.cache_clear()


def cold(passage: str, answer: Body, lang: str = "en") -> None:
    """With nothing remembered of earlier calls."""
    forget()
    answered(passage, answer, lang)


@pytest.fixture(scope="module", autouse=True)
def _dictionary_is_loaded() -> None:
    tags_of("warm")
    inflected("warm", "VBD")


def whole(passage: str) -> Spans:
    return [(0, len(passage))] * MAX_MARKS


def starts(passage: str, length: int) -> Spans:
    return [(n, n + length) for n in range(min(MAX_MARKS, len(passage) - length))]


def first(length: int) -> Spans:
    return [(0, length)] * MAX_MARKS


def numbered(form: str) -> Offers:
    return lambda number: (form.format(number, n) for n in range(MAX_SUBSTITUTES))


def always(*offers: str) -> Offers:
    return lambda number: itertools.cycle(offers)


def once(*offers: str) -> Offers:
    return lambda number: offers


def words(form: str = "{}") -> Offers:
    """All different: none is remembered."""
    names = ["".join(name) for name in itertools.product("abcdefghijklm", "aeiou", "bdfghklmnprst", "aeiou")]
    return lambda number: (form.format(name) for name in names[number * MAX_SUBSTITUTES :])


LONG = ("the quick brown fox jumps over a lazy dog and " * 500)[:MAX_PASSAGE_LENGTH]
DOTS = "a" + "." * (MAX_PASSAGE_LENGTH - 2) + "a"
DOTTED = "a..." * 5_000
COMBINED = "a" + "\u0301\u0323" * 9_999
HEBREW = ("שלום עולם, " * 2_000)[:MAX_PASSAGE_LENGTH]
ENGLISH = "make houses deeper running made cat nice quickly taken better " * 300
FACES = "😀 " * 9_000
SHAPES: dict[str, tuple[str, Spans, Offers]] = {
    "one long quote again and again": (LONG, first(240), numbered("the quick {} {}")),
    "two hundred marks": (LONG, first(60), lambda n: [f"the quick {n}", f"the {n} fox jumps", "The, a", f"{n} dog"]),
    "a passage as a quote": (LONG, whole(LONG), numbered("the quick {} {}")),
    "dots": (DOTS, whole(DOTS), numbered("a....a{}{}")),
    "dots and letters": (DOTTED, whole(DOTTED), always("a...", "b")),
    "dots of abbreviations": ("a." * 9_999 + "aa", whole("a." * 9_999 + "aa"), always("e.g.")),
    "apostrophes": ("a'" * 10_000, whole("a'" * 10_000), always("'" * 200)),
    "no spaces": ("a" * 20_000, whole("a" * 20_000), words()),
    "nothing but spaces": ("a" + " " * 19_999, whole("a" + " " * 19_999), always("a " + " " * 198)),
    "commas": ("," * 20_000, whole("," * 20_000), always("a," * 100, "," * 200)),
    "commas in substitutes": (LONG, starts(LONG, 3), numbered("{},{}" + ",a" * 90)),
    "ten thousand words": ("a " * 10_000, whole("a " * 10_000), always("a " * 100)),
    "shared ends": ("in a big house " * 100, first(14), numbered("in a {}{} house")),
    "shared function words": ("of the house " * 100, first(12), numbered("of the {}{}")),
    "many words shared": (LONG, first(90), numbered(LONG[:80] + "{} {}")),
    "combining marks": (COMBINED, whole(COMBINED), always("a" + "\u0301\u0323" * 99)),
    "combining marks in short quotes": (COMBINED, starts(COMBINED, 600), always("x y", "a" + "\u0301\u0323" * 99)),
    "combining marks in words": (COMBINED[:500] + " b" * 9, first(518), always("x y")),
    "right to left": (HEBREW, starts(HEBREW, 10), always("שלום,עולם", "שלום לכם")),
    "words of the dictionary": (ENGLISH, starts(ENGLISH, 4), lambda n: itertools.cycle(ENGLISH.split())),
    "words all different": (ENGLISH, first(4), words()),
    "other capitals": ("Word " * 100, [(5, 9)] * MAX_MARKS, words()),
    "articles": ("the word " * 100, [(4, 8)] * MAX_MARKS, words("an {}")),
    "faces": (FACES, starts(FACES, 39), always("😀" * 100 + "," + "😀" * 99)),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lang", ["en", "he"])
def test_answers_made_on_purpose_take_little_time_and_room(shape: str, lang: str) -> None:
    passage, spans, offers = SHAPES[shape]
    for note in ("", "😀" * 400):
        answer = body(passage, spans, offers, note=note)

        assert len(answered(passage, answer, lang).encode()) < MOST_BYTES
        assert cpu_seconds(lambda answer=answer: cold(passage, answer, lang), enough=MOST_SECONDS) < MOST_SECONDS


PIECES = st.sampled_from([*CLUSTERS, "a", "A", ".", ",", "a.", "the ", "an ", "houses ", "-", "\u0301\u0323"])
REPEATED = st.builds(lambda pieces, times: "".join(pieces) * times, st.lists(PIECES, max_size=4), st.integers(1, 9_999))


@st.composite
def bodies(draw: st.DrawFn) -> tuple[str, Body]:
    """Of what is repeated often, as large as they may be."""
    passage = ("x" + draw(REPEATED) + draw(REPEATED))[:MAX_PASSAGE_LENGTH]
    length = draw(st.integers(1, len(passage)))
    spans = [(n, n + length) for n in range(min(MAX_MARKS, len(passage) - length + 1))] * draw(
        st.sampled_from([1, 200])
    )
    offers = draw(st.lists(REPEATED, min_size=1, max_size=6))
    if draw(st.booleans()):
        offers = [f"{passage[:60]}{offer[:60]}{passage[length - 60 : length]}" for offer in offers]
    form = draw(st.sampled_from(["{0}", "{0} {1} {2}", "{1},{0}"]))
    each = draw(st.integers(0, MAX_SUBSTITUTES))
    return passage, body(passage, spans, lambda n: (form.format(offers[k % len(offers)], n, k) for k in range(each)))


@given(bodies())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_answer_takes_little_time_and_room(drawn: tuple[str, Body]) -> None:
    passage, answer = drawn

    assert len(canonical_json(answer)) <= MAX_ANSWER
    assert len(answered(passage, answer).encode()) < MOST_BYTES
    assert cpu_seconds(lambda: cold(passage, answer), enough=MOST_SECONDS) < MOST_SECONDS


def test_warnings_go_before_infos_and_both_stay_in_order() -> None:
    """Sixty capitals that may be right, twenty commas that are not."""
    passage = "Tell a word. " * 80
    spans = [(13 * n + 7, 13 * n + 11) for n in range(80)]
    answer = body(passage, spans, lambda n: ["Term, name"] if n % 4 == 3 else ["Term"])

    found = json.loads(answered(passage, answer, "de"))

    assert len(found) == MAX_FINDINGS
    assert Counter(item["code"] for item in found) == {"comma": 20, "first_letter": 30}
    numbers = [int(item["path"].split("[")[1].split("]")[0]) for item in found]
    assert numbers == sorted(numbers)
    assert [n for n, item in zip(numbers, found, strict=True) if item["code"] == "comma"] == list(range(3, 80, 4))


def test_what_is_too_large_goes_without_its_fix() -> None:
    """Each fix carries its mark with a note of 1,900 letters: eighteen fit, and a small one after them."""
    passage = "word " * 40
    answer = body(passage, starts(passage, 4)[::5][:21], once("term, name"), note="n" * 1_900)
    answer["marks"][-1]["note"] = ""

    found = [item for item in json.loads(answered(passage, answer)) if item["code"] == "comma"]

    assert [item["fix"] is not None for item in found] == [True] * 18 + [False] * 2 + [True]


def test_a_fix_that_could_not_be_saved_is_not_offered() -> None:
    parts = body("word", [(0, 4)], lambda n: [f"a{n}" for n in range(40)] + [",".join(f"b{n}" for n in range(40))])
    longer = body("Word", [(0, 4)], lambda n: ["ß" * MAX_SUBSTITUTE_LENGTH])

    for passage, answer, code in (("word", parts, "comma"), ("a Word", at(longer, 2), "first_letter")):
        [finding] = [item for item in json.loads(answered(passage, answer)) if item["code"] == code]
        assert finding["fix"] is None


def at(answer: Body, start: int) -> Body:
    return {"marks": [{**mark, "start": mark["start"] + start, "end": mark["end"] + start} for mark in answer["marks"]]}


def test_a_long_quote_is_looked_at_as_a_whole_only() -> None:
    twenty, more = "He saw Berlin " + "and more " * 8 + "there", "He saw Berlin " + "and more " * 9 + "there"

    for quote, is_long in ((twenty, False), (more, True)):
        answer = body(f"Then {quote}", [(5, 5 + len(quote))], once(f"{quote[:-5]}here"))
        codes = {item["code"] for item in json.loads(answered(f"Then {quote}", answer))}
        assert "long_mark" in codes
        assert ({"named_entity", "smaller_span"} & codes == set()) == is_long, quote


@pytest.mark.slow
def test_long_texts_are_not_remembered() -> None:
    """700 calls on long passages, none like another."""

    def call(number: int) -> None:
        passage = f"{number}-" + "abcdefghij" * 1_990
        answered(passage, body(passage, [(0, 2_000)], once(f"{number} {'x' * 150}", f"{number} {'y' * 150}")))

    call(0)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(700):
        call(number)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert after - before < 2_000_000


@pytest.mark.slow
def test_what_is_remembered_is_bounded_in_bytes() -> None:
    """The longest that is remembered, in letters of four bytes, more often than there is room for."""
    forget()
    tracemalloc.start()
    for number in range(25_000):
        substitute_key(chr(0x10400 + number % 40) * 33 + f"{number:07}", folds=True)
    for number in range(6_000):
        tags_of(chr(0x10400 + number % 40) * 43 + f"{number:07}")
        inflected(chr(0x10400 + number % 40) * 43 + f"{number:07}", "VBD")
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    forget()

    assert used < 25_000_000
