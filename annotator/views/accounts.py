"""Signing in and out, passwords, invitations, and the demo's sign-in links."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.tokens import default_token_generator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_decode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotator.actions.accounts import check_password_of, demo_user_of_link, set_password
from annotator.actions.invitations import accept_invitation
from annotator.authentication import browser_of, client_address, is_local, remember_browser, start_session
from annotator.domain.errors import Invalid, NotAllowed, Refused, Throttled
from annotator.domain.people import hash_of_token
from annotator.doors import person
from annotator.forms.accounts import ChangePasswordForm, JoinForm, LogInForm, NewPasswordForm
from annotator.models import Invitation, User
from annotator.permissions import is_inviter_leading


def _origin(request: HttpRequest) -> dict[str, Any]:
    """Whom attempts to sign in are counted for."""
    return {"address": client_address(request), "browser": browser_of(request)}


def _after_log_in(request: HttpRequest) -> str:
    target = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if is_ours and target.startswith("/") else "/"


def _remembered(request: HttpRequest, response: HttpResponse, user: User) -> HttpResponse:
    remember_browser(request, response, user)
    return response


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    form = LogInForm(request.POST or None)
    status, headers = 200, {}
    if request.method == "POST" and form.is_valid():
        try:
            user = check_password_of(**form.cleaned_data, **_origin(request))
            start_session(request, user)
            return _remembered(request, HttpResponseRedirect(_after_log_in(request)), user)
        except Throttled as error:
            form.add_error(None, error.message)
            status, headers = 429, {"Retry-After": str(error.retry_after)}
        except Refused as error:
            form.add_error(None, error.message)
            status = 400
    elif request.method == "POST":
        status = 400
    context = {"form": form, "next": _after_log_in(request)}
    response = render(request, "annotator/log_in.html", context, status=status)
    for name, value in headers.items():
        response[name] = value
    return response


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("log_in")


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
                check_password_of(email=user.email, password=form.cleaned_data["current"], **_origin(request))
                set_password(user, by=user, password=form.cleaned_data["password"])
                update_session_auth_hash(request, user)
                messages.success(request, "Your password is changed; everywhere else you are signed out.")
                return _remembered(request, redirect("home"), user)
            except Invalid as error:
                _add_problems(form, "password", error)
            except Throttled as error:
                form.add_error("current", error.message)
                status, headers = 429, {"Retry-After": str(error.retry_after)}
            except Refused:
                form.add_error("current", "That is not your current password.")
    response = render(request, "annotator/change_password.html", {"form": form}, status=status)
    for name, value in headers.items():
        response[name] = value
    return response


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def open_account(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """The set-password link of `create_user`: for the first password and for a forgotten one."""
    user = _user_of_link(uid, token)
    if user is None:
        return render(request, "annotator/link_over.html", {"what": "link"}, status=410)
    form = NewPasswordForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                set_password(user, by=user, password=form.cleaned_data["password"])
                start_session(request, user)
                return _remembered(request, redirect("home"), user)
            except Invalid as error:
                _add_problems(form, "password", error)
    return render(request, "annotator/open_account.html", {"form": form, "account": user}, status=status)


def _user_of_link(uid: str, token: str) -> User | None:
    try:
        user = User.objects.filter(pk=int(urlsafe_base64_decode(uid)), is_active=True).first()
    except (ValueError, OverflowError):
        return None
    return user if user and default_token_generator.check_token(user, token) else None


def _add_problems(form: Any, field: str, error: Invalid) -> None:
    for problem in error.problems:
        form.add_error(field, problem.message)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows, POST accepts: a mail scanner that follows links joins nobody."""
    found = Invitation.objects.pending().filter(token_hash=hash_of_token(token)).select_related("project", "invited_by")
    invited = found.first()
    if invited is None or not is_inviter_leading(invited):
        return render(request, "annotator/link_over.html", {"what": "invitation"}, status=410)
    user = request.user if isinstance(request.user, User) else None
    has_account = User.objects.filter(email=invited.email).exists()
    form = None if user or has_account else JoinForm(request.POST or None)
    status, refusal = 200, ""
    if request.method == "POST":
        status = 400
        if form is None or form.is_valid():
            try:
                membership, joined = accept_invitation(invited, by=user, **(form.cleaned_data if form else {}))
                messages.success(request, f"Welcome to {membership.project.name}.")
                response = redirect("project", membership.project.slug)
                if user is None:
                    start_session(request, joined)
                    _remembered(request, response, joined)
                return response
            except Invalid as error:
                if form is None:
                    refusal = error.message
                else:
                    _add_problems(form, "password", error)
            except Refused as error:
                refusal, status = error.message, 409
                form = None if isinstance(error, NotAllowed) else form  # an account was made meanwhile
    context = {"invitation": invited, "form": form, "refusal": refusal}
    return render(request, "annotator/invitation.html", context, status=status)


def _demo_only(request: HttpRequest) -> None:
    if not settings.DEMO or not is_local(request):
        raise Http404


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """A demo person's link, printed by `up --demo`. GET shows who, POST signs in."""
    _demo_only(request)
    user = demo_user_of_link(token)
    if user is None:
        return render(request, "annotator/link_over.html", {"what": "sign-in link"}, status=410)
    if request.method == "POST":
        start_session(request, user)
        return redirect("home")
    return render(request, "annotator/sign_in.html", {"account": user})


@login_not_required
@require_POST
def switch_person(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The demo's person menu: only somebody signed in as a demo person may become another one."""
    _demo_only(request)
    if not (isinstance(request.user, User) and request.user.is_demo):
        raise Http404
    start_session(request, get_object_or_404(User, uuid=uuid, is_demo=True, is_active=True))
    return redirect("home")
