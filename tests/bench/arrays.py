"""Agreement from arrays, printed as JSON: python -m tests.bench.arrays."""

import json
import resource
import time
from collections.abc import Iterator

from adjudication.domain.agreement.marks import Marks
from adjudication.domain.agreement.pairs import BothEmpty, Pair, PairCounts, agreement
from adjudication.domain.agreement.resampling import Units, intervals
from adjudication.domain.agreement.table import PairTable
from tests.adjudication.domain.agreement.sets import add, as_sets, count_meetings, count_pairs, plain_agreement
from tests.bench.material import ANNOTATORS, marks

PIECE = 20_000  # passages made at a time: the made-up marks of a million would be most of the memory


def _seconds(found: Marks, times: int = 1) -> float:
    best = []
    for _ in range(times):
        began = time.perf_counter()
        agreement(count_pairs(found, ANNOTATORS))
        best.append(time.perf_counter() - began)
    return min(best)


def _pieces(passages: int) -> Iterator[tuple[dict[Pair, PairCounts], float]]:
    piece = marks(PIECE)
    for _ in range(passages // PIECE):
        began = time.perf_counter()
        counted = count_pairs(piece, ANNOTATORS)
        yield counted, time.perf_counter() - began


def _million() -> tuple[float, float]:
    """Seconds, and by how much the memory grew from a tenth of it on."""
    total: dict[Pair, PairCounts] = {}
    seconds, memory = 0.0, []
    for counted, took in _pieces(1_000_000):
        for pair, counts in counted.items():
            add(total.setdefault(pair, PairCounts()), counts)
        seconds += took
        memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
    agreement(total)
    return seconds, memory[-1] - memory[len(memory) // 10]


def _resampled(found: Marks, resamples: int = 1000) -> float:
    table = PairTable.of(ANNOTATORS, found.passages, [count_meetings(found)])
    units = Units.of([("", str(number)) for number in range(found.passages)])
    began = time.perf_counter()
    intervals(table, units, both_empty=BothEmpty.ONE, seed="assay", resamples=resamples)
    return time.perf_counter() - began


def main() -> None:
    small = _seconds(marks(1_000), times=3)
    million, growth = _million()
    large = marks(100_000)
    fast = _seconds(large, times=2)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    began = time.perf_counter()
    plain = plain_agreement(as_sets(large, ANNOTATORS))
    slow = time.perf_counter() - began
    found = agreement(count_pairs(large, ANNOTATORS)).pairs
    assert all(abs((found[pair].pa_det or 0) - value[0]) < 1e-12 for pair, value in plain.items())
    result = {
        "small": small,
        "large": fast,
        "million": million,
        "growth": growth,
        "megabytes": megabytes,
        "ratio": slow / fast,
        "resamples": _resampled(marks(20_000)),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
