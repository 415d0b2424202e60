"""T25: JavaScript and Python count the same offsets in any text."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.annotator.domain.strategies import texts
from tests.node import node_process

SCRIPT = """
import { codePointIndex, slice } from "./static/js/workbench/offsets.js";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  const points = codePointIndex(text);
  const length = points[text.length];
  const cuts = [];
  for (let start = 0; start <= length; start += 1) cuts.push(slice(text, start, Math.min(length, start + 2)));
  console.log(JSON.stringify({ points, cuts }));
}
"""


@pytest.fixture(scope="module")
def node() -> Any:
    with node_process(SCRIPT) as process:
        yield process


@given(text=texts() | st.text(st.characters(exclude_categories=("Cs",))))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_t25_offsets_survive_any_text(node: Any, text: str) -> None:
    """T25"""
    node.stdin.write(json.dumps(text) + "\n")
    node.stdin.flush()
    found = json.loads(node.stdout.readline())

    units = [index for index, char in enumerate(text) for _ in range(2 if ord(char) > 0xFFFF else 1)]
    assert found["points"] == [*units, len(text)]
    assert found["cuts"] == [text[start : start + 2] for start in range(len(text) + 1)]
