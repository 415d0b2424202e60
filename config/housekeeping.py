"""Jobs of the whole house: backups, and the daily copy of a SQLite database."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models.functions import Now

from annotator.actions.jobs import enqueue
from annotator.actions.running import Result, Run
from annotator.database import COPIES_KEPT, copies, copy_sqlite, sqlite_file
from annotator.domain.errors import Conflict
from annotator.domain.jobs import JobKind, JobState
from annotator.models import Job, User
from config.archive import back_up

DAY = timedelta(days=1)
TRY_AGAIN_AFTER = timedelta(hours=1)  # a full disk is not asked every few seconds


def backup_path(job: Job) -> Path:
    """The job's own: done again after a crash, it leaves one file."""
    folder = settings.DATA_DIR / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    return Path(folder / f"assay-{job.asked_at:%Y%m%dT%H%M%S}-{job.uuid.hex[:8]}.zip")


def back_up_as_job(run: Run) -> Result:
    path = backup_path(run.job)
    path.unlink(missing_ok=True)
    for leftover in path.parent.glob(".assay-*.zip.part"):  # of a worker that was killed
        leftover.unlink(missing_ok=True)
    manifest = back_up(path, progress=lambda done, total: run.progress(done=done, total=total))
    for old in sorted(path.parent.glob("assay-*.zip"))[:-COPIES_KEPT]:
        old.unlink(missing_ok=True)
    return {"file": str(path), "rows": sum(item["rows"] for item in manifest["tables"])}


def copy_as_job(run: Run) -> Result:
    if sqlite_file() is None:
        raise Conflict("There is no SQLite database here to copy.", code="engine")
    try:
        run.progress(done=0, total=1)
        return {"file": str(copy_sqlite("daily"))}
    except OSError as error:
        raise Conflict(str(error), code="disk") from error


def _says_where(state: JobState, result: Mapping[str, Any]) -> str:
    return f"Written to {result['file']}." if state == JobState.DONE else ""


BACK_UP = JobKind("backup", "Back up", back_up_as_job, _says_where)
COPY_DATABASE = JobKind("copy_database", "Copy the database", copy_as_job, _says_where)


def ask_for_daily_copy() -> None:
    """Called with every sweep: cheap, and only SQLite needs it."""
    if sqlite_file() is None or not User.objects.exists():
        return
    newest = copies("daily")[-1:]
    if newest and datetime.now(UTC) - datetime.fromtimestamp(newest[0].stat().st_mtime, UTC) < DAY:
        return
    if not Job.objects.filter(kind="copy_database", asked_at__gt=Now() - TRY_AGAIN_AFTER).exists():
        enqueue("copy_database", by=None)
