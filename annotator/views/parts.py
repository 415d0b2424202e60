"""Parts of pages that htmx puts in the place of what stands there."""

from django.http import HttpRequest


def asks_for_part(request: HttpRequest) -> bool:
    """Where htmx makes up for a page that the browser's history has lost, it needs the whole."""
    is_restored = request.headers.get("HX-History-Restore-Request") == "true"
    return request.headers.get("HX-Request") == "true" and not is_restored
