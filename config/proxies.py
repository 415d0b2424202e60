"""Is there a proxy in front that nobody has named? Until it is, all people behind it are one address to Assay."""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

logger = logging.getLogger(__name__)

ADVICE = "set ASSAY_PROXIES to how many proxies of yours stand in front"
Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


def mark() -> Path:
    """There once a forwarded request came to a web process that knows of no proxy; holds nothing."""
    return Path(settings.DATA_DIR) / "forwarded-requests-seen"


def noticing(application: Application) -> Application:
    """The same application; the first forwarded request to this process is noted, without anybody's address."""
    if settings.PROXIES:
        return application
    is_new = threading.Lock()

    def notice(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        # The lock is never given back: it is taken once.
        if "HTTP_X_FORWARDED_FOR" in environ and is_new.acquire(blocking=False):
            logger.warning(
                "A request came with X-Forwarded-For, and ASSAY_PROXIES is 0: all who come through a proxy count as "
                "one address, and https is not seen. If a proxy stands in front, %s.", ADVICE,
            )  # fmt: skip
            with contextlib.suppress(OSError):
                mark().touch()
        return application(environ, start_response)

    return notice


def unnamed() -> str:
    """What is said at start, once such a request has been seen; "" where there is nothing to say."""
    if settings.PROXIES or not mark().exists():
        return ""
    return f"Requests came with X-Forwarded-For, and ASSAY_PROXIES is 0: if a proxy stands in front, {ADVICE}."


@register(deploy=True)
def proxies_are_named(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    if not settings.IS_PRODUCTION:
        return []
    if os.environ.get("ASSAY_PROXIES"):
        return [Warning(said, id="assay.W002")] if (said := unnamed()) else []
    return [
        Warning(
            "ASSAY_PROXIES is not set: behind a proxy all clients would count as one address.",
            hint=f"Behind a proxy, {ADVICE}; without one, set it to 0.",
            id="assay.W001",
        )
    ]
