"""A request that creates something is carried out once, however often it is sent: `Idempotency-Key`."""

import hashlib
import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import transaction
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.answered import MOST_KEPT, claim_key, keep_answer
from annotator.api.door import kept_body
from annotator.domain.errors import BadRequest, Conflict
from annotator.doors import person
from annotator.models import ApiToken, IdempotencyKey

Handler = Callable[..., Response]


def carried_out_once(handler: Handler, said: Any) -> Handler:
    """The key is written in the transaction of the act: what is refused leaves none, and an equal request that comes
    meanwhile waits for it and is answered alike."""

    @wraps(handler)
    def act(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get("Idempotency-Key")
        if key is None:
            if isinstance(request.auth, ApiToken):
                message = "Give this request a name of its own, Idempotency-Key, and the same when you send it again."
                raise BadRequest(message, code="no_idempotency_key")
            return handler(view, request, *args, **kwargs)
        if not re.fullmatch(r"[\x21-\x7e]{1,100}", key):
            raise BadRequest("Idempotency-Key is 1 to 100 letters, digits and signs.", code="bad_idempotency_key")
        digest = _digest(request, said, **kwargs)
        with transaction.atomic():
            sent = {"method": request.method or "", "path": request.path, "digest": digest}
            row, is_new = claim_key(person(request), key=key, **sent)
            if not is_new:
                return _again(row, request)
            response = handler(view, request, *args, **kwargs)
            etag = response.headers.get("ETag", "")
            keep_answer(row, status=response.status_code, etag=etag, text=_kept(response, said))
        return response

    return act


def _digest(request: Request, said: Any, **kwargs: Any) -> str:
    """Of all that was sent. A file is read here, before anything is locked, and after a look at who sends it."""
    if said.takes_file:
        said.admits(request, **kwargs)
        request.kept = kept_body(request)  # type: ignore[attr-defined]
        body = request.kept.digest.hexdigest()  # type: ignore[attr-defined]
    else:
        _ = request.data  # read, and found to be JSON
        body = getattr(request, "body_sha256", "")
    return hashlib.sha256(f"{request.META.get('QUERY_STRING', '')}\n{body}".encode()).hexdigest()


def _again(row: IdempotencyKey, request: Request) -> Response:
    if hasattr(request, "kept"):
        request.kept.discard()
    if not row.response:
        raise Conflict("This was carried out; its answer was too large to be kept.", code="done_already")
    headers = {"Idempotency-Replayed": "true", **({"ETag": row.etag} if row.etag else {})}
    return Response(json.loads(row.response), status=row.status, headers=headers)


def _kept(response: Response, said: Any) -> str:
    text: str = JSONRenderer().render(_without(response.data, said.secrets)).decode()
    return text if len(text) <= MOST_KEPT else ""


def _without(value: Any, secrets: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {key: None if key in secrets else _without(item, secrets) for key, item in value.items()}
    return [_without(item, secrets) for item in value] if isinstance(value, list | tuple) else value
