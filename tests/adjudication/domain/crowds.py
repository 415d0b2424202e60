"""Small crowds to count: passages with the answers of several people."""

from hypothesis import strategies as st

from adjudication.domain.merge import MergeSettings
from annotator.domain.answers import Answer, Mark, Substitute
from tests.adjudication.domain.answered import AnsweredPassage

SETTINGS = MergeSettings(types=("refine-usage", "diversify-expression"))
TEXT = "One two three four, five six."
PEOPLE = ("A01", "A02", "A03", "A04")


def mark(start: int, end: int, *substitutes: str, type: str = "refine-usage") -> Mark:
    return Mark(start, end, TEXT[start:end], tuple(Substitute(item, type) for item in substitutes))


def passage(
    answers: dict[str, list[Mark]], *, id: str = "p", group: str = "", discarded_by: frozenset[str] = frozenset()
) -> AnsweredPassage:
    said = {name: Answer(tuple(marks)) if marks else Answer(none=True) for name, marks in answers.items()}
    return AnsweredPassage(id, TEXT, said, discarded_by, group)


_spans = st.sampled_from([(0, 3), (4, 7), (0, 7), (8, 13), (14, 18), (8, 18), (20, 24), (4, 13)])
_texts = st.sampled_from(["uno", "Uno", "dos", "tres", "cuatro", "don't", "don’t"])
_substitutes = st.builds(Substitute, text=_texts, type=st.sampled_from(SETTINGS.types))


@st.composite
def _marks(draw: st.DrawFn) -> Mark:
    start, end = draw(_spans)
    return Mark(start, end, TEXT[start:end], tuple(draw(st.lists(_substitutes, min_size=1, max_size=3))))


_answers = st.lists(_marks(), max_size=4).map(lambda marks: Answer(tuple(marks)) if marks else Answer(none=True))


@st.composite
def crowds(draw: st.DrawFn) -> list[AnsweredPassage]:
    """Up to five passages; not everybody has submitted each, some have discarded it."""
    found = []
    for number in range(draw(st.integers(1, 5))):
        said = draw(st.dictionaries(st.sampled_from(PEOPLE), _answers, max_size=4))
        gone = frozenset(draw(st.sets(st.sampled_from(PEOPLE), max_size=2))) - said.keys()
        found.append(AnsweredPassage(f"p{number}", TEXT, said, gone, draw(st.sampled_from(["", "g", "h"]))))
    return found
