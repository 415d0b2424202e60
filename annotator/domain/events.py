"""The hash chain of the event log: each event seals the one before it, per subject."""

from typing import Any

from annotator.domain.canonical import sha256_of


def event_hash(
    *,
    previous: str,
    subject: str,
    subject_id: int,
    seq: int,
    kind: str,
    by_id: int | None,
    at: str,
    payload: dict[str, Any],
) -> str:
    """`at` is an ISO instant in UTC; `previous` is the hash of the event with seq − 1, "" for the first."""
    return sha256_of([previous, subject, subject_id, seq, kind, by_id, at, payload])
