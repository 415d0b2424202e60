"""Coming in: signing in and out, set-password links, invitations, and the demo's sign-in links."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.tokens import default_token_generator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_decode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotator.actions.accounts import check_password_of, demo_user_of_link, set_password
from annotator.actions.forgotten import ask_for_password_link
from annotator.actions.invitations import accept_invitation
from annotator.authentication import client_address, end_session, is_local, origin_of, remember_browser, start_session
from annotator.domain.errors import Invalid, NotAllowed, Refused, Throttled
from annotator.domain.people import hash_of_token
from annotator.forms.accounts import ForgottenForm, JoinForm, LogInForm, NewPasswordForm
from annotator.mail import has_mail
from annotator.models import Invitation, User
from annotator.permissions import is_inviter_leading


def _after_log_in(request: HttpRequest) -> str:
    target = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if is_ours and target.startswith("/") else "/"


def remembered(request: HttpRequest, response: HttpResponse, user: User) -> HttpResponse:
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
            user = check_password_of(**form.cleaned_data, **origin_of(request))
            start_session(request, user)
            return remembered(request, HttpResponseRedirect(_after_log_in(request)), user)
        except Throttled as error:
            form.add_error(None, error.message)
            status, headers = 429, {"Retry-After": str(error.retry_after)}
        except Refused as error:
            form.add_error(None, error.message)
            status = 400
    elif request.method == "POST":
        status = 400
    context = {
        "form": form,
        "next": _after_log_in(request),
        "has_mail": has_mail(),
        "is_empty": not User.objects.exists(),
    }
    response = render(request, "annotator/log_in.html", context, status=status)
    for name, value in headers.items():
        response[name] = value
    return response


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    end_session(request)
    return redirect("log_in")


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """By e-mail, where there is any. What it says does not depend on whether the e-mail is known."""
    if not has_mail():
        raise Http404
    form = ForgottenForm(request.POST or None)
    status, headers, is_asked = 200, {}, False
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                ask_for_password_link(email=form.cleaned_data["email"], address=client_address(request))
                status, is_asked = 200, True
            except Throttled as error:
                form.add_error(None, error.message)
                status, headers = 429, {"Retry-After": str(error.retry_after)}
            except Invalid as error:
                add_problems(form, "email", error)
    context = {"form": form, "is_asked": is_asked}
    response = render(request, "annotator/forgotten.html", context, status=status)
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
                return remembered(request, redirect("home"), user)
            except Invalid as error:
                add_problems(form, "password", error)
    return render(request, "annotator/open_account.html", {"form": form, "account": user}, status=status)


def _user_of_link(uid: str, token: str) -> User | None:
    try:
        user = User.objects.filter(pk=int(urlsafe_base64_decode(uid)), is_active=True).first()
    except (ValueError, OverflowError):
        return None
    return user if user and default_token_generator.check_token(user, token) else None


def add_problems(form: Any, field: str, error: Invalid) -> None:
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
                    remembered(request, response, joined)
                return response
            except Invalid as error:
                if form is None:
                    refusal = error.message
                else:
                    add_problems(form, "password", error)
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
