"""The part of speech of a target, for table 2 of the card. A hint: the tagger errs, and says nothing of phrases."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from exports.domain.rows import GoldRow

# The first letters of the tagger's tags (CLAWS) for what the paper counts.
PARTS = {"NN": "noun", "NP": "noun", "VV": "verb", "VB": "verb", "VD": "verb", "VH": "verb", "VM": "verb"}
PARTS |= {"AJ": "adj.", "AV": "adv."}


@cache
def _tagger() -> Any:
    from HanTa import HanoverTagger  # a quarter of a second, and 60 MB: only where somebody asks

    return HanoverTagger.HanoverTagger("morphmodel_en.pgz")


def parts_of_speech(row: GoldRow) -> Sequence[str]:
    """Of each target, in order."""
    if not row.targets:
        return ()
    tags = [tag for _, _, tag in _tagger().tag_sent(list(row.tokens))]
    return [_part(target.tokens, tags, target.quote) for target in row.targets]


def _part(span: tuple[int, int] | None, tags: Sequence[str], quote: str) -> str:
    if span is None or span[1] - span[0] != 1:
        return "phrase" if len(quote.split()) > 1 or span is not None else "other"
    return PARTS.get(tags[span[0]][:2], "other")
