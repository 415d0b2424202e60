"""The conformance data beside the project; a test without it is skipped by name."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED


@dataclass(frozen=True)
class Data:
    folder: str

    def path(self, name: str) -> Path:
        found = SHARED / "conformance" / self.folder / name
        if not found.exists():
            pytest.skip(f"no conformance data beside the project: shared/conformance/{self.folder}/{name}")
        return found

    def load(self, name: str) -> Any:
        return json.loads(self.path(name).read_text(encoding="utf-8"))

    def lines(self, name: str) -> list[str]:
        return self.path(name).read_text(encoding="utf-8").splitlines()

    def table(self, name: str) -> Iterator[dict[str, str]]:
        with open(self.path(name), encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)


SWS = Data("sws")
