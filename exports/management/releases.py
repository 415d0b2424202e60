"""What the commands about releases share."""

from django.core.management.base import CommandError

from annotator.models import Project
from exports.models import Release


def release_numbered(project: Project, number: int | None) -> Release:
    """That release, or the newest frozen one of our own, or else of those from elsewhere."""
    rows = Release.objects.of(project).select_related("project").exclude(sha256="")
    frozen = max(rows.frozen(), key=lambda row: (row.is_own, row.number), default=None)
    found = rows.filter(number=number).first() if number else frozen
    if found is None:
        raise CommandError(f"{project.slug} has no release {number}." if number else f"{project.slug} has no release.")
    return found
