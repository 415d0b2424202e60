"""The queue's filter as an address has it; what makes no sense there is left out, and told."""

from django.http import QueryDict

from adjudication.actions.settling import MOST_DISPUTE
from adjudication.queries.queue import ASKING, MORE, MOST_SHARES, OTHER, QueueFilter
from annotator.domain.formats.reading import clip
from annotator.domain.lengths import MAX_ID_LENGTH, MAX_NAME_LENGTH, MAX_SEARCH_LENGTH, MAX_TYPE_LENGTH


def filter_of(given: QueryDict) -> tuple[QueueFilter, list[str]]:
    """With a line about each part that could not be followed."""
    share, flag, settled = _share(given.get("share", "")), given.get("flag", ""), given.get("settled", "")
    index = number(given.get("index", ""), most=99_999)
    wanted = QueueFilter(
        flag=flag if flag in (*ASKING, *MORE, *OTHER) else "",
        also=tuple(name for name in MORE if name in given.getlist("also")),
        type=given.get("type", "")[:MAX_TYPE_LENGTH],
        group=given.get("group", "")[:MAX_ID_LENGTH],
        person=given.get("person", "")[:MAX_NAME_LENGTH],
        index=index,
        settled=settled if settled in ("me", "all") else "",
        search=given.get("search", "").strip()[:MAX_SEARCH_LENGTH],
        share=share,
    )
    return wanted, _unheard(given, wanted)


def _unheard(given: QueryDict, wanted: QueueFilter) -> list[str]:
    unknown = [name for name in given.getlist("also") if name and name not in MORE]
    checks = [
        (
            "share",
            wanted.share is None,
            f"is no share of the queue: give it as 1of2, the first half of two, with {MOST_SHARES} shares at most.",
        ),
        ("index", wanted.index is None, "is no voting index: give a number."),
        ("flag", not wanted.flag, "is no reason to ask: choose one from the list."),
        ("settled", not wanted.settled, "is neither “me” nor “all”."),
    ]
    texts = [(given.get(name, "").strip(), why) for name, is_lost, why in checks if is_lost]
    said = [f"“{clip(text)}” {why}" for text, why in texts if text]
    return [*said, *(f"“{clip(name)}” cannot be added to what asks." for name in unknown)]


def _share(text: str) -> tuple[int, int] | None:
    mine, _, of = text.strip().lower().replace(" ", "").partition("of")
    first, shares = number(mine, most=MOST_SHARES), number(of, most=MOST_SHARES)
    return (first, shares) if first and shares and first <= shares else None


def number(text: str, *, most: int) -> int | None:
    text = text.strip()
    is_sound = text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most
    return int(text) if is_sound else None


def dispute_of(given: QueryDict, usual: int) -> tuple[int, list[str]]:
    """How disputed the quiet ones may be, of a thousand."""
    text = given.get("dispute", "")
    found = number(text, most=MOST_DISPUTE)
    if found is not None or not text.strip():
        return (usual if found is None else found), []
    return usual, [f"“{clip(text)}” is no number between 0 and {MOST_DISPUTE:,}."]
