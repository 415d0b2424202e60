"""A protocol is data: a project's rules of work as switches. Code asks the switch, never the preset's name."""

from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from annotator.domain.errors import Invalid, Problem

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
    min_substitutes: int = 1
    max_substitutes: int | None = None
    substitutes_may_be_empty: bool = False
    # One switch for splitting, trimming, collapsing and case-folding: on for sws and lexsub, off for hoo and wets.
    separator: str = ";"
    folds_substitutes: bool = True
    warn_below_marks: int = 0
    quota_type: str = ""
    quota_per_passage: str = ""  # a decimal in a string: no floats in stored JSON
    keep_at: int = 2
    min_answers: int = 2

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
)

PRESETS = {protocol.preset: protocol for protocol in (SWS,)}


def protocol_from_dict(data: dict[str, Any]) -> Protocol:
    """The stored form back as a Protocol; an unknown or senseless switch is an error, a missing one has its default."""
    try:
        types = tuple(
            _read(SubstituteType, {**item, "aliases": tuple(item.get("aliases", ()))}, f"types[{index}]")
            for index, item in enumerate(data["types"])
        )
        protocol = _read(Protocol, {**data, "types": types}, "protocol")
    except (KeyError, TypeError, AttributeError) as error:
        raise Invalid([Problem("protocol", f"The protocol cannot be read: {error}.", "protocol")]) from None
    if protocol.kind not in KINDS:
        raise Invalid([Problem("kind", f"The kind of work is one of {', '.join(KINDS)}.", "kind")])
    return protocol


Shape = TypeVar("Shape", Protocol, SubstituteType)


def _read(shape: type[Shape], data: dict[str, Any], path: str) -> Shape:
    unknown = sorted(set(data) - {field.name for field in fields(shape)})
    if unknown:
        raise Invalid([Problem("unknown_key", f"A protocol has no switch {unknown[0]!r}.", path)])
    return shape(**data)
