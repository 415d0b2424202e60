"""Ready-made arrivals for the tests of what comes from files."""

import io
from typing import Any

import pytest

from annotator import uploads
from annotator.actions.importing import answers, passages
from annotator.actions.importing.arrivals import IMPORT, begin_arrival
from annotator.actions.importing.passages import passages_options
from annotator.actions.running import work_on
from annotator.domain.arrivals import ArrivalKind
from annotator.models import Arrival, Assignment, Job, Membership, Passage, Submission
from tests.factories import Cast

HEAD = "sentence_id,annotator,word to change,substitutes,type\n"
TABLE = HEAD + "essays-1,V1,uncle,relative,refine-usage\nessays-1,V2,uncle,kinsman,refine-usage\n"
MORE = "\n".join(f"Sentence number {n} is here." for n in range(1, 8)) + "\n"


def file_of(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def begun(cast: Cast, kind: ArrivalKind, text: str, name: str, options: dict[str, Any]) -> Arrival:
    kept = uploads.keep(file_of(text))
    return begin_arrival(cast.project, by=cast.lead, kind=kind, file=kept, name=name, options=options)


def begun_passages(cast: Cast, text: str = MORE) -> Arrival:
    return begun(cast, ArrivalKind.PASSAGES, text, "more.txt", passages_options())


def begun_answers(cast: Cast, text: str = TABLE) -> Arrival:
    options = {"is_sparse": False, "names_differ": False, "sheet": None}
    return begun(cast, ArrivalKind.ANSWERS, text, "t.csv", options)


def rows() -> dict[str, int]:
    return {model.__name__: model._base_manager.count() for model in (Passage, Membership, Assignment, Submission)}


class Killed(BaseException):
    """As kill -9 does: nothing of ours runs any more."""


def kill_half_way(arrival: Arrival, monkeypatch: pytest.MonkeyPatch, *, after: int = 3) -> None:
    """Its worker is killed after so many steps of two rows, and its lease has run out."""
    monkeypatch.setattr(passages, "BATCH", 2)
    monkeypatch.setattr(answers, "STEP", 2)
    steps = 0

    def killed_after_some(run: Any) -> Any:
        real = run.step

        def step(**given: Any) -> Any:
            nonlocal steps
            steps += 1
            if steps > after:
                raise Killed
            return real(**given)

        run.step = step
        return IMPORT.work(run)

    job = arrival.job
    assert job is not None
    with monkeypatch.context() as patch:
        patch.setattr("annotator.actions.running._give_back_run", lambda run: None)
        with pytest.raises(Killed):
            work_on(job.pk, killed_after_some, worker="w")
    Job.objects.filter(pk=job.pk).move("crash", holder=None, lease_until=None)
