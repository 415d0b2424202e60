"""Gold from elsewhere: SWS JSON becomes a frozen release of its own, against which systems are scored. It brings no
passages into the project's work, and no voters."""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run, work_here
from annotator.domain.canonical import sha256_of
from annotator.domain.errors import Conflict, Invalid
from annotator.domain.formats.reading import counted, whole
from annotator.domain.formats.sws_json import SwsSentence, read_sws_json, write_sws_json
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.lengths import MAX_FILE_NAME_LENGTH
from annotator.models import Job, Project, Upload, User
from annotator.uploads import KeptFile, forget, path_of
from exports.actions.building import VERSION
from exports.actions.workshop import _put_together, _workshop
from exports.domain.bundle import FileFacts, facts_of, sums_of
from exports.domain.foreign import check_foreign, foreign_rows
from exports.domain.releases import ReleaseKind, ReleaseState, check_words, checked_sizes
from exports.domain.rows import SplitCounts, flat_line
from exports.models import Release
from exports.permissions import check_can_release
from exports.queries.runs import type_names

Files = Sequence[tuple[str, str, KeptFile]]  # split, name of the file, the file


def ask_to_import_gold(
    project: Project,
    *,
    by: User | None,
    files: Files,
    date: datetime.date,
    name: str = "",
    is_rung: bool = True,
) -> Job:
    """A job: what comes of it is a frozen release of kind `foreign`."""
    try:
        check_can_release(by, project)
        check_words(name, "")
        checked_sizes([(split, 1) for split, _, _ in files])
        with transaction.atomic():
            told = []
            for split, file_name, file in files:
                Upload.objects.create(uuid=file.uuid, size=file.size)
                told.append([split, file_name[:MAX_FILE_NAME_LENGTH], str(file.uuid), file.sha256])
            params = {"files": told, "date": f"{date}", "name": name}
            return _enqueue(IMPORT_GOLD.name, by=by, project=project, params=params, is_rung=is_rung)
    except BaseException:
        for _, _, file in files:
            file.discard()
        raise


def import_gold(project: Project, *, by: User | None, files: Files, date: datetime.date, name: str = "") -> Release:
    """The same in this process."""
    job = ask_to_import_gold(project, by=by, files=files, date=date, name=name, is_rung=False)
    work_here(job.pk, IMPORT_GOLD.work)
    job.refresh_from_db()
    assert job.result is not None
    return Release.objects.select_related("project").get(uuid=job.result["release"])


def _work(run: Run) -> Result:
    params, project = run.job.params, run.job.project
    assert project is not None
    input_hash = sha256_of({"foreign": [[split, digest] for split, _, _, digest in params["files"]]})
    there = Release.objects.of(project).filter(kind=ReleaseKind.FOREIGN, input_hash=input_hash).first()
    if there is None:
        splits = _read(params["files"])
        check_foreign(splits)
        there = _make(run, project, splits, input_hash)
    for _, _, uuid, _ in params["files"]:
        forget(UUID(uuid))
        Upload.objects.filter(uuid=uuid).delete()
    return {"release": str(there.uuid), "number": there.number}


def _read(files: Sequence[Sequence[str]]) -> dict[str, list[SwsSentence]]:
    found = {}
    for split, name, uuid, _ in files:
        try:
            with path_of(UUID(uuid)).open("rb") as source:
                found[split] = read_sws_json(whole(source))
        except OSError:
            raise Conflict(f"{name} is not here any more: send it again.", code="file_gone") from None
        except Invalid as error:
            raise Invalid([replace(item, message=f"{name}: {item.message}") for item in error.problems]) from None
    return found


def _make(run: Run, project: Project, splits: Mapping[str, Sequence[SwsSentence]], input_hash: str) -> Release:
    params = run.job.params
    number = (Release.objects.of(project).aggregate(last=Max("number"))["last"] or 0) + 1
    sizes = [[split, len(sentences)] for split, sentences in splits.items()]
    release = Release(
        uuid=run.job.uuid,  # tried again after a crash, it writes the same file
        project=project,
        number=number,
        kind=ReleaseKind.FOREIGN,
        state=ReleaseState.FROZEN,
        name=params["name"],
        date=datetime.date.fromisoformat(params["date"]),
        settings={"sizes": sizes, "seed": 0, "with_pos": False},
        input_hash=input_hash,
        made_by=run.job.asked_by,
        job=run.job,
    )
    started = timezone.now()
    with _workshop(release) as folder:
        counts, files = _write_files(release, folder, splits, params["files"])
        zipped, facts = _put_together(release, folder)
        release.counts = {"splits": counts, "shares": [], "strata": [], "left_out": {}, "files": files}
        release.sha256, release.bytes = facts.sha256, facts.bytes
        release.built_at = release.frozen_at = timezone.now()
        release.took_ms = int(1000 * (release.built_at - started).total_seconds())
        with run.step(done=1, total=1):
            held = locked(project)
            if Release.objects.of(held).filter(number__gte=number).exists():
                raise Conflict("Another release was made at this moment: try again.", code="overtaken")
            release.save()
            write(release, "release.imported", by=run.job.asked_by, payload={"sha256": facts.sha256})
            zipped.replace(release.path)
    return release


def _write_files(
    release: Release, folder: Path, splits: Mapping[str, Sequence[SwsSentence]], given: Sequence[Sequence[str]]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    types, lang = type_names(release), release.project.language
    counts, files = {}, []
    for split, sentences in splits.items():
        found = SplitCounts()
        with (folder / f"{split}.jsonl").open("w", encoding="utf-8", newline="") as flat:
            for row in foreign_rows(sentences, types, lang):
                found.count(row)
                flat.write(flat_line(row, split) + "\n")
        (folder / f"{split}.json").write_text("".join(write_sws_json(sentences)), encoding="utf-8", newline="")
        counts[split] = found.as_dict()
        files += [facts_of(folder / f"{split}{end}", counted(len(sentences), "passage")) for end in (".json", ".jsonl")]
    manifest = {
        "format": "assay-release",
        "version": 1,
        "kind": "foreign",
        "project": release.project.slug,
        "name": release.title,
        "number": release.number,
        "date": f"{release.date}",
        "input": release.input_hash,
        "read_from": [{"split": split, "file": name, "sha256": digest} for split, name, _, digest in given],
        "splits": counts,
        "versions": {"assay": VERSION},
        "files": [item.as_dict() for item in _sorted(files)],
    }
    files.append(_text(folder, "README.md", _readme(release, given, counts), "what it is"))
    text = json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    files.append(_text(folder, "manifest.json", text, "where it is from, counts, checksums"))
    files.append(_text(folder, "SHA256SUMS", sums_of(files), counted(len(files), "file")))
    return counts, [item.as_dict() for item in _sorted(files)]


def _sorted(files: Sequence[FileFacts]) -> list[FileFacts]:
    return sorted(files, key=lambda item: item.name)


def _text(folder: Path, name: str, text: str, holds: str) -> FileFacts:
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return facts_of(folder / name, holds)


def _readme(release: Release, given: Sequence[Sequence[str]], counts: Mapping[str, Any]) -> str:
    lines = [
        f"# {release.title}",
        "",
        f"Gold that was made elsewhere, taken in on {release.date} to score systems on.",
        "",
    ]
    for split, name, _, digest in given:
        found = counts[split]
        said = f"{counted(found['sentences'], 'sentence')}, {counted(found['targets'], 'target')}"
        lines.append(f"- `{split}.json`: {said}, read from `{name.replace('`', '')}` (sha256 {digest})")
    lines += ["", "It tells votes, but no voters: voting indexes in persons are not known, and there is no human row."]
    return "\n".join(lines) + "\n"


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    return f"Release {result.get('number')} holds this gold." if state == JobState.DONE else ""


IMPORT_GOLD = JobKind(
    "import_gold", "Take in gold from elsewhere", _work, _says, can_be_cancelled=False, makes="release"
)
