"""One passage: archived, or replaced by another that stands for it. Its text is never edited."""

from django.db import transaction
from django.utils import timezone

from annotator.actions.assigning import _assign_everyone, _give
from annotator.actions.assignments import _withdraw
from annotator.actions.log import locked, write
from annotator.actions.tokens import _ask_for_tokens
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.domain.formats.passages import id_problems
from annotator.domain.passages import PASSAGE_FIELDS, PassageKind
from annotator.domain.planting import Place
from annotator.domain.screening import Screening
from annotator.domain.states import EDITABLE
from annotator.domain.text import passage_text_problems, with_line_feeds
from annotator.models import Assignment, Membership, Passage, User
from annotator.permissions import check_can_grow, check_can_lead
from annotator.queries.passages import free_id


@transaction.atomic
def archive_passage(passage: Passage, *, by: User | None) -> int:
    """It leaves all lists; unfinished work on it is withdrawn with it, drafts kept. How much that was. What was
    submitted stays, and counts no more."""
    check_can_lead(by, passage.project)
    passage = _standing(passage)
    withdrawn = len(_withdraw_unfinished(passage, by=by))
    payload = {"withdrawn": withdrawn}
    write(passage, "passage.archived", by=by, payload=payload, changes={"archived_at": timezone.now()})
    return withdrawn


@transaction.atomic
def replace_passage(passage: Passage, *, by: User | None, text: str, external_id: str = "") -> Passage:
    """A new one that stands for it; the old one is archived with whatever was answered to it. A lead who has written
    the text has looked at it, so it is screened. Who had the old one unfinished comes first for the new one. Of a test
    or control the key goes: it was of the old text."""
    check_can_lead(by, passage.project)
    passage = _standing(passage)
    project = passage.project
    check_can_grow(project)
    if there := project.arrivals.unfinished().first():
        raise Conflict(f"“{there.name}” is still being imported: passages can be replaced after it.", code="arriving")
    text = with_line_feeds(text).strip(" \t\n")
    name = external_id.strip() or free_id(passage)
    _check_replacement(passage, text, name)
    had_it = _withdraw_unfinished(passage, by=by)
    same = {field: getattr(passage, field) for field in PASSAGE_FIELDS if field not in ("text", "tokens")}
    made = Passage.objects.create(
        project=project,
        external_id=name,
        text=text,
        kind=PassageKind.TEST if passage.kind == PassageKind.CONTROL else passage.kind,
        split=passage.split,
        screening=Screening.ACCEPTED,
        replaces=passage,
        **same,
    )
    payload = {"withdrawn": len(had_it), "replaced_by": made.pk}
    write(passage, "passage.replaced", by=by, payload=payload, changes={"archived_at": timezone.now()})
    if project.is_open:
        if made.kind == PassageKind.WORK:
            _give_first(made, [row.membership for row in had_it if not row.is_repeat], by=by)
        _assign_everyone(project, by=by)
    _ask_for_tokens(project, by=by)
    return made


def _standing(passage: Passage) -> Passage:
    """Read anew with its project, which is locked; Conflict where it is archived already."""
    project = locked(passage.project)
    found = Passage.objects.filter(pk=passage.pk, archived_at=None).first()
    if found is None:
        raise Conflict("This passage is archived already.", code="passage_archived")
    found.project = project
    return found


def _give_first(passage: Passage, people: list[Membership], *, by: User | None) -> None:
    given = sum(_give(membership, [Place(passage.external_id)]) for membership in people)
    if given:
        write(passage.project, "work.assigned", by=by, payload={"assignments": given})


def _withdraw_unfinished(passage: Passage, *, by: User | None) -> list[Assignment]:
    rows = Assignment.objects.filter(passage=passage, state__in=EDITABLE).order_by("pk")
    unfinished = list(rows.select_related("membership", "passage__project"))
    for row in unfinished:
        _withdraw(row, by=by)
    return unfinished


def _check_replacement(passage: Passage, text: str, name: str) -> None:
    problems = passage_text_problems(text)
    if text == passage.text:
        problems.append(Problem("same_text", "This is the text that it has.", "text"))
    problems += [Problem("external_id", message, "external_id") for message in id_problems(name)]
    if Passage.all_rows.filter(project=passage.project, external_id=name).exists():
        problems.append(Problem("external_id", f"The id “{name}” is there already.", "external_id"))
    if problems:
        raise Invalid(problems)
