"""The true workbench on a passage that is nobody's work: as annotators see it, for making a key, for trying the test.

What it shows was never stored, and nothing of what is done there is.
"""

import json
from copy import copy
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotator.actions.qualifying import KEYED, set_key
from annotator.api.door import status_of
from annotator.domain.answers import Answer, parse_answer, stored_answer, submit_problems
from annotator.domain.effects import EXAMPLE
from annotator.domain.errors import Invalid, Refused
from annotator.domain.lengths import MAX_ID_LENGTH
from annotator.domain.qualification import assess
from annotator.domain.states import ProjectState
from annotator.domain.strict_json import BadJson, parse_json
from annotator.doors import person, project_for_lead
from annotator.forms.work import DiscardForm, SeenForm
from annotator.models import Assignment, Membership, Passage, Project
from annotator.serializers.assignments import AssignmentSerializer
from annotator.views.setup.frame import frame, page_of

LISTED = 100  # ids offered for completion


def stand_in(membership: Membership, passage: Passage) -> Assignment:
    """As an annotator would have it once the project is open. It is in no table."""
    project = copy(passage.project)
    project.state = ProjectState.OPEN
    shown = copy(passage)
    shown.project = project
    given = {"user": membership.user, "pseudonym": membership.pseudonym, "is_annotator": True}
    who = Membership(project=project, guidelines_read=project.guidelines_version, **given)
    return Assignment(uuid=passage.uuid, membership=who, passage=shown, number=1)


def _workbench(
    request: HttpRequest, membership: Membership, passage: Passage, *, status: int = 200, **given: Any
) -> HttpResponse:
    assignment = stand_in(membership, passage)
    assignment.draft = given.pop("answer", None) or {"marks": []}
    place: dict[str, Any] = {"place": "", "following": None, "questions": []}
    told = {"findings": reverse("api_text_findings", args=[passage.project.slug]), "next": given.pop("next_page", "")}
    context = {
        "element": "assay-trial",
        "project": assignment.passage.project,
        "membership": Membership(project=assignment.passage.project),  # of no role: the bar is the way out
        "assignment": assignment,
        "passage": passage,
        "page": AssignmentSerializer(assignment, context={"place": place}).data,
        "person": {"user": str(person(request).uuid), "name": person(request).name},
        "discard_form": DiscardForm(),
        "seen_form": SeenForm(),
        "trial": told,
        **given,
    }
    return render(request, "annotator/setup/trial.html", context, status=status)


# --- as an annotator --------------------------------------------------------------------------------------------------


@never_cache
@require_safe
def trial(request: HttpRequest, slug: str) -> HttpResponse:
    """The passage with the id that is asked for, else the first; while there is none, an example."""
    found, membership = project_for_lead(request, slug)
    wanted = request.GET.get("id", "")
    rows = found.passages.work().order_by("pk")
    passage = found.passages.filter(external_id=wanted).first() if wanted else rows.first()
    if wanted and passage is None:
        said = f"There is no passage “{wanted[:MAX_ID_LENGTH]}” in this project."
        return _preview(request, found, membership, rows.first(), problems=[said], status=404)
    return _preview(request, found, membership, passage)


@never_cache
@require_safe
def trial_passage(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    return _preview(request, found, membership, get_object_or_404(found.passages, uuid=uuid))


def _preview(
    request: HttpRequest, found: Project, membership: Membership, passage: Passage | None, **given: Any
) -> HttpResponse:
    rows = found.passages.work().order_by("pk")
    following = rows.filter(pk__gt=passage.pk).first() if passage else None
    said = (
        "Nothing is saved. What you write is sent only to be looked at for findings."
        if passage
        else "An example: there are no passages yet."
    )
    return _workbench(
        request,
        membership,
        passage or Passage(project=found, external_id="", text=EXAMPLE),
        heading="Preview as annotator",
        said=said,
        is_preview=True,
        longest_id=MAX_ID_LENGTH,
        ids=rows.values_list("external_id", flat=True)[:LISTED],
        submit_said="Submit and next",
        back=reverse("setup" if found.state == ProjectState.DRAFT else "project", args=[found.slug]),
        back_said="End the preview",
        next_page=reverse("trial_passage", args=[found.slug, following.uuid]) if following else "",
        **given,
    )


# --- making a key -----------------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_test_key(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """What the answers to a passage are measured by, made as annotators make theirs."""
    found, membership = project_for_lead(request, slug)
    passage = get_object_or_404(found.passages.filter(kind__in=KEYED).select_related("project"), uuid=uuid)
    answer, problems, status = passage.key_answer, [], 200
    if request.method == "POST":
        try:
            answer = _posted(request, "answer")
            set_key(passage, by=person(request), answer=answer)
            return redirect("setup_test", slug)
        except Refused as error:
            status = status_of(error)
            problems = _said(error)
    return _workbench(
        request,
        membership,
        passage,
        status=status,
        answer=answer if isinstance(answer, dict) else None,
        heading=f"Key of “{passage.external_id}”",
        said="Mark it as the best answer would: what annotators answer is measured by this.",
        problems=problems,
        hands_over=True,
        submit_said="Save the key",
        back=page_of(found, "test"),
        back_said="Leave it as it was",
    )


def _posted(request: HttpRequest, name: str) -> Any:
    return parse_json(request.POST.get(name, "").encode())


def _said(error: Refused) -> list[str]:
    return [problem.message for problem in error.problems] if isinstance(error, Invalid) else [error.message]


# --- trying the test --------------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_test_try(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole test, passage by passage. What was answered so far goes along in the page: nothing is kept."""
    found, membership = project_for_lead(request, slug)
    tests = list(found.passages.keyed_tests().select_related("project").order_by("pk"))
    tests = tests[: found.protocol.test_passages or None]
    if not tests:
        return redirect("setup_test", slug)
    so_far: dict[str, Any] = {}
    problems: list[str] = []
    answer = None
    if request.method == "POST":
        try:
            so_far = _so_far(request)
            answer = _posted(request, "answer")
            passage = next((row for row in tests if str(row.uuid) == request.POST.get("passage")), None)
            if passage is None:
                raise Http404
            _checked(answer, passage)
            so_far[str(passage.uuid)], answer = answer, None
        except Refused as error:
            problems = _said(error)
    left = [row for row in tests if str(row.uuid) not in so_far]
    if not left:
        return _tried(request, found, membership, tests, so_far)
    return _workbench(
        request,
        membership,
        left[0],
        status=422 if problems else 200,
        answer=answer if isinstance(answer, dict) else None,
        heading="Try the test",
        said=f"Passage {len(so_far) + 1} of {len(tests)}. Nothing of it is kept.",
        problems=problems,
        hands_over=True,
        so_far=json.dumps(so_far),
        submit_said="Hand in",
        back=page_of(found, "test"),
        back_said="Give up",
    )


def _so_far(request: HttpRequest) -> dict[str, Any]:
    given = parse_json((request.POST.get("so_far") or "{}").encode())
    if not isinstance(given, dict):
        raise BadJson("What was answered so far cannot be read: begin again.")
    return given


def _checked(answer: Any, passage: Passage) -> Answer:
    protocol = passage.project.protocol
    parsed = parse_answer(answer, text=passage.text, protocol=protocol)
    if problems := submit_problems(parsed, protocol):
        raise Invalid(problems)
    return parsed


def _tried(
    request: HttpRequest, found: Project, membership: Membership, tests: list[Passage], given: dict[str, Any]
) -> HttpResponse:
    try:
        pairs = [(stored_answer(row.key_answer or {}), _checked(given[str(row.uuid)], row)) for row in tests]
    except Refused:
        return redirect("setup_test_try", found.slug)
    context = {
        **frame(found, membership, "test"),
        "protocol": found.protocol,
        "result": assess(pairs, found.protocol),
        "lines": [(row, assess([pair], found.protocol)) for row, pair in zip(tests, pairs, strict=True)],
    }
    return render(request, "annotator/setup/tried.html", context)
