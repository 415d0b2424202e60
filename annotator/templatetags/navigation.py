"""The tabs of a project: which there are depends on who looks, and on whether it is being set up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from annotator.domain.states import ProjectState
from annotator.models import Membership, Project

register = template.Library()


@dataclass(frozen=True)
class Tab:
    """`about`: the first parts of the addresses below the project's own that belong to it."""

    label: str
    name: str
    about: tuple[str, ...]


BOARD = Tab("Board", "board", ("board", "questions", "jobs"))
SETUP = Tab("Set-up", "setup", ("setup",))
MY_WORK = Tab("My work", "my_work", ("work",))
PASSAGES = Tab("Passages", "passages", ("passages", "previews"))
PEOPLE = Tab("People", "people", ("people", "invitations", "assignment", "controls"))
GUIDELINES = Tab("Guidelines", "guidelines", ("guidelines",))
MERGE = Tab("Merge", "merge", ("merge",))
ADJUDICATION = Tab("Adjudication", "adjudicate", ("adjudicate", "gold"))
AGREEMENT = Tab("Agreement", "agreement", ("agreement",))
RELEASES = Tab("Releases", "releases", ("releases",))
SYSTEMS = Tab("Systems", "runs", ("runs",))
SETTINGS = Tab("Settings", "settings", ("settings", "activity", "webhooks"))


@register.inclusion_tag("annotator/_navigation.html", takes_context=True)
def navigation(context: dict[str, Any], without: str = "") -> dict[str, Any]:
    """`without`: the name of a tab for which the page has a link of its own."""
    project, membership = context["project"], context["membership"]
    below = context["request"].path.removeprefix(reverse("project", args=[project.slug]))
    tabs = [tab for tab in _tabs(project, membership) if tab.name != without]
    return {"lines": [(tab.label, reverse(tab.name, args=[project.slug]), _is_here(tab, below)) for tab in tabs]}


def _tabs(project: Project, membership: Membership) -> Iterator[Tab]:
    is_lead, is_draft = membership.is_lead, project.state == ProjectState.DRAFT
    if is_lead:
        yield SETUP if is_draft else BOARD
    elif membership.is_annotator:
        yield GUIDELINES
    if membership.is_annotator:
        yield MY_WORK
    if is_lead:
        yield from (PASSAGES, PEOPLE, GUIDELINES)
    if (membership.is_adjudicator or is_lead) and not (is_lead and is_draft):
        yield from (MERGE, ADJUDICATION, AGREEMENT, RELEASES)
    if (membership.is_adjudicator or membership.is_submitter or is_lead) and not (is_lead and is_draft):
        yield SYSTEMS
    if is_lead:
        yield SETTINGS


def _is_here(tab: Tab, below: str) -> bool:
    """One's own passage has its place in the line above instead."""
    first, _, rest = below.partition("/")
    return first in tab.about and not (tab is MY_WORK and rest)
