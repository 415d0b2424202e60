"""Shapes of a project: what it is called, where it stands, and what may be done with it."""

from typing import Any

from rest_framework import serializers

from annotator.domain.language import MAX_LANG
from annotator.domain.lengths import MAX_PROJECT_NAME_LENGTH
from annotator.domain.people import ROLES
from annotator.domain.protocols import PRESETS
from annotator.domain.states import PROJECT_MOVES, ProjectState
from annotator.models import Membership
from annotator.serializers.base import Body, Query, QueryInteger, QueryText, StrictBoolean, StrictString

MAX_SLUG = 50
# What a lead names; an archived draft returns to draft by “unarchive”, too.
ACTS = tuple(dict.fromkeys(act for _, act in PROJECT_MOVES if act != "return to draft"))
OF_LEADS = "Null for who does not lead it."
ONCE_OPEN = "Null for who only annotates, until it is opened."


class NewProjectSerializer(Body):
    """A draft of one's own, with the guidelines that come with its kind of work."""

    name = StrictString(max_length=MAX_PROJECT_NAME_LENGTH, help_text="As everybody who works in it reads it.")
    slug = StrictString(
        default="",
        max_length=MAX_SLUG,
        help_text="Its address: small letters, digits and hyphens. Made of the name where none is given.",
    )
    preset = StrictString(default=next(iter(PRESETS)), help_text=f"The kind of work, one of {', '.join(PRESETS)}.")
    language = StrictString(default="en", max_length=MAX_LANG, help_text="Of the passages: en, de, pt-BR.")
    time_zone = StrictString(default="UTC", max_length=50, help_text="By which days are counted: Europe/Berlin.")


class ChangedProjectSerializer(Body):
    """What is not named stays as it is."""

    name = StrictString(required=False, max_length=MAX_PROJECT_NAME_LENGTH)
    language = StrictString(required=False, max_length=MAX_LANG, help_text="Of the passages: en, de, pt-BR.")
    time_zone = StrictString(required=False, max_length=50, help_text="By which days are counted: Europe/Berlin.")
    shows_names_to_adjudicators = StrictBoolean(
        required=False, help_text="Whether adjudicators see names beside pseudonyms."
    )


class StateAskedSerializer(Body):
    """An act on the project as a whole; a paused or closed one is opened again by open."""

    act = serializers.ChoiceField(ACTS)


class ProjectLineSerializer(serializers.Serializer[Any]):
    """One project in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(list(ProjectState))
    roles = serializers.ListField(child=serializers.ChoiceField(ROLES), help_text="One's own.")
    version = serializers.IntegerField(min_value=0, allow_null=True, help_text=OF_LEADS)

    def to_representation(self, instance: Membership) -> dict[str, Any]:
        return super().to_representation(_line(instance))


class ProjectsSerializer(serializers.Serializer[Any]):
    """One page of a list."""

    results = ProjectLineSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page, null on the last.")


class ProjectsQuery(Query):
    limit = QueryInteger(default=50, min_value=1, max_value=10**9, help_text="100 are the most that is given at once.")
    after = QueryText(r"\A[-a-zA-Z0-9_]{1,50}\Z", required=False, help_text="As next has it.")


class ProjectSerializer(serializers.Serializer[Any]):
    """A project, as far as one may see it."""

    slug = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(list(ProjectState))
    roles = serializers.ListField(child=serializers.ChoiceField(ROLES), help_text="One's own.")
    version = serializers.IntegerField(min_value=0, allow_null=True, help_text=f"{OF_LEADS} ETag is “0” then.")
    pseudonym = serializers.CharField(allow_null=True, help_text=f"One's own. {ONCE_OPEN}")
    preset = serializers.CharField(allow_null=True, help_text=f"The kind of work. {ONCE_OPEN}")
    language = serializers.CharField(allow_null=True, help_text=f"Of the passages. {ONCE_OPEN}")
    time_zone = serializers.CharField(allow_null=True, help_text=f"By which days are counted. {ONCE_OPEN}")
    guidelines_version = serializers.IntegerField(allow_null=True, help_text=ONCE_OPEN)
    shows_names_to_adjudicators = serializers.BooleanField(allow_null=True, help_text=OF_LEADS)
    acts = serializers.ListField(
        child=serializers.ChoiceField(ACTS), help_text="What its state allows; empty for who does not lead it."
    )


class StateChangedSerializer(serializers.Serializer[Any]):
    """Where the project stands now."""

    state = serializers.ChoiceField(list(ProjectState), source="project.state")
    version = serializers.IntegerField(min_value=0, source="project.version")
    job = serializers.UUIDField(
        source="job.uuid", allow_null=True, help_text="That hands out the work, where it is more than a little."
    )


def _line(membership: Membership) -> dict[str, Any]:
    project = membership.project
    told = {name: getattr(project, name) for name in ("slug", "name", "state")}
    # Another's pass and what is handed out then move it: who only annotates is told nothing of that.
    return {**told, "roles": membership.roles, "version": project.version if membership.is_lead else None}


def project_told(membership: Membership, *, acts: list[str]) -> dict[str, Any]:
    """For ProjectSerializer. `acts`: for a lead."""
    project, is_seen = membership.project, not membership.awaits_opening
    seen = {
        "pseudonym": membership.pseudonym,
        "preset": project.protocol.preset,
        "language": project.language,
        "time_zone": project.time_zone,
        "guidelines_version": project.guidelines_version,
    }
    return {
        **_line(membership),
        **{name: value if is_seen else None for name, value in seen.items()},
        "shows_names_to_adjudicators": project.shows_names_to_adjudicators if membership.is_lead else None,
        "acts": acts,
    }
