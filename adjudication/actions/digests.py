"""Submissions packed for counting: made once, in short batches, by whichever job needs them first."""

from collections.abc import Sequence

from adjudication.domain.digest import Digests, pack_answer
from adjudication.models import SubmissionDigest
from adjudication.queries.work import answers_by_id
from annotator.actions.running import Run
from annotator.bulk import BATCH, insert_missing, read_packed


def _digests_of(run: Run, submissions: Sequence[int], *, folds: bool) -> Digests:
    """Of these submissions, in order; what is missing is made and kept."""
    found = Digests.joined(
        read_packed(SubmissionDigest, "data", submissions, key="submission_id", where="folds = %s", given=[folds])
    )
    missing = [submissions[place] for place in found.gaps()]
    made: dict[int, bytes] = {}
    for start in range(0, len(missing), BATCH):
        made |= _make(run, missing[start : start + BATCH], folds=folds)
    return found.filled([made[pk] for pk in missing]) if missing else found


def _make(run: Run, submissions: Sequence[int], *, folds: bool) -> dict[int, bytes]:
    """Two jobs may find the same missing, and make the same of it."""
    made = {pk: pack_answer(answer, folds=folds) for pk, answer in answers_by_id(submissions).items()}
    with run.step(done=run.job.done, total=run.job.total, can_be_lost=True):
        rows = [(pk, folds, data) for pk, data in made.items()]
        insert_missing(SubmissionDigest, ("submission_id", "folds", "data"), rows)
    return made
