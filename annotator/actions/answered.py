"""What was answered to requests that created something; kept for a day. Like sessions, it leaves no events."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotator.domain.errors import Invalid
from annotator.models import IdempotencyKey, User

KEYS_KEPT = timedelta(hours=24)
MOST_KEPT = 64_000  # characters of an answer


@transaction.atomic
def claim_key(user: User, *, key: str, method: str, path: str, digest: str) -> tuple[IdempotencyKey, bool]:
    """The key's row, and whether the request is new: whoever claims it at the same moment waits here for the other to
    end. Call it in the transaction of the act."""
    rows = IdempotencyKey.objects.filter(user=user, key=key)
    rows.filter(at__lt=timezone.now() - KEYS_KEPT).delete()
    row = IdempotencyKey(user=user, key=key, method=method, path=path[:500], body_sha256=digest)
    IdempotencyKey.objects.bulk_create([row], ignore_conflicts=True)
    found = rows.get()
    if (found.method, found.path, found.body_sha256) != (row.method, row.path, row.body_sha256):
        message = "This Idempotency-Key has been used for another request."
        raise Invalid.of("idempotency_key", message, "Idempotency-Key")
    return found, found.status == 0


def keep_answer(row: IdempotencyKey, *, status: int, etag: str, text: str) -> None:
    IdempotencyKey.objects.filter(pk=row.pk).update(status=status, etag=etag, response=text)


def forget_old_keys() -> None:
    IdempotencyKey.objects.filter(at__lt=timezone.now() - KEYS_KEPT).delete()
