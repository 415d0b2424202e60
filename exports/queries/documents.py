"""Releases and runs as the API tells them."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.urls import reverse

from annotator.models import Job
from annotator.queries.jobs import job_line
from exports.domain.bootstrap import DRAWS, SEED, Difference
from exports.domain.comparing import Compared, Place
from exports.domain.runs import FIGURES
from exports.models import Release, RunSentence, SystemRun
from exports.queries.leaderboard import Leaderboard, Line, leaderboard_head
from exports.queries.releases import changed_since_built

MOST_TOLD = 1_000  # differences of each kind


def release_line(release: Release) -> dict[str, Any]:
    names = ("uuid", "number", "title", "kind", "state", "date", "made_at", "built_at", "frozen_at", "withdrawn_why")
    return {
        **{name: getattr(release, name) for name in (*names, "splits", "sha256", "bytes")},
        "project": release.project.slug,
        "made_by": release.made_by.name if release.made_by else None,
        "permalink": reverse("release", args=[release.project.slug, release.number]),
    }


def release_document(release: Release) -> dict[str, Any]:
    """Before it is frozen what is to be known, after it what it is."""
    counts, asked = release.counts, release.settings
    took = counts.get("examined_ms")
    return {
        **release_line(release),
        **{name: getattr(release, name) for name in ("version", "name", "notes")},
        "merge": release.merge.uuid if release.merge else None,
        "settings": asked | {"sizes": [{"split": name, "size": size} for name, size in asked["sizes"]]},
        "counts": dict(release.by_split),
        "left_out": counts.get("left_out", {}),
        "decisions": counts.get("decisions"),
        "warnings": [row | {"is_ticked": row["code"] in release.ticked} for row in release.warnings],
        "doctor": {
            "findings": release.findings,
            "looked_at": counts.get("looked_at", {}),
            "seconds": None if took is None else took / 1000,
        },
        "deviations": [
            row | {"split": row["name"], "deviation": row["got"] - row["asked"]} for row in counts.get("shares", [])
        ],
        "strata": counts.get("strata", []),
        "newer": changed_since_built(release) if release.is_draft and release.sha256 else [],
        "files": counts.get("files", []),
        "is_here": bool(release.sha256) and release.path.exists(),
        "job": _job_told(release.job),
    }


def _job_told(job: Job | None) -> dict[str, Any] | None:
    if job is None:
        return None
    line = job_line(job)
    return {"uuid": job.uuid, "state": line.state, "percent": line.percent, "message": line.says}


def begun_document(release: Release) -> dict[str, Any]:
    """With the job that builds it."""
    return {**_work_on(release.job), "release": release_document(release)}


def submitted_document(run: SystemRun) -> dict[str, Any]:
    """With the job that scores it."""
    return {**_work_on(run.job), "run": run_document(run)}


def _work_on(job: Job | None) -> dict[str, Any]:
    return {"job": job.uuid if job else None, "state": job.state if job else None}


def compared_document(before: Release, after: Release, found: Compared) -> dict[str, Any]:
    kinds = ("passages_added", "passages_gone", "added", "gone", "changed")
    return {
        "before": before.uuid,
        "after": after.uuid,
        "counts": {kind: len(getattr(found, kind)) for kind in kinds},
        "passages_added": found.passages_added[:MOST_TOLD],
        "passages_gone": found.passages_gone[:MOST_TOLD],
        "added": [_placed(place, quote) for place, quote in found.added[:MOST_TOLD]],
        "gone": [_placed(place, quote) for place, quote in found.gone[:MOST_TOLD]],
        "changed": [
            _placed(place, quote) | {"before": one, "after": two}
            for place, quote, one, two in found.changed[:MOST_TOLD]
        ],
    }


def _placed(place: Place, quote: str) -> dict[str, Any]:
    return dict(zip(("passage", "start", "end"), place, strict=True)) | {"quote": quote}


def run_line(run: SystemRun) -> dict[str, Any]:
    names = ("uuid", "split", "system", "state", "at", "url", "sha256", "bytes", "scores")
    return {
        **{name: getattr(run, name) for name in names},
        "version": run.system_version,
        "project": run.release.project.slug,
        "release": {name: getattr(run.release, name) for name in ("uuid", "number", "sha256")},
        "by": run.by.name if run.by else None,
        "permalink": reverse("run", args=[run.release.project.slug, run.uuid]),
    }


def run_document(run: SystemRun) -> dict[str, Any]:
    return {
        **run_line(run),
        "description": run.description,
        "counts": run.counts,
        "problems": run.errors,
        "job": _job_told(run.job),
    }


def against_document(one: SystemRun, two: SystemRun, found: dict[str, Difference]) -> dict[str, Any]:
    names = ("one", "two", "difference", "interval", "p", "left_out")
    figures = {key: {name: getattr(row, name) for name in names} for key, row in found.items()}
    return {"one": one.uuid, "two": two.uuid, "draws": DRAWS, "seed": SEED, "figures": figures}


def leaderboard_document(found: Leaderboard, seen: Iterable[int]) -> dict[str, Any]:
    """`seen`: the runs that whoever asks may look at; of others only the figures are told."""
    known = set(seen)
    lines, people = ([_leaderboard_line(line, known) for line in rows] for rows in (found.lines, found.people))
    return {**leaderboard_head(found), "systems": lines, "people_on_golds_of_the_others": people}


def _leaderboard_line(line: Line, seen: Container[int]) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "system": line.title,
        "version": line.version,
        "figures": {figure.key: line.figures.get(figure.key) for figure in FIGURES},
        "recall": line.recall,
        "runs": line.times or None,
        "run": line.run.uuid if line.run and line.run.pk in seen else None,
        "scored_at": line.run.at if line.run else None,
    }


def error_documents(
    rows: Sequence[RunSentence], types: Mapping[int, str], passages: Mapping[str, UUID]
) -> list[dict[str, Any]]:
    """Gold beside the system, whole: spans count code points of the text."""
    return [
        {
            "sentence": row.external_id,
            "passage": passages.get(row.external_id),
            "text": row.content["text"],
            **{name: getattr(row, name) for name in ("missed", "spurious", "other")},
            "gold": [
                {
                    "span": item["span"],
                    "type": types.get(item["type"], str(item["type"])),
                    "suggestions": [{"text": text, "votes": votes} for text, votes in item["suggestions"]],
                }
                for item in row.content["gold"]
            ],
            "system": row.content["system"],
        }
        for row in rows
    ]
