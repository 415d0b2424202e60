"""Rows of whole numbers read as columns: the same on both engines, however many come at once."""

import pytest

from adjudication.queries import columns, work
from adjudication.queries.columns import read_columns
from adjudication.queries.work import work_list
from annotator.models import Assignment
from tests.factories import Cast


@pytest.mark.parametrize("together", [1, 2, 1000])
def test_all_rows_come_once_whatever_comes_together(
    three: Cast, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "TOGETHER", together)
    monkeypatch.setattr(columns, "READ", together)
    rows = Assignment.objects.filter(passage__project=three.project).values_list("passage_id", "pk", "active_ms")
    found = [row for some in read_columns(rows) for row in zip(*some.tolist(), strict=True)]

    assert len(found) > 2
    assert sorted(found) == sorted(rows)
    assert list(read_columns(rows.filter(state="nowhere"))) == []


def test_the_list_is_the_same_in_whichever_order_rows_come(three: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    found = work_list(three.project)
    monkeypatch.setattr(columns, "READ", 1)
    monkeypatch.setattr(columns, "TOGETHER", 1)
    monkeypatch.setattr(work, "read_columns", lambda rows: reversed(list(read_columns(rows))))
    turned = work_list(three.project)

    assert turned.fingerprint == found.fingerprint
    assert (turned.submission.tolist(), turned.membership.tolist()) == (
        found.submission.tolist(),
        found.membership.tolist(),
    )
