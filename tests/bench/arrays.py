"""Agreement from arrays, printed as JSON: python -m tests.bench.arrays."""

import json
import resource
import time
from itertools import combinations

from adjudication.domain.agreement.marks import Marks
from adjudication.domain.agreement.pairs import BothEmpty, agreement, compare, count_pairs
from adjudication.domain.agreement.resampling import Resamples, chunk_weights
from tests.adjudication.domain.agreement.sets import as_sets, plain_agreement
from tests.bench.material import ANNOTATORS, marks


def _seconds(found: Marks, times: int = 1) -> float:
    best = []
    for _ in range(times):
        began = time.perf_counter()
        agreement(count_pairs(found))
        best.append(time.perf_counter() - began)
    return min(best)


def _resampled(found: Marks, resamples: int = 1000) -> float:
    began = time.perf_counter()
    total, first = Resamples.empty(combinations(ANNOTATORS, 2), resamples), 0
    for chunk in found.chunks():
        units = [f"passage:{first + number}" for number in range(len(chunk.submitted))]
        total.add_chunk(list(compare(chunk)), chunk_weights(units, seed="assay", resamples=resamples), BothEmpty.ONE)
        first += len(units)
    total.intervals()
    return time.perf_counter() - began


def main() -> None:
    small = _seconds(marks(1_000), times=3)
    large = marks(100_000)
    fast = _seconds(large, times=2)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    began = time.perf_counter()
    plain = plain_agreement(as_sets(large))
    slow = time.perf_counter() - began
    found = agreement(count_pairs(large)).pairs
    assert all(abs((found[pair].pa_det or 0) - value[0]) < 1e-12 for pair, value in plain.items())
    result = {
        "small": small,
        "large": fast,
        "megabytes": megabytes,
        "ratio": slow / fast,
        "resamples": _resampled(marks(20_000)),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
