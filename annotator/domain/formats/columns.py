"""Which column of a table of passages is what: guessed from its name and its contents, then as a lead says."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
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
MOST_NAMED = 4  # words of a column's name above sentences, which have more
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
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


def guessed_columns(
    rows: Sequence[Row],
    has_header: bool | None = None,
    chosen: Mapping[int, str] | None = None,
    *,
    is_padded: bool = False,
) -> Columns:
    """Of the first rows of a table, of which there is one at least. `chosen`: by place, what somebody said a column is;
    no guess takes that away. `is_padded`: a row may lack the empty cells at its end."""
    head = [cell.strip() for cell in rows[0][1]]
    if has_header is None:
        has_header = _is_header(head, [cells for _, cells in rows[1:]])
    body = [cells for _, cells in rows[1 if has_header else 0 :]]
    width = len(head) if has_header else _width(body, is_padded)
    columns = _columns_of(body, width)
    said = {place: role for place, role in (chosen or {}).items() if place < width}
    roles = _by_name(head if has_header else [""] * width, said)
    left = [place for place, role in enumerate(roles) if not role and place not in said]
    if "text" not in roles:
        place = max(left, key=lambda place: _mean_length(columns[place]), default=None)
        # Where every column is called something else, one of them it must be.
        roles[_first_unsaid(width, said) if place is None else place] = "text"
    ids = (place for place in left if not roles[place] and _tells_apart(columns[place]))
    if "id" not in roles and (place := next(ids, None)) is not None:
        roles[place] = "id"
    return Columns(tuple(roles), has_header)


def _by_name(names: Sequence[str], said: Mapping[int, str]) -> list[str]:
    roles = [said.get(place, "") for place in range(len(names))]
    for place, name in enumerate(names):
        role = _NAMED.get(_as_word(name), "")
        if place not in said and role not in roles:
            roles[place] = role
    return roles


def _first_unsaid(width: int, said: Mapping[int, str]) -> int:
    return next((place for place in range(width) if place not in said), 0)


def _width(rows: Sequence[Sequence[str]], is_padded: bool) -> int:
    """What most rows have: one that is parted too often does not make the others wrong."""
    times = Counter(map(len, rows))
    return max(times) if is_padded else max(times, key=lambda width: (times[width], width))


def _columns_of(rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    return [[cells[place] for cells in rows if place < len(cells)] for place in range(width)]


def _as_word(name: str) -> str:
    """sentenceId, Sentence ID and sentence-id are sentence_id."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", parted).strip("_").lower()


def _is_header(cells: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    if any(_as_word(cell) in _NAMED for cell in cells):
        return True
    if any(len(cell) > LONGEST_NAME or _NUMBER.fullmatch(cell) for cell in cells):
        return False
    if len(set(cells)) == len(cells) and not any(cell.endswith((".", "!", "?")) for cell in cells):
        return True
    below = _columns_of(body, len(cells))
    return any(_names_numbers(*pair) or _names_sentences(*pair) for pair in zip(cells, below, strict=True))


def _names_numbers(name: str, below: Sequence[str]) -> bool:
    numbers = sum(bool(_NUMBER.fullmatch(cell.strip())) for cell in below)
    return bool(name) and 5 * numbers >= 4 * len(below) > 0


def _names_sentences(name: str, below: Sequence[str]) -> bool:
    """A few words and no end of a sentence, above cells of which nearly each is a sentence."""
    words = len(name.split())
    sentences = sum(len(cell.split()) > max(words, 2) and cell.rstrip()[-1] in ".!?…" for cell in below)
    is_name = 0 < words <= MOST_NAMED and not name.endswith((".", "!", "?", "…"))
    return is_name and 5 * sentences >= 4 * len(below) > 0


def _mean_length(cells: Sequence[str]) -> float:
    return sum(map(len, cells)) / len(cells) if cells else 0.0


def _tells_apart(cells: Sequence[str]) -> bool:
    """Whether nearly each row has one of its own that looks like an id: some may be there twice by mistake."""
    are_ids = all(cell and len(cell) <= LONGEST_ID and not any(map(str.isspace, cell)) for cell in cells)
    return are_ids and 5 * len(set(cells)) >= 4 * len(cells) > 0
