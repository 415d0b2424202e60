"""Gold from elsewhere, sent as files, one for each split: a job makes a frozen release of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from annotator.api.door import status_of
from annotator.domain.errors import Refused
from annotator.doors import person, project_for_lead
from annotator.uploads import MAX_UPLOAD, KeptUpload
from annotator.views.receiving import with_a_file
from exports.actions.foreign import ask_to_import_gold
from exports.domain.releases import MAX_SPLITS
from exports.forms import ForeignGoldForm


@never_cache
@csrf_exempt  # `with_a_file` looks at the token
@require_http_methods(["GET", "HEAD", "POST"])
def gold_import(request: HttpRequest, slug: str) -> HttpResponse:
    project, membership = project_for_lead(request, slug)

    def refuse(why: str, status: int, form: ForeignGoldForm | None = None) -> HttpResponse:
        context = {
            "project": project,
            "membership": membership,
            "refusal": why,
            "form": form or ForeignGoldForm(initial={"split_1": "test", "date": timezone.localdate()}),
            "most": MAX_UPLOAD // 1_000_000,
        }
        return render(request, "exports/gold_import.html", context, status=status)

    def page(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return refuse("", 200)
        form = ForeignGoldForm(request.POST)
        if not form.is_valid():
            return refuse("", 400, form)
        rows = form.of_files(request.FILES)
        if form.errors or not rows or not all(isinstance(sent, KeptUpload) for _, sent in rows):
            return refuse("" if form.errors else "Choose a file.", 400, form)
        given = form.cleaned_data
        files = [(split, sent.name, sent.take()) for split, sent in rows]
        try:
            job = ask_to_import_gold(project, by=person(request), files=files, date=given["date"], name=given["name"])
        except Refused as error:
            return refuse(error.message, status_of(error), form)
        return redirect("job", slug, job.uuid)

    return with_a_file(request, page, refuse=refuse, most=MAX_UPLOAD, files=MAX_SPLITS)
