"""What of a project's protocol may still be changed: the switches of the work are fixed by the first save, those of
merging, quotas, tests and splits never; types are added, relabelled and retired, not deleted."""

import re
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from typing import Any

from annotator.domain.errors import Conflict, Invalid
from annotator.domain.protocols import Protocol, SubstituteType, check_protocol, not_yet, protocol_from_dict
from annotator.domain.text import is_blank

MOST_ANSWERS = 1000  # of one passage, that a lead may ask for
MOST_PER_HUNDRED = 20  # controls, and repeats: the rest is what the set is made of

# Whatever is not named here is a switch of the work.
FREE_AT_ANY_TIME = frozenset(
    {
        *("warn_below_marks", "fixes_type_order"),
        *("quota_type", "quota_per_passage"),
        *("keep_at", "min_answers", "drops_discarded", "needs_consensus"),
        *("qualify_f05", "qualify_shared", "test_passages"),
        *("answers_per_passage", "controls_per_hundred", "repeats_per_hundred"),
        "splits",
    }
)


WHAT_IT_IS = ("preset", "kind")


def is_fixed_by_work(name: str) -> bool:
    return name not in FREE_AT_ANY_TIME and name != "types"


def fixed_switches(*, has_work: bool) -> list[str]:
    """What can be changed no more, or never could; of types only some of it."""
    names = [item.name for item in fields(Protocol)]
    return [name for name in names if name in WHAT_IT_IS or (has_work and is_fixed_by_work(name))]


def changed_protocol(before: Protocol, changes: dict[str, Any], *, has_work: bool) -> Protocol:
    """The protocol with `changes` (switches by name, as stored); Invalid where they make no sense, Conflict where work
    that exists forbids them, each saying why."""
    after = protocol_from_dict({**before.as_dict(), **changes})
    check_protocol(after)
    _check_sense(after)
    for name in switches_changed(before, after):
        if name in WHAT_IT_IS:
            raise Conflict(f"“{name}” says what the project is and stays as it is.", code="fixed")
        if has_work and is_fixed_by_work(name):
            raise Conflict(
                f"“{name}” is a rule of the work and is fixed by the first save: answers were given under it.",
                code="fixed_by_work",
            )
    _check_types(before, after, has_work=has_work)
    return after


def switches_changed(before: Protocol, after: Protocol) -> list[str]:
    return [item.name for item in fields(Protocol) if getattr(before, item.name) != getattr(after, item.name)]


def _check_types(before: Protocol, after: Protocol, *, has_work: bool) -> None:
    was, now = {item.key: item for item in before.types}, {item.key: item for item in after.types}
    if has_work and (gone := sorted(was.keys() - now.keys())):
        raise Conflict(f"Answers may have the type “{gone[0]}”: retire it instead.", code="type_in_use")
    for key in was.keys() & now.keys():
        if has_work and was[key].code != now[key].code:
            raise Conflict(f"The code of “{key}” stands in what was exported: it stays.", code="type_in_use")
    if has_work and [key for key in now if key in was] != list(was):
        raise Conflict("Types keep their order: ties are broken by it. New ones come last.", code="type_order")
    if before.types and not after.open_types:
        raise Invalid.of("types", "At least one type stays open.", "types")


def _check_sense(protocol: Protocol) -> None:
    for name in ("keep_at", "min_answers"):
        if getattr(protocol, name) < 1:
            raise Invalid.of(name, f"“{name}” is at least 1.", name)
    for name in ("controls_per_hundred", "repeats_per_hundred"):
        if getattr(protocol, name) > MOST_PER_HUNDRED:
            raise Invalid.of(name, f"“{name}” is at most {MOST_PER_HUNDRED}.", name)
    if protocol.answers_per_passage > MOST_ANSWERS:
        message = f"“answers_per_passage” is at most {MOST_ANSWERS:,}."
        raise Invalid.of("answers_per_passage", message, "answers_per_passage")
    for name, most in (("quota_per_passage", "100"), ("qualify_f05", "1"), ("qualify_shared", "1")):
        _check_decimal(getattr(protocol, name), name, Decimal(most))
    if protocol.quota_type and protocol.quota_type not in {item.key for item in protocol.open_types}:
        raise Invalid.of("quota_type", f"There is no open type “{protocol.quota_type}” for the quota.", "quota_type")
    if protocol.max_substitutes is not None and protocol.max_substitutes < max(1, protocol.min_substitutes):
        raise Invalid.of("max_substitutes", "“max_substitutes” is at least 1 and at least “min_substitutes”.", "types")
    if protocol.folds_substitutes and not protocol.separator.strip():
        raise Invalid.of("separator", "“separator” parts substitutes: give a sign such as “;”.", "separator")
    for item in protocol.types:
        if is_blank(item.label):
            raise Invalid.of("types", f"The type “{item.key}” needs a label that can be seen.", "types")
    names = [name for name, _ in protocol.splits]
    if len(set(names)) != len(names) or not all(name and size > 0 for name, size in protocol.splits):
        raise Invalid.of("splits", "Splits have different names and sizes from 1 on.", "splits")
    codes = [item.code for item in protocol.types]
    if len(set(codes)) != len(codes):
        raise Invalid.of("types", "Every type has a code of its own.", "types")
    if missing := not_yet(protocol):
        raise Invalid.of("protocol", f"Assay cannot work by these rules yet: they ask for {missing}.", "protocol")


def _check_decimal(text: str, name: str, most: Decimal) -> None:
    try:
        is_good = not text or 0 <= Decimal(text) <= most
    except InvalidOperation:
        is_good = False
    if not is_good:
        raise Invalid.of(name, f"“{name}” is a number from 0 to {most}, or nothing.", name)


def with_type(protocol: Protocol, key: str, label: str, hint: str = "") -> dict[str, Any]:
    """The change that adds a type, last and with the next code."""
    if protocol.type_named(key):
        raise Conflict(f"There is a type “{key}” already.", code="type_taken")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key):
        raise Invalid.of("types", f"“{key}” cannot be a type's key: use small letters, digits and hyphens.", "types")
    code = max((item.code for item in protocol.types), default=0) + 1
    return _types([*protocol.types, SubstituteType(key, label, code, hint)])


def with_changed_type(protocol: Protocol, key: str, **changes: Any) -> dict[str, Any]:
    """The change that relabels, retires or brings back a type."""
    if key not in {item.key for item in protocol.types}:
        raise Invalid.of("type", f"There is no type “{key}”.", "types")
    data = protocol.as_dict()["types"]
    return {"types": [{**item, **(changes if item["key"] == key else {})} for item in data]}


def _types(types: list[SubstituteType]) -> dict[str, Any]:
    return {"types": [vars(item) for item in types]}
