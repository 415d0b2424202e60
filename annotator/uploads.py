"""Files that were sent: kept in the data folder under names of our own, readable by nobody else, never served."""

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import UUID, uuid4

from django.conf import settings

from annotator.domain.errors import Conflict, TooLarge

MAX_UPLOAD = 100_000_000  # bytes, from a browser
PIECE = 1 << 20


class DiskFull(Conflict):
    code = "disk_full"


class KeptFile:
    """A file as it comes, piece by piece; `discard` leaves nothing behind."""

    def __init__(self, *, most: int | None = None) -> None:
        self.uuid, self.most, self.size = uuid4(), most, 0
        self.digest = hashlib.sha256()
        with _disk_errors():
            folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            self.file = os.fdopen(os.open(path_of(self.uuid), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")

    def write(self, piece: bytes) -> None:
        self.size += len(piece)
        try:
            if self.most is not None and self.size > self.most:
                raise TooLarge.of("too_large", f"The file is larger than {self.most // 1_000_000} MB.")
            with _disk_errors():
                self.file.write(piece)
        except BaseException:
            self.discard()
            raise
        self.digest.update(piece)

    def close(self) -> None:
        try:
            with _disk_errors():
                self.file.flush()
                os.fsync(self.file.fileno())
                self.file.close()
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        with suppress(OSError):
            self.file.close()
        forget(self.uuid)

    @property
    def sha256(self) -> str:
        return self.digest.hexdigest()


def keep(source: BinaryIO) -> KeptFile:
    kept = KeptFile()
    try:
        while piece := source.read(PIECE):
            kept.write(piece)
    except BaseException:
        kept.discard()
        raise
    kept.close()
    return kept


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull("The disk of this Assay is full: nothing was imported. Tell its operator.") from None
        raise DiskFull(f"The file cannot be kept ({error.strerror}): nothing was imported.") from None


def folder() -> Path:
    return Path(settings.DATA_DIR / "uploads")


def path_of(uuid: UUID) -> Path:
    return folder() / uuid.hex


def forget(uuid: UUID) -> None:
    with suppress(OSError):
        path_of(uuid).unlink(missing_ok=True)
