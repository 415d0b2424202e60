"""Projects, their passages, and who is given what."""

import secrets
from collections.abc import Sequence
from zoneinfo import available_timezones

from django.core.validators import validate_slug
from django.db import transaction
from django.utils.text import slugify

from annotator.actions.assigning import _assign_everyone
from annotator.actions.log import locked, write
from annotator.actions.people import _add_member
from annotator.actions.tokens import _ask_for_tokens
from annotator.bulk import BATCH
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.guidelines import guidelines_problems
from annotator.domain.language import is_language_tag
from annotator.domain.lengths import MAX_PROJECT_NAME_LENGTH
from annotator.domain.passages import NewPassage
from annotator.domain.protocols import PRESETS, Protocol, not_yet
from annotator.domain.states import PROJECT_MOVES, ProjectState, move
from annotator.domain.text import collapse_spaces, is_blank, line_problems, passage_text_problems, with_line_feeds
from annotator.models import Arrival, Passage, Project, User
from annotator.permissions import check_can_create_projects, check_can_grow, check_can_lead
from annotator.presets import guidelines_for, policy_for
from annotator.queries.projects import was_opened


@transaction.atomic
def begin_project(*, by: User, preset: str, name: str, slug: str, language: str, time_zone: str) -> Project:
    """One's own, with the words that come with its kind of work; `slug` may be empty: then it is made of the name."""
    check_can_create_projects(by)
    words = {"guidelines": guidelines_for(preset), "look_up_policy": policy_for(preset)} if preset in PRESETS else {}
    given = {"name": collapse_spaces(name), "language": language, "time_zone": time_zone}
    return create_project(by=by, lead=by, slug=slug, preset=preset, **given, **words)


@transaction.atomic
def create_project(
    *,
    by: User | None,
    slug: str,
    preset: str,
    lead: User,
    name: str = "",
    language: str = "en",
    time_zone: str = "UTC",
    guidelines: str = "",
    look_up_policy: str = "",
    seed: str = "",
) -> Project:
    check_can_create_projects(by)
    if preset not in PRESETS:
        raise Invalid.of("preset", f"There is no protocol “{preset}”: take {', '.join(PRESETS)}.", "preset")
    project = _new_project(
        slug=slug,
        protocol=PRESETS[preset],
        name=name,
        language=language,
        time_zone=time_zone,
        guidelines=guidelines,
        look_up_policy=look_up_policy,
        seed=seed,
    )
    write(project, "project.created", by=by, payload={"preset": preset})
    _add_member(project, user=lead, by=by, roles={"lead"})
    return project


def _new_project(
    *,
    slug: str,
    protocol: Protocol,
    name: str,
    language: str,
    time_zone: str,
    guidelines: str,
    look_up_policy: str,
    guidelines_version: int = 1,
    seed: str = "",
    arrival: Arrival | None = None,
) -> Project:
    """The row alone, checked: nobody is in it yet, and nothing is told of it."""
    slug = slug or _slug_of(name)
    _check_slug(slug)
    if missing := not_yet(protocol):
        message = f"Assay cannot work by “{protocol.preset}” yet: it asks for {missing}."
        raise Invalid.of("preset", message, "preset")
    _check_project_fields(name=name or slug, language=language, time_zone=time_zone)
    if problems := guidelines_problems(guidelines, look_up_policy):
        raise Invalid(problems)
    if Project.all_rows.filter(slug=slug).exists():
        raise Conflict(f"There is a project “{slug}” already.", code="slug_taken")
    return Project.objects.create(
        slug=slug,
        name=name or slug,
        protocol_data=protocol.as_dict(),
        language=language,
        time_zone=time_zone,
        guidelines=guidelines,
        guidelines_version=guidelines_version,
        look_up_policy=look_up_policy,
        seed=seed or secrets.token_hex(16),
        arrival=arrival,
    )


def _check_project_fields(*, name: str, language: str, time_zone: str) -> None:
    if time_zone not in available_timezones():
        raise Invalid.of("time_zone", f"There is no time zone “{time_zone}”.", "time_zone")
    if not is_language_tag(language):
        raise Invalid.of("language", f"“{language}” is not a language tag such as en or pt-BR.", "language")
    if is_blank(name):
        raise Invalid.of("blank", "A name needs something to be seen.", "name")
    if problems := line_problems(name, what="The name", path="name", most=MAX_PROJECT_NAME_LENGTH):
        raise Invalid(problems)


def _slug_of(name: str) -> str:
    if is_blank(name):
        raise Invalid.of("blank", "A name needs something to be seen.", "name")
    slug = slugify(name)[:50].strip("-")
    if len(slug) < 2:
        raise Invalid.of("slug", "No address can be made of this name: give one.", "slug")
    return slug


def _check_slug(slug: str) -> None:
    try:
        validate_slug(slug)
        is_good = slug == slug.lower() and 2 <= len(slug) <= 50
    except Exception:  # Django's ValidationError; the message below is clearer
        is_good = False
    if not is_good:
        message = f"“{slug}” cannot be an address: use 2 to 50 small letters, digits and hyphens."
        raise Invalid([Problem("slug", message, "slug")])


@transaction.atomic
def change_project_state(project: Project, *, by: User | None, act: str) -> Project:
    """open, pause, close, archive, unarchive (a draft that was archived returns to draft); opening gives everyone their
    work."""
    check_can_lead(by, project)
    project = locked(project)
    if act == "unarchive" and not was_opened(project):
        act = "return to draft"
    elif act == "return to draft":
        raise Conflict("A project is taken out of the archive by “unarchive”.", code=f"project_{project.state}")
    state = move(PROJECT_MOVES, ProjectState(project.state), act, noun="project")
    if project.state == ProjectState.DRAFT and state == ProjectState.OPEN and not project.passages.work().exists():
        raise Conflict("There are no passages to work on yet: bring some in, then open it.", code="no_passages")
    write(project, f"project.{act.replace(' ', '_')}", by=by, changes={"state": state})
    if state == ProjectState.OPEN:
        _assign_everyone(project, by=by)
    return project


@transaction.atomic
def add_passages(project: Project, *, by: User | None, passages: Sequence[NewPassage]) -> list[Passage]:
    """All or none; the same id with the same text again is passed over, with another text a conflict."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    if there := project.arrivals.unfinished().first():
        raise Conflict(f"“{there.name}” is still being imported: passages can be added after it.", code="arriving")
    known = dict(project.passages.values_list("external_id", "text"))
    rows, problems = [], []
    for index, item in enumerate(passages):
        given = item.stored()
        stored = {name: with_line_feeds(value) if isinstance(value, str) else value for name, value in given.items()}
        text = stored["text"]
        problems += [Problem(p.code, p.message, f"passages[{index}]") for p in passage_text_problems(text)]
        if item.external_id not in known:
            known[item.external_id] = text
            rows.append(Passage(project=project, external_id=item.external_id, kind=item.kind, **stored))
        elif known[item.external_id] != text:
            message = f"The id “{item.external_id}” is there already with another text."
            problems.append(Problem("external_id", message, f"passages[{index}]"))
    if problems:
        raise Invalid(problems)
    made = Passage.objects.bulk_create(rows, batch_size=BATCH)
    if not made:
        return []
    write(project, "passages.added", by=by, payload={"passages": len(made)})
    if project.is_open:
        _assign_everyone(project, by=by)
    _ask_for_tokens(project, by=by)
    return made
