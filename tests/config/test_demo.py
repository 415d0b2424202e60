"""The demo: alive, believable, made once, and the same on every machine."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from adjudication.actions.curves import CURVE
from adjudication.actions.measuring import AGREEMENT, agreement_settings, measure_agreement
from adjudication.actions.merging import MERGE
from adjudication.models import AgreementReport, AnnotatorCurve, Merge
from adjudication.queries.gold import merge_now
from adjudication.queries.queue import Queue
from annotator.actions.assigning import HAND_OUT
from annotator.actions.running import work_here
from annotator.actions.tallies import COUNT
from annotator.actions.tokens import MAKE_TOKENS
from annotator.domain.answers import parse_answer, submit_problems
from annotator.domain.protocols import SWS
from annotator.models import Assignment, Event, Job, Project, Submission, User
from annotator.queries.board import board_of
from annotator.queries.questions import open_questions
from config.demo.answers import active_ms_of, answer_of, material
from config.demo.deciding import DECIDE_DEMO
from config.demo.people import ANNOTATORS, PEOPLE, VOICES
from config.doctor import examine
from exports.models import Release, SystemRun
from exports.queries.leaderboard import leaderboard
from tests.kept import once
from tests.seeds import do_waiting_jobs

pytestmark = pytest.mark.slow


def _make_demo() -> None:
    call_command("demo", json=True, stdout=StringIO())


@pytest.fixture
def demo(db: None) -> Project:
    once(_make_demo)
    return Project.objects.get(slug="learner-essays")


def test_the_demo_has_people_work_and_voices(demo: Project) -> None:
    members = demo.memberships.all()

    assert demo.passages.count() >= 60
    assert sorted(m.roles[0] for m in members if m.user) == ["adjudicator", *["annotator"] * 3, "lead"]
    assert members.filter(user=None).count() == 7
    for member in members.filter(is_annotator=True, user__isnull=False):
        states = set(member.assignments.values_list("state", flat=True))
        assert states == {"assigned", "started", "submitted", "discarded"}


def test_its_lead_may_make_projects_and_nobody_else(demo: Project) -> None:
    """docs/notebook.md begins with one."""
    assert list(User.objects.filter(can_create_projects=True).values_list("email", flat=True)) == ["nora@demo.invalid"]


def test_annotators_take_their_time_and_who_is_too_fast_stands_out(demo: Project) -> None:
    """The same time on every machine; `look` has something to say."""
    done = Assignment.objects.filter(passage__project=demo, state="submitted", membership__user__isnull=False)
    for row in done.select_related("membership__user", "passage"):
        email = row.membership.user.email if row.membership.user else ""
        item = material()[row.passage.external_id]
        assert row.active_ms == active_ms_of(email, ANNOTATORS[email], item, answer_of(email, ANNOTATORS[email], item))
        assert 1_000 < row.active_ms < 600_000

    report, _ = measure_agreement(demo, by=None, settings=agreement_settings(demo, resamples=0))

    looks = {row["name"]: row["look"] for row in report.result["annotators"] if row["look"]}
    yuki = demo.memberships.get(user__email="yuki@demo.invalid").pseudonym
    assert set(looks) == {yuki}
    assert "times as fast as the middle" in looks[yuki][0]


def test_its_board_has_weeks_of_work_to_show(demo: Project) -> None:
    work_here(Job.objects.get(kind=COUNT.name).pk, COUNT.work)

    board = board_of(demo, by=User.objects.get(email="nora@demo.invalid"))

    assert sum(day.submitted for day in board.days) > 55
    assert sum(day.submitted > 0 for day in board.days) > 15
    assert board.answers.done_by is not None
    assert all(line.figures.seconds and line.quota for line in board.lines)
    assert [line.figures.seconds for line in board.lines if line.reasons] == [
        min(line.figures.seconds or 0 for line in board.lines)
    ]
    assert open_questions(demo, by=User.objects.get(email="nora@demo.invalid")).count() == 2


def test_a_third_is_settled_one_is_talked_about_and_one_asks_to_be_looked_at_again(demo: Project) -> None:
    do_waiting_jobs()
    work_here(Job.objects.get(kind="decide_demo").pk, DECIDE_DEMO.work)

    queue = Queue(merge_now(demo), user=User.objects.get(email="tomas@demo.invalid"))
    counts = queue.counts
    assert 35 <= counts["waiting"] + counts["done"] <= 50
    assert counts["done"] == pytest.approx((counts["waiting"] + counts["done"]) / 3, abs=2)
    assert (counts["look"], counts["commented"]) == (1, 1)
    assert [finding.problems for finding in examine() if finding.problems] == []
    release = Release.objects.get(project=demo)
    assert (release.number, release.state, release.splits) == (1, "frozen", ["validation", "test"])
    assert release.path.exists()
    runs = SystemRun.objects.on(release, "test").scored()
    assert sorted(run.system for run in runs) == ["thesaurus rules", "thesaurus, any sense"]
    assert all(run.scores["found"] > 20 for run in runs)
    assert [line.title for line in leaderboard(release, "test").people] == ["A person", "A person"]


def test_it_opens_with_a_finished_merge_and_report(demo: Project) -> None:
    """By its own jobs, so that nobody waits for them at the start."""
    assert not Merge.objects.exists()
    for kind in (HAND_OUT, MAKE_TOKENS, COUNT, MERGE, DECIDE_DEMO, AGREEMENT, CURVE):
        for pk in Job.objects.waiting().filter(kind=kind.name).values_list("pk", flat=True):
            work_here(pk, kind.work)
    assert not Job.objects.unfinished().exists()

    merge = Merge.objects.of(demo).current().get()
    assert merge.kept > 100
    assert merge.changes["kept"] + merge.changes["moved"] > 0
    report = AgreementReport.objects.of(demo).done().get()
    assert len(report.result["annotators"]) == 10
    assert AnnotatorCurve.objects.filter(report=report).exists()


def test_making_the_demo_again_changes_nothing(demo: Project) -> None:
    before = (Event.objects.count(), Assignment.objects.count(), Submission.objects.count())

    call_command("demo", json=True, stdout=StringIO())

    assert (Event.objects.count(), Assignment.objects.count(), Submission.objects.count()) == before


def test_the_voices_agree_in_part() -> None:
    """Some targets are marked by nearly all, some by one: there is something to merge, to drop and to settle."""
    counts: dict[tuple[str, int, int], int] = {}
    for external_id, item in material().items():
        for name, habit in VOICES.items():
            for mark in answer_of(name, habit, item).get("marks", []):
                key = (external_id, mark["start"], mark["end"])
                counts[key] = counts.get(key, 0) + 1

    assert sum(count == 1 for count in counts.values()) > 30
    assert sum(count >= 5 for count in counts.values()) > 30


def test_every_answer_of_every_voice_can_be_submitted() -> None:
    for item in material().values():
        for name, habit in VOICES.items():
            answer = parse_answer(answer_of(name, habit, item), text=item.passage.text, protocol=SWS)
            assert submit_problems(answer, SWS) == []


def test_no_demo_person_has_a_password(demo: Project) -> None:
    people = [m.user for m in demo.memberships.filter(user__isnull=False)]

    assert len(people) == len(PEOPLE)
    assert not any(user and user.has_usable_password() for user in people)
    assert json.dumps([user.email for user in people if user]).count(".invalid") == 5
