"""The board: its figures are those of the work, and questions are answered on it."""

import csv
import io
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from annotator.actions.assignments import discard_assignment, save_answer, submit_assignment
from annotator.actions.guidelines import change_guidelines
from annotator.actions.people import add_member, change_roles, pause_member, remove_member
from annotator.actions.questions import ask_question
from annotator.domain.lengths import MAX_GUIDELINES_LENGTH, MAX_QUESTION_LENGTH
from annotator.models import Assignment, Check, EarlierGuidelines, Job, Passage, Project, Question, Tally, Worker
from annotator.queries.board import Board, Line, board_of
from tests.annotator.test_tallies import count, submit
from tests.factories import Cast, answer_for, make_user, mark

BOARD = "/p/essays/board"
HX = {"HX-Request": "true"}


def seen(cast: Cast) -> Board:
    return board_of(Project.objects.get(pk=cast.project.pk), by=cast.lead)


def line_of(cast: Cast, name: str) -> Line:
    pseudonym = cast.membership(name).pseudonym
    return next(line for line in seen(cast).lines if line.name == pseudonym)


def discard(cast: Cast, name: str, number: int, reason: str = "grammar") -> None:
    row = cast.assignment(name, number)
    discard_assignment(row, by=cast.person(name), version=row.version, save_id=uuid4(), reason=reason)


def by_protocol(cast: Cast, **switches: Any) -> None:
    data = {**cast.project.protocol_data, **switches}
    Project.objects.filter(pk=cast.project.pk).update(protocol_data=data)


def test_a_lead_comes_to_the_board_and_everybody_else_to_the_project(cast: Cast, client_of: Any) -> None:
    assert client_of("lead").get("/p/essays/")["Location"] == BOARD
    assert client_of("ann").get("/p/essays/").status_code == 200
    assert client_of("adjudicator").get("/p/essays/").status_code == 200


def tabs(client_of: Any, name: str, path: str) -> tuple[list[str], list[str]]:
    """Those that there are, and those that are current."""
    page = client_of(name).get(path).content.decode()
    nav = page.partition('aria-label="Project">')[2].partition("</nav>")[0]
    links = [part.partition("</a>")[0] for part in nav.split("<a ")[1:]]
    named = [(link.rpartition(">")[2], 'aria-current="page"' in link) for link in links]
    return [label for label, _ in named], [label for label, is_here in named if is_here]


def test_each_sees_the_tabs_of_their_roles(cast: Cast, client_of: Any) -> None:
    later = ["Merge", "Adjudication", "Agreement", "Releases", "Systems"]

    assert tabs(client_of, "ann", "/p/essays/work") == (["Guidelines", "My work"], ["My work"])
    assert tabs(client_of, "adjudicator", "/p/essays/merge") == (later, ["Merge"])
    there, here = tabs(client_of, "lead", BOARD)
    assert there[:9] == ["Board", "Passages", "People", "Guidelines", *later]
    assert here == ["Board"]


@pytest.mark.parametrize(
    ("path", "tab"),
    [("questions", "Board"), ("jobs", "Board"), ("people", "People"), ("guidelines/change", "Guidelines")],
)
def test_pages_belong_to_a_tab(cast: Cast, client_of: Any, path: str, tab: str) -> None:
    assert tabs(client_of, "lead", f"/p/essays/{path}")[1] == [tab]


def test_in_a_draft_a_lead_sees_what_there_is_to_set_up(cast: Cast, client_of: Any) -> None:
    there, here = tabs(client_of, "other_lead", "/p/letters/people")

    assert there[:4] == ["Set-up", "Passages", "People", "Guidelines"]
    assert "Merge" not in there
    assert here == ["People"]


def test_answers_are_counted_of_those_wanted_and_discards_stand_beside_them(cast: Cast) -> None:
    submit(cast, "ann", 1)
    submit(cast, "ann", 2)
    discard(cast, "ben", 1)

    answers = seen(cast).answers

    assert (answers.wanted, answers.done, answers.discarded, answers.to_go, answers.percent) == (8, 2, 1, 5, 25)


def test_coverage_says_how_many_passages_have_how_many_answers(cast: Cast) -> None:
    row = submit(cast, "ann", 1)
    submit(cast, "ann", 2)
    same = Assignment.objects.get(membership=cast.membership("ben"), passage=row.passage_id)
    submit(cast, "ben", same.number)

    assert seen(cast).answers.coverage == {0: 2, 1: 1, 2: 1}


def test_with_k_answers_a_passage_k_are_wanted_and_more_count_for_nothing(cast: Cast) -> None:
    by_protocol(cast, answers_per_passage=1)
    row = submit(cast, "ann", 1)
    same = Assignment.objects.get(membership=cast.membership("ben"), passage=row.passage_id)
    submit(cast, "ben", same.number)

    answers = seen(cast).answers

    assert (answers.wanted, answers.done, answers.full) == (4, 1, 1)


def test_controls_and_repeats_are_no_answers_for_the_set(cast: Cast) -> None:
    by_protocol(cast, controls_per_hundred=10, repeats_per_hundred=10)
    own = cast.membership("ann").assignments
    Passage.objects.filter(pk=own.get(number=1).passage_id).update(kind="control")
    submit(cast, "ann", 1)
    again = own.get(number=2)
    Assignment.objects.create(membership=again.membership, passage=again.passage, number=5, is_repeat=True)

    answers = seen(cast).answers

    assert (answers.passages, answers.wanted, answers.done) == (3, 6, 0)
    line = line_of(cast, "ann")
    assert (line.given, line.done) == (5, 1)  # as it looks to her


def test_the_pace_of_the_last_fortnight_says_when_it_will_be_done(cast: Cast) -> None:
    noon = timezone.now().replace(hour=12)
    for days, number in ((4, 1), (2, 2), (2, 3)):
        with time_machine.travel(noon - timedelta(days=days), tick=False):
            submit(cast, "ann", number)
    with time_machine.travel(noon, tick=False):
        answers = seen(cast).answers

    assert answers.pace == 3 / 4  # of the four days since the first
    assert answers.done_by == (noon + timedelta(days=7)).date()  # five to go


def days_ago(days: int) -> Any:
    return time_machine.travel(timezone.now().replace(hour=12) - timedelta(days=days), tick=False)


def test_the_pace_counts_what_brings_the_end_nearer(cast: Cast) -> None:
    """Neither controls nor repeats nor answers of a passage that had all; discards, though."""
    by_protocol(cast, answers_per_passage=1, controls_per_hundred=10, repeats_per_hundred=10)
    own = cast.membership("ann").assignments
    with days_ago(2):
        for number in (1, 2, 3):
            submit(cast, "ann", number)
        discard(cast, "ann", 4)
        again = Assignment.objects.get(membership=cast.membership("ben"), passage=own.get(number=2).passage_id)
        submit(cast, "ben", again.number)
    Passage.objects.filter(pk=own.get(number=1).passage_id).update(kind="control")
    Assignment.objects.filter(pk=own.get(number=3).pk).update(is_repeat=True)

    answers = seen(cast).answers

    assert (answers.wanted, answers.done, answers.discarded) == (3, 1, 1)
    assert answers.pace == 2 / 2


def test_an_answer_that_was_set_aside_later_is_in_the_pace_once(cast: Cast) -> None:
    with days_ago(4):
        submit(cast, "ann", 1)
    with days_ago(2):
        discard(cast, "ann", 1)

    assert seen(cast).answers.pace == 1 / 4


def test_seconds_are_of_submitted_work_alone_and_hours_of_everything(cast: Cast) -> None:
    own = cast.membership("ann").assignments
    Passage.objects.filter(pk=own.get(number=1).passage_id).update(kind="practice")
    with time_machine.travel(timezone.now() + timedelta(minutes=30), tick=False):
        for number, seconds in ((1, 600), (2, 40), (3, 60)):
            submit(cast, "ann", number, active_ms=seconds * 1000)
        row = cast.assignment("ann", 4)
        given: dict[str, Any] = {"by": cast.ann, "version": row.version, "save_id": uuid4()}
        save_answer(row, **given, active_ms=900_000, answer=answer_for(row))
    count(cast.project)

    assert line_of(cast, "ann").figures.seconds == 50.0
    assert sum(Tally.objects.values_list("active_ms", flat=True)) == 1_600_000


def test_where_nobody_works_no_day_is_named(cast: Cast, client_of: Any) -> None:
    assert seen(cast).answers.done_by is None
    assert "Nobody has submitted anything" in client_of("lead").get(BOARD).content.decode()


def test_on_the_first_day_there_is_no_pace_yet(cast: Cast, client_of: Any) -> None:
    submit(cast, "ann", 1)

    page = client_of("lead").get(BOARD).content.decode()

    assert "There is no pace yet: it counts whole days before today." in page
    assert "<dt>Pace</dt><dd>–</dd>" in page
    assert "Nobody has submitted" not in page


def test_a_person_line_says_what_they_have_done(cast: Cast) -> None:
    row = cast.assignment("ann")
    words = row.passage.text.split()
    marks = [
        mark(row.passage.text, words[1], "big", "huge"),
        mark(row.passage.text, words[2], "so", type="diversify-expression"),
    ]
    with time_machine.travel(row.changed_at + timedelta(minutes=5), tick=False):
        submit_assignment(row, by=cast.ann, version=0, save_id=uuid4(), active_ms=90_000, answer={"marks": marks})
    submit(cast, "ann", 2)
    discard(cast, "ann", 3)
    count(cast.project)

    line = line_of(cast, "ann")

    assert (line.given, line.done, line.week, line.discards) == (4, 3, 2, 1)
    assert (line.figures.each, line.figures.seconds) == (1.5, 45.0)
    assert line.mix == [("Refine usage", 0.75), ("Diversify expression", 0.25)]
    assert line.quota == (3, 5)  # 1.5 for each of three passages


def test_controls_and_agreement_with_oneself_stand_on_the_line(cast: Cast, client_of: Any) -> None:
    assert "Controls" not in client_of("lead").get(BOARD).content.decode()
    rows = [submit(cast, "ann", number) for number in (1, 2)]
    Check.objects.create(assignment=rows[0], is_met=True)
    Assignment.objects.filter(pk=rows[1].pk).update(is_repeat=True)
    Check.objects.create(assignment=rows[1], spans_shared=1, spans_either=4)

    checks = line_of(cast, "ann").figures.checks

    assert (checks.controls, checks.met, checks.repeats, checks.spans) == (1, 1, 1, 0.25)
    page = client_of("lead").get(BOARD).content.decode()
    assert "1 of 1" in page
    assert "Controls" in page


def test_agreement_with_oneself_is_told_of_all_together_spans_and_words(cast: Cast, client_of: Any) -> None:
    repeats = [("ann", 1, 1, 2, [[1, 2]]), ("ann", 2, 2, 2, [[1, 1], [0, 1]]), ("ben", 1, 0, 1, [])]
    for name, number, shared, either, words in repeats:
        row = submit(cast, name, number)
        Assignment.objects.filter(pk=row.pk).update(is_repeat=True)
        Check.objects.create(assignment=row, spans_shared=shared, spans_either=either, words=words)

    whole = seen(cast).all
    page = client_of("lead").get(BOARD).content.decode()

    assert whole is not None
    assert (whole.figures.checks.spans, whole.figures.checks.words) == (0.5, 0.5)  # of 0.5, 1 and 0; of 0.5, 1 and 0
    assert page.count("50 · 50") == 1
    assert "75 · 50" in page
    assert "0 · –" in page


def test_three_types_or_more_are_all_told(cast: Cast, client_of: Any) -> None:
    types = cast.project.protocol_data["types"]
    by_protocol(
        cast, types=[*types, {**types[0], "key": "other", "label": "Something other", "code": 3, "aliases": []}]
    )
    submit(cast, "ann", 1, "large", "huge")
    Tally.objects.update(by_type={"refine-usage": 2, "diversify-expression": 1, "other": 1})

    page = client_of("lead").get(BOARD).content.decode()

    assert '<th class="num">Types</th>' in page
    for told in ("Refine usage 50 %", "Diversify expression 25 %", "Something other 25 %"):
        assert told in page


def test_who_is_paused_or_removed_stays_while_they_have_done_something(cast: Cast) -> None:
    submit(cast, "ben", 1)
    pause_member(cast.membership("ann"), by=cast.lead)
    remove_member(cast.membership("ben"), by=cast.lead)

    states = {line.name: line.state for line in seen(cast).lines}

    ann, ben, former = (cast.membership(name).pseudonym for name in ("ann", "ben", "former"))
    assert (states[ann], states[ben]) == ("paused", "removed")
    assert former not in states


def test_thirty_days_are_drawn_and_told_in_a_table(cast: Cast, client_of: Any) -> None:
    with time_machine.travel(timezone.now() - timedelta(days=3), tick=False):
        submit(cast, "ann", 1)
    submit(cast, "ann", 2)

    days = seen(cast).days

    assert len(days) == 30
    assert [day.submitted for day in days[-4:]] == [1, 0, 0, 1]
    page = client_of("lead").get(BOARD).content.decode()
    assert page.count('class="ghost"') == 1  # today is not over


def test_discards_are_told_by_reason_with_the_passages_of_three(cast: Cast, client_of: Any) -> None:
    add_member(cast.project, user=make_user("cleo"), by=cast.lead, roles={"annotator"})
    passage = cast.assignment("ann").passage
    for row in Assignment.objects.filter(passage=passage, membership__removed_at=None).select_related("membership"):
        user = row.membership.user
        assert user is not None
        row = Assignment.objects.select_related("membership", "passage__project").get(pk=row.pk)
        discard_assignment(row, by=user, version=0, save_id=uuid4(), reason="context")
    discard(cast, "ann", 2)

    discards = seen(cast).discards

    assert discards.reasons == [("context", "Too little context", 3), ("grammar", "Grammar or typo", 1)]
    assert [(row.external_id, number) for row, number in discards.often] == [(passage.external_id, 3)]
    page = client_of("lead").get(BOARD).content.decode()
    assert "By 3 or more" in page
    assert 'href="/p/essays/passages?reason=context">Too little context</a>' in page


def test_where_few_are_given_a_passage_fewer_discards_are_worth_a_look(cast: Cast, client_of: Any) -> None:
    by_protocol(cast, answers_per_passage=2)
    passage = cast.assignment("ann").passage
    discard(cast, "ann", 1)
    discard(cast, "ben", Assignment.objects.get(membership=cast.membership("ben"), passage=passage).number)

    assert [(row, number) for row, number in seen(cast).discards.often] == [(passage, 2)]
    assert "By 2 or more" in client_of("lead").get(BOARD).content.decode()


def test_a_lead_who_annotates_is_told_of_no_passage_they_have_still_to_do(cast: Cast) -> None:
    add_member(cast.project, user=make_user("cleo"), by=cast.lead, roles={"annotator"})
    change_roles(cast.membership("lead"), by=cast.lead, roles={"lead", "annotator"})
    passage = cast.assignment("ann").passage
    for row in Assignment.objects.filter(passage=passage, membership__removed_at=None).exclude(
        membership__user=cast.lead
    ):
        row = Assignment.objects.select_related("membership__user", "passage__project").get(pk=row.pk)
        assert row.membership.user is not None
        discard_assignment(row, by=row.membership.user, version=0, save_id=uuid4(), reason="context")
    ask_question(cast.assignment("ann"), by=cast.ann, text="Ann asks.")

    discards = seen(cast).discards

    assert (discards.total, discards.often) == (3, [])


def test_names_can_be_hidden(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")

    assert ">Ann<" in client.get(BOARD).content.decode()
    assert ">Ann<" not in client.get(f"{BOARD}?names=0").content.decode()


def test_the_part_with_the_figures_is_refreshed_by_itself(cast: Cast, client_of: Any) -> None:
    part = client_of("lead").get(BOARD, headers=HX).content.decode()

    assert part.lstrip().startswith('<div id="figures"')
    assert "Questions" not in part


def test_jobs_are_shown_with_per_cent_and_without_htmx_on_their_own_page(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")
    client.post("/p/essays/hand-out")

    part = client.get(f"{BOARD}/jobs", headers=HX).content.decode()

    assert "Hand out work" in part
    assert "0 %" in part
    assert "no worker is running" in part
    assert "No worker is running" in client.get(BOARD).content.decode()
    assert client.get(f"{BOARD}/jobs")["Location"] == "/p/essays/jobs"


def test_with_no_job_listed_it_says_as_well_whether_a_worker_is_running(cast: Cast, client_of: Any) -> None:
    client = client_of("lead")
    Job.objects.all().delete()
    assert "no worker is running" in client.get(BOARD).content.decode()

    Worker.objects.create(name="w", seen_at=timezone.now())

    page = client.get(BOARD).content.decode()
    assert "a worker is running" in page
    assert "No worker is running" not in page


def test_work_is_handed_out_where_it_is_seen_first_who_would_get_what(cast: Cast, client_of: Any) -> None:
    page = client_of("lead").get(BOARD).content.decode()

    assert '<a class="btn small" href="/p/essays/assignment">Hand out work…</a>' in page
    assert "hand-out" not in page
    assert 'action="/p/essays/hand-out"' in client_of("lead").get("/p/essays/assignment").content.decode()


def asked(cast: Cast, text: str = "Is this a name?") -> Question:
    return ask_question(cast.assignment("ann"), by=cast.ann, text=text)


def answer(client: Any, question: Question, text: str, *, is_part: bool = False, **also: Any) -> Any:
    form = {"text": text, "version": question.version, **also}
    data = {f"{question.pk}-{name}": value for name, value in form.items()}
    return client.post(f"{BOARD}/questions/{question.uuid}", data, headers=HX if is_part else {})


def test_a_question_is_answered_on_the_board(cast: Cast, client_of: Any) -> None:
    question, client = asked(cast), client_of("lead")
    assert "Is this a name?" in client.get(BOARD).content.decode()

    response = answer(client, question, "It is.")

    assert response["Location"] == BOARD
    question.refresh_from_db()
    assert question.answer == "It is."
    page = client.get(BOARD).content.decode()
    assert "Answered. The annotator sees it" in page
    assert "Is this a name?" not in page


def test_answered_by_htmx_it_gives_way_to_what_was_done(cast: Cast, client_of: Any) -> None:
    question = asked(cast)
    asked(cast, "Another?")

    part = answer(client_of("lead"), question, "It is.", is_part=True).content.decode()

    assert f"sent:answer:{question.uuid}" in part
    assert "1 open" in part
    assert "<html" not in part


def test_an_answer_goes_into_the_guidelines_under_its_heading(cast: Cast, client_of: Any) -> None:
    text = "# Marks\n\n- One word.\n\n# Names\n\nNone."
    change_guidelines(cast.project, by=cast.lead, version=1, guidelines=text, look_up_policy="")

    response = answer(client_of("lead"), asked(cast), "Mark it whole.", adds="on", under="Marks")

    project = Project.objects.get(pk=cast.project.pk)
    assert response.status_code == 302
    assert project.guidelines == "# Marks\n\n- One word.\n- Mark it whole.\n\n# Names\n\nNone."
    assert project.guidelines_version == 3
    assert EarlierGuidelines.objects.get(project=project, version=2).guidelines == text


def test_an_answer_without_a_heading_goes_there_with_its_question(cast: Cast, client_of: Any) -> None:
    change_guidelines(cast.project, by=cast.lead, version=1, guidelines="# Names\n\nNone.", look_up_policy="")
    question = asked(cast)

    answer(client_of("lead"), question, "It is.", adds="on", under="")

    project = Project.objects.get(pk=cast.project.pk)
    added = f"## Questions and answers\n\n**{question.text}**\n\nIt is."
    assert project.guidelines == f"# Names\n\nNone.\n\n{added}"


@pytest.mark.parametrize("text", ["", "  ", "x" * (MAX_QUESTION_LENGTH + 1), "a\x00b"])
def test_a_bad_answer_is_named_beside_the_field_and_nothing_is_lost(cast: Cast, client_of: Any, text: str) -> None:
    question, client = asked(cast), client_of("lead")

    whole, part = answer(client, question, text), answer(client, question, text, is_part=True)

    assert (whole.status_code, part.status_code) == (400, 200)
    for response in (whole, part):
        page = response.content.decode()
        assert 'class="error"' in page
        assert text.strip().replace("\x00", "")[:50] in page
    question.refresh_from_db()
    assert question.answered_at is None


def test_two_leads_do_not_answer_over_each_other(cast: Cast, client_of: Any) -> None:
    question, client = asked(cast), client_of("lead")
    answer(client, question, "It is.")

    response = answer(client, question, "It is not.")

    page = response.content.decode()
    assert "Somebody else has answered this in the meantime." in page
    assert "It is not." in page
    question.refresh_from_db()
    assert question.answer == "It is."


def test_guidelines_that_would_be_too_long_leave_the_question_open(cast: Cast, client_of: Any) -> None:
    full = "x" * (MAX_GUIDELINES_LENGTH - 3)
    change_guidelines(cast.project, by=cast.lead, version=1, guidelines=full, look_up_policy="")
    question = asked(cast)

    response = answer(client_of("lead"), question, "Mark it whole.", adds="on", under="")

    assert response.status_code == 400
    assert "The guidelines" in response.content.decode()
    question.refresh_from_db()
    assert question.answered_at is None


def rows_of(response: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_hours_and_counts_come_as_a_table_by_person_and_day(cast: Cast, client_of: Any) -> None:
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False) as clock:
        submit(cast, "ann", 1, "large", "huge", active_ms=1_800_000)
        today = timezone.now().date()
        clock.shift(timedelta(days=1))
        submit(cast, "ann", 2)
        discard(cast, "ben", 1)
        count(cast.project)

    rows = rows_of(client_of("lead").get(f"{BOARD}.csv"))

    ann = cast.membership("ann").pseudonym
    assert len(rows) == 3
    first = rows[0]
    assert (first["day"], first["annotator"]) == (str(today), ann)
    assert (first["name"], first["submitted"], first["substitutes"], first["hours"]) == ("Ann", "1", "2", "0.50")
    assert first["type refine-usage"] == "2"


def test_the_table_can_be_of_some_days(cast: Cast, client_of: Any) -> None:
    submit(cast, "ann", 1)
    client, today = client_of("lead"), timezone.now().date()

    assert len(rows_of(client.get(f"{BOARD}.csv?from={today}&to={today}"))) == 1
    assert rows_of(client.get(f"{BOARD}.csv?to={today - timedelta(days=1)}")) == []
    refused = client.get(f"{BOARD}.csv?from=yesterday")
    assert (refused.status_code, b"is a day, written as" in refused.content) == (400, True)


def test_no_cell_is_a_formula(cast: Cast, client_of: Any) -> None:
    cast.ann.name = "=1+1"
    cast.ann.save()
    submit(cast, "ann", 1)

    assert rows_of(client_of("lead").get(f"{BOARD}.csv"))[0]["name"] == "'=1+1"


@pytest.mark.parametrize("state", ["paused", "closed", "archived"])
def test_the_board_is_there_in_every_state_after_the_draft(cast: Cast, client_of: Any, state: str) -> None:
    Project.objects.filter(pk=cast.project.pk).update(state=state)

    assert client_of("lead").get(BOARD).status_code == 200


def test_a_project_with_nothing_in_it_has_a_board(cast: Cast, client_of: Any) -> None:
    Project.objects.filter(slug="letters").update(state="open")
    Passage.objects.filter(project__slug="letters").update(archived_at=timezone.now())

    page = client_of("other_lead").get("/p/letters/board").content.decode()

    assert "This project has no passages yet." in page
    assert "Nobody annotates yet" in page


def test_the_board_costs_as_many_statements_for_many_people(
    cast: Cast, client_of: Any, django_assert_max_num_queries: Any
) -> None:
    for name in ("ann", "ben"):
        Tally.objects.create(membership=cast.membership(name), day=timezone.now().date(), submitted=1)

    with django_assert_max_num_queries(40):
        client_of("lead").get(BOARD)


def test_answers_of_the_forms_are_told_apart(cast: Cast, client_of: Any) -> None:
    """Each question has a form of its own, of which only the one that was sent is shown with what is wrong."""
    one, two = asked(cast, "One?"), asked(cast, "Two?")

    page = answer(client_of("lead"), two, "").content.decode()

    before, _, after = page.partition(f'id="question-{two.uuid}"')
    assert 'class="error"' not in before
    assert 'class="error"' in after
    assert f'id="question-{one.uuid}"' in before
