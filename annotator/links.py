"""Links that leave a page: made from the configured address, never from the Host header of a request."""

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from annotator.models import User


def absolute(path: str) -> str:
    return f"{settings.URL}{path}"


def first_token() -> str:
    """Of the link of an empty Assay: known to whoever reads the terminal, or has the secret key. It opens nothing once
    anybody has an account."""
    return salted_hmac("annotator.links.first", "", algorithm="sha256").hexdigest()[:32]


def invitation_link(token: str) -> str:
    """Shown in the one answer in which it was made, or in a letter."""
    return absolute(reverse("invitation", args=[token]))


def set_password_link(user: User) -> str:
    """Good for three days or until the password is set, whichever comes first."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return absolute(reverse("open_account", args=[uid, default_token_generator.make_token(user)]))
