"""Two systems on the same sentences: how sure is it that one is better? A paired bootstrap (Koehn 2004): sentences are
drawn with replacement, the same ones for both, and every figure is made anew of the sums.

What is summed are whole numbers, gains as 2^30ths, so that every machine gives the same digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudication.domain.scoring.sws import CUTS, GAIN, Counts

DRAWS = 10_000
SEED = 7
AT_ONCE = 2_000_000  # weights in memory
# Of each sentence; sums of these make every figure of the leaderboard.
SUMMED = (
    *("spans", "targets", "found", "first_right", "votes", "votes_found", "offered", "wanted", "right"),
    *(f"gain_{cut}" for cut in CUTS),
    "gain",
)

Floats = NDArray[np.float64]
Wholes = NDArray[np.int64]


def row_of(counts: Counts) -> list[int]:
    plain = [getattr(counts, name) for name in SUMMED[:9]]
    gains = [*(counts.gains_cut[cut] for cut in CUTS), counts.gains]
    return [*plain, *(round(GAIN * sum(values)) for values in gains)]


def figures_of(sums: NDArray[Any]) -> dict[str, Floats]:
    """By the scorer's names, of sums in the last axis; what is divided by nothing is not a number."""
    named = {name: sums[..., place].astype(np.float64) for place, name in enumerate(SUMMED)}
    found, first = named["found"], named["first_right"]
    p, r = _over(found, named["spans"]), _over(found, named["targets"])
    p_e2e, r_e2e = _over(first, named["spans"]), _over(first, named["targets"])
    p_sug, r_sug = _over(named["right"], named["offered"]), _over(named["right"], named["wanted"])
    return {
        "p_detection": p,
        "r_detection": r,
        "f_detection_05": _f05(p, r),
        "weighted_acc_detection": _over(named["votes_found"], named["votes"]),
        "acc_recommendation": _over(first, found),
        "p_recommendation": p_sug,
        "r_recommendation": r_sug,
        "f_recommendation_05": _f05(p_sug, r_sug),
        "p_e2e": p_e2e,
        "r_e2e": r_e2e,
        "f_e2e_05": _f05(p_e2e, r_e2e),
        "ndcg_recommendation": _over(named["gain"], found * GAIN),
        **{f"ndcg_{cut}": _over(named[f"gain_{cut}"], found * GAIN) for cut in CUTS},
    }


def _over(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / below, np.nan)


def _f05(precision: Floats, recall: Floats) -> Floats:
    weighted = 0.25 * precision + recall
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(weighted == 0, 0.0, 1.25 * precision * recall / weighted)


@dataclass(frozen=True)
class Difference:
    """`one` less `two`; `p`: were there no difference, how often a draw would show as much, either way. None where it
    is not defined; `left_out`: draws in which it was not."""

    one: float | None
    two: float | None
    difference: float | None
    interval: tuple[float, float] | None
    p: float | None
    left_out: int


def paired(one: Wholes, two: Wholes, *, draws: int = DRAWS, seed: int = SEED) -> dict[str, Difference]:
    """Rows are sentences, the same in both, columns as `SUMMED`. Under two sentences there is nothing to draw."""
    whole = figures_of(np.stack([one.sum(axis=0), two.sum(axis=0)]))
    drawn = _differences(one, two, draws, seed) if len(one) > 1 else {}
    return {name: _difference(values, drawn.get(name)) for name, values in whole.items()}


def _differences(one: Wholes, two: Wholes, draws: int, seed: int) -> dict[str, Floats]:
    both = np.concatenate([one, two], axis=1).astype(np.float64)
    parts = [figures_of((weights @ both).reshape(-1, 2, len(SUMMED))) for weights in _weights(len(one), draws, seed)]
    return {name: np.concatenate([part[name][:, 0] - part[name][:, 1] for part in parts]) for name in parts[0]}


def _weights(sentences: int, draws: int, seed: int) -> Iterator[Floats]:
    """How often each sentence was drawn, so many draws at a time."""
    random = np.random.Generator(np.random.PCG64(seed))
    step = max(1, AT_ONCE // sentences)
    for start in range(0, draws, step):
        count = min(step, draws - start)
        places = random.integers(0, sentences, size=(count, sentences))
        places += np.arange(count)[:, None] * sentences
        yield np.bincount(places.ravel(), minlength=count * sentences).reshape(count, sentences).astype(np.float64)


def _difference(values: Floats, drawn: Floats | None) -> Difference:
    one, two = (None if np.isnan(value) else float(value) for value in values)
    if one is None or two is None:
        return Difference(one, two, None, None, None, 0)
    known = np.array([]) if drawn is None else drawn[~np.isnan(drawn)]
    if not len(known):
        return Difference(one, two, one - two, None, None, 0 if drawn is None else len(drawn))
    low, high = np.percentile(known, [2.5, 97.5])
    # Draws scatter round the difference; moved to where there is none, they tell what chance gives.
    as_much = int((np.abs(known - known.mean()) >= abs(one - two)).sum())
    p = (as_much + 1) / (len(known) + 1)
    return Difference(
        one, two, one - two, (float(low), float(high)), p, 0 if drawn is None else len(drawn) - len(known)
    )
