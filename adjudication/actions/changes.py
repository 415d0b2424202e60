"""What a merge changed against the one before it, target by target."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import F

from adjudication.models import Change, Merge, PassageResult, Target
from annotator.actions.running import Run
from annotator.bulk import BATCH
from annotator.domain.text import substitute_key

GONE_LISTED = 1000  # targets that are no more, kept by name with the merge
BEFORE_LISTED = 500  # targets that changed, kept with the votes they had
Span = tuple[int, int]


def _mark_changes(run: Run, merge: Merge) -> dict[str, Any]:
    """How many targets were added, are gone, newly kept, newly dropped, have other votes, or the same votes with other
    types; each of the new merge's is marked, the gone ones are listed. Only passages whose evidence or gold differs are
    looked at."""
    _forget_marks(run, merge)
    before = Merge.objects.of(merge.project).current().exclude(pk=merge.pk).first()
    if before is None:
        return {}
    counts: Counter[str] = Counter()
    gone: list[list[Any]] = []
    had: list[list[Any]] = []
    marked: dict[str, list[int]] = defaultdict(list)
    passages = _differing(before, merge)
    for start in range(0, len(passages), BATCH // 10):
        chunk = passages[start : start + BATCH // 10]
        old, new = _targets(before, chunk), _targets(merge, chunk)
        for key in old.keys() - new.keys():
            gone.append([*key, old[key]["quote"], old[key]["annotators"]])
        for key, target in new.items():
            if change := _change(old.get(key), target, folds=merge.settings["folds_substitutes"]):
                marked[change].append(target["pk"])
                if change != Change.ADDED and len(had) < BEFORE_LISTED:
                    had.append([*key, old[key]["annotators"], _votes(old[key]), old[key]["type"]])
    counts["gone"] = len(gone)
    for change, keys in marked.items():
        counts[change] = len(keys)
        for batch in _batches(keys):
            with run.step(done=run.job.done, total=run.job.total, can_be_lost=True):
                Target.objects.filter(pk__in=batch).update(change=change)
    return {
        **{name: counts[name] for name in (*Change.values, "gone")},
        "gone_targets": sorted(gone)[:GONE_LISTED],
        "votes_before": had,
        "passages": len(passages),
        "before": str(before.uuid),
        "before_at": before.finished_at.isoformat() if before.finished_at else "",
    }


def _forget_marks(run: Run, merge: Merge) -> None:
    """Of a worker that was killed: the merge before may be another one by now."""
    marked = Target.objects.filter(merge=merge).exclude(change="").order_by("pk")
    while keys := list(marked.values_list("pk", flat=True)[:BATCH]):
        with run.step(done=run.job.done, total=run.job.total):
            Target.objects.filter(pk__in=keys).update(change="")


def _differing(before: Merge, merge: Merge) -> list[int]:
    """Passages that are new or gone, or of which anything was said otherwise or is kept otherwise."""
    fields = ("passage_id", "evidence", "kept", "verdict")
    old = {row[0]: row[1:] for row in PassageResult.objects.filter(merge=before).values_list(*fields).iterator(5000)}
    found = []
    for passage, *rest in PassageResult.objects.filter(merge=merge).values_list(*fields).iterator(5000):
        if old.pop(passage, None) != tuple(rest):
            found.append(passage)
    return sorted([*found, *old])


def _targets(merge: Merge, passages: list[int]) -> dict[tuple[int, int, int], Mapping[str, Any]]:
    rows = Target.objects.filter(merge=merge, passage__in=passages)
    fields = ("pk", "start", "end", "quote", "annotators", "type", "is_kept", "evidence", "voters", "suggestions")
    return {
        (row["place"], row["start"], row["end"]): row
        for row in rows.annotate(place=F("passage_id")).values("place", *fields)
    }


def _votes(target: Mapping[str, Any]) -> list[list[Any]]:
    return [[item["text"], item["votes"]] for item in target["suggestions"]]


def _voters(target: Mapping[str, Any], *, folds: bool) -> tuple[Any, ...]:
    """Who marked it, and who offered what: all of its evidence but the types."""
    offered = {substitute_key(item["text"], folds=folds): sorted(item["voters"]) for item in target["suggestions"]}
    return sorted(target["voters"]), offered


def _change(old: Mapping[str, Any] | None, new: Mapping[str, Any], *, folds: bool) -> str:
    if old is None:
        return Change.ADDED
    if old["is_kept"] != new["is_kept"]:
        return Change.KEPT if new["is_kept"] else Change.DROPPED
    if old["evidence"] == new["evidence"]:
        return ""
    return Change.RETYPED if _voters(old, folds=folds) == _voters(new, folds=folds) else Change.MOVED


def _batches(keys: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(keys), BATCH):
        yield keys[start : start + BATCH]
