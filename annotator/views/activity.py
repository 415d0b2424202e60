"""Who did what in a project."""

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotator.doors import person, project_for_lead
from annotator.forms.activity import ActivityForm
from annotator.models import Assignment, User
from annotator.queries.activity import Activity, Wanted
from annotator.views.parts import asks_for_part


@never_cache
@require_safe
def activity(request: HttpRequest, slug: str) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    form = ActivityForm(request.GET, project=project)
    given = form.given()
    by, day = given.get("person"), given.get("day")
    wanted = Wanted(
        person=by if isinstance(by, User) else None,
        day=day if isinstance(day, date) else None,
        group=str(given.get("kind", "")),
    )
    before = request.GET.get("before", "")
    is_sound = before.isdecimal() and len(before) < 18
    lines, following = Activity(project, user=person(request), wanted=wanted).page(int(before) if is_sound else None)
    context = {
        "project": project,
        "membership": membership,
        "form": form,
        "query": form.query(),
        "lines": lines,
        "following": following,
        "is_first_page": not is_sound,
        "hidden": Assignment.objects.own_open(person(request)).filter(passage__project=project).count(),
    }
    name = "annotator/activity.html#list" if asks_for_part(request) else "annotator/activity.html"
    return render(request, name, context)
