"""The guidelines as they are written: what they will look like stands beside them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotator.actions.guidelines import change_guidelines
from annotator.actions.setting_up import skip_step
from annotator.api.door import status_of
from annotator.domain.errors import Refused, Stale
from annotator.domain.lengths import MAX_GUIDELINES_LENGTH, MAX_POLICY_LENGTH
from annotator.domain.markdown import to_html
from annotator.domain.setting_up import StepState
from annotator.domain.text import with_line_feeds
from annotator.doors import person, project_for_lead
from annotator.forms.guidelines import GuidelinesForm
from annotator.forms.refusals import add_refusal
from annotator.models import Project
from annotator.presets import guidelines_for, policy_for
from annotator.queries.setup import has_our_guidelines, setup_of
from annotator.views.setup.frame import frame


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_guidelines(request: HttpRequest, slug: str) -> HttpResponse:
    found, _ = project_for_lead(request, slug)
    act = request.POST.get("act", "")
    if act == "preview":
        return _preview(request, slug)
    if request.method != "POST":
        return _page(request, slug, GuidelinesForm(initial=_beginning(request, found)))
    form, status = GuidelinesForm(request.POST), 400
    if form.is_valid():
        try:
            if act == "on" and not _is_unsaved(found, form):
                return _kept(request, found)
            changed = change_guidelines(found, by=person(request), **form.cleaned_data)
            is_new = changed.guidelines_version != found.guidelines_version
            said = f"Version {changed.guidelines_version} is saved." if is_new else "Nothing was changed."
            messages.success(request, said, extra_tags=f"sent:{_about(slug)}")
            return redirect("setup_people" if act == "on" else "setup_guidelines", slug)
        except Stale as error:
            status = 409
            form.add_error(None, f"{error.message} Your text is below: take over what you need, then save again.")
            form.data = {**request.POST.dict(), "version": error.stored["version"]}
        except Refused as error:
            status = status_of(error)
            add_refusal(form, error)
    return _page(request, slug, form, status)


def _beginning(request: HttpRequest, found: Project) -> dict[str, Any]:
    """What stands there, or, asked for, our own text for the preset: it is saved by nobody but the lead."""
    preset = found.protocol.preset
    if request.GET.get("text") == "ours":
        texts = {"guidelines": guidelines_for(preset), "look_up_policy": policy_for(preset)}
    else:
        texts = {"guidelines": found.guidelines, "look_up_policy": found.look_up_policy}
    return {"version": found.guidelines_version, **texts}


def _is_unsaved(found: Project, form: GuidelinesForm) -> bool:
    """Whether the form shows another text than is stored, as it would be stored."""
    shown = (form["guidelines"].value(), form["look_up_policy"].value())
    return tuple(with_line_feeds(text or "").strip() for text in shown) != (found.guidelines, found.look_up_policy)


def _kept(request: HttpRequest, found: Project) -> HttpResponse:
    """A lead who goes on from a text that nobody had looked at has looked at it."""
    if setup_of(found).step("guidelines").state == StepState.PART:
        skip_step(found, by=person(request), step="guidelines")
    return redirect("setup_people", found.slug)


def _preview(request: HttpRequest, slug: str) -> HttpResponse:
    """As it would look: nothing is saved. With htmx the part beside the text, else the page with all that was typed."""
    form = GuidelinesForm(initial=request.POST.dict())
    if request.headers.get("HX-Request") == "true":
        return render(request, "annotator/setup/guidelines.html#preview", _shown(form))
    return _page(request, slug, form)


def _shown(form: GuidelinesForm) -> dict[str, str]:
    text = str(form["guidelines"].value() or "")[:MAX_GUIDELINES_LENGTH]
    policy = str(form["look_up_policy"].value() or "")[:MAX_POLICY_LENGTH]
    return {"text": mark_safe(to_html(text)), "policy": mark_safe(to_html(policy))}  # noqa: S308 (to_html escapes)


def _page(request: HttpRequest, slug: str, form: GuidelinesForm, status: int = 200) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    context = {
        **frame(found, membership, "guidelines"),
        **_shown(form),
        "form": form,
        "about": _about(slug),
        "has_ours": bool(guidelines_for(found.protocol.preset)),
        "is_unsaved": _is_unsaved(found, form),
        "is_ours": has_our_guidelines(found),
    }
    return render(request, "annotator/setup/guidelines.html", context, status=status)


def _about(slug: str) -> str:
    """By which the browser knows what it has kept of the form; the same text as on the page that changes it later."""
    return f"guidelines:{slug}"
