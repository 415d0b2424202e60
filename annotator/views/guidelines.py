"""Guidelines: read by every member, written by leads."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.actions.guidelines import change_guidelines, read_guidelines
from annotator.domain.errors import Refused, Stale
from annotator.domain.markdown import to_html
from annotator.doors import person, project_for_annotator, project_for_lead, project_for_member
from annotator.forms.guidelines import GuidelinesForm, VersionForm
from annotator.queries.guidelines import guidelines_at, guidelines_changes


@require_safe
def guidelines(request: HttpRequest, slug: str, version: str = "") -> HttpResponse:
    """The page, of an earlier version too; for the panel of the workbench only its text."""
    found, membership = project_for_member(request, slug)
    shown = guidelines_at(found, int(version) if version else found.guidelines_version)
    if shown is None:
        raise Http404
    is_unread = membership.guidelines_read < found.guidelines_version
    is_new = membership.is_annotator and found.has_guidelines and is_unread
    context = {
        "project": found,
        "membership": membership,
        "shown": shown,
        "text": mark_safe(to_html(shown.guidelines)),  # noqa: S308 (to_html escapes everything)
        "policy": mark_safe(to_html(shown.look_up_policy)),  # noqa: S308
        "is_new": is_new,
        "changes": guidelines_changes(found, since=membership.guidelines_read) if is_new else [],
        "about": _about(slug),
        "earlier": found.earlier_guidelines.order_by("-version").values_list("version", flat=True),
    }
    is_panel = request.headers.get("X-Assay-Panel") == "1"
    template = "annotator/guidelines.html#text" if is_panel else "annotator/guidelines.html"
    return render(request, template, context)


@require_POST
def guidelines_read(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_annotator(request, slug)
    form = VersionForm(request.POST)
    if form.is_valid():
        read_guidelines(membership, by=person(request), version=form.cleaned_data["version"])
    return redirect("guidelines", found.slug)


def _about(slug: str) -> str:
    """By which the browser knows what it has kept of the form, until it is told that this was sent."""
    return f"guidelines:{slug}"


@never_cache  # nor does the browser show one person's typing to the next
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines_change(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    if request.method != "POST":
        now = {
            "version": found.guidelines_version,
            "guidelines": found.guidelines,
            "look_up_policy": found.look_up_policy,
        }
        form = GuidelinesForm(initial=now)
    else:
        form = GuidelinesForm(request.POST)
        try:
            if form.is_valid():
                changed = change_guidelines(found, by=person(request), **form.cleaned_data)
                is_new = changed.guidelines_version != found.guidelines_version
                messages.success(
                    request,
                    f"Version {changed.guidelines_version}: annotators are told." if is_new else "Nothing was changed.",
                    extra_tags=f"sent:{_about(slug)}",
                )
                return redirect("guidelines", slug)
        except Stale as error:
            form.add_error(
                None, f"{error.message} Your text is below: take over what you need from theirs, then save again."
            )
            form.data = {**request.POST.dict(), "version": error.stored["version"]}
        except Refused as error:
            form.add_error(None, error.message)
    context = {"project": found, "membership": membership, "form": form, "about": _about(slug)}
    return render(request, "annotator/guidelines_change.html", context, status=422 if form.errors else 200)
