"""The qualification test: its passages and their keys, and what a pass takes."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotator.actions.choosing import choose_tests
from annotator.actions.protocols import change_protocol
from annotator.actions.testing import ask_for_test
from annotator.api.door import status_of
from annotator.domain.errors import Refused, Stale
from annotator.domain.formats.reading import counted
from annotator.domain.lengths import MAX_SEARCH_LENGTH
from annotator.doors import person, project_for_lead
from annotator.forms.refusals import add_refusal
from annotator.forms.testing import PassForm
from annotator.queries.setup import candidates_for_tests, tests_of, untested
from annotator.views.setup.frame import frame

PAGE = 20


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_test(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    form, status = PassForm.of(found.protocol, found.version), 200
    if request.method == "POST":
        form, status = PassForm(request.POST), 400
        if form.is_valid():
            try:
                version = form.cleaned_data["version"]
                change_protocol(found, by=person(request), version=version, changes=form.changes())
                messages.success(request, "What a pass takes is saved.")
                return redirect("setup_test", slug)
            except Stale as error:
                status = 409
                form.add_error(None, f"{error.message} Look again, then save again.")
                form.data = {**request.POST.dict(), "version": error.stored["version"]}
            except Refused as error:
                status = status_of(error)
                add_refusal(form, error)
    context = {
        **frame(found, membership, "test"),
        "form": form,
        "tests": tests_of(found),
        "early": untested(found).count() if found.passages.keyed_tests().exists() else 0,
        "longest_search": MAX_SEARCH_LENGTH,
        **_candidates(request, slug),
    }
    return render(request, "annotator/setup/test.html", context, status=status)


def _candidates(request: HttpRequest, slug: str) -> dict[str, Any]:
    """A page of passages that could become test passages, by key."""
    found, _ = project_for_lead(request, slug)
    search, after = request.GET.get("q", "")[:MAX_SEARCH_LENGTH].strip(), request.GET.get("after", "0")
    first = int(after) if after.isascii() and after.isdigit() and len(after) < 16 else 0
    rows = list(candidates_for_tests(found, search).filter(pk__gt=first)[: PAGE + 1])
    following = rows[PAGE - 1].pk if len(rows) > PAGE else None
    return {"candidates": rows[:PAGE], "q": search, "following": following, "is_first_page": first == 0}


@require_POST
def setup_test_choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Into the test, or with `out` back among the work."""
    found, _ = project_for_lead(request, slug)
    is_test = "out" not in request.POST
    try:
        chosen = [UUID(value) for value in request.POST.getlist("out" if not is_test else "passages")]
        changed = choose_tests(found, by=person(request), passages=chosen, is_test=is_test)
        if not changed:
            messages.error(request, "Choose at least one passage.")
    except ValueError:
        messages.error(request, "Choose passages from the list.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("setup_test", slug)


@require_POST
def setup_test_early(request: HttpRequest, slug: str) -> HttpResponse:
    """Who joined before there was a test takes it, too."""
    found, _ = project_for_lead(request, slug)
    asked = 0
    try:
        for membership in untested(found).select_related("project"):
            ask_for_test(membership, by=person(request))
            asked += 1
        messages.success(request, f"{counted(asked, 'annotator')} will be tested first.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("setup_test", slug)
