"""A draft in which every page of the set-up has something to show, and links by which people come in."""

import json
import os
from pathlib import Path

from annotator.actions.accounts import set_password
from annotator.actions.invitations import invite
from annotator.actions.people import add_member
from annotator.actions.projects import add_passages, create_project
from annotator.actions.qualifying import set_key
from annotator.domain.passages import NewPassage
from annotator.links import set_password_link
from tests.factories import make_user, mark
from tests.house import PASSWORD

TEXTS = [
    "My grandmother has a very nice garden behind the house where she grows big tomatoes.",
    "Every weekend we drive\u200b there. Tom &amp; I help her.",
    "every weekend we drive\u200b there. Tom &amp; I help her.",
    "Too short.",
]
LINKS = "links.json"  # in the data folder


def every_page() -> None:
    lead, idle, newcomer = (make_user(name) for name in ("lead", "idle", "newcomer"))
    for user in (lead, idle):
        set_password(user, by=user, password=PASSWORD)
    project = create_project(by=None, slug="drafted", preset="sws", lead=lead, name="Drafted")
    add_passages(project, by=lead, passages=[NewPassage(f"w{n}", text) for n, text in enumerate(TEXTS, start=1)])
    [test] = add_passages(project, by=lead, passages=[NewPassage("t1", f"A test. {TEXTS[0]}", kind="test")])
    set_key(test, by=lead, answer={"marks": [mark(test.text, "nice", "lovely")]})
    add_member(project, user=idle, by=lead, roles={"annotator"})
    _, token = invite(project, by=lead, email="new@example.org", roles={"annotator"})
    links = {
        "invitation": f"/invite/{token}",
        "link_over": "/invite/nothing",
        "open_account": set_password_link(newcomer),
        "key": f"/p/drafted/setup/test/{test.uuid}/key",
    }
    Path(os.environ["ASSAY_DATA_DIR"], LINKS).write_text(json.dumps(links))
