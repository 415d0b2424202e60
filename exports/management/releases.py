"""What the commands about releases share."""

from django.core.management.base import CommandError

from annotator.models import Project
from exports.models import Release


def release_numbered(project: Project, number: int | None) -> Release:
    """That release, or the newest frozen one."""
    rows = Release.objects.of(project).select_related("project").exclude(sha256="")
    found = rows.filter(number=number).first() if number else rows.frozen().order_by("-number").first()
    if found is None:
        raise CommandError(f"{project.slug} has no release {number}." if number else f"{project.slug} has no release.")
    return found
