"""One's own tokens: made, shown once, revoked."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotator.actions.api_tokens import make_token, revoke_token
from annotator.domain.errors import Refused
from annotator.doors import person
from annotator.forms.api_tokens import TokenForm


@never_cache
@require_http_methods(["GET", "POST"])
def account_tokens(request: HttpRequest) -> HttpResponse:
    """The new token stands in the answer to the form alone."""
    user, made = person(request), ""
    form = TokenForm(request.POST if request.method == "POST" else None, user=user)
    if form.is_valid():
        try:
            _, made = make_token(user, by=user, **form.cleaned_data)
            form = TokenForm(user=user)
        except Refused as error:
            form.add_error(None, error.message)
    rows = user.api_tokens.filter(revoked_at=None).select_related("project").order_by("-created_at", "-pk")
    context = {"form": form, "tokens": rows, "made": made}
    status = 400 if request.method == "POST" and not made else 200
    return render(request, "annotator/account_tokens.html", context, status=status)


@require_POST
def account_token_revoke(request: HttpRequest, uuid: UUID) -> HttpResponse:
    user = person(request)
    token = get_object_or_404(user.api_tokens.select_related("user"), uuid=uuid)
    try:
        revoke_token(token, by=user)
        messages.success(request, f"The token “{token.name}” opens nothing any more.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("account_tokens")
