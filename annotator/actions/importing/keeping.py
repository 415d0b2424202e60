"""Files that wait under a row of their own before they are imported: looked at in the browser, or sent by a script."""

from django.db import transaction
from django.utils import timezone

from annotator import uploads
from annotator.domain.errors import Conflict
from annotator.models import Arrival, Upload


class _Waiting(uploads.KeptFile):
    """The file of such a row, as an arrival takes it; where it is refused, the row still has it."""

    def __init__(self, upload: Upload, sha256: str) -> None:
        self.uuid, self.size, self._sha256 = upload.uuid, upload.size, sha256

    def discard(self) -> None:
        pass

    @property
    def sha256(self) -> str:
        return self._sha256


def _keep_for(arrival: Arrival, file: uploads.KeptFile) -> None:
    at = timezone.now()
    if not isinstance(file, _Waiting):
        Upload.objects.create(uuid=file.uuid, size=file.size, arrival=arrival, at=at)
    elif not Upload.objects.waiting().filter(uuid=file.uuid).update(arrival=arrival, at=at):
        raise _gone()  # somebody else was quicker, and is done with it by now


def _check_waits(upload: Upload | None) -> Upload:
    if upload is None:
        raise _gone()
    if upload.arrival_id is not None:
        raise Conflict("The file is being taken in already.", code="taken")
    return upload


def _gone() -> Conflict:
    return Conflict("The file is not here any more: it is kept for a day. Send it again.", code="file_gone")


def _forget_waiting(upload: Upload | None) -> None:
    """Unless an arrival has its file now."""
    if upload is not None and Upload.objects.waiting().filter(pk=upload.pk).delete()[0]:
        uuid = upload.uuid
        transaction.on_commit(lambda: uploads.forget(uuid))
