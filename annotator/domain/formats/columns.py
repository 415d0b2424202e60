"""Which column of a table of passages is what: guessed from its name and its contents, then as a lead says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.errors import Invalid
from annotator.domain.formats.reading import clip
from annotator.domain.formats.tables import Row

# What a column may be, as people say it; "" is left out. Each but that may be one column only.
ROLES = {
    "text": "Text",
    "id": "Id",
    "group": "Group",
    "context_before": "Context before",
    "context_after": "Context after",
    "source_text": "Source text",
    "lang": "Language",
    "": "Leave out",
}
LOOKED_AT = 200  # rows, to guess by
LONGEST_ID = 60  # characters, where nothing but the contents says that a column may be the id
LONGEST_NAME = 40  # of a column, where a first line may also be a row
# What columns are called, in small letters, words parted by low lines.
_CALLED = {
    "text": "text sentence passage content sentence_text segment utterance original satz",
    "context_before": "context_before previous prev before left context left_context",
    "context_after": "context_after following next after right right_context",
    "source_text": "source_text source src",
    "lang": "lang language",
    "group": "group document doc essay author learner file text_id document_id doc_id essay_id author_id learner_id",
    "id": "id sentence_id passage_id segment_id sid uid key external_id",
}
_NAMED = {name: role for role, names in _CALLED.items() for name in names.split()}


@dataclass(frozen=True)
class Columns:
    """`roles`: of each column in its place, of ROLES. `has_header`: the first row names them and is no passage."""

    roles: tuple[str, ...]
    has_header: bool = True

    def __post_init__(self) -> None:
        if unknown := set(self.roles) - ROLES.keys():
            raise Invalid.of("columns", f"A column cannot be “{clip(min(unknown))}”.", "columns")
        for role in ROLES:
            if role and self.roles.count(role) > 1:
                raise Invalid.of("columns", f"Only one column can be “{ROLES[role]}”.", "columns")
        if "text" not in self.roles:
            raise Invalid.of("columns", "Say which column is the text.", "columns")

    def as_dict(self) -> dict[str, object]:
        return {"roles": list(self.roles), "has_header": self.has_header}


def columns_from(value: dict[str, object] | None) -> Columns | None:
    """What `as_dict` gives."""
    if value is None:
        return None
    roles = value["roles"]
    assert isinstance(roles, list)
    return Columns(tuple(roles), bool(value["has_header"]))


def guessed_columns(rows: Sequence[Row], has_header: bool | None = None) -> Columns:
    """Of the first rows of a table, of which there is one at least."""
    head = [cell.strip() for cell in rows[0][1]]
    if has_header is None:
        has_header = _is_header(head)
    body = [cells for _, cells in rows[1 if has_header else 0 :]]
    width = len(head) if has_header else max(map(len, body))
    columns = [[cells[place] for cells in body if place < len(cells)] for place in range(width)]
    roles = [""] * width
    for place, name in enumerate(head if has_header else ()):
        role = _NAMED.get(_as_word(name), "")
        roles[place] = role if role not in roles else ""
    if "text" not in roles:
        _give(roles, "text", max(_left(roles), key=lambda place: _mean_length(columns[place]), default=None))
    if "text" not in roles:
        roles[0] = "text"  # every column is called something else: one of them it must be
    if "id" not in roles:
        _give(roles, "id", next((place for place in _left(roles) if _tells_apart(columns[place])), None))
    return Columns(tuple(roles), has_header)


def _as_word(name: str) -> str:
    """sentenceId, Sentence ID and sentence-id are sentence_id."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", parted).strip("_").lower()


def _is_header(cells: Sequence[str]) -> bool:
    if any(_as_word(cell) in _NAMED for cell in cells):
        return True
    are_short = all(len(cell) <= LONGEST_NAME and not cell.endswith((".", "!", "?")) for cell in cells)
    return are_short and len(set(cells)) == len(cells) and not any(cell.isdigit() for cell in cells)


def _left(roles: Sequence[str]) -> list[int]:
    return [place for place, role in enumerate(roles) if not role]


def _give(roles: list[str], role: str, place: int | None) -> None:
    if place is not None:
        roles[place] = role


def _mean_length(cells: Sequence[str]) -> float:
    return sum(map(len, cells)) / len(cells) if cells else 0.0


def _tells_apart(cells: Sequence[str]) -> bool:
    """Whether nearly each row has one of its own that looks like an id: some may be there twice by mistake."""
    are_ids = all(cell and len(cell) <= LONGEST_ID and not any(map(str.isspace, cell)) for cell in cells)
    return are_ids and 5 * len(set(cells)) >= 4 * len(cells) > 0
