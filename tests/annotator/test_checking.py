"""What controls and repeats tell is found by a job, after the fact, and counts nowhere else."""

import pytest

from adjudication.queries.work import work_list
from annotator.actions.assignments import reopen_assignment
from annotator.actions.checking import _look_at_checks, ask_for_checks
from annotator.actions.jobs import _enqueue
from annotator.actions.qualifying import set_key
from annotator.models import Assignment, Check, Job, Membership, Project, Submission
from annotator.queries.checks import checks_of, due_checks
from tests.annotator.working import a_project, do, hand_in, keyed, newcomer, own, set_aside
from tests.factories import Cast, mark


@pytest.fixture
def planted(cast: Cast) -> tuple[Project, Membership]:
    project, _ = a_project(cast, passages=80, people=0, controls_per_hundred=5, repeats_per_hundred=5)
    keyed(cast, project, "c1", "c2", "c3", kind="control")
    return project, newcomer(cast, project, "zoe")


def look(project: Project) -> None:
    _enqueue("look_at_checks", by=None, project=project)
    do(project, "look_at_checks", _look_at_checks)


def controls(member: Membership) -> list[Assignment]:
    return own(member, passage__kind="control")


def both(member: Membership) -> tuple[Assignment, Assignment]:
    """A passage and its repeat."""
    repeat = own(member, is_repeat=True)[0]
    return own(member, is_repeat=False, passage=repeat.passage)[0], repeat


def again(row: Assignment) -> Assignment:
    row.refresh_from_db()
    assert row.membership.user is not None
    reopen_assignment(row, by=row.membership.user, version=row.version, save_id=row.uuid)
    row.refresh_from_db()
    return row


def test_the_share_of_controls_met(planted: tuple[Project, Membership]) -> None:
    project, zoe = planted
    one, two, three = controls(zoe)
    hand_in(one, big="Large")
    hand_in(two, old="aged")
    set_aside(three)

    look(project)

    assert (checks_of(project)[zoe.pk].controls, checks_of(project)[zoe.pk].met) == (2, 1)


def test_agreement_with_oneself(planted: tuple[Project, Membership]) -> None:
    project, zoe = planted
    first, repeat = both(zoe)
    hand_in(first, big="large; huge", old="aged")
    look(project)
    assert zoe.pk not in checks_of(project)  # there is nothing to compare it with yet
    hand_in(repeat, big="huge; vast")

    look(project)

    found = checks_of(project)[zoe.pk]
    assert (found.repeats, found.spans, found.words) == (1, pytest.approx(1 / 2), pytest.approx(1 / 3))


def test_nothing_is_looked_at_with_the_submission(planted: tuple[Project, Membership]) -> None:
    """Or it would take longer than that of other work."""
    project, zoe = planted
    hand_in(controls(zoe)[0], big="large")

    assert not Check.objects.exists()
    assert not Job.objects.filter(project=project, kind="look_at_checks").exists()
    assert len(due_checks(project)) == 1


def test_what_is_submitted_anew_is_looked_at_anew_and_else_nothing(
    planted: tuple[Project, Membership],
) -> None:
    project, zoe = planted
    [row, *_] = controls(zoe)
    hand_in(row, old="aged")
    look(project)
    assert due_checks(project) == []
    assert checks_of(project)[zoe.pk].met == 0

    hand_in(again(row), big="large")
    look(project)

    assert checks_of(project)[zoe.pk].met == 1
    assert due_checks(project) == []
    assert Check.objects.count() == 1


def test_another_key_is_another_control(cast: Cast, planted: tuple[Project, Membership]) -> None:
    project, zoe = planted
    [row, *_] = controls(zoe)
    hand_in(row, old="aged")
    look(project)

    set_key(row.passage, by=cast.lead, answer={"marks": [mark(row.passage.text, "old", "aged")]})
    look(project)

    assert checks_of(project)[zoe.pk].met == 1


def test_neither_counts_in_merge_agreement_or_export(planted: tuple[Project, Membership]) -> None:
    project, zoe = planted
    first, repeat = both(zoe)
    hand_in(first, big="large")
    before = work_list(project).answers
    hand_in(repeat, big="huge")
    hand_in(controls(zoe)[0], big="large")

    assert (before, work_list(project).answers) == (1, 1)
    assert Submission.objects.counting().filter(assignment__membership=zoe).count() == 1


def test_the_clock_asks_only_where_there_is_something_to_look_at(
    planted: tuple[Project, Membership], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, zoe = planted
    asked = Job.objects.filter(kind="look_at_checks")
    monkeypatch.setattr("annotator.actions.checking._looked_at", 0.0)
    monkeypatch.setattr("annotator.actions.checking.LOOK_EVERY", 0.0)
    ask_for_checks()
    assert not asked.exists()

    hand_in(controls(zoe)[0], big="large")
    ask_for_checks()
    ask_for_checks()

    assert list(asked.values_list("project", flat=True)) == [project.pk]
