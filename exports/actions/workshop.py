"""Where the files of a release are made, until they are whole."""

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from annotator.domain.errors import Conflict
from exports.domain.bundle import FileFacts, facts_of, write_bundle
from exports.models import Release

LEFT_AFTER = 60.0  # seconds: a younger folder may be about to be locked


def _folder(release: Release) -> Path:
    return Path(settings.DATA_DIR / "building" / str(release.uuid))


@contextlib.contextmanager
def _workshop(release: Release) -> Iterator[Path]:
    """A folder of its own, for one at a time: who builds holds a lock on it, which a killed worker lets go of. What
    killed ones left, here and beside it, is gone."""
    folder = _folder(release)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _clear_left(folder)
        with _held(folder):
            _empty(folder)
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise Conflict(f"The release cannot be written: {error.strerror or error}.", code="disk") from error


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    place = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Conflict("This draft is being built just now: wait until that is done.", code="busy") from None
    finally:
        os.close(place)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def _clear_left(own: Path) -> None:
    """Of releases that nobody builds any more; not what somebody has made just now and is about to lock."""
    for folder in own.parent.iterdir():
        with contextlib.suppress(Conflict, OSError):
            if folder != own and folder.stat().st_mtime < time.time() - LEFT_AFTER:
                with _held(folder):
                    shutil.rmtree(folder, ignore_errors=True)


def _put_together(release: Release, folder: Path) -> tuple[Path, FileFacts]:
    """The zip, whole and on the disk."""
    names = [path for path in folder.iterdir() if path.is_file()]
    zipped = folder / "zip"
    with zipped.open("xb") as file:
        write_bundle(file, release.folder, names)
        file.flush()
        os.fsync(file.fileno())
    release.path.parent.mkdir(parents=True, exist_ok=True)
    return zipped, facts_of(zipped)
