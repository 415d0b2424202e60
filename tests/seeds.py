"""What a house under test is filled with; run inside it by House.seed."""

from uuid import uuid4

from django.db import transaction

from annotator.actions.accounts import create_user, set_password
from annotator.actions.assigning import HAND_OUT
from annotator.actions.assignments import save_answer, submit_assignment
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.actions.qualifying import set_key
from annotator.actions.running import work_here
from annotator.actions.tokens import MAKE_TOKENS, _keep, _made
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Job, Project, User
from tests.factories import answer_for, make_user, mark
from tests.house import PASSWORD

# One passage each for what text can do; written for these tests.
STORY_PEOPLE = 83  # with six passages each just under what is handed out at once
MANY_PASSAGES = 1200
STORY_GUIDELINES = "# Stories\n\nMark what you would change."
STORY_TEXTS = {
    "plain": "The boy walked quickly home because he was hungry and tired.",
    "repeated": "It was a good day with good friends and good food.",
    "emoji": "😀👩‍👩‍👧 We had a nice time at the café 🇫🇷 yesterday.",
    "markup": "<b>Bold</b> &amp; <img src=x onerror=alert(1)> <a hx-get='/'>words</a> stay words.",
    "rtl": "הילד הלך מהר הביתה כי הוא היה רעב מאוד.",
    "hyphen": "Their long-term plan didn't work, so they don't talk about it.",
}


def story_people() -> None:
    """A lead and an annotator for every story, all with passwords; one open project with one passage per text."""
    lead = make_user("lead")
    set_password(lead, by=lead, password=PASSWORD)
    project = create_project(
        by=None, slug="stories", preset="sws", lead=lead, name="Stories", seed="stories", guidelines=STORY_GUIDELINES
    )
    # One order of types for all, and no word about a single mark: what a story types is about something else.
    switches = {**project.protocol_data, "fixes_type_order": True, "warn_below_marks": 0}
    Project.objects.filter(pk=project.pk).update(protocol_data=switches)
    project.refresh_from_db()
    for number in range(STORY_PEOPLE):
        user = make_user(f"ann{number}")
        set_password(user, by=user, password=PASSWORD)
        add_member(project, user=user, by=lead, roles={"annotator"})
    passages = [
        NewPassage(name, text, lang="he" if name == "rtl" else "", context_before="This stood before it.")
        for name, text in STORY_TEXTS.items()
    ]
    add_passages(project, by=lead, passages=passages)
    change_project_state(project, by=lead, act="open")


def a_newcomer_to_test() -> None:
    """Two test passages with keys, and somebody who joins after them."""
    project = Project.objects.get(slug="stories")
    lead = project.memberships.get(is_lead=True).user
    texts = {"t1": ("The boy has a big dog.", "big", "large"), "t2": ("We made a nice cake.", "nice", "tasty")}
    passages = [NewPassage(name, text, kind="test") for name, (text, _, _) in texts.items()]
    for row in add_passages(project, by=lead, passages=passages):
        text, word, offer = texts[row.external_id]
        set_key(row, by=lead, answer={"marks": [mark(text, word, offer)]})
    user = make_user("newcomer")
    set_password(user, by=user, password=PASSWORD)
    add_member(project, user=user, by=lead, roles={"annotator"})


def a_second_lead() -> None:
    project = Project.objects.get(slug="stories")
    user = make_user("second")
    set_password(user, by=user, password=PASSWORD)
    add_member(project, user=user, by=None, roles={"lead"})


def a_draft() -> None:
    """Of a lead of its own, with nothing in it."""
    user = make_user("spring")
    set_password(user, by=user, password=PASSWORD)
    create_project(by=None, slug="spring", preset="sws", lead=user, name="Spring essays")


def many_passages() -> None:
    """So many that handing them out to everybody takes a while."""
    project = Project.objects.get(slug="stories")
    lead = project.memberships.get(is_lead=True).user
    passages = [NewPassage(f"many{n}", f"Number {n} of very many sentences.") for n in range(MANY_PASSAGES)]
    add_passages(project, by=lead, passages=passages)


def do_waiting_jobs() -> None:
    """What a worker would do, here and now."""
    for kind in (HAND_OUT, MAKE_TOKENS):
        for pk in Job.objects.waiting().filter(kind=kind.name).values_list("pk", flat=True):
            work_here(pk, kind.work)


def story_tokens() -> None:
    """Without their job: the instants of one that has run are written otherwise by a restore."""
    project = Project.objects.get(slug="stories")
    rows = _made(project, list(project.passages.values_list("pk", flat=True)))
    with transaction.atomic():
        _keep(project, rows)


def ten_annotators(people: int = 10) -> None:
    """Ten people with the same password and many passages: what the load tests save into."""
    lead = create_user(by=None, email="lead@example.org", name="Lead")
    project = create_project(by=None, slug="load", preset="sws", lead=lead, seed="load")
    text = "The pupils wanted to make a big garden behind the old school house in spring."
    add_passages(project, by=lead, passages=[NewPassage(f"p{n}", f"{text} ({n})") for n in range(500)])
    for n in range(people):
        user = make_user(f"person{n}")
        set_password(user, by=user, password=PASSWORD)
        add_member(project, user=user, by=lead, roles={"annotator"})
    change_project_state(project, by=lead, act="open")
    do_waiting_jobs()


def fifty_annotators() -> None:
    ten_annotators(people=50)


def five_thousand_answers() -> None:
    """person0 has 5,000 submitted answers behind them; person1 has none."""
    project = Project.objects.get(slug="load")
    lead = project.memberships.get(is_lead=True).user
    user = User.objects.get(email="person0@example.org")
    text = "The pupils wanted to make a big garden behind the old school house in spring."
    passages = [NewPassage(f"more{n}", f"{text} (more {n})") for n in range(5000)]
    change_project_state(project, by=lead, act="pause")
    add_passages(project, by=lead, passages=passages)
    change_project_state(project, by=lead, act="open")
    do_waiting_jobs()
    own = Assignment.objects.own(user).filter(passage__external_id__startswith="more")
    for row in own.select_related("membership", "passage__project").in_order():
        submit_assignment(row, by=user, version=0, save_id=uuid4(), active_ms=0, answer=answer_for(row, "a", "b"))


def _one_annotator(passages: list[NewPassage]) -> None:
    """person0, and these passages for them."""
    lead = create_user(by=None, email="lead@example.org", name="Lead")
    project = create_project(by=None, slug="load", preset="sws", lead=lead, seed="load")
    add_passages(project, by=lead, passages=passages)
    user = make_user("person0")
    set_password(user, by=user, password=PASSWORD)
    add_member(project, user=user, by=lead, roles={"annotator"})
    change_project_state(project, by=lead, act="open")
    do_waiting_jobs()


def _alike(count: int) -> list[NewPassage]:
    text = "The pupils wanted to make a big garden behind the old school house in spring."
    return [NewPassage(f"p{n}", f"{text} ({n})") for n in range(count)]


def thousand_passages() -> None:
    _one_annotator(_alike(1_000))


def twenty_thousand_passages() -> None:
    _one_annotator(_alike(20_000))


def a_long_passage() -> None:
    """person0 has one passage of 2,000 words, a hundred of them marked."""
    words = ["The", "small", "river", "ran", "quickly", "behind", "our", "old", "house"]
    marked = range(5, 2_000, 20)
    text = " ".join(f"stone{n}" if n in marked else words[n % len(words)] for n in range(2_000))
    _one_annotator([NewPassage("long", text)])
    row = Assignment.objects.select_related("membership__user", "passage__project").get()
    answer = {"marks": [mark(text, f"stone{n}", f"pebble {n}") for n in marked]}
    assert row.membership.user is not None
    save_answer(row, by=row.membership.user, version=0, save_id=uuid4(), active_ms=0, answer=answer)
