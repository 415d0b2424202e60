"""Files that are sent: kept in the data folder under names of our own, readable by nobody else, never served."""

import errno
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO, NoReturn
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload

from annotator.domain.errors import Conflict, Refused, TooLarge

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


def keep(source: BinaryIO, *, most: int | None = None) -> KeptFile:
    kept = KeptFile(most=most)
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
            raise DiskFull("The disk of this Assay is full: nothing was taken in. Tell its operator.") from None
        raise DiskFull(f"The file cannot be kept ({error.strerror}): nothing was taken in.") from None


def folder() -> Path:
    return Path(settings.DATA_DIR / "uploads")


def path_of(uuid: UUID) -> Path:
    return folder() / uuid.hex


def forget(uuid: UUID) -> None:
    with suppress(OSError):
        path_of(uuid).unlink(missing_ok=True)


def older_than(age: timedelta) -> list[UUID]:
    """What lies in the folder for so long, by its own time."""
    before, found = time.time() - age.total_seconds(), []
    with suppress(OSError):
        for path in folder().iterdir():
            with suppress(OSError, ValueError):
                if path.stat().st_mtime < before:
                    found.append(UUID(hex=path.name))
    return found


class KeptUpload:
    """What a form finds among the request's files; it goes with the request unless somebody takes it."""

    def __init__(self, file: KeptFile, name: str) -> None:
        self.file, self.name, self.size, self.is_taken = file, name, file.size, False

    def take(self) -> KeptFile:
        self.is_taken = True
        return self.file

    def close(self) -> None:
        """Django closes the files of a request at its end."""


class KeepFiles(FileUploadHandler):
    """Takes files straight into the folder as they stream in, one or so many; what is too large or does not fit is
    refused at once. Afterwards `kept` is what was kept, or `refusal` says why nothing was."""

    def __init__(self, most: int, *, files: int = 1) -> None:
        super().__init__()
        self.most, self.files = most, files
        self.kept: list[KeptFile] = []
        self.uploads: list[KeptUpload] = []
        self.refusal: Refused | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if len(self.kept) >= self.files:
            told = "Send one file at a time." if self.files == 1 else f"Send {self.files} files at the most."
            self._stop(Conflict(told, code="one_file"))
        try:
            self.kept.append(KeptFile(most=self.most))
        except Refused as refusal:
            self._stop(refusal)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        try:
            self.kept[-1].write(raw_data)
        except Refused as refusal:
            self._stop(refusal)

    def file_complete(self, file_size: int) -> Any:
        try:
            self.kept[-1].close()
        except Refused as refusal:
            self._stop(refusal)
        self.uploads.append(KeptUpload(self.kept[-1], self.file_name or ""))
        return self.uploads[-1]

    def upload_interrupted(self) -> None:
        for kept in self.kept:
            kept.discard()
        self.kept, self.uploads = [], []

    def forget_unused(self) -> None:
        taken = {upload.file.uuid for upload in self.uploads if upload.is_taken}
        for kept in self.kept:
            if kept.uuid not in taken:
                kept.discard()

    def _stop(self, refusal: Refused) -> NoReturn:
        self.refusal = refusal
        self.upload_interrupted()
        raise StopUpload(connection_reset=True)
