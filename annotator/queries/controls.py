"""The passages whose key is known: which are controls, and which of them could be told from work."""

from uuid import UUID

from django.db.models import Exists, OuterRef

from annotator.domain.passages import PassageKind
from annotator.models import Assignment, Passage, Project
from annotator.models.projects import PassageQuerySet


def keyed_passages(project: Project) -> PassageQuerySet:
    """Tests and controls, in the order of their ids."""
    kinds = [PassageKind.TEST, PassageKind.CONTROL]
    return project.passages.of_kinds(kinds).filter(key_answer__isnull=False).order_by("external_id")


def keyed_page(project: Project, *, after: str, size: int) -> tuple[list[Passage], str | None]:
    """From the first id after `after`; and after which id the next page goes on."""
    is_given = Exists(Assignment.all_rows.filter(passage=OuterRef("pk")))
    rows = keyed_passages(project).filter(external_id__gt=after).annotate(is_given=is_given)
    found = list(rows[: size + 1])
    return found[:size], found[size - 1].external_id if len(found) > size else None


def chosen_controls(project: Project) -> set[UUID]:
    return set(keyed_passages(project).filter(kind=PassageKind.CONTROL).values_list("uuid", flat=True))


def looks_apart(project: Project, passages: list[Passage]) -> dict[int, str]:
    """By which of these an annotator could tell a control from work, where the work is all of one kind; by id."""
    work = project.passages.work()
    some_have = {
        "tokens of its own": (work.filter(tokens__isnull=False).exists(), work.filter(tokens__isnull=True).exists()),
        "context": (_with_context(work).exists(), work.filter(context_before="", context_after="").exists()),
        "a language of its own": (work.exclude(lang="").exists(), work.filter(lang="").exists()),
    }
    found: dict[int, str] = {}
    for row in passages:
        has = {
            "tokens of its own": row.tokens is not None,
            "context": bool(row.context_before or row.context_after),
            "a language of its own": bool(row.lang),
        }
        for what, is_there in has.items():
            with_it, without = some_have[what]
            if is_there and without and not with_it:
                found[row.pk] = f"has {what}, and no work passage has"
            elif not is_there and with_it and not without:
                found[row.pk] = f"lacks {what}, which every work passage has"
    return found


def _with_context(rows: PassageQuerySet) -> PassageQuerySet:
    return rows.exclude(context_before="", context_after="")
