"""Guidelines: written by leads, version by version, and read by annotators."""

from django.db import transaction

from annotator.actions.log import locked, write
from annotator.domain.errors import Invalid, Problem, Stale
from annotator.domain.guidelines import guidelines_problems
from annotator.domain.text import with_line_feeds
from annotator.models import EarlierGuidelines, Membership, Project, User
from annotator.permissions import check_can_grow, check_can_lead, check_can_read_guidelines


@transaction.atomic
def change_guidelines(
    project: Project, *, by: User | None, version: int, guidelines: str, look_up_policy: str
) -> Project:
    """The next version; `version` is the one that was read. What stood there is kept. No change makes no version."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    guidelines, look_up_policy = with_line_feeds(guidelines).strip(), with_line_feeds(look_up_policy).strip()
    if problems := guidelines_problems(guidelines, look_up_policy):
        raise Invalid(problems)
    if project.guidelines_version != version:
        message = f"Somebody else has made version {project.guidelines_version} of the guidelines in the meantime."
        texts = {"guidelines": project.guidelines, "look_up_policy": project.look_up_policy}
        raise Stale(message, stored={**texts, "version": project.guidelines_version})
    if (guidelines, look_up_policy) == (project.guidelines, project.look_up_policy):
        return project
    EarlierGuidelines.objects.create(
        project=project, version=version, guidelines=project.guidelines, look_up_policy=project.look_up_policy
    )
    changes = {"guidelines": guidelines, "look_up_policy": look_up_policy, "guidelines_version": version + 1}
    write(project, "guidelines.changed", by=by, payload={"version": version + 1}, changes=changes)
    return project


@transaction.atomic
def read_guidelines(membership: Membership, *, by: User, version: int) -> None:
    """Which version somebody has seen; an older one never takes back a newer one."""
    check_can_read_guidelines(by, membership)
    project = locked(membership.project)
    if version > project.guidelines_version:
        raise Invalid([Problem("version", f"There is no version {version} of the guidelines.", "version")])
    if membership.guidelines_read < version:
        changes = {"guidelines_read": version}
        write(membership, "guidelines.read", by=by, payload={"version": version}, changes=changes)
