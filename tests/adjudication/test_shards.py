"""How a job is divided: by itself as the passages need it, or as somebody asks."""

import pytest

from adjudication.queries.shards import MERGED_A_PART, size_of_parts, usual_count


@pytest.mark.parametrize(
    ("passages", "asked", "merged", "counted"),
    [
        (0, None, 1, 1),
        (2_000, None, 1, 1),
        (2_001, None, 3, 1),
        (20_000, None, 20, 2),
        (20_001, None, 21, 5),
        (100_000, None, 100, 20),
        (45, 7, 7, 7),
        (45, 40, 23, 23),  # two passages each
        (45, 10_000, 45, 45),
    ],
)
def test_parts(passages: int, asked: int | None, merged: int, counted: int) -> None:
    for usual, parts in ((MERGED_A_PART, merged), (usual_count(passages), counted)):
        size = size_of_parts(passages, asked, usual=usual)
        assert max(1, -(-passages // size)) == parts
