"""Digests kept and read: in the order asked for, gaps told, and nobody's work written over."""

import pytest

from adjudication.domain.digest import Digests
from adjudication.models import SubmissionDigest
from annotator import bulk
from annotator.bulk import insert_missing, read_packed

COLUMNS = ("submission_id", "folds", "data")


def kept(ids: list[int]) -> Digests:
    return Digests.joined(
        read_packed(SubmissionDigest, "data", ids, key="submission_id", where="folds = %s", given=[True])
    )


@pytest.mark.parametrize("together", [1, 2, 5000])
@pytest.mark.django_db
def test_digests_come_in_the_order_asked_for_and_gaps_are_told(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "READ", together)
    insert_missing(SubmissionDigest, COLUMNS, [(7, True, b"seven\x00"), (5, True, b"\xff"), (6, False, b"other keys")])

    found = kept([7, 6, 5, 8, 7])

    assert (found.sizes.tolist(), found.data) == ([6, 0, 1, 0, 6], b"seven\x00\xffseven\x00")
    assert found.gaps() == [1, 3]
    filled = found.filled([b"six", b"eight"])
    assert (filled.sizes.tolist(), filled.data) == ([6, 3, 1, 5, 6], b"seven\x00six\xffeightseven\x00")
    assert (kept([]).sizes.tolist(), kept([]).data) == ([], b"")


@pytest.mark.django_db
def test_what_another_process_was_quicker_to_insert_stays() -> None:
    insert_missing(SubmissionDigest, COLUMNS, [(5, True, b"first")])
    insert_missing(SubmissionDigest, COLUMNS, [(6, True, b"six"), (5, True, b"second"), (4, True, b"")])
    insert_missing(SubmissionDigest, COLUMNS, [])

    rows = SubmissionDigest.objects.order_by("submission_id").values_list("submission_id", "data")
    assert [(pk, bytes(data)) for pk, data in rows] == [(4, b""), (5, b"first"), (6, b"six")]
