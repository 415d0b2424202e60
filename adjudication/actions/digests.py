"""Submissions packed for counting: made once, in short batches, by whichever job needs them first."""

from collections.abc import Sequence

from adjudication.domain.digest import pack_answer
from adjudication.models import SubmissionDigest
from adjudication.queries.work import answers_by_id
from annotator.actions.log import locked
from annotator.actions.running import Run
from annotator.bulk import BATCH, insert_rows


def _digests_of(run: Run, submissions: Sequence[int], *, folds: bool) -> list[bytes]:
    """Of these submissions, in order; what is missing is made and kept."""
    found: dict[int, bytes] = {}
    for start in range(0, len(submissions), BATCH):
        wanted = submissions[start : start + BATCH]
        kept = SubmissionDigest.objects.filter(submission__in=wanted, folds=folds)
        there = {pk: bytes(data) for pk, data in kept.values_list("submission_id", "data")}
        if missing := [pk for pk in wanted if pk not in there]:
            there |= _make(run, missing, folds=folds)
        found |= there
    return [found[pk] for pk in submissions]


def _make(run: Run, submissions: Sequence[int], *, folds: bool) -> dict[int, bytes]:
    made = {pk: pack_answer(answer, folds=folds) for pk, answer in answers_by_id(submissions).items()}
    assert run.job.project is not None
    with run.step(done=run.job.done, total=run.job.total):
        locked(run.job.project)  # two jobs may have found the same missing
        there = set(
            SubmissionDigest.objects.filter(submission__in=submissions, folds=folds).values_list(
                "submission_id", flat=True
            )
        )
        rows = [(pk, folds, data) for pk, data in made.items() if pk not in there]
        insert_rows(SubmissionDigest, ("submission_id", "folds", "data"), rows)
    return made
