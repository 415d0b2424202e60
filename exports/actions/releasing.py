"""Releases: drafted, built as often as one likes, frozen once, withdrawn with a reason."""

import datetime
import shutil
import time
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from adjudication.models import Merge, MergeInput
from adjudication.queries.merges import current_merge
from annotator.actions.jobs import _enqueue
from annotator.actions.log import locked, write
from annotator.actions.running import Result, Run, work_here
from annotator.bulk import BATCH
from annotator.domain.errors import Conflict, Invalid, Stale
from annotator.domain.jobs import JobKind, JobState
from annotator.domain.lengths import MAX_NOTE_LENGTH
from annotator.domain.text import is_blank, line_problems
from annotator.models import Job, Passage, Project, User
from exports.actions.building import Watch, _Build
from exports.actions.workshop import _folder, _put_together, _workshop
from exports.domain.bundle import facts_of
from exports.domain.releases import (
    MOST_SEED,
    ReleaseSettings,
    ReleaseState,
    check_words,
    checked_card,
    checked_sizes,
    moved,
)
from exports.models import Card, Release
from exports.permissions import check_can_release
from exports.queries.examining.projects import examine_project
from exports.queries.releases import FREEZES, freezing, ids_of


@transaction.atomic
def draft_release(
    project: Project,
    *,
    by: User | None,
    date: datetime.date,
    settings: ReleaseSettings,
    name: str = "",
    notes: str = "",
) -> Release:
    """A draft with the next number; of a project that has one, that draft with these settings."""
    check_can_release(by, project)
    check_words(name, notes)
    held = locked(project)
    placed = set(held.passages.exclude(split="").values_list("split", flat=True).distinct())
    _check_settings(settings, placed)
    _check_splits_stay(settings, placed)
    draft = Release.objects.of(project).drafts().select_for_update(of=("self",)).first()
    merge = _pinned(held)
    told = {"name": name, "notes": notes, "date": date, "settings": settings.as_dict(), "merge": merge}
    if draft is not None:
        _check_not_freezing(draft)
        draft.project = held
        before = draft.merge
        write(draft, "release.changed", by=by, changes={**told, "sha256": "", "built_at": None})
        _unpin(before)
        return draft
    number = (Release.objects.of(project).aggregate(last=Max("number"))["last"] or 0) + 1
    draft = Release.objects.create(project=held, number=number, made_by=by, **told)
    write(draft, "release.drafted", by=by, payload={"number": number})
    return draft


def _check_settings(settings: ReleaseSettings, placed: set[str]) -> None:
    checked_sizes(settings.sizes, placed=placed)
    if not 0 <= settings.seed <= MOST_SEED:
        raise Invalid.of("seed", f"The seed is a whole number from 0 to {MOST_SEED:,}.", "seed")


def _check_splits_stay(settings: ReleaseSettings, placed: set[str]) -> None:
    """What an earlier release placed never moves, so its splits are in every later one; others may come."""
    if gone := sorted(placed - {name for name, _ in settings.sizes}):
        message = (
            f"Passages are in {' and '.join(gone)} since an earlier release, and stay there: keep "
            f"{'this split' if len(gone) == 1 else 'these splits'} beside new ones."
        )
        raise Invalid.of("sizes", message, "sizes")


def _pinned(project: Project) -> Merge:
    """The current merge, kept from now on."""
    merge = current_merge(project)
    if merge is None:
        raise Conflict("There is no merge yet: merge first.", code="no_merge")
    if not MergeInput.objects.filter(merge=merge).exists():
        raise Conflict("This merge was made by an earlier version: merge again first.", code="old_merge")
    if not Merge.objects.finished().filter(pk=merge.pk).update(is_pinned=True):
        raise Conflict("Another merge took the place of this one: try again.", code="overtaken")
    return merge


def _unpin(merge: Merge | None) -> None:
    if merge is not None and not Release.objects.filter(merge=merge).exists():
        Merge.objects.filter(pk=merge.pk).update(is_pinned=False)


def ask_to_build(release: Release, *, by: User | None, is_rung: bool = True) -> Job:
    """A job: what comes of it stands in the draft."""
    check_can_release(by, release.project)
    moved(release.state, "build")
    with transaction.atomic():
        _check_not_freezing(release)
        params = {"release": str(release.uuid)}
        job = _enqueue(BUILD.name, by=by, project=release.project, params=params, is_rung=is_rung)
        Release.objects.filter(pk=release.pk).update(job=job)
    return job


def build_release(release: Release, *, by: User | None, watch: Watch = lambda done, total: None) -> Release:
    """The same in this process."""
    job = ask_to_build(release, by=by, is_rung=False)
    work_here(job.pk, BUILD.work, watch=watch)
    release.refresh_from_db()
    return release


def _work(run: Run) -> Result:
    release = Release.objects.select_related("project", "merge").get(uuid=run.job.params["release"])
    moved(release.state, "build")
    started = timezone.now()
    with transaction.atomic():
        held = locked(release.project)
        merge, before = _pinned(held), release.merge
        if before != merge:
            Release.objects.filter(pk=release.pk).update(merge=merge)
            _unpin(before)
    merge.project = release.project
    begun = time.monotonic()
    examined = examine_project(release.project, lambda done, total: run.progress(done=0, total=0))
    findings = [f"{found.check}: {problem}" for found in examined for problem in found.problems]
    looked_at = {found.check: found.looked_at for found in examined}
    examined_ms = round(1000 * (time.monotonic() - begun))
    with _workshop(release) as folder:
        told = _Build(release, merge, folder, lambda done, total: run.progress(done=done, total=total)).run()
        zipped, facts = _put_together(release, folder)
        changes = {
            **told,
            "findings": findings[:1000],
            "merge": merge,
            "sha256": facts.sha256,
            "bytes": facts.bytes,
            "built_at": timezone.now(),
            "took_ms": int(1000 * (timezone.now() - started).total_seconds()),
        }
        changes["counts"] |= {"looked_at": looked_at, "examined_ms": examined_ms}
        with run.step(done=1, total=1):
            release = Release.objects.select_for_update(of=("self",)).select_related("project").get(pk=release.pk)
            _check_not_freezing(release)
            moved(release.state, "build")
            payload = {"input": told["input_hash"], "sha256": facts.sha256}
            write(release, "release.built", by=run.job.asked_by, payload=payload, changes=changes)
            # Last, and under the row's lock: nobody can have frozen the file that this one takes the place of.
            zipped.replace(release.path)
    return {"release": str(release.uuid), "sha256": facts.sha256, "findings": len(findings)}


def freeze_release(release: Release, *, by: User | None, version: int, ticked: Sequence[str]) -> Release:
    """What was built and looked at is the release from now on. Every warning was ticked; a finding blocks."""
    check_can_release(by, release.project)
    moved(release.state, "freeze")
    if release.version != version:
        raise Stale("This draft has changed since you looked.", stored={"version": release.version})
    _check_can_freeze(release, ticked)
    with transaction.atomic():
        if not Release.objects.select_for_update().filter(pk=release.pk, version=version).exists():
            raise Stale("This draft has changed since you looked.", stored={"version": release.version})
        params = {"release": str(release.uuid), "ticked": sorted(ticked), "sha256": release.sha256}
        job = _enqueue(FREEZE.name, by=by, project=release.project, params=params, is_rung=False)
    work_here(job.pk, FREEZE.work)
    release.refresh_from_db()
    return release


def _check_not_freezing(release: Release) -> None:
    if freezing(release).exists():
        raise Conflict("This draft is being frozen. If that was broken off, freeze it again.", code="freezing")


def _check_can_freeze(release: Release, ticked: Sequence[str]) -> None:
    if not release.sha256:
        raise Conflict("This draft was not built yet.", code="not_built")
    if release.findings:
        raise Conflict(f"The doctor has found something: {release.findings[0]}.", code="doctor")
    wanted = {warning["code"]: warning["text"] for warning in release.warnings}
    if open_ := [text for code, text in wanted.items() if code not in ticked]:
        raise Conflict(f"Not ticked yet: {'; '.join(open_)}.", code="not_ticked")
    if not release.path.exists() or facts_of(release.path).sha256 != release.sha256:
        raise Conflict("The file of this draft is not here as it was built: build it again.", code="not_built")


def _freeze(run: Run) -> Result:
    """Splits are written in short batches, then one UPDATE. Begun again after a crash, it goes on."""
    release = Release.objects.select_related("project").get(uuid=run.job.params["release"])
    if not release.is_draft:
        return {"release": str(release.uuid)}
    if release.sha256 != run.job.params["sha256"]:
        raise Conflict("This draft was built anew meanwhile: look at it again.", code="overtaken")
    placed = ids_of(release)
    total, done = sum(map(len, placed.values())), 0
    for split, names in placed.items():
        for start in range(0, len(names), BATCH):
            batch = names[start : start + BATCH]
            done += len(batch)
            with run.step(done=done, total=total):
                _place(release, split, batch)
    with run.step(done=total, total=total):
        release = Release.objects.select_for_update(of=("self",)).select_related("project").get(pk=release.pk)
        if not release.is_draft:
            return {"release": str(release.uuid)}  # somebody else has gone on with it, too
        changes = {
            "state": moved(release.state, "freeze"),
            "frozen_at": timezone.now(),
            "ticked": run.job.params["ticked"],
        }
        write(release, "release.frozen", by=run.job.asked_by, payload={"sha256": release.sha256}, changes=changes)
    return {"release": str(release.uuid)}


def _place(release: Release, split: str, names: Sequence[str]) -> None:
    Passage.objects.filter(project=release.project, external_id__in=names, split="").update(split=split)


@transaction.atomic
def withdraw_release(release: Release, *, by: User | None, version: int, why: str) -> Release:
    """It keeps its number and its file, and says why it should not be used any more."""
    check_can_release(by, release.project)
    why = why.replace("\r\n", "\n").strip()
    if is_blank(why):
        raise Invalid.of("why", "Say why it is withdrawn.", "why")
    if problems := line_problems(why, what="The reason", path="why", most=MAX_NOTE_LENGTH):
        raise Invalid(problems)
    if release.version != version:
        raise Stale("This release has changed since you looked.", stored={"version": release.version})
    state = moved(release.state, "withdraw")
    write(release, "release.withdrawn", by=by, changes={"state": state, "withdrawn_why": why})
    return release


@transaction.atomic
def drop_draft(release: Release, *, by: User | None) -> None:
    """A draft that nobody wants: its number is free again."""
    check_can_release(by, release.project)
    if release.state != ReleaseState.DRAFT:
        raise Conflict("Only a draft can be dropped: a release is withdrawn.", code=f"release_{release.state}")
    _check_not_freezing(release)
    held = locked(release.project)
    write(held, "release.dropped", by=by, payload={"number": release.number})
    merge, path, folder = release.merge, release.path, _folder(release)
    release.delete()
    _unpin(merge)
    transaction.on_commit(lambda: path.unlink(missing_ok=True))
    transaction.on_commit(lambda: shutil.rmtree(folder, ignore_errors=True))


def change_card(project: Project, *, by: User | None, version: int, values: Mapping[str, Any]) -> Card:
    """What the README of a release says about people, pay and so on; the next build tells it."""
    check_can_release(by, project)
    wanted = checked_card(values)
    with transaction.atomic():
        try:
            card, _ = Card.objects.get_or_create(project=project)
        except IntegrityError:
            raise Conflict("Somebody else fills in the card at this moment: try again.", code="overtaken") from None
        if card.version != version:
            raise Stale("Somebody has changed the card since you looked.", stored={"version": card.version})
        if card.values != wanted:
            write(card, "card.changed", by=by, changes={"values": wanted})
    return card


def _says(state: JobState, result: Mapping[str, Any]) -> str:
    return "Built: look at it, then freeze it." if state == JobState.DONE else ""


def _says_frozen(state: JobState, result: Mapping[str, Any]) -> str:
    return "Frozen." if state == JobState.DONE else ""


BUILD = JobKind("build_release", "Build a release", _work, _says, makes="release")
FREEZE = JobKind(FREEZES, "Freeze a release", _freeze, _says_frozen, can_be_cancelled=False, makes="release")
