"""Webhooks: which addresses are told of a project, and what came of each message. Not there where the operator has
named no host."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.domain.errors import Refused
from annotator.doors import Admitted, person, project_for_lead
from annotator.forms.refusals import add_refusal
from exports.actions.webhooks import (
    change_secret,
    end_webhook,
    make_webhook,
    pause_webhook,
    resume_webhook,
    send_again,
    send_test,
)
from exports.forms import WebhookForm
from exports.models import Webhook, WebhookDelivery
from exports.queries.webhooks import deliveries_page, lines_of

# By act: what does it, and what is said then.
ACTS = {
    "pause": (pause_webhook, "Paused: nothing is sent until you let it go on, and what happens meanwhile is not told."),
    "resume": (resume_webhook, "It goes on: what happens from now on is told."),
    "end": (end_webhook, "Ended: nothing is sent there any more."),
    "test": (send_test, "A test message is on its way."),
}


def _admitted(request: HttpRequest, slug: str) -> Admitted:
    if not settings.WEBHOOK_HOSTS:
        raise Http404
    return project_for_lead(request, slug)


def _webhook(request: HttpRequest, slug: str, uuid: UUID) -> Webhook:
    project, _ = _admitted(request, slug)
    rows = Webhook.objects.visible_to(person(request)).of(project).select_related("project")
    return get_object_or_404(rows, uuid=uuid)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """POST makes one; its secret is in this one answer and nowhere else."""
    project, membership = _admitted(request, slug)
    form, made, status = WebhookForm(request.POST if request.method == "POST" else None), None, 200
    if request.method == "POST":
        try:
            if form.is_valid():
                made = make_webhook(project, by=person(request), **form.cleaned_data)
                form = WebhookForm()
        except Refused as error:
            add_refusal(form, error)
        status = 400 if form.errors else 200
    rows = Webhook.objects.visible_to(person(request)).of(project)
    context = {
        "project": project,
        "membership": membership,
        "form": form,
        "made": made,
        "lines": lines_of(rows),
        "hosts": [str(host) for host in settings.WEBHOOK_HOSTS],
    }
    return render(request, "exports/webhooks.html", context, status=status)


@never_cache
@require_safe
def webhook(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    return _page(request, slug, _webhook(request, slug, uuid))


def _page(request: HttpRequest, slug: str, found: Webhook, **more: Any) -> HttpResponse:
    project, membership = project_for_lead(request, slug)
    before = request.GET.get("before", "")
    is_sound = before.isdecimal() and len(before) < 18
    page, following = deliveries_page(found, int(before) if is_sound else None)
    [line] = lines_of(Webhook.objects.of(project).filter(pk=found.pk))
    context = {
        "project": project,
        "membership": membership,
        "line": line,
        "deliveries": page,
        "following": following,
        "is_first_page": not is_sound,
        **more,
    }
    return render(request, "exports/webhook.html", context)


@never_cache
@require_POST
def webhook_secret(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Another secret, which is in this one answer and nowhere else."""
    found = _webhook(request, slug, uuid)
    try:
        change_secret(found, by=person(request))
    except Refused as error:
        messages.error(request, error.message)
        return redirect("webhook", slug, uuid)
    return _page(request, slug, found, secret=found.secret)


@require_POST
def webhook_act(request: HttpRequest, slug: str, uuid: UUID, act: str) -> HttpResponse:
    found, (do, said) = _webhook(request, slug, uuid), ACTS[act]
    try:
        do(found, by=person(request))
        messages.success(request, said)
    except Refused as error:
        messages.error(request, error.message)
    return redirect("webhook", slug, uuid)


@require_POST
def webhook_send_again(request: HttpRequest, slug: str, uuid: UUID, message: UUID) -> HttpResponse:
    found = _webhook(request, slug, uuid)
    rows = WebhookDelivery.objects.of(found).select_related("webhook__project")
    delivery = get_object_or_404(rows, uuid=message)
    try:
        send_again(delivery, by=person(request))
        messages.success(request, "It is on its way again, under the same id.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("webhook", slug, uuid)
