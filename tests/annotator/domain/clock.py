"""How long something takes, whatever else the machine and the process are doing."""

import gc
import time
from collections.abc import Callable


def cpu_seconds(call: Callable[[], object], *, enough: float, tries: int = 5) -> float:
    """CPU time, not the wall's: the first that is less than `enough`, else the least of a few, since neighbours on the
    same core slow each other down. The garbage collector does not look through what other tests have left."""
    took: list[float] = []
    gc.freeze()
    try:
        while len(took) < tries and min(took, default=enough) >= enough:
            began = time.process_time()
            call()
            took.append(time.process_time() - began)
    finally:
        gc.unfreeze()
    return min(took)
