"""Files into a project: sent here, brought in by a job."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from annotator.actions.importing.arrivals import begin_arrival
from annotator.api.door import status_of
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import Refused
from annotator.doors import person, project_for_lead
from annotator.forms.importing import ImportForm
from annotator.uploads import MAX_UPLOAD, KeptUpload
from annotator.views.receiving import with_a_file

LISTED = 50


@never_cache
@csrf_exempt  # `with_a_file` looks at the token
@require_http_methods(["GET", "HEAD", "POST"])
def passages(request: HttpRequest, slug: str) -> HttpResponse:
    project_for_lead(request, slug)

    def refuse(why: str, status: int) -> HttpResponse:
        return _page(request, slug, ImportForm(), why, status)

    return with_a_file(request, _passages, slug, refuse=refuse, most=MAX_UPLOAD)


def _passages(request: HttpRequest, slug: str) -> HttpResponse:
    project, _ = project_for_lead(request, slug)
    if request.method != "POST":
        return _page(request, slug, ImportForm())
    form, sent = ImportForm(request.POST), request.FILES.get("file")
    if not isinstance(sent, KeptUpload) or not form.is_valid():
        return _page(request, slug, form, "" if form.errors else "Choose a file.", 400)
    try:
        arrival = begin_arrival(
            project,
            by=person(request),
            kind=ArrivalKind(form.cleaned_data["kind"]),
            file=sent.take(),
            name=sent.name,
            options=form.options(),
        )
    except Refused as error:
        return _page(request, slug, form, error.message, status_of(error))
    assert arrival.job is not None
    return redirect("job", slug, arrival.job.uuid)


def _page(request: HttpRequest, slug: str, form: ImportForm, refusal: str = "", status: int = 200) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    context = {
        "project": project,
        "membership": membership,
        "form": form,
        "refusal": refusal,
        "arrivals": project.arrivals.select_related("job", "by").order_by("-started_at")[:LISTED],
        "count": project.passages.work().count(),
        "most": MAX_UPLOAD // 1_000_000,
    }
    return render(request, "annotator/passages.html", context, status=status)
