"""The rules of a project, in words."""

from dataclasses import fields, replace
from typing import Any

import pytest
from django.test import Client

from annotator.actions.protocols import change_protocol
from annotator.domain.effects import effects, hindrance
from annotator.domain.protocols import SWS, Protocol
from annotator.forms.rules import RulesForm
from annotator.models import Project, User
from tests.factories import Cast, answer_for, save_body

SWITCHES = [name for _, names in RulesForm.GROUPS for name in names]


def form_of(project: Project, **changed: Any) -> dict[str, Any]:
    form = RulesForm(None, protocol=project.protocol, version=project.version, has_work=False)
    given = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in {**given, **changed}.items()}


@pytest.mark.parametrize("name", [name for name in SWITCHES if name != "quota_type"])
def test_every_switch_says_what_it_does(name: str) -> None:
    assert effects(SWS)[name]


OTHER: dict[str, Any] = {"quota_type": "", "quota_per_passage": "2", "separator": "/", "max_substitutes": 3}


@pytest.mark.parametrize("name", [field.name for field in fields(Protocol) if field.name in SWITCHES])
def test_the_other_way_of_a_switch_says_something_else(name: str) -> None:
    value = getattr(SWS, name)
    if name not in OTHER:
        OTHER[name] = (not value) if isinstance(value, bool) else value + 1

    assert effects(replace(SWS, **{name: OTHER[name]})) != effects(SWS)


def test_what_the_gold_keeps_is_counted() -> None:
    said = effects(replace(SWS, keep_at=3))["keep_at"]

    assert "keeps “make” (4), “very big” (3) and drops “party” (2), “summer” (1)." in said


@pytest.mark.parametrize(
    ("people", "fewest", "kept", "said"),
    [
        (1, 2, 2, "Each passage goes to one person, but needs 2 answers for the gold"),
        (2, 2, 3, "Each passage goes to 2 people, but the gold keeps what 3 people marked"),
        (2, 2, 2, ""),
        (1, 1, 1, ""),
        (0, 9, 9, ""),
    ],
)
def test_rules_that_can_never_give_gold_are_told(people: int, fewest: int, kept: int, said: str) -> None:
    found = hindrance(replace(SWS, answers_per_passage=people, min_answers=fewest, keep_at=kept))

    assert found.startswith(said)
    assert bool(found) == bool(said)


def test_switches_are_saved_in_words(at_desk: Client, draft: Project) -> None:
    changed = form_of(draft, spans_may_overlap="no", keep_at=3, max_substitutes=4, answers_per_passage=5)

    saved = at_desk.post("/p/novels/setup/rules", changed)

    assert saved.status_code == 302
    protocol = Project.objects.get(slug="novels").protocol
    assert protocol == replace(SWS, spans_may_overlap=False, keep_at=3, max_substitutes=4, answers_per_passage=5)


def test_the_way_on_saves_what_was_changed(at_desk: Client, draft: Project) -> None:
    shown = at_desk.get("/p/novels/setup/rules").content.decode()
    assert '<button class="btn go" form="rules" name="act" value="on">On to passages</button>' in shown

    gone_on = at_desk.post("/p/novels/setup/rules", form_of(draft, keep_at=3, act="on"))

    assert gone_on["Location"] == "/p/novels/setup/passages"
    assert Project.objects.get(slug="novels").protocol.keep_at == 3


def test_the_way_on_is_refused_where_what_was_changed_makes_no_sense(at_desk: Client, draft: Project) -> None:
    shown = at_desk.post("/p/novels/setup/rules", form_of(draft, keep_at="0", act="on"))

    assert shown.status_code == 400
    assert "The rules are not saved" in shown.content.decode()


def test_the_way_on_says_nothing_where_nothing_was_changed(at_desk: Client, draft: Project) -> None:
    gone_on = at_desk.post("/p/novels/setup/rules", form_of(draft, act="on"), follow=True)

    assert gone_on.redirect_chain == [("/p/novels/setup/passages", 302)]
    assert not list(gone_on.context["messages"])
    assert Project.objects.get(slug="novels").version == draft.version


def test_saving_without_a_change_changes_nothing(at_desk: Client, draft: Project) -> None:
    at_desk.post("/p/novels/setup/rules", form_of(draft))

    assert Project.objects.get(slug="novels").version == draft.version


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("keep_at", "0", "greater than or equal to 1"),
        ("warn_below_marks", "many", "Enter a whole number"),
        ("quota_per_passage", "-1", "greater than or equal to 0"),
        ("separator", "", "This field is required"),
        ("spans_may_overlap", "perhaps", "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field_and_the_rest_is_kept(
    at_desk: Client, draft: Project, field: str, value: str, said: str
) -> None:
    shown = at_desk.post("/p/novels/setup/rules", form_of(draft, min_answers=7, **{field: value}))

    assert shown.status_code == 400
    assert said in str(shown.context["form"].errors[field])
    assert shown.context["form"]["min_answers"].value() == "7"
    assert Project.objects.get(slug="novels").version == draft.version


def test_looking_at_what_a_change_would_do_changes_nothing(at_desk: Client, draft: Project) -> None:
    asked = form_of(draft, keep_at=4)

    shown = at_desk.get("/p/novels/setup/rules", asked, headers={"HX-Request": "true"}).content.decode()

    assert "keeps “make” (4) and drops" in shown
    assert "<form" not in shown
    assert Project.objects.get(slug="novels").version == draft.version


def test_what_makes_no_sense_yet_is_looked_at_as_it_is_saved(at_desk: Client, draft: Project) -> None:
    shown = at_desk.get("/p/novels/setup/rules", form_of(draft, keep_at="x"), headers={"HX-Request": "true"})

    assert shown.status_code == 200
    assert "makes no sense yet" in shown.content.decode()


def test_a_change_of_somebody_else_is_not_overwritten(at_desk: Client, draft: Project, lead: User) -> None:
    mine = form_of(draft, keep_at=3)
    change_protocol(draft, by=lead, version=draft.version, changes={"min_answers": 3})

    shown = at_desk.post("/p/novels/setup/rules", mine)

    assert shown.status_code == 409
    assert shown.context["form"]["keep_at"].value() == "3"
    assert Project.objects.get(slug="novels").protocol.keep_at == 2


def test_types_are_added_relabelled_retired_and_brought_back(at_desk: Client, draft: Project) -> None:
    def act(act: str, **given: Any) -> Protocol:
        version = Project.objects.get(slug="novels").version
        at_desk.post("/p/novels/setup/rules/type", {"act": act, "version": version, "label": "", "hint": "", **given})
        return Project.objects.get(slug="novels").protocol

    added = act("add", label="Make simpler", hint="shorter words").types[-1]
    assert (added.key, added.label, added.code, added.hint) == ("make-simpler", "Make simpler", 3, "shorter words")
    assert act("change", key="make-simpler", label="Simplify").types[-1].label == "Simplify"
    assert [item.key for item in act("retire", key="make-simpler").open_types] == [item.key for item in SWS.types]
    assert len(act("bring back", key="make-simpler").open_types) == 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"act": "add", "label": ""}, "This field is required."),
        ({"act": "add", "label": "Refine usage"}, "There is a type “refine-usage” already."),
        ({"act": "change", "key": "refine-usage", "label": "\u200b"}, "needs a label that can be seen"),
    ],
)
def test_a_type_that_cannot_be_is_said_beside_its_name(
    at_desk: Client, draft: Project, given: dict[str, str], said: str
) -> None:
    shown = at_desk.post("/p/novels/setup/rules/type", {"version": draft.version, "hint": "my hint", **given})

    assert shown.status_code in (400, 409, 422)
    assert said in shown.content.decode()
    assert "my hint" in shown.content.decode()
    assert Project.objects.get(slug="novels").protocol == SWS


def test_rules_of_the_work_are_fixed_by_the_first_save(client: Client, cast: Cast) -> None:
    row = cast.assignment("ann")
    client.force_login(cast.ann)
    url = f"/api/v1/assignments/{row.uuid}/answer"
    client.put(url, save_body(answer_for(row)), content_type="application/json", headers={"If-Match": '"0"'})
    client.force_login(cast.lead)
    cast.project.refresh_from_db()

    page = client.get("/p/essays/setup/rules")
    client.post("/p/essays/setup/rules", form_of(cast.project, spans_may_overlap="no", keep_at=4))

    assert page.context["form"].fields["spans_may_overlap"].disabled
    assert not page.context["form"].fields["keep_at"].disabled
    protocol = Project.objects.get(slug="essays").protocol
    assert (protocol.spans_may_overlap, protocol.keep_at) == (True, 4)
