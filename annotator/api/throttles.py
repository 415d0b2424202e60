"""How often one person may ask for what costs. The counts are in Django's cache, which all web processes share and no
save waits for; where it cannot be reached nobody is kept from anything."""

import logging
import time

from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from annotator.domain.errors import Throttled
from annotator.models import ApiToken

log = logging.getLogger(__name__)
MINUTE, HOUR = 60, 3600


class Rate(BaseThrottle):
    """So many in a window that begins with the first."""

    scope: str
    most: int
    window: int  # seconds

    def allow_request(self, request: Request | HttpRequest, view: object) -> bool:
        return not request.user.is_authenticated or self._counts(f"{self.scope}:{request.user.pk}")

    def _counts(self, name: str) -> bool:
        now = time.time()
        try:
            began, times = cache.get(name) or (now, 0)
            if now - began >= self.window:
                began, times = now, 0
            self.left = began + self.window - now
            if times >= self.most:
                return False
            cache.set(name, (began, times + 1), self.window)
        except Exception:  # whatever the client of a broker that is gone, or a full disk, raises
            log.warning("The cache cannot be reached: nothing is counted.", exc_info=True)
        return True

    def wait(self) -> float:
        return self.left


class FindingsThrottle(Rate):
    """The page asks after a pause in typing; a person who types without pausing asks twice a second at most."""

    scope, most, window = "findings", 600, MINUTE


class QuestionsThrottle(Rate):
    scope, most, window = "questions", 120, HOUR


class ReopenThrottle(Rate):
    """Whoever looks over their work again takes back one in half a minute; a loop takes back hundreds."""

    scope, most, window = "reopen", 120, HOUR


class ExportThrottle(Rate):
    """Each takes a thread for seconds."""

    scope, most, window = "export", 60, HOUR


class ReadsByToken(Rate):
    """Of all tokens of one person together; a browser asks as fast as its person."""

    scope, most, window = "reads", 600, MINUTE

    def allow_request(self, request: Request | HttpRequest, view: object) -> bool:
        is_counted = isinstance(getattr(request, "auth", None), ApiToken) and self.counts(request, view)
        return not is_counted or super().allow_request(request, view)

    def counts(self, request: Request | HttpRequest, view: object) -> bool:
        return request.method == "GET"


class CreatesByToken(ReadsByToken):
    scope, most, window = "creates", 60, MINUTE

    def counts(self, request: Request | HttpRequest, view: object) -> bool:
        said = getattr(view, "operations", {}).get(request.method)
        return bool(said and said.creates)


def check_rate(throttle: Rate, request: HttpRequest) -> None:
    """For the forms that do the same without scripts: both doors count together."""
    if not throttle.allow_request(request, None):
        raise Throttled("You did that too often. Try again later.", retry_after=round(throttle.wait() or 60))
