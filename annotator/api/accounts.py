"""Who is signed in, and signing in again without leaving the page one is working on."""

from django.middleware.csrf import get_token
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.accounts import check_password_of
from annotator.api.door import SessionDoor
from annotator.api.operation import operation
from annotator.authentication import browser_of, client_address, remember_browser, start_session
from annotator.models import User
from annotator.serializers.accounts import CredentialsSerializer, SessionSerializer
from annotator.serializers.base import checked, shown


class CsrfAlwaysDoor(SessionDoor):
    """Also where nobody is signed in yet: nobody may be signed in from another site."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        if request.method == "POST":
            self.enforce_csrf(request)
        person = getattr(request._request, "user", None)
        return (person, None) if isinstance(person, User) else None  # else the framework would forget who it is


@operation("Who is signed in; sets the form token's cookie", method="GET", gives=SessionSerializer)
@operation("Sign in", method="POST", takes=CredentialsSerializer, gives=SessionSerializer, refuses=(429,))
@api_view(["GET", "POST"])
@authentication_classes([CsrfAlwaysDoor])
@permission_classes([AllowAny])
def session(request: Request) -> Response:
    http = request._request
    if request.method == "POST":
        given = checked(CredentialsSerializer, request.data)
        user = check_password_of(**given, address=client_address(http), browser=browser_of(http))
        start_session(http, user)
    get_token(http)  # sends the cookie that the next save reads
    person = http.user
    if not isinstance(person, User):
        return Response(shown(SessionSerializer, {"user": None, "name": ""}))
    response = Response(shown(SessionSerializer, {"user": person.uuid, "name": person.name}))
    if request.method == "POST":
        remember_browser(http, response, person)
    return response
