"""The one file of a release: a ZIP whose bytes depend on nothing but what is in it.

Stored, not compressed (deflate differs between builds of zlib), fixed dates and modes, names in order.
"""

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

CHUNK = 1 << 20  # bytes read at once
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment a ZIP can name
MODE = 0o644 << 16
UNIX = 3


@dataclass(frozen=True)
class FileFacts:
    name: str
    bytes: int
    sha256: str
    holds: str = ""  # in words

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "bytes": self.bytes, "sha256": self.sha256, "holds": self.holds}


def facts_of(path: Path, holds: str = "") -> FileFacts:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while some := file.read(CHUNK):
            digest.update(some)
            size += len(some)
    return FileFacts(path.name, size, digest.hexdigest(), holds)


def sums_of(files: Sequence[FileFacts]) -> str:
    """As `sha256sum -c` reads it."""
    return "".join(f"{item.sha256}  {item.name}\n" for item in sorted(files, key=lambda item: item.name))


def write_bundle(target: IO[bytes], folder: str, paths: Sequence[Path]) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=True) as bundle:
        for path in sorted(paths, key=lambda path: path.name):
            info = zipfile.ZipInfo(f"{folder}/{path.name}", EPOCH)
            info.external_attr, info.create_system, info.compress_type = MODE, UNIX, zipfile.ZIP_STORED
            info.file_size = path.stat().st_size
            with path.open("rb") as source, bundle.open(info, "w") as entry:
                while some := source.read(CHUNK):
                    entry.write(some)
