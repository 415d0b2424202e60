"""Backup and restore of the whole house: one file that either engine can be filled from.

A ZIP of one JSON-lines file per table (the first line names the columns), the files of the data folder, and a manifest
with the count and hash of each. Everything is read from one moment, and nobody's save waits for it.
"""

import base64
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import IntegrityError, connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.base import Model
from django.db.models.functions import Now

from annotator.database import migrate
from annotator.domain.errors import Conflict, Invalid, Problem
from annotator.models import Job

# Whatever the standard library says about an archive that is damaged, or none.
UNREADABLE = (
    *(OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error),
    *(LookupError, ValueError, TypeError, AttributeError, ValidationError),
)
FORMAT, FORMAT_VERSION = "assay-backup", 1
BATCH = 2000  # rows read at a time
WRITE_BATCH = 500
Progress = Callable[[int, int], None]
# Made by `migrate` or of the moment: whoever was signed in signs in again.
LEFT_OUT_APPS = {"auth", "contenttypes", "sessions"}
LEFT_OUT = {f"annotator.{name}" for name in ("loginattempt", "worker", "upload", "preview", "signin", "idempotencykey")}


def tables() -> list[type[Model]]:
    found = [model for model in apps.get_models(include_auto_created=True) if _is_backed_up(model)]
    return sorted(found, key=lambda model: model._meta.label_lower)


def _is_backed_up(model: type[Model]) -> bool:
    meta = model._meta
    return meta.managed and meta.app_label not in LEFT_OUT_APPS and meta.label_lower not in LEFT_OUT


def applied_migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


@contextmanager
def _one_moment() -> Iterator[str]:
    """The alias of a connection on which all reads see the same moment, whatever is saved meanwhile."""
    alias = "snapshot"
    moment = connection.copy(alias)
    options = moment.settings_dict["OPTIONS"]
    options.pop("transaction_mode", None)  # SQLite: a reader that does not make writers wait
    if connection.vendor == "postgresql":
        from psycopg import IsolationLevel

        options["isolation_level"] = IsolationLevel.REPEATABLE_READ
    connections[alias] = moment
    try:
        with transaction.atomic(using=alias):
            yield alias
    finally:
        moment.close()
        del connections[alias]


def back_up(target: Path, *, progress: Progress = lambda done, total: None) -> dict[str, Any]:
    """Write the archive; the file appears under its name only when it is whole."""
    half_done = target.with_name(f".{target.name}.part")
    try:
        half_done.unlink(missing_ok=True)
        with open(os.open(half_done, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                manifest = _fill(archive, progress)
            file.flush()
            os.fsync(file.fileno())
        os.link(half_done, target)  # refuses to overwrite what came there meanwhile
    except OSError as error:
        raise Conflict(f"{target} cannot be written: {error.strerror or error}.", code="disk") from error
    finally:
        with suppress(OSError):
            half_done.unlink()
    return manifest


def _fill(archive: zipfile.ZipFile, progress: Progress) -> dict[str, Any]:
    described, done = [], 0
    with _one_moment() as alias:
        total = sum(model._base_manager.using(alias).count() for model in tables())
        for model in tables():
            digest, rows = hashlib.sha256(), 0
            with archive.open(f"tables/{model._meta.label_lower}.jsonl", "w", force_zip64=True) as entry:
                for line in _lines(model, alias):
                    entry.write(line)
                    digest.update(line)
                    rows += 1
                    if rows % BATCH == 0:
                        progress(done + rows - 1, total)  # without the line of names
            rows -= 1
            done += rows
            described.append({"table": model._meta.label_lower, "rows": rows, "sha256": digest.hexdigest()})
            progress(min(done, total), total)
    manifest = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "made_at": datetime.now(UTC).isoformat(),
        "migrations": applied_migrations(),
        "tables": described,
        "files": _put_files(archive),
    }
    archive.writestr("manifest.json", json.dumps(manifest, indent=1))
    return manifest


def _put_files(archive: zipfile.ZipFile) -> list[dict[str, Any]]:
    described = []
    for path in sorted(p for p in settings.MEDIA_ROOT.rglob("*") if p.is_file()):
        name = path.relative_to(settings.MEDIA_ROOT).as_posix()
        data = path.read_bytes()
        archive.writestr(f"files/{name}", data)
        described.append({"file": name, "sha256": hashlib.sha256(data).hexdigest()})
    return described


def _lines(model: type[Model], alias: str) -> Iterator[bytes]:
    names = [field.attname for field in model._meta.concrete_fields]
    yield json.dumps(names).encode() + b"\n"
    rows = model._base_manager.using(alias).order_by("pk").values_list(*names)
    for row in rows.iterator(chunk_size=BATCH):
        yield json.dumps(row, ensure_ascii=False, default=_plain).encode() + b"\n"


def _plain(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()  # as the field reads it again
    return value.isoformat() if isinstance(value, datetime) else str(value)


def restore(source: Path, *, progress: Progress = lambda done, total: None) -> dict[str, Any]:
    """Fill an empty database, whole or not at all."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _checked_manifest(archive)
            then = _as_it_was(manifest)
            if applied_migrations():
                _check_empty(tables())  # before anything is migrated
            _check_not_later(manifest)
            MigrationExecutor(connection).migrate(then.leaves)
            known = then.tables
            with transaction.atomic():
                _check_empty(known.values())
                _load(archive, manifest, known, progress)
                _restore_files(archive, manifest)  # last: a full disk takes the rows back too
            migrate()
            _settle_jobs()
    except UNREADABLE as error:
        raise _unreadable(f"“{source}” cannot be read as a backup ({error}).") from None
    except IntegrityError as error:
        raise _unreadable(f"The backup does not fit together ({str(error).splitlines()[0]}).") from None
    return manifest


def _unreadable(message: str) -> Invalid:
    return Invalid([Problem("backup", message)])


def _checked_manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Every byte is looked at before the first row is written."""
    manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
    if (manifest.get("format"), manifest.get("version")) != (FORMAT, FORMAT_VERSION):
        raise _unreadable("This is not a backup that this Assay can read.")
    for item in manifest["files"]:
        _target_of(item["file"])
    entries = [(f"tables/{item['table']}.jsonl", item["sha256"]) for item in manifest["tables"]]
    entries += [(f"files/{item['file']}", item["sha256"]) for item in manifest["files"]]
    for name, expected in entries:
        with archive.open(name) as entry:
            if _hash_of(entry) != expected:
                raise _unreadable(f"The backup is damaged: {name} is not what it was.")
    return manifest


def _hash_of(entry: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := entry.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


@dataclass(frozen=True)
class Then:
    """The version a backup was made by: its last migrations, and its tables by name."""

    leaves: list[tuple[str, str]]
    tables: dict[str, type[Model]]


def _as_it_was(manifest: dict[str, Any]) -> Then:
    """This version, or one before, which is brought up to date once it is filled."""
    loader = MigrationExecutor(connection).loader
    theirs = set(manifest["migrations"])
    if unknown := sorted(theirs - {f"{app}.{name}" for app, name in loader.graph.nodes}):
        raise Conflict(
            f"The backup was made by a later version of Assay (it has {unknown[0]}). Restore it with that version.",
            code="version",
        )
    nodes = [(app, name) for app, name in loader.graph.nodes if f"{app}.{name}" in theirs]
    leaves = [node for node in nodes if not any(child.key in nodes for child in loader.graph.node_map[node].children)]
    models_then = loader.project_state(leaves).apps.get_models(include_auto_created=True)
    known = {model._meta.label_lower: model for model in models_then if _is_backed_up(model)}
    if {item["table"] for item in manifest["tables"]} != set(known):
        raise _unreadable("The backup does not hold the tables of its version of Assay.")
    return Then(leaves, known)


def _check_not_later(manifest: dict[str, Any]) -> None:
    if later := sorted(set(applied_migrations()) - set(manifest["migrations"])):
        raise Conflict(
            f"The database is empty, but of a later version than the backup (it has {later[0]}): give a new one.",
            code="version",
        )


def _check_empty(models_: Iterable[type[Model]]) -> None:
    there = connection.introspection.table_names()
    known = [model for model in models_ if model._meta.db_table in there]
    has_files = settings.MEDIA_ROOT.exists() and any(settings.MEDIA_ROOT.iterdir())
    if has_files or any(model._base_manager.exists() for model in known):
        raise Conflict(
            "The database is not empty, and a restore never overwrites: give an empty one (DATABASE_URL, or a new "
            "ASSAY_DATA_DIR).",
            code="not_empty",
        )


def _load(
    archive: zipfile.ZipFile, manifest: dict[str, Any], known: dict[str, type[Model]], progress: Progress
) -> None:
    total, done = sum(item["rows"] for item in manifest["tables"]), 0
    for item in manifest["tables"]:
        model = known[item["table"]]
        with archive.open(f"tables/{item['table']}.jsonl") as entry:
            names = json.loads(entry.readline())
            fields = [model._meta.get_field(name) for name in names]
            batch: list[Model] = []
            for line in entry:
                batch.append(_row(model, fields, json.loads(line)))
                done += 1
                if len(batch) == WRITE_BATCH:
                    model._base_manager.bulk_create(batch)
                    batch = []
                    progress(done, total)
            model._base_manager.bulk_create(batch)
        if model._base_manager.count() != item["rows"]:
            raise _unreadable(f"The backup says that {item['table']} has {item['rows']:,} rows, and it has not.")
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(known.values())):
            cursor.execute(statement)
    progress(total, total)


def _settle_jobs() -> None:
    """Whoever was working on them is not here: the projects' jobs wait again, the old house's own are over."""
    free = {"holder": None, "lease_until": None}
    message = "Not finished when the backup was made."
    Job.objects.filter(project=None).move("cancel", ended_at=Now(), message=message, **free)
    Job.objects.running().move("give back", **free)


def _row(model: type[Model], fields: list[Any], values: list[Any]) -> Model:
    given = {}
    for field, value in zip(fields, values, strict=True):
        is_document = isinstance(field, models.JSONField) or value is None
        given[field.attname] = value if is_document else field.to_python(value)
    return model(**given)


def _restore_files(archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    for item in manifest["files"]:
        target = _target_of(item["file"])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(archive.read(f"files/{item['file']}"))


def _target_of(name: str) -> Path:
    target: Path = (settings.MEDIA_ROOT / name).resolve()
    if not target.is_relative_to(settings.MEDIA_ROOT.resolve()):
        raise _unreadable(f"The backup names a file outside its folder: {name}.")
    return target
