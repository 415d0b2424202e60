"""Controls and repeats: which passages, how many in a hundred, and what they have told."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotator.actions.controlling import choose_controls
from annotator.actions.protocols import change_protocol
from annotator.domain.errors import Refused
from annotator.doors import person, project_for_lead
from annotator.forms.assigning import ControlsForm, RatesForm
from annotator.models import Project
from annotator.queries.checks import checks_by_person
from annotator.queries.controls import chosen_controls, keyed_page, keyed_passages, looks_apart

PAGE = 50


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def controls(request: HttpRequest, slug: str) -> HttpResponse:
    found, membership = project_for_lead(request, slug)
    protocol = found.protocol
    initial = {
        "version": found.version,
        "controls_per_hundred": protocol.controls_per_hundred,
        "repeats_per_hundred": protocol.repeats_per_hundred,
    }
    is_rates = request.method == "POST" and "choose" not in request.POST
    form, refusal = RatesForm(request.POST if is_rates else None, initial=initial), ""
    if request.method == "POST":
        try:
            if is_rates and form.is_valid():
                _set_rates(found, form, request)
                return redirect(request.get_full_path())
            if not is_rates:
                _choose(found, request)
                return redirect(request.get_full_path())
        except Refused as error:
            refusal = error.message
    rows, following = keyed_page(found, after=request.GET.get("after", ""), size=PAGE)
    apart = looks_apart(found, rows)
    chosen = len(chosen_controls(found))
    per_hundred = protocol.controls_per_hundred
    context = {
        "project": found,
        "membership": membership,
        "form": form,
        "refusal": refusal,
        "rows": [(row, apart.get(row.pk, "")) for row in rows],
        "following": following,
        "chosen": chosen,
        "keyed": keyed_passages(found).count(),
        # Of all that somebody is given, as far as each control comes once.
        "enough_for": chosen * 100 // per_hundred if per_hundred else 0,
        "people": checks_by_person(found),
    }
    return render(request, "annotator/controls.html", context, status=422 if form.errors else 409 if refusal else 200)


def _set_rates(project: Project, form: RatesForm, request: HttpRequest) -> None:
    given = dict(form.cleaned_data)
    version = given.pop("version")
    changed = change_protocol(project, by=person(request), version=version, changes=given)
    if changed.version == version:
        messages.info(request, "Nothing was changed.")
    else:
        messages.success(request, "Changed: for whatever is given from now on. What people have stays as it is.")


def _choose(project: Project, request: HttpRequest) -> None:
    """Of what was shown; what was not stays what it is."""
    form = ControlsForm(request.POST, keyed=keyed_passages(project).values_list("uuid", flat=True))
    if not form.is_valid():
        raise Refused("One of these passages has no key any more. Look again, then try again.")
    wanted = (chosen_controls(project) - set(form.cleaned_data["shown"])) | set(form.cleaned_data["passages"])
    changed = choose_controls(project, by=person(request), passages=sorted(wanted))
    if changed:
        messages.success(
            request, f"{changed} passage{'' if changed == 1 else 's'} changed; {len(wanted)} are controls."
        )
    else:
        messages.info(request, "Nothing was changed.")
