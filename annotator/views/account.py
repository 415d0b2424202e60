"""One's own account: name, e-mail, password, sessions, and all that is kept of oneself."""

import json
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.actions.accounts import change_email, change_name, check_password_of, set_password
from annotator.actions.sign_ins import end_other_sign_ins, end_sign_in
from annotator.authentication import keep_sign_in, origin_of
from annotator.domain.errors import Invalid, NotAllowed, Refused, Throttled
from annotator.doors import person
from annotator.forms.accounts import ChangePasswordForm, EmailForm, NameForm
from annotator.queries.own_data import own_data
from annotator.views.accounts import add_problems, remembered


@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    return _page(request)


def _page(request: HttpRequest, *, status: int = 200, **refused: forms.Form) -> HttpResponse:
    user = person(request)
    given = {"name_form": NameForm(initial={"name": user.name}), "email_form": EmailForm(), **refused}
    sign_ins = user.sign_ins.live().order_by("-seen_at", "-pk")
    context: dict[str, Any] = {**given, "sign_ins": sign_ins, "own_key": request.session.session_key}
    return render(request, "annotator/account.html", context, status=status)


@never_cache
@require_POST
def account_name(request: HttpRequest) -> HttpResponse:
    user, form = person(request), NameForm(request.POST)
    if form.is_valid():
        try:
            change_name(user, by=user, name=form.cleaned_data["name"])
            messages.success(request, f"Your name is {user.name} now.")
            return redirect("account")
        except Invalid as error:
            add_problems(form, "name", error)
    return _page(request, status=400, name_form=form)


@never_cache
@require_POST
def account_email(request: HttpRequest) -> HttpResponse:
    """It is what one signs in with, so the password is asked for."""
    user, form = person(request), EmailForm(request.POST)
    status, headers = 400, {}
    if form.is_valid():
        try:
            check_password_of(email=user.email, password=form.cleaned_data["current"], **origin_of(request))
            change_email(user, by=user, email=form.cleaned_data["email"])
            messages.success(request, f"From now on you sign in as {user.email}.")
            return redirect("account")
        except Throttled as error:
            form.add_error("current", error.message)
            status, headers = 429, {"Retry-After": str(error.retry_after)}
        except NotAllowed:
            form.add_error("current", "That is not your current password.")
        except Refused as error:
            form.add_error("email", error.message)
    response = _page(request, status=status, email_form=form)
    for name, value in headers.items():
        response[name] = value
    return response


@never_cache
@require_http_methods(["GET", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    user = person(request)
    form = ChangePasswordForm(request.POST or None)
    status, headers = 200, {}
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                check_password_of(email=user.email, password=form.cleaned_data["current"], **origin_of(request))
                set_password(user, by=user, password=form.cleaned_data["password"])
                update_session_auth_hash(request, user)
                keep_sign_in(request, user)
                messages.success(request, "Your password is changed; everywhere else you are signed out.")
                return remembered(request, redirect("account"), user)
            except Invalid as error:
                add_problems(form, "password", error)
            except Throttled as error:
                form.add_error("current", error.message)
                status, headers = 429, {"Retry-After": str(error.retry_after)}
            except Refused:
                form.add_error("current", "That is not your current password.")
    response = render(request, "annotator/change_password.html", {"form": form}, status=status)
    for name, value in headers.items():
        response[name] = value
    return response


@require_POST
def account_session_end(request: HttpRequest, pk: int) -> HttpResponse:
    user = person(request)
    sign_in = get_object_or_404(user.sign_ins.select_related("user"), pk=pk)
    try:
        end_sign_in(sign_in, by=user)
        messages.success(request, "That browser is signed out.")
    except Refused as error:
        messages.error(request, error.message)
    return redirect("account")


@require_POST
def account_sessions_end(request: HttpRequest) -> HttpResponse:
    user = person(request)
    try:
        ended = end_other_sign_ins(user, by=user, session_key=request.session.session_key or "")
        said = f"Signed out in {ended} other browser{'s' if ended > 1 else ''}." if ended else "There is no other."
        messages.success(request, said)
    except Refused as error:
        messages.error(request, error.message)
    return redirect("account")


@never_cache
@require_safe
def account_data(request: HttpRequest) -> HttpResponseBase:
    """One JSON object a line."""
    lines: Iterator[str] = (json.dumps(record, ensure_ascii=False) + "\n" for record in own_data(person(request)))
    headers = {"Content-Disposition": 'attachment; filename="assay-own-data.jsonl"'}
    return StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8", headers=headers)
