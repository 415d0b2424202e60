"""Tokens are made once: by a job after passages came, or by the first job that needs them; killed, it goes on."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.actions import tokens
from annotator.actions.importing.answers import import_annotations
from annotator.actions.importing.passages import import_passages
from annotator.actions.importing.projects import import_project
from annotator.actions.jobs import cancel_job, enqueue, retry_job
from annotator.actions.projects import add_passages
from annotator.actions.running import Run, claim, work_here, work_on
from annotator.actions.sweeping import sweep
from annotator.actions.tokens import MAKE_TOKENS, _keep, _made, _tokens_of
from annotator.domain.jobs import JobState
from annotator.domain.language import made_tokens
from annotator.domain.passages import NewPassage
from annotator.domain.tokens import pack_tokens, texts_of, unpack_tokens
from annotator.models import Job, Passage, PassageTokens, Project
from annotator.queries.jobs import job_line
from tests.annotator.arrivals import MORE, TABLE, Killed, file_of
from tests.annotator.jobs import let_the_lease_run_out
from tests.factories import Cast


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path


def the_job(cast: Cast) -> Job:
    return cast.project.jobs.get(kind=MAKE_TOKENS.name, state=JobState.WAITING)


def make(cast: Cast) -> Job:
    job = the_job(cast)
    work_here(job.pk, MAKE_TOKENS.work)
    job.refresh_from_db()
    return job


def kept(project: Project) -> dict[str, tuple[str, list[str]]]:
    """By passage, the language and the tokens as they are said."""
    rows = PassageTokens.objects.filter(passage__project=project).select_related("passage")
    return {
        row.passage.external_id: (row.lang, texts_of(row.passage.text, unpack_tokens(row.spans, row.rewritten)))
        for row in rows
    }


def a_run(cast: Cast) -> Run:
    run = claim(enqueue("test", by=None, project=cast.project).pk, worker="w")
    assert run is not None
    return run


def test_every_passage_has_its_tokens_after_the_job(cast: Cast) -> None:
    given = ((0, 5), (6, 13, "``"))
    passages = [
        NewPassage("quoted", 'She said "no", didn\'t she?'),
        NewPassage("thai", "กินข้าว", lang="th"),
        NewPassage("chinese", "我喜欢猫。", lang="zh"),
        NewPassage("given", "Given as it is", tokens=given),
        NewPassage("tried", "Try it.", kind="practice"),
    ]
    add_passages(cast.project, by=cast.lead, passages=passages)

    job = make(cast)

    assert (job.state, job.result, job.done) == (JobState.DONE, {"passages": 9}, 9)
    assert job_line(job).says == "Tokens of 9 passages made."
    found = kept(cast.project)
    assert len(found) == 9
    assert found["quoted"] == (
        "en",
        ["She", "said", "``", "no", "''", ",", "did", "n't", "she", "?"],
    )
    assert found["thai"] == ("th", ["กิ", "น", "ข้", "า", "ว"])
    assert found["chinese"] == ("zh", ["我", "喜", "欢", "猫", "。"])
    assert found["given"] == ("en", ["Given", "``"])
    assert found["tried"] == ("en", ["Try", "it", "."])


def test_it_is_asked_for_wherever_passages_come_and_only_there(cast: Cast) -> None:
    waiting = Job.objects.waiting().filter(kind=MAKE_TOKENS.name, project=cast.project)
    assert waiting.count() == 1  # the cast's passages were added
    make(cast)

    import_annotations(cast.project, by=cast.lead, source=file_of(TABLE), name="t.csv", is_sparse=False)
    add_passages(cast.project, by=cast.lead, passages=[])
    assert not waiting.exists()
    for _ in range(2):  # the second time there is nothing new in it
        import_passages(cast.project, by=cast.lead, source=file_of(MORE), name="more.txt")
        assert waiting.count() == 1
    make(cast)
    import_passages(cast.project, by=cast.lead, source=file_of(MORE), name="more.txt")

    assert not waiting.exists()
    assert len(kept(cast.project)) == 11


def test_a_whole_project_that_arrives_asks_for_it(cast: Cast, tmp_path: Any) -> None:
    call_command("export", "essays", format="assay", out=tmp_path / "all.jsonl")
    with (tmp_path / "all.jsonl").open("rb") as source:
        done = import_project(by=None, slug="copied", lead="new@example.org", source=source)

    job = done.project.jobs.get()
    work_here(job.pk, MAKE_TOKENS.work)

    assert len(kept(done.project)) == 4


def test_killed_it_goes_on_where_it_stopped_and_makes_nothing_twice(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "BATCH", 2)
    add_passages(cast.project, by=cast.lead, passages=[NewPassage(f"n{n}", f"Text {n}.") for n in range(7)])
    job, made = the_job(cast), []

    def count(text: str, lang: str) -> Any:
        made.append(text)
        if len(made) == 6:
            raise Killed
        return made_tokens(text, lang)

    with monkeypatch.context() as patch:
        patch.setattr(tokens, "made_tokens", count)
        patch.setattr("annotator.actions.running._give_back_run", lambda run: None)
        with pytest.raises(Killed):
            work_on(job.pk, MAKE_TOKENS.work, worker="one")
    assert PassageTokens.objects.count() == 4
    let_the_lease_run_out(job)
    sweep()
    made.clear()
    with monkeypatch.context() as patch:
        patch.setattr(tokens, "made_tokens", lambda text, lang: made.append(text) or made_tokens(text, lang))
        work_on(job.pk, MAKE_TOKENS.work, worker="two")

    job.refresh_from_db()
    assert (job.state, job.result, job.done, job.total) == (JobState.DONE, {"passages": 11}, 11, 11)
    assert len(made) == 7
    for row in PassageTokens.objects.select_related("passage"):
        text = row.passage.text
        assert (bytes(row.spans), row.rewritten) == pack_tokens(text, made_tokens(text, "en"))


def test_cancelled_it_keeps_what_it_has_and_goes_on_when_tried_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "BATCH", 2)
    job = the_job(cast)

    def cancel_after_one(run: Run) -> Any:
        run.watch = lambda done, total: cancel_job(job, by=cast.lead) if done == 2 else None  # type: ignore[assignment, func-returns-value]
        return MAKE_TOKENS.work(run)

    work_on(job.pk, cancel_after_one, worker="w")
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert job_line(job).says == "Tokens of 2 passages were made and stay. Trying again goes on from there."

    retry_job(job, by=cast.lead)
    work_on(job.pk, MAKE_TOKENS.work, worker="w")

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"passages": 4})


def test_tokens_of_another_language_are_made_anew(cast: Cast) -> None:
    add_passages(cast.project, by=cast.lead, passages=[NewPassage("own", "Don't.", lang="en-GB")])
    make(cast)
    before = PassageTokens.objects.get(passage__external_id="own")
    Project.objects.filter(pk=cast.project.pk).update(language="de")
    cast.project.refresh_from_db()

    again = enqueue(MAKE_TOKENS.name, by=cast.lead, project=cast.project)
    work_here(again.pk, MAKE_TOKENS.work)

    again.refresh_from_db()
    assert again.result == {"passages": 4}
    assert PassageTokens.objects.get(passage__external_id="own").spans == before.spans
    assert {lang for lang, _ in kept(cast.project).values()} == {"de", "en-GB"}
    assert PassageTokens.objects.count() == 5


def test_with_nothing_to_make_it_says_so(cast: Cast) -> None:
    make(cast)

    again = enqueue(MAKE_TOKENS.name, by=cast.lead, project=cast.project)
    work_here(again.pk, MAKE_TOKENS.work)

    assert job_line(again).says == "Every passage had its tokens already."


def test_another_job_that_was_quicker_is_no_conflict(cast: Cast) -> None:
    run = a_run(cast)
    rows = _made(cast.project, list(cast.project.passages.values_list("pk", flat=True)))
    make(cast)

    with run.step(done=0, total=0):
        assert _keep(cast.project, rows) == 0

    assert PassageTokens.objects.count() == 4


def test_a_job_that_needs_tokens_gets_those_that_are_there_and_makes_the_rest(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "BATCH", 3)
    monkeypatch.setattr(tokens, "READ", 3)
    make(cast)
    add_passages(cast.project, by=cast.lead, passages=[NewPassage(f"n{n}", f"Text {n}.") for n in range(7)])
    run, wanted = a_run(cast), dict(cast.project.passages.values_list("pk", "text"))
    run.progress(done=5, total=9)

    found = _tokens_of(run, list(wanted))

    assert found == {pk: pack_tokens(text, made_tokens(text, "en"))[0] for pk, text in wanted.items()}
    assert all(type(spans) is bytes for spans in found.values())
    assert PassageTokens.objects.count() == 11
    assert (run.job.done, run.job.total) == (5, 9)
    with CaptureQueriesContext(connection) as queries:
        assert _tokens_of(run, list(wanted)) == found
    assert len(queries) == 4  # one for each three, and nothing is written


def test_what_has_not_arrived_has_no_tokens(cast: Cast) -> None:
    done = import_passages(cast.project, by=cast.lead, source=file_of(MORE), name="more.txt")
    arrival = done.arrival
    wanted = list(cast.project.passages.values_list("pk", flat=True))
    type(arrival).objects.filter(pk=arrival.pk).update(done_at=None)

    found = _tokens_of(a_run(cast), wanted)

    assert len(found) == PassageTokens.objects.count() == Passage.objects.filter(project=cast.project).count() == 4
