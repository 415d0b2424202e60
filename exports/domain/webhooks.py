"""Webhooks: what is told to another program, how it is signed (Standard Webhooks 1.0), and when it is tried again."""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotator.domain.canonical import canonical_text

MAX_BODY = 20_000  # bytes
MAX_SAID = 200  # characters of an answer that are kept, and shown
SECRET_BYTES = 32  # drawn for a webhook
LONGEST_CALL = 5.0  # seconds for all of it: the name, the line, the answer
FORMER_SECRET_HOURS = 24  # that what is sent is signed with the former secret, too
# Seconds from one try to the next: eleven tries within a day.
WAITS = (30, 120, 600, 1800, 3600, 2 * 3600, 3 * 3600, 4 * 3600, 5 * 3600, 7 * 3600)
LONGEST_TRIED = 24 * 3600  # seconds from when a message was made, or sent again
LONGEST_ASKED = 3600  # seconds that an answer may ask us to wait beyond that (Retry-After)
GONE = 410  # an answer by which an address wants no more


class News(StrEnum):
    """What a lead may have told, as it stands in the messages."""

    SUBMITTED = "answers.submitted"
    MERGED = "answers.merged"
    MEASURED = "agreement.measured"
    DECIDED = "gold.decided"
    RELEASED = "gold.released"
    SCORED = "run.scored"


TEST = "webhook.test"
LABELS: Mapping[News, str] = {
    News.SUBMITTED: "Answers are submitted",
    News.MERGED: "Answers are merged",
    News.MEASURED: "Agreement is measured",
    News.DECIDED: "Adjudicators have decided",
    News.RELEASED: "A release is frozen, or withdrawn",
    News.SCORED: "A system is scored, or its file refused",
}
# Which events of the log are news.
KINDS: Mapping[str, News] = {
    "assignment.submitted": News.SUBMITTED,
    "merge.made": News.MERGED,
    "merge.chosen": News.MERGED,
    "agreement.measured": News.MEASURED,
    "decision.made": News.DECIDED,
    "decision.undone": News.DECIDED,
    "release.frozen": News.RELEASED,
    "release.imported": News.RELEASED,
    "release.withdrawn": News.RELEASED,
    "run.scored": News.SCORED,
    "run.refused": News.SCORED,
}
# Many at once, told as one message: what each kind of event is counted as.
COUNTED: Mapping[News, Mapping[str, str]] = {
    News.SUBMITTED: {"assignment.submitted": "submissions"},
    News.DECIDED: {"decision.made": "decisions", "decision.undone": "undone"},
}


class DeliveryState(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


_D = DeliveryState
DELIVERY_MOVES: Mapping[tuple[DeliveryState, str], DeliveryState] = {
    (_D.WAITING, "wait"): _D.WAITING,
    (_D.WAITING, "deliver"): _D.DELIVERED,
    (_D.WAITING, "give up"): _D.FAILED,
    (_D.WAITING, "send again"): _D.WAITING,
    (_D.DELIVERED, "send again"): _D.WAITING,
    (_D.FAILED, "send again"): _D.WAITING,
}


@dataclass(frozen=True)
class Message:
    """`at` is an ISO instant: of the event, of several the last one."""

    type: str
    at: str
    data: Mapping[str, Any]

    def body(self) -> str:
        text = canonical_text({"type": self.type, "timestamp": self.at, "data": dict(self.data)})
        assert len(text.encode()) <= MAX_BODY  # ids and counts
        return text


@dataclass(frozen=True)
class Reply:
    """What came of a call: no status where nobody answered; `problem` is "" where the message was taken."""

    status: int | None = None
    said: str = ""
    problem: str = ""
    asks_to_wait: int = 0

    @property
    def is_taken(self) -> bool:
        return not self.problem

    @property
    def wants_no_more(self) -> bool:
        return self.status == GONE


def secret_of(drawn: bytes) -> str:
    """As receivers are given it."""
    return f"whsec_{base64.b64encode(drawn).decode()}"


def signature(secret: str, *, id: str, timestamp: int, body: str) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"


def headers_of(secrets: Sequence[str], *, id: str, timestamp: int, body: str) -> dict[str, str]:
    """By each secret that counts, so that a receiver may change theirs when it likes."""
    return {
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, id=id, timestamp=timestamp, body=body) for secret in secrets),
    }


def next_wait(tries: int, waited: float, asks: int = 0) -> float | None:
    """Seconds until the next try, after so many and so long; None: it is given up."""
    if tries > len(WAITS) or waited >= LONGEST_TRIED:
        return None
    return max(WAITS[tries - 1], min(asks, LONGEST_ASKED))


def problem_of(status: int) -> str:
    """ "" for what counts as taken."""
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"It answered {status}: redirects are not followed."
    if status == GONE:
        return "It answered 410: it wants no more."
    return f"It answered {status}."


def shown(text: bytes) -> str:
    """The beginning of an answer, as far as it may stand on a page."""
    plain = (letter if letter.isprintable() else " " for letter in text.decode("utf-8", "replace"))
    return "".join(plain)[:MAX_SAID]
