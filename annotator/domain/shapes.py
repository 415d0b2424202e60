"""The shapes of documents that people and programs send: what is not exactly so is named and refused."""

from typing import Any

from annotator.domain.errors import Invalid, Problem, TooLarge
from annotator.domain.formats.reading import clip
from annotator.domain.text import forbidden_character


def check_shape(value: Any, kind: type, path: str) -> None:
    # bool is an int to Python, but true is not an offset.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {dict: "an object", int: "a whole number", str: "a string", bool: "true or false", list: "a list"}
        raise Invalid([Problem("shape", f"{path} must be {names[kind]}.", path)])


def check_keys(value: Any, path: str, *, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> None:
    check_shape(value, dict, path)
    if unknown := sorted(set(value) - {*required, *optional}):
        raise Invalid([Problem("unknown_key", f"{path} has an unknown key {clip(unknown[0])!r}.", path)])
    if missing := [key for key in required if key not in value]:
        raise Invalid([Problem("missing_key", f"{path} lacks {missing[0]!r}.", path)])


def checked_list(value: Any, path: str, *, most: int, noun: str) -> list[Any]:
    check_shape(value, list, path)
    items: list[Any] = value
    if len(items) > most:
        raise TooLarge([Problem("too_many", f"{len(items)} {noun}: {most} are the most.", path)])
    return items


def checked_text(value: Any, path: str, *, most: int) -> str:
    check_shape(value, str, path)
    text: str = value
    if len(text) > most:
        message = f"“{text[:40]}…” has {len(text)} characters: {most} are the most."
        raise TooLarge([Problem("too_long", message, path)])
    if character := forbidden_character(text):
        raise Invalid([Problem("forbidden_character", f"{path} holds the control character {character}.", path)])
    return text
