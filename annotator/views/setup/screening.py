"""Screening: one passage at a time is accepted, refused or replaced, before anybody is given it."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotator.actions.passages import replace_passage
from annotator.actions.screening import screen_many, screen_passage
from annotator.actions.unscreening import undo_screening
from annotator.api.door import status_of
from annotator.domain.errors import Invalid, Refused
from annotator.domain.formats.reading import counted
from annotator.domain.passage_filter import SCREENED
from annotator.domain.passage_findings import passage_findings, pieces, same_as
from annotator.domain.screening import SCREENING_REASONS
from annotator.doors import person, project_for_lead
from annotator.forms.passages import ReplaceForm, ScreeningForm
from annotator.models import Passage
from annotator.queries.passages import is_hidden, unfinished_on
from annotator.queries.screening import (
    accepted_unseen,
    next_to_screen,
    place_to_screen,
    same_text,
    screening_counts,
    to_screen,
)
from annotator.queries.screening_acts import last_act
from annotator.views.passages import told_of
from annotator.views.setup.intake import around


@never_cache
@require_safe
def setup_screening(request: HttpRequest, slug: str) -> HttpResponse:
    """At the passage that the address names, else at the first that nobody has screened."""
    return _page(request, slug)


def _page(
    request: HttpRequest, slug: str, form: ReplaceForm | None = None, at: Passage | None = None, status: int = 200
) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    place = place_to_screen(project, at or _named(request, slug, "at"))
    counts = screening_counts(project)
    context = {
        **around(project, membership, "screening", unseen=counts.unseen),
        "counts": counts,
        "place": place,
        "undo": last_act(project, person(request)),
        "reasons": [(number, key, label) for number, (key, label) in enumerate(SCREENING_REASONS.items(), start=1)],
    }
    if place is not None:
        shown = place.passage
        shown.project = project
        findings = passage_findings(shown.text, shown.lang or project.language)
        if (same := same_text(shown)) is not None:
            findings.insert(0, same_as(f"passage {same.external_id}"))
        context |= {
            "passage": shown,
            "pieces": list(pieces(shown.text)),
            "findings": findings,
            "said": SCREENED[shown.screening_reason or shown.screening or "none"],
            "is_unseen": counts.unseen > 0 and accepted_unseen(project).filter(pk=shown.pk).exists(),
            # Whoever has it to do themself does not learn how many others still have.
            "unfinished": None if is_hidden(shown, person(request)) else unfinished_on(shown),
            "about": f"replace-{shown.uuid}",
            "form": form or ReplaceForm(initial={"text": shown.text}),
        }
    return render(request, "annotator/setup/screening.html", context, status=status)


@require_POST
def screening_say(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """accepted, why it is refused, or nothing: what was said is taken back."""
    found = _passage(request, slug, uuid)
    form = ScreeningForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused("Choose from the list.")
        given = form.given()
        screen_passage(found, by=person(request), **given)
    except Refused as error:
        messages.error(request, error.message)
        return _to(slug, at=found)
    return _to(slug, at=next_to_screen(found) if given["verdict"] else found)


@require_POST
def screening_replace(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """By an edited copy, which is accepted with that."""
    found = _passage(request, slug, uuid)
    form = ReplaceForm(request.POST)
    if not form.is_valid():
        return _page(request, slug, form, found, 400)
    try:
        made = replace_passage(found, by=person(request), text=form.cleaned_data["text"])
    except Invalid as error:
        told_of(form, error)
        return _page(request, slug, form, found, status_of(error))
    except Refused as error:
        messages.error(request, error.message)
        return _to(slug, at=found)
    messages.success(
        request, f"“{made.external_id}” stands for “{found.external_id}” now.", extra_tags=f"sent:replace-{found.uuid}"
    )
    return _to(slug, at=next_to_screen(found))


@require_POST
def screening_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """The last of one's own acts that still stands, whatever it was about; and after that the one before."""
    project, _ = project_for_lead(request, slug)
    act = request.POST.get("act", "")
    try:
        undone = undo_screening(project, by=person(request), act=int(act) if act.isdecimal() and len(act) < 18 else 0)
    except Refused as error:
        messages.error(request, error.message)
        return _to(slug, at=None)
    if undone.job is not None:
        return redirect("job", slug, undone.job.uuid)
    if undone.many:
        messages.success(request, f"{counted(undone.many, 'passage')} put back to be screened.")
    return _to(slug, at=undone.passage)


@require_POST
def screening_all(request: HttpRequest, slug: str) -> HttpResponse:
    """All duplicates are refused, or all that is left accepted."""
    project, _ = project_for_lead(request, slug)
    try:
        screened, job = screen_many(project, by=person(request), act=request.POST.get("act", ""))
    except Refused as error:
        messages.error(request, error.message)
        return redirect("setup_screening", slug)
    if job is not None:
        return redirect("job", slug, job.uuid)
    as_what = "a duplicate" if screened == 1 else "duplicates"
    done = f"refused as {as_what}" if request.POST["act"] == "refuse_duplicates" else "accepted without being looked at"
    messages.success(request, f"{counted(screened, 'passage')} {done}.")
    return redirect("setup_screening", slug)


def _to(slug: str, *, at: Passage | None) -> HttpResponse:
    return redirect(reverse("setup_screening", args=[slug]) + (f"?at={at.uuid}" if at else ""))


def _named(request: HttpRequest, slug: str, name: str) -> Passage | None:
    project, _ = project_for_lead(request, slug)
    try:
        uuid = UUID(request.GET.get(name, ""))
    except ValueError:
        return None
    return to_screen(project).filter(uuid=uuid).first()


def _passage(request: HttpRequest, slug: str, uuid: UUID) -> Passage:
    project, _ = project_for_lead(request, slug)
    found = to_screen(project).select_related("project").filter(uuid=uuid).first()
    if found is None:
        raise Http404
    return found
