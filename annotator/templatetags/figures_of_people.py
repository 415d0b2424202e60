"""Figures of the board as people read them, and as a style sheet needs them."""

from collections.abc import Sequence

from django import template

from annotator.domain.jobs import spoken_time

register = template.Library()


@register.filter
def share(value: float) -> str:
    return f"{100 * value:.0f} %"


@register.filter
def of_hundred(value: float) -> str:
    return f"{100 * value:.0f}"


@register.filter
def mix_in_words(mix: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{label} {share(part)}" for label, part in mix)


@register.filter
def of_forty(part: float) -> str:
    """The width of a bar within a frame as wide."""
    return f"{40 * part:.1f}"


@register.filter
def of_ninety_six(number: int, most: int) -> str:
    return f"{96 * number / most:.1f}" if most else "0"


@register.filter
def spoken(milliseconds: int) -> str:
    return spoken_time(milliseconds / 1000) if milliseconds else "–"
