"""Tokens of passages, made where they are asked for."""

from collections.abc import Sequence

import numpy as np

from annotator.actions.running import Run
from annotator.domain.language import made_tokens
from annotator.domain.tokens import spans_of
from annotator.models import Passage


def _tokens_of(run: Run, passages: Sequence[int]) -> dict[int, bytes]:
    found = {}
    for row in Passage.objects.filter(pk__in=passages).select_related("project"):
        spans = spans_of(
            row.tokens if row.tokens is not None else made_tokens(row.text, row.lang or row.project.language)
        )
        rows = [(start, end, any(map(str.isalnum, row.text[start:end]))) for start, end in spans]
        found[row.pk] = np.array(rows, dtype="<i4").reshape(-1, 3).tobytes()
    return found
