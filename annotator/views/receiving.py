"""Pages that take a file: nothing of it is read before it is known that its sender may send it here."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_protect

from annotator.api.door import status_of
from annotator.uploads import KeepFiles

ROOM_FOR_FIELDS = 100_000  # bytes that go with a file


def with_a_file(
    request: HttpRequest,
    page: Callable[..., HttpResponse],
    *words: Any,
    refuse: Callable[[str, int], HttpResponse],
    most: int,
    files: int = 1,
) -> HttpResponse:
    """`page` under the eye of the CSRF check, its file, or up to so many, kept aside as it streamed in. The caller has
    looked who asks, and is exempt from that check: the token stands in the same body. `refuse`: the page with what is
    wrong."""
    handler = KeepFiles(most, files=files)
    if request.method == "POST":
        if int(request.META.get("CONTENT_LENGTH") or 0) > most + ROOM_FOR_FIELDS:
            what = "The file is" if files == 1 else "Together the files are"
            return refuse(f"{what} larger than {most // 1_000_000} MB.", 413)
        request.upload_handlers = [handler]
        _ = request.POST  # here it streams in
        if handler.refusal:
            return refuse(handler.refusal.message, status_of(handler.refusal))
    try:
        return csrf_protect(page)(request, *words)
    finally:
        handler.forget_unused()
