"""A fixed cast and ready-made answers. Everything is made by the same actions that the product uses."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from annotator.actions.accounts import create_user
from annotator.actions.people import add_member, remove_member
from annotator.actions.projects import add_passages, change_project_state, create_project
from annotator.domain.passages import NewPassage
from annotator.models import Assignment, Membership, Project, User

TEXT = "😀 My uncle has a big house, and we make a very big party there every summer."
TEXTS = [
    TEXT,
    "Yesterday the weather was so bad that nobody wanted to go out of the house.",
    "I think that reading books gives people many good ideas for their life.",
    "In the evening we were very tired, but the long-term plan made us happy.",
]


@dataclass
class Cast:
    """ann and ben annotate `essays`; the others stand for every way of having nothing to do with their work."""

    project: Project
    lead: User
    adjudicator: User
    ann: User
    ben: User
    former: User
    stranger: User
    other_project: Project
    other_lead: User

    def person(self, name: str) -> User:
        found = getattr(self, name)
        assert isinstance(found, User)
        return found

    def assignment(self, name: str, number: int = 1) -> Assignment:
        rows = Assignment.objects.select_related("membership", "passage__project")
        return rows.get(membership__user=self.person(name), membership__project=self.project, number=number)

    def membership(self, name: str) -> Membership:
        return Membership.objects.get(project=self.project, user=self.person(name))


def make_user(name: str, **given: Any) -> User:
    return create_user(by=None, email=f"{name}@example.org", name=name.capitalize(), **given)


def make_project(slug: str, lead: User, texts: list[str]) -> Project:
    project = create_project(by=None, slug=slug, preset="sws", lead=lead, name=slug.capitalize(), seed="a-seed")
    passages = [NewPassage(f"{slug}-{number}", text) for number, text in enumerate(texts, start=1)]
    add_passages(project, by=lead, passages=passages)
    return project


NAMES = ("lead", "adjudicator", "ann", "ben", "former", "stranger", "other_lead")


def load_cast() -> Cast:
    found = {user.email: user for user in User.objects.filter(email__endswith="@example.org")}
    people = {name: found[f"{name}@example.org"] for name in NAMES}
    projects = {project.slug: project for project in Project.objects.all()}
    return Cast(project=projects["essays"], other_project=projects["letters"], **people)


def make_cast() -> Cast:
    people = {name: make_user(name) for name in NAMES}
    project = make_project("essays", people["lead"], TEXTS)
    for name, role in (
        ("adjudicator", "adjudicator"),
        ("ann", "annotator"),
        ("ben", "annotator"),
        ("former", "annotator"),
    ):
        add_member(project, user=people[name], by=people["lead"], roles={role})
    change_project_state(project, by=people["lead"], act="open")
    remove_member(project.memberships.get(user=people["former"]), by=people["lead"])
    make_project("letters", people["other_lead"], TEXTS[:1])
    return load_cast()


def mark(text: str, quote: str, *substitutes: str, type: str = "refine-usage", occurrence: int = 1) -> dict[str, Any]:
    start = -1
    for _ in range(occurrence):
        start = text.index(quote, start + 1)
    return {
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "note": "",
        "unsure": False,
        "substitutes": [{"text": item, "type": type, "via": "typed"} for item in substitutes],
    }


def answer_for(assignment: Assignment, *substitutes: str) -> dict[str, Any]:
    """The passage's second word marked; the substitutes tell one answer from another."""
    text = assignment.passage.text
    word = text.split()[1]
    return {"marks": [mark(text, word, *(substitutes or ("better",)))]}


def save_body(answer: Any, **given: Any) -> dict[str, Any]:
    return {"save_id": str(uuid4()), "active_ms": 0, "answer": answer, **given}
