"""What fewer annotators would give: two golds by disjoint groups of k people, compared (method.md 6)."""

import hashlib
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

import numpy as np

from adjudication.domain.agreement.marks import Ints, Marks, Suggestions, Targets, before

DRAWS = 100
MOST_PASSAGES = 2000
DECIMALS = 4


@dataclass(frozen=True)
class Draw:
    """Two golds: the F1 of their kept targets and of their suggestions, and how large they are on average."""

    targets_f1: float | None
    suggestions_f1: float | None
    kept: float
    suggestions: float


def annotator_curve(marks: Marks, *, keep_at: int, seed: str) -> list[dict[str, Any]]:
    """A row for each k up to half of the people who answer a passage. In each draw all people are shuffled; in every
    passage the first k of its annotators make the one gold, the next k the other. Passages with fewer than 2k answers
    are left out, and a k for which that would be most of them. `kept_by_all`: what all their annotators together keep
    of the same passages."""
    targets = Targets.of(marks)
    suggestions = Suggestions.of(marks, targets)
    most = int(marks.answers_of.max(initial=0))
    kept_by_all = targets.annotators >= keep_at
    rows = []
    for k in range(max(keep_at, 1), most // 2 + 1):
        is_in = marks.answers_of >= 2 * k
        if 2 * int(is_in.sum()) < marks.passages:
            break  # the rest is of a few passages only, and would not compare
        draws = [_draw(marks, targets, suggestions, k, keep_at, f"{seed}\x1f{n}") for n in range(DRAWS)]
        figures: dict[str, Any] = {
            "k": k,
            "passages": int(is_in.sum()),
            "answers": round(float(marks.answers_of[is_in].mean()), 1),
            "kept_by_all": int(kept_by_all[is_in[targets.passage]].sum()),
        }
        for name in ("targets_f1", "suggestions_f1", "kept", "suggestions"):
            known = [value for value in (getattr(draw, name) for draw in draws) if value is not None]
            figures[name] = round(fmean(known), DECIMALS) if known else None
            figures[f"{name}_sd"] = round(stdev(known), DECIMALS) if len(known) > 1 else None
        rows.append(figures)
    return rows


def _draw(marks: Marks, targets: Targets, suggestions: Suggestions, k: int, keep_at: int, seed: str) -> Draw:
    side = _sides(marks, k, seed)
    golds = []
    for number in (0, 1):
        of_mark = side[marks.mark_answer] == number
        index = np.bincount(targets.of_mark[of_mark], minlength=targets.count)
        kept = index >= keep_at
        votes = np.bincount(
            suggestions.of_substitute[of_mark[marks.substitute_mark]], minlength=len(suggestions.target)
        )
        golds.append((kept, (votes > 0) & kept[suggestions.target]))
    (kept, offered), (other_kept, other_offered) = golds
    return Draw(
        _f1(kept, other_kept),
        _f1(offered, other_offered),
        (int(kept.sum()) + int(other_kept.sum())) / 2,
        (int(offered.sum()) + int(other_offered.sum())) / 2,
    )


def _sides(marks: Marks, k: int, seed: str) -> Ints:
    """Of each answer: 0 or 1 for the group it is in, 2 for neither."""
    people = int(marks.answer_annotator.max(initial=-1)) + 1
    digest = hashlib.sha256(seed.encode()).digest()
    rank = np.argsort(np.argsort(np.random.Philox(key=int.from_bytes(digest[:16], "little")).random_raw(people)))
    order = np.lexsort((rank[marks.answer_annotator], marks.answer_passage))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - before(marks.answers_of)[marks.answer_passage[order]]
    has_enough = marks.answers_of[marks.answer_passage] >= 2 * k
    return np.where(has_enough, np.minimum(place // k, 2), 2)


def _f1(one: Any, two: Any) -> float | None:
    both, sizes = int((one & two).sum()), int(one.sum()) + int(two.sum())
    return 2 * both / sizes if sizes else None


def sample(passages: int, *, seed: str) -> list[int]:
    """At most two thousand of them, drawn by the seed, in order."""
    if passages <= MOST_PASSAGES:
        return list(range(passages))
    digest = hashlib.sha256(f"{seed}\x1fsample".encode()).digest()
    drawn = np.argsort(np.random.Philox(key=int.from_bytes(digest[:16], "little")).random_raw(passages))
    return sorted(drawn[:MOST_PASSAGES].tolist())
