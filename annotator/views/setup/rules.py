"""The rules of the work, in words, and the types of substitutes."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotator.actions.protocols import change_protocol
from annotator.api.door import status_of
from annotator.domain.effects import EXAMPLE, effects, hindrance
from annotator.domain.errors import Invalid, Refused, Stale
from annotator.domain.lengths import MAX_TYPE_LENGTH
from annotator.domain.protocol_changes import with_changed_type, with_type
from annotator.domain.protocols import Protocol
from annotator.doors import person, project_for_lead
from annotator.forms.refusals import add_refusal
from annotator.forms.rules import RulesForm, TypeForm
from annotator.models import Project
from annotator.presets import WORDS
from annotator.queries.projects import has_work
from annotator.views.setup.frame import frame

OVERTAKEN = "Somebody has changed this project in the meantime. What you typed is below: look again, then save again."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """GET with values of the form shows what they would do; only POST changes anything. To go on saves, too."""
    found, _ = project_for_lead(request, slug)
    given: dict[str, Any] = {"protocol": found.protocol, "version": found.version, "has_work": has_work(found)}
    is_asked = request.method != "POST" and request.headers.get("HX-Request") == "true"
    if is_asked:
        form = RulesForm(request.GET, **given)
        context = {**_said(form.looked_at(found.protocol)), "is_wrong": not form.is_valid()}
        return render(request, "annotator/setup/rules.html#effects", context)
    form, status = RulesForm(request.POST if request.method == "POST" else None, **given), 200
    if form.is_bound:
        status = 400
        if form.is_valid():
            is_on = request.POST.get("act") == "on"
            try:
                if not is_on or form.looked_at(found.protocol) != found.protocol:
                    version = form.cleaned_data["version"]
                    changed = change_protocol(found, by=person(request), version=version, changes=form.changes())
                    said = "The rules are changed." if changed.version != found.version else "Nothing was changed."
                    messages.success(request, said)
                return redirect("setup_passages" if is_on else "setup_rules", slug)
            except Stale as error:
                status = 409
                form.add_error(None, OVERTAKEN)
                form.data = {**request.POST.dict(), "version": error.stored["version"]}
            except Refused as error:
                status = status_of(error)
                add_refusal(form, error)
    return _page(request, slug, form=form, status=status)


def _page(
    request: HttpRequest, slug: str, *, form: RulesForm | None = None, typed: TypeForm | None = None, status: int = 200
) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    protocol, is_fixed = found.protocol, has_work(found)
    form = form or RulesForm(None, protocol=protocol, version=found.version, has_work=is_fixed)
    context: dict[str, Any] = {
        "form": form,
        "groups": [(title, [form[name] for name in names]) for title, names in form.GROUPS],
        **_said(protocol),
        "is_fixed": is_fixed,
        "words": WORDS[protocol.preset],
        "types": protocol.types,
        "typed": typed or TypeForm(initial={"version": found.version}),
    }
    return render(
        request, "annotator/setup/rules.html", {**frame(found, membership, "rules"), **context}, status=status
    )


def _said(protocol: Protocol) -> dict[str, Any]:
    said = effects(protocol)
    groups = [(title, [said[name] for name in names if name in said]) for title, names in RulesForm.GROUPS]
    return {"effects": groups, "example": EXAMPLE, "hindrance": hindrance(protocol)}


@require_POST
def setup_type(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a type, relabel, retire or bring back one."""
    found, _ = project_for_lead(request, slug)
    act, key, form = request.POST.get("act", ""), request.POST.get("key", ""), TypeForm(request.POST)
    acts: dict[str, Callable[[], dict[str, Any]]] = {
        "add": lambda: _new_type(found, form),
        "change": lambda: with_changed_type(found.protocol, key, **_texts(form)),
        "retire": lambda: with_changed_type(found.protocol, key, is_retired=True),
        "bring back": lambda: with_changed_type(found.protocol, key, is_retired=False),
    }
    is_text = act in ("add", "change")
    if act not in acts or (is_text and not form.is_valid()):
        return _page(request, slug, typed=form, status=400)
    try:
        version = form.cleaned_data["version"] if form.is_valid() else found.version
        change_protocol(found, by=person(request), version=version, changes=acts[act]())
        messages.success(request, "The types are changed.")
    except Stale:
        form.add_error(None, OVERTAKEN)
        form.data = {**request.POST.dict(), "version": found.version}
        return _page(request, slug, typed=form, status=409)
    except Refused as error:
        if is_text:
            add_refusal(form, error, field="label" if isinstance(error, Invalid) else None)
            return _page(request, slug, typed=form, status=status_of(error))
        messages.error(request, error.message)
    return redirect("setup_rules", slug)


def _texts(form: TypeForm) -> dict[str, str]:
    return {name: form.cleaned_data[name] for name in ("label", "hint")}


def _new_type(found: Project, form: TypeForm) -> dict[str, Any]:
    """Its key is made of its label, and stays when that is changed."""
    texts = _texts(form)
    taken = {item.key for item in found.protocol.types}
    key = slugify(texts["label"])[:MAX_TYPE_LENGTH].strip("-") or f"type-{len(taken) + 1}"
    return with_type(found.protocol, key, **texts)
