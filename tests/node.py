"""A Node process that answers line by line, for comparing our scripts with our Python."""

import contextlib
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests import services
from tests.house import ROOT


@contextlib.contextmanager
def node_process(script: str) -> Iterator[Any]:
    """Skips where there is no Node; under CI a skipped test counts as a failure."""
    try:
        command = services.node()
    except services.Unavailable as reason:
        pytest.skip(str(reason))
    process = subprocess.Popen(
        [command, "--input-type=module", "-e", script],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
