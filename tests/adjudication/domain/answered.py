"""One passage and all that was said about it: what merge and agreement are computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from annotator.domain.answers import Answer
from annotator.domain.language import made_tokens
from annotator.domain.tokens import Span, spans_of


@dataclass(frozen=True)
class AnsweredPassage:
    """`answers`: of each annotator the newest submission that counts; who has not submitted is not among them.
    `given_tokens`: where the passage came with tokens, else they are made."""

    id: str
    text: str
    answers: Mapping[str, Answer]
    discarded_by: frozenset[str] = field(default_factory=frozenset)
    group: str = ""
    lang: str = "en"
    given_tokens: Sequence[Span] | None = None

    @cached_property
    def tokens(self) -> Sequence[Span]:
        return spans_of(made_tokens(self.text, self.lang)) if self.given_tokens is None else self.given_tokens

    @cached_property
    def words(self) -> list[Span]:
        """Tokens that hold a letter or a digit."""
        return [(start, end) for start, end in self.tokens if any(map(str.isalnum, self.text[start:end]))]
