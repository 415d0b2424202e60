"""The part of speech of a target, for table 2 of the card. A hint: the tagger errs, says nothing of phrases, and knows
English alone."""

from collections.abc import Sequence

from annotator.domain.language import is_english
from exports.domain.english import tagged
from exports.domain.rows import GoldRow

# The first letters of the tagger's tags (CLAWS) for what the paper counts; verbs with modal ones, nouns with names.
PARTS = {"NN": "noun", "NP": "noun", "AJ": "adj.", "AV": "adv."} | dict.fromkeys(("VV", "VB", "VD", "VH", "VM"), "verb")


def parts_of_speech(row: GoldRow) -> Sequence[str]:
    """Of each target, in order; none where the passage is in another language."""
    if not row.targets or not is_english(row.lang):
        return ()
    tags = tagged(row.tokens)
    return [_part(target.tokens, tags, target.quote) for target in row.targets]


def _part(span: tuple[int, int] | None, tags: Sequence[str], quote: str) -> str:
    if span is None or span[1] - span[0] != 1:
        return "phrase" if len(quote.split()) > 1 or span is not None else "other"
    return PARTS.get(tags[span[0]][:2], "other")
