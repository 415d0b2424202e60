"""Alpha and the kappas against NLTK's, which somebody else wrote (method.md 6).

Fleiss' kappa (1971) is NLTK's `pi` for many coders; its `multi_kappa` is another one (Davies and Fleiss 1982).
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from adjudication.domain.agreement.types import cohens_kappa
from adjudication.domain.agreement.words import alpha, fleiss_kappa

WITHIN = 1e-12
Words = list[dict[str, int]]  # of each word: who marked it (1) or did not (0)
coders = st.sampled_from("ABCDEF")
whole_tables = st.integers(2, 6).flatmap(
    lambda raters: st.lists(st.fixed_dictionaries({c: st.integers(0, 1) for c in "ABCDEF"[:raters]}), min_size=1)
)


def task(words: Words) -> AnnotationTask:
    said = [(coder, number, value) for number, word in enumerate(words) for coder, value in word.items()]
    return AnnotationTask(data=said)


def counted(words: Words) -> Counter[tuple[int, int]]:
    return Counter((len(word), sum(word.values())) for word in words)


@given(st.lists(st.dictionaries(coders, st.integers(0, 1), max_size=6), max_size=30))
def test_alpha_where_raters_are_missing(words: Words) -> None:
    found = alpha(counted(words))

    if found is None:
        assert len({value for word in words if len(word) > 1 for value in word.values()}) < 2
    else:
        assert found == pytest.approx(task(words).alpha(), abs=WITHIN)


@given(whole_tables)
def test_fleiss_kappa(words: Words) -> None:
    found = fleiss_kappa(counted(words), len(words[0]))

    if found is None:
        assert len({value for word in words for value in word.values()}) == 1
    else:
        assert found == pytest.approx(task(words).pi(), abs=WITHIN)


@given(st.lists(st.tuples(st.sampled_from("RDX"), st.sampled_from("RDX")), min_size=1, max_size=50))
def test_cohens_kappa(pairs: list[tuple[str, str]]) -> None:
    found = cohens_kappa(Counter(pairs))

    if found is None:
        assert len({type_ for pair in pairs for type_ in pair}) == 1
    else:
        said = [(coder, number, pair[coder]) for number, pair in enumerate(pairs) for coder in (0, 1)]
        assert found == pytest.approx(AnnotationTask(data=said).kappa(), abs=WITHIN)
