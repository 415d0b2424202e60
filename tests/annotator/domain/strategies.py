"""Texts in many scripts, and valid answers about them, for the laws."""

from hypothesis import strategies as st

from annotator.domain.answers import VIAS, Answer, Mark, Substitute
from annotator.domain.protocols import SWS

# Every one of these is counted differently by code points, by UTF-16 or by what the eye sees.
CLUSTERS = (
    "😀",  # one code point, two UTF-16 units
    "👩‍👩‍👧",  # a family joined by ZWJ
    "👍🏽",  # a skin tone
    "🇩🇪",  # a flag of two letters
    "🏴\U000e0067\U000e0062\U000e007f",  # a flag of tags
    "e\u0301",  # decomposed
    "\u00e9",  # the same composed
    "a\u0323\u0308",  # two combining marks
    "\u00a0",  # NBSP
    "\u3000",  # ideographic space
    "\u200b",  # zero-width space
    "\u200f\u2067שלום\u2069",  # right to left, isolated
    "مرحبا",
    "ภาษา",
    "漢字",
    "\U00020bb7",  # CJK outside the BMP
    "𝒳𝟙",  # mathematical letters
    "ﬁ",  # a ligature
    "ß",
    "İ",
    "ΐ",
    "’",
    "“",
    ";",
    " ",
    "\t",
    "\n",
    "word",
)
# Whatever may be stored; tab and line feed are among the clusters.
CHARACTERS = st.characters(exclude_categories=("Cc", "Cs"))


def texts(*, min_pieces: int = 0, max_pieces: int = 12) -> st.SearchStrategy[str]:
    pieces = st.sampled_from(CLUSTERS) | CHARACTERS
    return st.lists(pieces, min_size=min_pieces, max_size=max_pieces).map("".join)


@st.composite
def spans(draw: st.DrawFn, text: str) -> tuple[int, int]:
    """A span of at least one code point of `text`."""
    start = draw(st.integers(0, len(text) - 1))
    return start, draw(st.integers(start + 1, len(text)))


SUBSTITUTES = st.builds(
    Substitute, text=texts(), type=st.sampled_from([item.key for item in SWS.types]), via=st.sampled_from(VIAS)
)


@st.composite
def marks(draw: st.DrawFn, text: str) -> Mark:
    start, end = draw(spans(text))
    substitutes = tuple(draw(st.lists(SUBSTITUTES, max_size=4)))
    return Mark(start, end, text[start:end], substitutes, note=draw(texts()), unsure=draw(st.booleans()))


@st.composite
def texts_and_answers(draw: st.DrawFn) -> tuple[str, Answer]:
    text = draw(texts(min_pieces=1))
    marked = st.lists(marks(text), max_size=4).map(lambda items: Answer(tuple(items)))
    return text, draw(marked | st.just(Answer(none=True)))
