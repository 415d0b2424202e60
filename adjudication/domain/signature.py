"""The signature a number carries, as sacrebleu signs a score: all settings that made it, and the method's version."""

from collections.abc import Mapping
from typing import Any

METHOD_VERSION = 3  # raised whenever the same answers and settings would give another number


SHORT = {"folds_substitutes": "folds"}


def signature(what: str, settings: Mapping[str, Any]) -> str:
    """`agreement|both_empty:1|…|method:1`: all settings, in the order given."""
    said = [f"{SHORT.get(name, name)}:{_plain(value)}" for name, value in settings.items()]
    return "|".join([what, *said, f"method:{METHOD_VERSION}"])


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
