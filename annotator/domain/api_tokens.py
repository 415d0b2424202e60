"""What a token opens: never more than the person's role, and of that only what its scopes name."""

from collections.abc import Collection
from enum import StrEnum

TOKEN_DAYS = 90
MOST_TOKEN_DAYS = 365


class Scope(StrEnum):
    ANNOTATE = "annotate"
    READ = "read"
    LEAD = "lead"
    SCORE = "score"


# In words of the page, in this order.
SCOPES = {
    Scope.ANNOTATE: "do one's own assignments: read, save, submit, ask",
    Scope.READ: "read what one's roles let one see: passages, reports, gold, releases, figures",
    Scope.LEAD: "read, and change what leads and adjudicators may: import, invite, merge, decide, release",
    Scope.SCORE: "submit systems and read their figures; never gold",
}


def opening(wanted: Collection[str]) -> list[Scope]:
    """Each of which opens an operation that names `wanted`: who may lead may read and score, too. None: only a session
    does."""
    lead_too = {Scope.READ, Scope.SCORE} & set(wanted)
    return [scope for scope in SCOPES if scope in wanted or (lead_too and scope == Scope.LEAD)]


def opens(held: Collection[str], wanted: Collection[str]) -> bool:
    return bool(set(opening(wanted)) & set(held))
