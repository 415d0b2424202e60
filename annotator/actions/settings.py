"""What a project is called and where it lives: its name, language and time zone, and who sees names; and a new project
that begins with the set-up of another."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotator.actions.log import locked, write
from annotator.actions.people import _add_member
from annotator.actions.projects import _check_project_fields, _new_project
from annotator.actions.tallies import _ask_to_recount
from annotator.actions.tokens import _ask_for_tokens
from annotator.bulk import BATCH
from annotator.domain.errors import Conflict, Stale
from annotator.domain.passages import PASSAGE_FIELDS, PassageKind
from annotator.domain.text import collapse_spaces
from annotator.models import Passage, Project, User
from annotator.permissions import check_can_create_projects, check_can_grow, check_can_lead

SETTINGS = ("name", "language", "time_zone", "shows_names_to_adjudicators")
COPIED_KINDS = (PassageKind.TEST, PassageKind.PRACTICE, PassageKind.CONTROL)  # controls were tests


@transaction.atomic
def change_settings(
    project: Project,
    *,
    by: User | None,
    wanted: Mapping[str, Any],
    shown: Mapping[str, Any] | None = None,
    version: int | None = None,
) -> bool:
    """What `wanted` does not name stays. `shown`: what stood there when the form was made; Stale where somebody has
    changed one of these in between; or `version`: the project's that was read. Whether anything changed: no change
    makes no version."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    stored = {name: getattr(project, name) for name in SETTINGS}
    if version is not None and project.version != version:
        message = "Somebody has changed this project in the meantime."
        raise Stale(message, stored={"version": project.version, **stored})
    shown, wanted = shown or stored, {**stored, **wanted}
    wanted["name"] = collapse_spaces(wanted["name"])
    changes = {name: wanted[name] for name in SETTINGS if wanted[name] != shown[name]}
    if overtaken := [name for name in changes if stored[name] not in (shown[name], wanted[name])]:
        message = "Somebody has changed these settings in the meantime."
        raise Stale(message, stored={name: stored[name] for name in overtaken})
    changes = {name: value for name, value in changes.items() if stored[name] != value}
    if not changes:
        return False
    _check_project_fields(name=wanted["name"], language=wanted["language"], time_zone=wanted["time_zone"])
    if "language" in changes and project.arrivals.unfinished().exists():
        raise Conflict("A file is being imported in this language: wait until it is done.", code="arriving")
    write(project, "project.settings_changed", by=by, payload={"settings": sorted(changes)}, changes=changes)
    if "language" in changes:
        _ask_for_tokens(project, by=by)
    if "time_zone" in changes:
        _ask_to_recount(project, by=by)
    return True


@transaction.atomic
def copy_setup(source: Project, *, by: User, slug: str, name: str) -> Project:
    """A draft of one's own with the rules, guidelines, tests and controls of another; none of its people, none of its
    work."""
    check_can_lead(by, source)
    check_can_create_projects(by)
    project = _new_project(
        slug=slug,
        protocol=source.protocol,
        name=collapse_spaces(name),
        language=source.language,
        time_zone=source.time_zone,
        guidelines=source.guidelines,
        look_up_policy=source.look_up_policy,
    )
    changes = {"shows_names_to_adjudicators": source.shows_names_to_adjudicators}
    payload = {"preset": source.protocol.preset, "copied_from": source.pk}
    write(project, "project.created", by=by, payload=payload, changes=changes)
    _add_member(project, user=by, by=by, roles={"lead"})
    rows = [_copied(row, project) for row in source.passages.in_use().filter(kind__in=COPIED_KINDS).order_by("pk")]
    if len(rows) > BATCH:
        raise Conflict(f"There are {len(rows)} test and control passages: up to {BATCH} are copied.", code="too_many")
    if rows:
        Passage.objects.bulk_create(rows)
        write(project, "passages.added", by=by, payload={"passages": len(rows)})
        _ask_for_tokens(project, by=by)
    return project


def _copied(row: Passage, project: Project) -> Passage:
    said = {name: getattr(row, name) for name in PASSAGE_FIELDS}
    return Passage(project=project, external_id=row.external_id, kind=row.kind, key_answer=row.key_answer, **said)
