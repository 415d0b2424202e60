"""Is the house alive: for supervisors, load balancers and people."""

import os
import socket
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotator.models import Worker

PATIENCE = 0.5  # seconds for the broker: this page must stay quick while it hangs


def report() -> dict[str, Any]:
    """`ok`, or what is wrong, by part."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        workers = Worker.objects.alive().count()
    except DatabaseError:
        return {"web": "ok", "database": "does not answer"}
    return {
        "web": "ok",
        "database": "ok",
        "broker": _broker(),
        "worker": "ok" if workers else "none",
        "workers": workers,
    }


def _broker() -> str:
    if settings.CELERY_BROKER_URL.startswith("filesystem://"):
        folder = settings.BROKER_DIR / "queue"
        return "ok" if folder.is_dir() and os.access(folder, os.W_OK) else "does not answer"
    import redis  # only where there is one

    try:
        client = redis.Redis.from_url(
            settings.CELERY_BROKER_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE
        )
        with client:
            client.ping()
        return "ok"
    except (redis.RedisError, OSError, ValueError):
        return "does not answer"


def has_worker_here() -> bool:
    """A live worker of this machine (or container): the name carries the host's."""
    host = f"@{socket.gethostname()}:"
    return any(host in name for name in Worker.objects.alive().values_list("name", flat=True))


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the web server and the database answer; broker and worker are reported, jobs wait for them."""
    found = report()
    return JsonResponse(found, status=200 if found["database"] == "ok" else 503)
