"""The set-up of a project, as far as it is no more than a lead's word."""

from django.db import transaction

from annotator.actions.log import locked, write
from annotator.domain.errors import Invalid
from annotator.domain.setting_up import MAY_BE_SKIPPED
from annotator.models import Project, User
from annotator.permissions import check_can_grow, check_can_lead


@transaction.atomic
def skip_step(project: Project, *, by: User | None, step: str, is_skipped: bool = True) -> Project:
    """Do without a step of the set-up, or take it up again. No change makes no version."""
    check_can_lead(by, project)
    project = locked(project)
    check_can_grow(project)
    if step not in MAY_BE_SKIPPED:
        raise Invalid.of("step", "This step of the set-up cannot be skipped.", "step")
    if (step in project.skipped_steps) == is_skipped:
        return project
    steps = [name for name in MAY_BE_SKIPPED if (is_skipped if name == step else name in project.skipped_steps)]
    kind = "setup.skipped" if is_skipped else "setup.taken_up"
    write(project, kind, by=by, payload={"step": step}, changes={"skipped_steps": steps})
    return project
