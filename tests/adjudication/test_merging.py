"""Merging a project: what counts, what is written, and that the same input is not merged twice."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from adjudication.actions import merging
from adjudication.actions.merging import merge_project
from adjudication.models import Merge, Target
from annotator.actions.assignments import discard_assignment, reopen_assignment, save_answer, submit_assignment
from annotator.actions.people import remove_member
from annotator.actions.projects import change_project_state
from annotator.domain.errors import Conflict, NotAllowed
from annotator.models import Assignment, Event, Job, Passage, User
from tests.adjudication.conftest import assignment_of, submit
from tests.annotator.test_commands import run
from tests.factories import TEXT, Cast, mark


def merged(cast: Cast) -> Merge:
    merge, _ = merge_project(cast.project, by=cast.lead)
    return merge


def gold(merge: Merge, *, kept: bool = True) -> dict[str, Any]:
    rows = Target.objects.filter(merge=merge, is_kept=kept).in_order()
    return {row.quote: {item["text"]: item["votes"] for item in row.suggestions} for row in rows}


def test_votes_are_counted_and_single_ones_dropped(three: Cast) -> None:
    merge = merged(three)

    assert gold(merge) == {"uncle": {"relative": 3, "kinsman": 1}}
    assert gold(merge, kept=False) == {"party": {"feast": 1}, "summer": {"year": 1}}
    [row] = Target.objects.filter(merge=merge).kept()
    assert (row.annotators, row.of, row.votes, row.type, row.type_tie) == (3, 3, 4, "refine-usage", False)
    assert row.suggestions[0]["voters"] == row.voters == sorted(row.voters)
    assert (merge.passages, merge.too_few, merge.answers, merge.targets, merge.kept) == (2, 2, 5, 3, 1)
    assert (merge.least_of, merge.most_of, merge.suggestions, merge.votes, merge.type_ties) == (2, 3, 2, 4, 0)
    assert "keep_at:2" in merge.signature


def test_the_same_input_is_not_merged_twice(three: Cast) -> None:
    first, was_made = merge_project(three.project, by=three.lead)
    events = Event.objects.exclude(subject="job").count()

    second, is_made = merge_project(three.project, by=three.lead)

    assert (first.pk, was_made, is_made) == (second.pk, True, False)
    assert (Event.objects.exclude(subject="job").count(), Target.objects.count()) == (events, 3)


def test_a_new_answer_makes_a_new_merge_and_the_old_one_goes(three: Cast) -> None:
    before = merged(three)

    reopened = assignment_of(three.ann, "essays-2")
    reopen_assignment(reopened, by=three.ann, version=reopened.version, save_id=uuid4())
    submit(three, three.ann, mark(reopened.passage.text, "weather", "climate"), passage="essays-2")
    after = merged(three)

    assert before.input_hash != after.input_hash
    assert list(Merge.objects.values_list("pk", "is_current")) == [(after.pk, True)]
    assert Target.objects.exclude(merge=after).count() == 0


def test_a_reopened_answer_counts_until_it_is_submitted_or_discarded_again(three: Cast) -> None:
    row = assignment_of(three.ben, "essays-1")
    before = gold(merged(three))

    reopen_assignment(row, by=three.ben, version=row.version, save_id=uuid4())
    save_answer(row, by=three.ben, version=row.version, save_id=uuid4(), active_ms=0, answer={"marks": []})
    assert gold(merged(three)) == before
    discard_assignment(row, by=three.ben, version=row.version, save_id=uuid4(), reason="context")

    assert gold(merged(three)) == {"uncle": {"relative": 2, "kinsman": 1}}


def test_a_passage_leaves_the_gold_when_discards_outnumber_submissions(three: Cast) -> None:
    for user in (three.ann, three.ben):
        row = assignment_of(user, "essays-1")
        discard_assignment(row, by=user, version=row.version, save_id=uuid4(), reason="context")

    merge = merged(three)

    assert (merge.discarded, merge.passages, gold(merge)) == (1, 1, {})


def test_the_latest_round_counts_and_never_two(three: Cast) -> None:
    second = Assignment.objects.create(
        membership=three.membership("ben"),
        passage=Passage.objects.get(external_id="essays-1"),
        round=2,
        number=99,
    )
    row = Assignment.objects.select_related("membership", "passage__project").get(pk=second.pk)
    answer = {"marks": [mark(TEXT, "party", "feast")]}
    submit_assignment(row, by=three.ben, version=0, save_id=uuid4(), active_ms=0, answer=answer)

    merge = merged(three)

    assert gold(merge) == {"uncle": {"relative": 2, "kinsman": 1}, "party": {"feast": 2}}
    assert merge.most_of == 3


def test_work_of_somebody_who_left_counts_and_other_kinds_of_passages_do_not(three: Cast) -> None:
    before = merged(three)
    remove_member(three.membership("ben"), by=three.lead)
    assert merged(three).pk == before.pk

    Passage.objects.filter(external_id="essays-1").update(kind="practice")

    assert (merged(three).passages, gold(merged(three))) == (1, {})


def test_a_failure_in_the_middle_leaves_nothing_behind(three: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete the clean-up in `_merge`, and this goes red: two targets were written by then."""
    before = merged(three)
    targets = Target.objects.count()
    submit(three, three.ann, passage="essays-3")
    monkeypatch.setattr(merging, "BATCH", 1)
    written: list[int] = []
    real = merging._insert

    def fail(rows: Any) -> None:
        if len(written) == 2:
            raise RuntimeError("half way")
        written.append(len(rows))
        real(rows)

    monkeypatch.setattr(merging, "_insert", fail)
    with pytest.raises(RuntimeError):
        merge_project(three.project, by=three.lead)

    assert written == [1, 1]
    assert list(Merge.objects.values_list("pk", "is_current")) == [(before.pk, True)]
    assert Target.objects.count() == targets
    assert three.project.jobs.order_by("pk").last().state == "failed"


def test_a_pinned_merge_is_kept_and_an_abandoned_one_goes_with_its_job(three: Cast) -> None:
    pinned = merged(three)
    Merge.objects.filter(pk=pinned.pk).update(is_pinned=True)
    held = three.project.jobs.create(kind="merge", state="running", holder=uuid4(), lease_until=timezone.now())
    abandoned = Merge.objects.create(project=three.project, job=held, input_hash="x", settings={}, signature="")
    submit(three, three.ann, passage="essays-3")

    second = merged(three)
    assert set(Merge.objects.values_list("pk", flat=True)) == {pinned.pk, abandoned.pk, second.pk}
    Job.objects.filter(pk=held.pk).move("fail", holder=None, lease_until=None)
    submit(three, three.ben, passage="essays-3")
    third = merged(three)

    assert set(Merge.objects.values_list("pk", flat=True)) == {pinned.pk, third.pk}
    assert Target.objects.filter(merge=pinned).exists()


def test_only_leads_merge_and_not_in_the_archive(three: Cast) -> None:
    for user in (three.ann, three.adjudicator, three.other_lead):
        with pytest.raises(NotAllowed):
            merge_project(three.project, by=user)
    for act in ("close", "archive"):
        change_project_state(three.project, by=three.lead, act=act)
    three.project.refresh_from_db()
    with pytest.raises(Conflict, match="archive"):
        merge_project(three.project, by=three.lead)


def test_batches_are_short(three: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "BATCH", 1)
    sizes: list[int] = []
    real = merging._insert
    monkeypatch.setattr(merging, "_insert", lambda rows: (sizes.append(len(rows)), real(rows)))

    merged(three)

    assert (max(sizes), sum(sizes)) == (1, 3)
    assert Target.objects.count() == 3


def test_what_is_pruned_goes_in_short_batches_outside_any_transaction(
    three: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = merged(three)
    monkeypatch.setattr(merging, "BATCH", 1)
    deleted: list[tuple[int, int]] = []
    around = len(connection.atomic_blocks)  # the test's own

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = execute(sql, params, many, context)
        if sql.startswith("DELETE") and ("_target" in sql or "_passageresult" in sql):
            deleted.append((context["cursor"].rowcount, len(connection.atomic_blocks)))
        return found

    with connection.execute_wrapper(watch):
        merging._remove_rows(old)

    assert not Target.objects.filter(merge=old).exists()
    assert deleted == [(1, around)] * (3 + 4)  # three targets, and a result for each passage


def _seen(user: User) -> set[str]:
    return set(Target.objects.visible_to(user).values_list("passage__external_id", flat=True))


def test_blindness_reaches_the_merge(three: Cast) -> None:
    """An annotator sees nothing of it; an adjudicator nothing on what they are still to answer themselves."""
    merge = merged(three)
    everyone = {"essays-1"}

    assert _seen(three.adjudicator) == _seen(three.lead) == everyone
    for user in (three.ann, three.stranger, three.former, three.other_lead):
        assert _seen(user) == set()
        assert not Merge.objects.visible_to(user).exists()
    assert Merge.objects.visible_to(three.lead).get() == merge
    three.project.memberships.filter(user=three.adjudicator).update(is_annotator=True)
    Assignment.objects.create(
        membership=three.membership("adjudicator"), passage=Passage.objects.get(external_id="essays-1"), number=1
    )
    assert _seen(three.adjudicator) == set()


def test_where_nothing_was_merged_it_is_said_why(cast: Cast, capsys: Any) -> None:
    submit(cast, cast.ann, passage="essays-2")

    call_command("merge", "essays")
    assert "Nothing was merged: 4 passages have fewer than 2 answers. Merge again when" in capsys.readouterr().out
    for person in (cast.ann, cast.ben):
        row = assignment_of(person, "essays-1")
        discard_assignment(row, by=person, version=row.version, save_id=uuid4(), reason="context")
    call_command("merge", "essays")

    said = capsys.readouterr().out
    assert "3 passages have fewer than 2 answers, and 1 passage was discarded by more people than submitted." in said
    client = Client()
    client.force_login(cast.lead)
    shown = client.get("/p/essays/merge").content.decode()
    assert "Nothing was merged: 3 passages have" in shown
    assert "0 answers each" not in shown


def test_the_command_says_what_it_did(three: Cast, capsys: Any) -> None:
    result = run("merge", "essays")

    assert (result["kept"], result["targets"], result["made"], result["too_few"]) == (1, 3, True, 2)
    call_command("merge", "essays")
    said = capsys.readouterr().out
    assert "2 passages merged, 2 to 3 answers each (left out: 2 with too few answers): 3 targets, 1 kept" in said
    assert "Nothing has changed since" in said
    with pytest.raises(CommandError, match="There is no project"):
        call_command("merge", "nowhere")
