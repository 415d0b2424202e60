"""How often one person may ask for what costs. The counts are kept in the memory of each web process, so that they
cost no write: with two processes somebody may get twice as much, and a restart forgets them."""

from rest_framework.throttling import UserRateThrottle


class FindingsThrottle(UserRateThrottle):
    """The page asks after a pause in typing; a person who types without pausing asks twice a second at most."""

    scope, rate = "findings", "600/min"


class QuestionsThrottle(UserRateThrottle):
    scope, rate = "questions", "120/hour"


class ReopenThrottle(UserRateThrottle):
    """Each reopening moves votes in and out of what is merged."""

    scope, rate = "reopen", "30/hour"
