"""Gold that was made elsewhere, as rows of a release: votes without voters."""

from collections.abc import Iterable, Mapping, Sequence

from annotator.domain.errors import Invalid, Problem
from annotator.domain.formats.sws_json import SwsSentence
from annotator.domain.lengths import MAX_ID_LENGTH, MAX_PASSAGE_LENGTH
from exports.domain.rows import GoldRow, GoldSuggestion, GoldTarget

NOT_TOLD = -1


def check_foreign(splits: Mapping[str, Sequence[SwsSentence]]) -> None:
    """No sentence in two splits, and nothing that Assay could not keep; all that is wrong at once."""
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    for split, sentences in splits.items():
        if not sentences:
            problems.append(Problem("empty", f"{split}: there is no sentence in it.", split))
        for sentence in sentences:
            if sentence.id in seen:
                problems.append(
                    Problem("twice", f"{sentence.id} is in {seen[sentence.id]} and in {split}.", sentence.id)
                )
            seen[sentence.id] = split
            if not 0 < len(sentence.id) <= MAX_ID_LENGTH:
                problems.append(Problem("id", f"{sentence.id[:40]}…: an id has 1 to {MAX_ID_LENGTH} characters."))
            if len(sentence.text) > MAX_PASSAGE_LENGTH:
                problems.append(
                    Problem("long", f"{sentence.id}: longer than {MAX_PASSAGE_LENGTH:,} characters.", sentence.id)
                )
    if problems:
        raise Invalid(problems)


def foreign_rows(sentences: Iterable[SwsSentence], types: Mapping[int, str], lang: str) -> Iterable[GoldRow]:
    for sentence in sentences:
        targets = []
        for target in sorted(sentence.targets, key=lambda found: found.span):
            start, end = sentence.spans[target.span[0]][0], sentence.spans[target.span[1] - 1][1]
            said = tuple(GoldSuggestion(text, votes, (), "foreign") for text, votes in target.suggestions)
            targets.append(
                GoldTarget(
                    start=start,
                    end=end,
                    quote=sentence.text[start:end],
                    tokens=target.span,
                    type=types.get(target.type, str(target.type)),
                    code=target.type,
                    annotators=NOT_TOLD,
                    of=NOT_TOLD,
                    fate="foreign",
                    suggestions=said,
                )
            )
        yield GoldRow(sentence.id, "", lang, sentence.text, sentence.tokens, "", "", tuple(targets))
