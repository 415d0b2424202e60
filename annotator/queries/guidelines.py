"""Guidelines as they stood, and what changed since."""

from dataclasses import dataclass
from functools import lru_cache

from annotator.domain.guidelines import ChangedLine, changed_lines
from annotator.models import Project


@dataclass(frozen=True)
class GuidelinesText:
    version: int
    guidelines: str
    look_up_policy: str


def guidelines_at(project: Project, version: int) -> GuidelinesText | None:
    """As they stand, or as they stood until they were changed; None where there never was such a version."""
    if version == project.guidelines_version:
        return GuidelinesText(version, project.guidelines, project.look_up_policy)
    earlier = project.earlier_guidelines.filter(version=version).first()
    return GuidelinesText(version, earlier.guidelines, earlier.look_up_policy) if earlier else None


def guidelines_changes(project: Project, *, since: int) -> list[ChangedLine]:
    """What somebody who has read version `since` has not seen yet; nothing where that version is not known."""
    before = guidelines_at(project, since)
    if before is None:
        return []
    policy = changed_lines(before.look_up_policy, project.look_up_policy)
    return [*_changed_guidelines(before.guidelines, project.guidelines), *policy]


@lru_cache(maxsize=4)
def _changed_guidelines(old: str, new: str) -> tuple[ChangedLine, ...]:
    """Once for all readers of a change. By the texts, which never differ for a version: ids are given out again when a
    database is restored."""
    return tuple(changed_lines(old, new))
