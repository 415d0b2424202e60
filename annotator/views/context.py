"""What the page frame shows on every page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from annotator.authentication import is_local
from annotator.models import User


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """Demo people for the switch menu, only where links would work too; lazily, so error pages need no database."""
    if not settings.DEMO or not is_local(request):
        return {"is_demo": False}
    return {"is_demo": True, "demo_people": User.objects.filter(is_demo=True, is_active=True).order_by("pk")}
