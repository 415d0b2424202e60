"""Of passages and their tokens."""

from collections.abc import Iterator

import msgspec
from django.db.models import TextField
from django.db.models.functions import Cast

from annotator.domain.tokens import TOKEN_BYTES, pack_tokens, spans_of, unpack_tokens
from annotator.models import Passage, PassageTokens
from exports.queries.examining.examined import CHUNK, Examined


def examine_passages(found: Examined) -> Iterator[str]:
    """Tokens inside the text; no group divided between splits."""
    splits: dict[tuple[int, str], str] = {}
    rows = found.rows(Passage.objects.order_by("pk"), "project")
    names = ("project_id", "external_id", "text", "tokens", "group", "split")
    for project, name, text, tokens, group, split in rows.values_list(*names).iterator(chunk_size=CHUNK):
        found.looked_at += 1
        if any(not 0 <= start < end <= len(text) for start, end in spans_of(tokens or ())):
            yield f"passage {name}: a token lies outside the text"
        if group and split:
            first = splits.setdefault((project, group), split)
            if first != split:
                yield f"the group “{group}” is in the splits {first} and {split}"
    yield from _kept_tokens(found)


def _kept_tokens(found: Examined) -> Iterator[str]:
    """Packed from the passage's own where it came with tokens, else from spans inside its text."""
    rows = found.rows(PassageTokens.objects.order_by("pk"), "passage__project")
    rewritten = rows.annotate(rewritten_text=Cast("rewritten", TextField()))
    names = ("passage__external_id", "passage__text", "passage__tokens", "spans", "rewritten_text")
    for name, text, own, *kept in rewritten.values_list(*names).iterator(chunk_size=CHUNK):
        packed = bytes(kept[0]), msgspec.json.decode(kept[1])
        tokens = unpack_tokens(*packed) if len(packed[0]) % TOKEN_BYTES == 0 else ()
        is_inside = all(0 <= start < end <= len(text) for start, end in spans_of(tokens))
        if not is_inside or pack_tokens(text, tokens if own is None else own) != packed:
            yield f"passage {name}: its kept tokens are not those of its text"
