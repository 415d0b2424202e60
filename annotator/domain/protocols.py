"""A protocol is data: a project's rules of work as switches. Code asks the switch, never the preset's name."""

from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from annotator.domain.errors import Invalid, Problem
from annotator.domain.lengths import MAX_TYPE_LENGTH
from annotator.domain.text import forbidden_character

KINDS = ("marking", "judging")


@dataclass(frozen=True)
class SubstituteType:
    """One kind of improvement. A type is retired, never deleted: answers given before keep it."""

    key: str
    label: str
    code: int
    hint: str = ""
    aliases: tuple[str, ...] = ()
    is_retired: bool = False


@dataclass(frozen=True)
class Protocol:
    preset: str
    kind: str  # of KINDS
    types: tuple[SubstituteType, ...]
    spans_are_free: bool = True
    spans_may_overlap: bool = True
    spans_may_be_empty: bool = False
    spans_may_cross_sentences: bool = True
    min_substitutes: int = 1
    max_substitutes: int | None = None
    substitutes_may_be_empty: bool = False
    edits_may_be_optional: bool = False  # "may stay as it is", and sets of edits that belong together
    flags: tuple[str, ...] = ()  # what may be said of a given span instead of a substitute
    asks_multiword: bool = False
    labels: tuple[str, ...] = ()  # of judging
    candidates_per_page: int = 0
    controls_per_page: int = 0
    labels_per_round: tuple[int, ...] = ()
    judges_after_marking: bool = False
    shows_source: bool = False
    # One switch for splitting, trimming, collapsing and case-folding: on for sws and lexsub, off for hoo and wets.
    separator: str = ";"
    folds_substitutes: bool = True
    warn_below_marks: int = 0
    fixes_type_order: bool = False  # else each annotator sees the types in an order of their own
    quota_type: str = ""
    quota_per_passage: str = ""  # a decimal in a string: no floats in stored JSON
    keep_at: int = 2
    min_answers: int = 2
    drops_discarded: bool = True  # a passage leaves the gold when discards outnumber submissions
    # Once all have submitted a passage, what one adjudicator decides is a proposal until another agrees (HOO 3.2).
    needs_consensus: bool = False
    # Qualification: mean span F0.5 against the key, and the share of hits that have a substitute in common with it.
    qualify_f05: str = ""
    qualify_shared: str = ""
    test_passages: int = 0  # of one try at the qualification test; 0: all there are
    splits: tuple[tuple[str, int], ...] = ()
    # Who is given what: so many different people for a passage (0: everyone), and among a hundred passages of one
    # person so many controls, whose key is known, and so many that come a second time.
    answers_per_passage: int = 0
    controls_per_hundred: int = 0
    repeats_per_hundred: int = 0

    def type_named(self, key: str) -> SubstituteType | None:
        return next((item for item in self.types if key == item.key or key in item.aliases), None)

    @property
    def open_types(self) -> tuple[SubstituteType, ...]:
        return tuple(item for item in self.types if not item.is_retired)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


SWS = Protocol(
    preset="sws",
    kind="marking",
    types=(
        SubstituteType(
            "refine-usage", "Refine usage", 1, "better, closer to a native speaker", aliases=("improve-usage",)
        ),
        SubstituteType("diversify-expression", "Diversify expression", 2, "just as good, another way to say it"),
    ),
    warn_below_marks=3,
    quota_type="refine-usage",
    quota_per_passage="1.5",
    qualify_f05="0.5",
    qualify_shared="0.5",
    splits=(("validation", 200), ("test", 800)),
)

# Given spans, up to three substitutes without a type (McCarthy and Navigli 2007).
LEXSUB = Protocol(
    preset="lexsub",
    kind="marking",
    types=(SubstituteType("substitute", "Substitute", 1),),
    spans_are_free=False,
    min_substitutes=0,
    max_substitutes=3,
    flags=("nil", "name"),
    asks_multiword=True,
    keep_at=1,
)

# Corrections with error codes; every project brings its own list (Dale and Kilgarriff 2011).
HOO = Protocol(
    preset="hoo",
    kind="marking",
    types=(SubstituteType("error", "Error", 1),),
    spans_may_overlap=False,
    spans_may_be_empty=True,
    spans_may_cross_sentences=False,
    min_substitutes=0,
    substitutes_may_be_empty=True,
    edits_may_be_optional=True,
    separator="",
    needs_consensus=True,
    folds_substitutes=False,
)

# Given candidates, labelled in two rounds (Lee et al. 2021).
SWORDS = Protocol(
    preset="swords",
    kind="judging",
    types=(),
    spans_are_free=False,
    min_substitutes=0,
    labels=("yes", "no", "unknown"),
    candidates_per_page=10,
    controls_per_page=2,
    labels_per_round=(3, 7),
)

# Wrong spans of a translation with alternatives, which others then judge (Yang et al. 2022).
WETS = Protocol(
    preset="wets",
    kind="marking",
    types=(
        SubstituteType("under-translation", "Under-translation", 1),
        SubstituteType("over-translation", "Over-translation", 2),
        SubstituteType("semantic", "Semantic error", 3),
        SubstituteType("grammar", "Grammatical error", 4),
    ),
    spans_may_be_empty=True,
    substitutes_may_be_empty=True,
    labels=("yes", "no"),
    labels_per_round=(3,),
    judges_after_marking=True,
    shows_source=True,
    separator="",
    folds_substitutes=False,
    keep_at=3,
    min_answers=3,
)

PRESETS = {protocol.preset: protocol for protocol in (SWS, LEXSUB, HOO, SWORDS, WETS)}


def not_yet(protocol: Protocol) -> str:
    """What of these rules the workbench cannot do yet; "" where it can do all of them."""
    lacking = {
        "judging": protocol.kind == "judging" or protocol.judges_after_marking,
        "given spans": not protocol.spans_are_free,
        "empty spans": protocol.spans_may_be_empty,
        "substitutes that are taken to the letter": not protocol.folds_substitutes,
    }
    return ", ".join(what for what, is_asked in lacking.items() if is_asked)


def page_rules(protocol: Protocol, *, types: list[dict[str, Any]], lengths: dict[str, int]) -> dict[str, Any]:
    """What the work page asks instead of knowing it: `types` in the person's own order, `lengths` the most it takes."""
    return {
        "spans": {
            "are_free": protocol.spans_are_free,
            "may_overlap": protocol.spans_may_overlap,
            "may_be_empty": protocol.spans_may_be_empty,
            "may_cross_sentences": protocol.spans_may_cross_sentences,
        },
        "separator": protocol.separator,
        "folds": protocol.folds_substitutes,
        "min_substitutes": protocol.min_substitutes,
        "max_substitutes": protocol.max_substitutes,
        "substitutes_may_be_empty": protocol.substitutes_may_be_empty,
        "flags": list(protocol.flags),
        "types": types,
        "warn_below_marks": protocol.warn_below_marks,
        "lengths": lengths,
    }


_LISTS = ("flags", "labels", "labels_per_round", "splits")


def protocol_from_dict(data: dict[str, Any]) -> Protocol:
    """The stored form back as a Protocol; an unknown or senseless switch is an error, a missing one has its default."""
    try:
        types = tuple(
            _read(SubstituteType, {**item, "aliases": tuple(item.get("aliases", ()))}, f"types[{index}]")
            for index, item in enumerate(data["types"])
        )
        given = {name: _frozen(value) if name in _LISTS else value for name, value in data.items()}
        protocol = _read(Protocol, {**given, "types": types}, "protocol")
    except (KeyError, TypeError, AttributeError) as error:
        raise Invalid([Problem("protocol", f"The protocol cannot be read: {error}.", "protocol")]) from None
    if protocol.kind not in KINDS:
        raise Invalid([Problem("kind", f"The kind of work is one of {', '.join(KINDS)}.", "kind")])
    return protocol


def check_protocol(protocol: Protocol) -> None:
    """Of a protocol that comes from outside: is every switch of the kind it must be?"""
    if wrong := _senseless(protocol):
        raise Invalid([Problem("protocol", f"The protocol's “{wrong}” makes no sense.", wrong)])


def _senseless(protocol: Protocol) -> str:
    """The first switch whose value is of another kind than it must be; "" where all are well."""
    for field in fields(Protocol):
        if not _is_sensible(
            getattr(protocol, field.name), field.type.__name__ if isinstance(field.type, type) else str(field.type)
        ):
            return field.name
    if not all(map(_is_sensible_type, protocol.types)):
        return "types"
    keys = [item.key for item in protocol.types]
    return "types" if len(set(keys)) != len(keys) else ""


def _is_sensible(value: Any, kind: str) -> bool:
    if kind == "bool":
        return isinstance(value, bool)
    if kind.startswith("int"):
        return (value is None and "None" in kind) or (_is_count(value) and 0 <= value < 10_000)
    if kind == "str":
        return _is_text(value)
    if not isinstance(value, tuple):
        return False
    if kind == "tuple[str, ...]":
        return all(isinstance(item, str) for item in value)
    if kind == "tuple[int, ...]":
        return all(_is_count(item) for item in value)
    if kind == "tuple[tuple[str, int], ...]":
        pairs = all(isinstance(item, tuple) and len(item) == 2 for item in value)
        return pairs and all(isinstance(item[0], str) and _is_count(item[1]) for item in value)
    return True


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_sensible_type(item: SubstituteType) -> bool:
    are_texts = all(map(_is_text, (item.key, item.label, item.hint, *item.aliases)))
    is_counted = _is_count(item.code) and item.code >= 0 and isinstance(item.is_retired, bool)
    return are_texts and bool(item.key) and len(item.key) <= MAX_TYPE_LENGTH and is_counted


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 200 and not forbidden_character(value)


def _frozen(value: Any) -> Any:
    """JSON has lists where the dataclass has tuples."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


Shape = TypeVar("Shape", Protocol, SubstituteType)


def _read(shape: type[Shape], data: dict[str, Any], path: str) -> Shape:
    unknown = sorted(set(data) - {field.name for field in fields(shape)})
    if unknown:
        raise Invalid([Problem("unknown_key", f"A protocol has no switch {unknown[0]!r}.", path)])
    return shape(**data)
