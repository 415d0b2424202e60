"""Merging while people work, and by several at once: real transactions, one connection per thread."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.db.models import Sum

from adjudication.actions import digests, measuring, merging
from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.actions.merging import merge_project
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.domain.merge import MergeSettings, merge_passage
from adjudication.models import AgreementReport, Merge, PassageResult, ShardData, SubmissionDigest, Target
from adjudication.queries.work import WorkList, answers_by_id
from annotator.actions import assignments
from annotator.actions.assignments import discard_assignment, reopen_assignment, undo_discard
from annotator.models import Job, User
from tests.adjudication.conftest import assignment_of, submit
from tests.annotator.test_saving_parallel import at_once
from tests.factories import TEXT, Cast, mark

ANSWERS = 5  # of the fixture, and not one of those who work meanwhile takes theirs away


@pytest.fixture(autouse=True)
def _tireless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assignments, "MAX_REOPENED_AN_HOUR", 10_000)
    monkeypatch.setattr(assignments, "MAX_SUBMISSIONS", 10_000)


def to_and_fro(cast: Cast, user: User, passage: str, number: int) -> None:
    """Discard, come back, hand in something else: one of the states that count, at every moment."""

    def version() -> dict[str, Any]:
        return {"by": user, "version": assignment_of(user, passage).version, "save_id": uuid4()}

    discard_assignment(assignment_of(user, passage), reason="context", **version())
    undo_discard(assignment_of(user, passage), **version())
    submit(cast, user, mark(TEXT, "uncle", f"word{number}"), passage=passage)
    reopen_assignment(assignment_of(user, passage), **version())


@contextmanager
def meanwhile(work: list[Callable[[int], None]]) -> Iterator[list[int]]:
    """Each again and again in a thread of its own; how often, once it is over."""
    is_over, times = threading.Event(), [0] * len(work)
    failed: list[BaseException] = []

    def go_on(place: int) -> None:
        try:
            while not is_over.is_set():
                work[place](times[place])
                times[place] += 1
        except BaseException as error:
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=go_on, args=(place,)) for place in range(len(work))]
    for thread in threads:
        thread.start()
    try:
        yield times
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert failed == []


def listed_by(module: Any, monkeypatch: pytest.MonkeyPatch) -> list[WorkList]:
    """Every list that this makes from now on."""
    lists: list[WorkList] = []
    real = module.work_list

    def kept(*given: Any, **named: Any) -> WorkList:
        lists.append(real(*given, **named))
        return lists[-1]

    monkeypatch.setattr(module, "work_list", kept)
    return lists


def discards(work: WorkList) -> int:
    return sum(len(people) for people in work.discarded_by.values())


def expected_targets(work: WorkList) -> set[tuple[Any, ...]]:
    """Merged anew from the submissions on the list, which never change."""
    settings, found, first = MergeSettings.of(work.project.protocol), set(), 0
    for place, passage in enumerate(work.passages.tolist()):
        own = slice(first, first := first + int(work.answers_of[place]))
        answers = answers_by_id(work.submission[own].tolist())
        pairs = zip(work.membership[own].tolist(), work.submission[own].tolist(), strict=True)
        said = {work.pseudonyms[who]: answers[submission] for who, submission in pairs}
        merged = merge_passage(said, settings, discards=len(work.discarded_by.get(place, ())))
        found |= {(passage, item.start, item.annotators, item.votes, item.evidence) for item in merged.targets}
    return found


@pytest.mark.slow
def test_a_merge_is_of_one_moment(three_committed: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer is in it or discarded in it, once, whatever happens while it is listed and made (T20)."""
    cast = three_committed
    lists = listed_by(merging, monkeypatch)
    cleo = User.objects.get(email="cleo@example.org")
    work = [
        lambda number, user=user, passage=passage: to_and_fro(cast, user, passage, number)
        for user, passage in ((cast.ann, "essays-1"), (cast.ben, "essays-1"), (cleo, "essays-1"))
    ]
    for user in (cast.ann, cast.ben, cleo):
        row = assignment_of(user, "essays-1")
        reopen_assignment(row, by=user, version=row.version, save_id=uuid4())

    with meanwhile(work) as times:
        made = []
        while len(made) < 6 or min(times) < 3:
            merge, _ = merge_project(cast.project, by=cast.lead, shards=4)
            rows = PassageResult.objects.filter(merge=merge)
            totals = rows.aggregate(answers=Sum("of"), discards=Sum("discards"))
            columns = ("passage_id", "start", "annotators", "votes", "evidence")
            made.append((totals, merge.answers, set(Target.objects.filter(merge=merge).values_list(*columns))))

    assert len({(work.answers, discards(work)) for work in lists}) > 1
    for work_list, (totals, answers, targets) in zip(lists, made, strict=True):
        assert work_list.answers + discards(work_list) == ANSWERS
        assert totals == {"answers": work_list.answers, "discards": discards(work_list)}
        assert answers == work_list.answers
        assert targets == expected_targets(work_list)
    assert not ShardData.objects.exists()
    assert list(Merge.objects.values_list("is_current", flat=True)) == [True]


def test_a_report_is_of_one_moment(three_committed: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    cast = three_committed
    lists = listed_by(measuring, monkeypatch)
    row = assignment_of(cast.ben, "essays-1")
    reopen_assignment(row, by=cast.ben, version=row.version, save_id=uuid4())
    settings = agreement_settings(cast.project, resamples=0)

    with meanwhile([lambda number: to_and_fro(cast, cast.ben, "essays-1", number)]) as times:
        found = []
        while len(found) < 4 or min(times) < 3:
            report, _ = measure_agreement(cast.project, by=cast.lead, settings=settings, shards=2)
            found.append(report.result)

    for work_list, result in zip(lists, found, strict=True):
        assert work_list.answers + discards(work_list) == ANSWERS
        # ann and cleo share the first passage, ann and ben the second; ben's first answer makes two pairs more.
        assert sum(pair["n"] for pair in result["pairs"]) == (4 if work_list.answers == ANSWERS else 2)
    assert not AgreementReport.objects.filter(is_done=False).exists()


def test_t23_the_same_merged_by_several_at_once_is_one_merge(three_committed: Cast) -> None:
    cast = three_committed

    made = at_once([lambda: merge_project(cast.project, by=cast.lead, shards=2) for _ in range(3)])

    assert len({merge.pk for merge, _ in made}) == 1
    assert sum(is_new for _, is_new in made) == 1
    [merge] = Merge.objects.all()
    assert (merge.is_current, Target.objects.count(), PassageResult.objects.count()) == (True, 3, 4)
    assert not ShardData.objects.exists()
    assert set(Job.objects.filter(kind="merge").values_list("state", flat=True)) == {"done"}


def test_two_reports_at_once_make_each_digest_once(three_committed: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have found the same missing before either has written it."""
    cast = three_committed
    both = threading.Barrier(2, timeout=10)
    real = digests.answers_by_id

    def together(submissions: Any) -> Any:
        both.wait()
        return real(submissions)

    monkeypatch.setattr(digests, "answers_by_id", together)
    chosen = [agreement_settings(cast.project, resamples=0, both_empty=how) for how in (BothEmpty.ONE, BothEmpty.SKIP)]

    made = at_once(
        [lambda how=how: measure_agreement(cast.project, by=cast.lead, settings=how, shards=1) for how in chosen]
    )

    assert [is_new for _, is_new in made] == [True, True]
    assert SubmissionDigest.objects.count() == ANSWERS
