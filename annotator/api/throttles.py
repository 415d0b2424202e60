"""How often one person may ask for what costs. The counts are kept in the memory of each web process, so that they
cost no write: with two processes somebody may get twice as much, and a restart forgets them."""

from django.http import HttpRequest
from rest_framework.throttling import UserRateThrottle

from annotator.domain.errors import Throttled


class FindingsThrottle(UserRateThrottle):
    """The page asks after a pause in typing; a person who types without pausing asks twice a second at most."""

    scope, rate = "findings", "600/min"


class QuestionsThrottle(UserRateThrottle):
    scope, rate = "questions", "120/hour"


class ReopenThrottle(UserRateThrottle):
    """Whoever looks over their work again takes back one in half a minute; a loop takes back hundreds."""

    scope, rate = "reopen", "120/hour"


def check_rate(throttle: UserRateThrottle, request: HttpRequest) -> None:
    """For the forms that do the same without scripts: both doors count together."""
    if not throttle.allow_request(request, None):  # type: ignore[arg-type]
        raise Throttled("You did that too often. Try again later.", retry_after=round(throttle.wait() or 60))
