"""Guidelines: version by version, who may write them, and what those who have read them are told."""

from typing import Any

import pytest
from django.test import Client

from annotator.actions.guidelines import change_guidelines, read_guidelines
from annotator.actions.projects import change_project_state
from annotator.domain.errors import Conflict, Invalid, NotAllowed, Stale
from annotator.models import Event, Project
from annotator.queries.guidelines import _changed_guidelines, guidelines_changes
from tests.conftest import Api
from tests.factories import Cast

PAGE = "/p/essays/guidelines"


def change(cast: Cast, text: str, *, policy: str = "", version: int | None = None) -> Project:
    project = Project.objects.get(pk=cast.project.pk)
    version = project.guidelines_version if version is None else version
    return change_guidelines(project, by=cast.lead, version=version, guidelines=text, look_up_policy=policy)


def test_guidelines_are_read_once_per_version(cast: Cast, client_of: Any) -> None:
    Project.objects.filter(pk=cast.project.pk).update(guidelines="# Do\n<b>well</b>", guidelines_version=3)
    assert "not read yet" in client_of("ann").get("/p/essays/guidelines").content.decode()
    api = Api(cast.ann)

    assert api.call("POST", "/api/v1/projects/essays/guidelines-read", {"version": 2}).json() == {"read": 2}
    page = client_of("ann").get("/p/essays/guidelines").content.decode()
    assert "changed since you last read them" in page
    assert "&lt;b&gt;well&lt;/b&gt;" in page
    api.call("POST", "/api/v1/projects/essays/guidelines-read", {"version": 3})
    events = Event.objects.count()
    api.call("POST", "/api/v1/projects/essays/guidelines-read", {"version": 1})

    assert Event.objects.count() == events
    assert "changed" not in client_of("ann").get("/p/essays/guidelines").content.decode()
    assert api.call("POST", "/api/v1/projects/essays/guidelines-read", {"version": 4}).status_code == 422
    with pytest.raises(Invalid):
        read_guidelines(cast.membership("ann"), by=cast.ann, version=9)


@pytest.mark.parametrize(("name", "by"), [("ann", "ben"), ("ann", "lead"), ("former", "former"), ("lead", "lead")])
def test_nobody_but_an_active_annotator_has_read_them(cast: Cast, name: str, by: str) -> None:
    with pytest.raises(NotAllowed):
        read_guidelines(cast.membership(name), by=cast.person(by), version=1)

    assert cast.membership(name).guidelines_read == 0


def test_the_panel_gets_only_the_text(cast: Cast, client_of: Any) -> None:
    client: Client = client_of("ann")

    panel = client.get("/p/essays/guidelines", headers={"X-Assay-Panel": "1"}).content.decode()

    assert "Version 1" in panel
    assert "<html" not in panel


@pytest.mark.parametrize("headers", [{}, {"X-Assay-Panel": "1"}])
def test_what_may_be_looked_up_is_written_like_the_guidelines(
    cast: Cast, client_of: Any, headers: dict[str, str]
) -> None:
    change(cast, "# Do", policy="- Any <b>dictionary</b>\n- **AI is not**")

    page = client_of("ann").get(PAGE, headers=headers).content.decode()

    assert "<li>Any &lt;b&gt;dictionary&lt;/b&gt;</li>" in page
    assert "<li><strong>AI is not</strong></li>" in page


def test_a_change_is_a_new_version_and_keeps_the_old_one(cast: Cast, client_of: Any) -> None:
    change(cast, "# Do\nMark verbs.")
    project = change(cast, "# Do\r\nMark verbs.\r\nMark nouns.", policy="Any dictionary.")

    assert (project.guidelines_version, project.guidelines) == (3, "# Do\nMark verbs.\nMark nouns.")
    assert list(project.earlier_guidelines.order_by("version").values_list("version", "guidelines")) == [
        (1, ""),
        (2, "# Do\nMark verbs."),
    ]
    newest = Event.objects.of(project).last()
    assert newest is not None
    assert (newest.kind, newest.payload) == ("guidelines.changed", {"version": 3})
    old = client_of("ann").get(f"{PAGE}/2").content.decode()
    assert "This is version 2" in old
    assert "Mark nouns" not in old
    assert client_of("ann").get(f"{PAGE}/4").status_code == 404


def test_no_change_makes_no_version(cast: Cast) -> None:
    change(cast, "Mark verbs.")
    events = Event.objects.count()

    assert change(cast, "Mark verbs.\r\n").guidelines_version == 2
    assert Event.objects.count() == events


def test_two_leads_do_not_overwrite_each_other(cast: Cast, client_of: Any) -> None:
    change(cast, "Theirs.")

    with pytest.raises(Stale, match="version 2"):
        change(cast, "Mine.", version=1)
    given = {"version": 1, "guidelines": "Mine <b>kept</b>.", "look_up_policy": ""}
    page = client_of("lead").post(f"{PAGE}/change", given)
    assert page.status_code == 422
    assert "Mine &lt;b&gt;kept&lt;/b&gt;." in page.content.decode()
    assert 'name="version" value="2"' in page.content.decode()
    assert "data-refused" in page.content.decode()  # the browser goes on keeping it
    assert "data-refused" not in client_of("lead").get(f"{PAGE}/change").content.decode()
    assert Project.objects.get(pk=cast.project.pk).guidelines == "Theirs."
    assert client_of("lead").post(f"{PAGE}/change", {**given, "version": 2}).status_code == 302
    assert Project.objects.get(pk=cast.project.pk).guidelines == "Mine <b>kept</b>."


def test_what_is_refused_is_named_and_nothing_is_lost(cast: Cast, client_of: Any) -> None:
    given = {"version": 1, "guidelines": "bad \x07 bell", "look_up_policy": ""}
    page = client_of("lead").post(f"{PAGE}/change", given)
    assert page.status_code == 422
    assert "U+0007" in page.content.decode()
    with pytest.raises(Invalid, match="100000 are the most"):
        change(cast, "x" * 100_001)
    with pytest.raises(NotAllowed):
        change_guidelines(cast.project, by=cast.ann, version=1, guidelines="x", look_up_policy="")
    project = change_project_state(Project.objects.get(pk=cast.project.pk), by=cast.lead, act="archive")
    with pytest.raises(Conflict, match="archived"):
        change(cast, "x")
    assert project.guidelines_version == 1


def test_those_who_have_read_are_shown_what_changed(cast: Cast, client_of: Any) -> None:
    change(cast, "Mark verbs.\n\nMark nouns.")
    ann: Client = client_of("ann")
    assert ann.post(f"{PAGE}/read", {"version": 2}).status_code == 302
    assert "I have read them" not in ann.get(PAGE).content.decode()
    change(cast, "Mark verbs.\n\nMark <i>names</i>.", policy="No chat bots.")

    page = ann.get(PAGE).content.decode()

    assert "What changed since version 2" in page
    assert '<del dir="auto">Mark nouns.</del>' in page
    assert '<ins dir="auto">Mark &lt;i&gt;names&lt;/i&gt;.</ins>' in page
    assert '<ins dir="auto">No chat bots.</ins>' in page
    assert "What changed" not in client_of("ben").get(PAGE).content.decode()  # has not read any
    ann.post(f"{PAGE}/read", {"version": "nonsense"})
    assert "What changed" in ann.get(PAGE).content.decode()
    ann.post(f"{PAGE}/read", {"version": 3})
    assert "What changed" not in ann.get(PAGE).content.decode()


def test_changes_are_worked_out_once_for_all_readers(cast: Cast) -> None:
    old = change(cast, "Mark verbs.\nMark nouns. (once)")
    new = change(cast, "Mark verbs.\nMark names. (once)")
    _changed_guidelines.cache_clear()

    told = [guidelines_changes(new, since=old.guidelines_version) for _ in range(3)]

    assert told == [[("Mark nouns. (once)", False), ("Mark names. (once)", True)]] * 3
    assert (_changed_guidelines.cache_info().misses, _changed_guidelines.cache_info().hits) == (1, 2)


def test_a_version_that_reads_otherwise_is_compared_again(cast: Cast) -> None:
    """As after a restore: the same project, the same versions, another text."""
    change(cast, "Mark verbs.")
    new = change(cast, "Mark nouns.")
    assert guidelines_changes(new, since=2) == [("Mark verbs.", False), ("Mark nouns.", True)]

    new.earlier_guidelines.filter(version=2).update(guidelines="Mark names.")

    assert guidelines_changes(new, since=2) == [("Mark names.", False), ("Mark nouns.", True)]
