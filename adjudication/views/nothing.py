"""A page that says what is not there, and where to go on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotator.models import Membership, Project


def nothing(
    request: HttpRequest,
    project: Project,
    membership: Membership,
    *,
    title: str,
    says: str,
    address: str,
    label: str,
    status: int = 404,
) -> HttpResponse:
    """`address`, `label`: of the link that leads on."""
    context = {
        "project": project,
        "membership": membership,
        "title": title,
        "says": says,
        "address": address,
        "label": label,
    }
    return render(request, "adjudication/nothing.html", context, status=status)
