"""How long something takes, whatever else the machine is doing."""

import time
from collections.abc import Callable


def cpu_seconds(call: Callable[[], object], times: int = 3) -> float:
    """CPU time, not the wall's; the least of a few runs, since neighbours on the same core slow each other down."""
    took = []
    for _ in range(times):
        began = time.process_time()
        call()
        took.append(time.process_time() - began)
    return min(took)
