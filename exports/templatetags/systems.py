"""Scores as people read them."""

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from exports.views.drawing import shown

register = template.Library()
register.filter("score", shown)


@register.filter
def one_decimal(value: float | None) -> str:
    """Rounded as in the card."""
    return "–" if value is None else f"{value:.1f}"


@register.filter
def indexed(label: str) -> SafeString:
    """F0.5 with its β below the line."""
    text = str(conditional_escape(label))
    return SafeString(text.replace("F0.5", "F<sub>0.5</sub>").replace("F1", "F<sub>1</sub>"))


@register.filter
def signed_score(value: float | None) -> str:
    return "–" if value is None else f"{'+' if value >= 0 else '−'}{shown(abs(value))}"


@register.filter
def score_interval(value: tuple[float, float] | None) -> str:
    return "–" if value is None else f"{_minus(value[0])} to {_minus(value[1])}"


def _minus(value: float) -> str:
    return f"{'−' if value < 0 else ''}{shown(abs(value))}"


@register.filter
def chance(p: float | None) -> str:
    return "–" if p is None else "< .001" if p < 0.001 else shown(p)


@register.filter
def signed_whole(value: int | None) -> str:
    """How far from what was asked; nothing where nothing was."""
    return "" if value is None else "0" if not value else f"{'+' if value > 0 else '−'}{abs(value):,}"


@register.filter
def signed_tenths(value: float) -> str:
    text = f"{abs(value):.1f}"
    return text if text == "0.0" else f"{'+' if value > 0 else '−'}{text}"
