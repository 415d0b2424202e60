"""Every write asks for itself: each action that a door may call is called as a stranger, and refuses without writing.

An action without an entry fails.
"""

import datetime
import importlib
import importlib.util
import inspect
import io
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps

from adjudication.actions.comments import add_comment
from adjudication.actions.measuring import agreement_settings
from adjudication.actions.merging import merge_project
from adjudication.actions.settling import Elsewhere
from annotator import uploads
from annotator.actions.importing.passages import import_passages, passages_options
from annotator.actions.invitations import invite
from annotator.actions.questions import ask_question
from annotator.actions.settings import SETTINGS
from annotator.domain.arrivals import ArrivalKind
from annotator.domain.errors import NotAllowed
from annotator.models import Arrival, Invitation, Job, Passage, User
from exports.actions.foreign import import_gold
from exports.actions.releasing import draft_release
from exports.actions.webhooks import make_webhook, send_test
from exports.domain.hosts import Host
from exports.domain.releases import ReleaseSettings
from exports.domain.runs import System
from exports.domain.webhooks import News
from exports.models import Release, Webhook
from tests.factories import Cast, answer_for, make_user
from tests.matrix.routes import a_job, a_preview, a_sign_in, a_token, an_upload

# What no person asks for: the doorbell, the log, doing and sweeping up background work.
MACHINERY = {f"annotator.actions.{name}" for name in ("bell", "log", "running", "sweeping")}
# Reads, checks and makers of settings: they write nothing on anybody's behalf.
WITHOUT_A_PERSON = {
    "agreement_settings",
    "answers_options",
    "claim_key",  # whoever asks has been let in; what is asked for is an action of its own
    "keep_answer",  # likewise
    "forget_old_keys",  # the clock asks
    "ask_for_checks",  # the clock asks
    "ask_for_deliveries",  # likewise
    "ask_for_tallies",  # likewise
    "ask_for_password_link",  # whoever has forgotten it is nobody yet; it has limits of its own
    "also_brings",  # another app says what it keeps of a project
    "check_password_of",  # who somebody is is what it finds out; it has limits of its own
    "clean_email",
    "demo_user_of_link",
    "forget_old_uploads",  # the clock asks
    "passages_options",
}


def public_actions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for app in ("annotator", "adjudication", "exports"):
        if importlib.util.find_spec(f"{app}.actions") is None:
            continue
        package = importlib.import_module(f"{app}.actions")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name in MACHINERY:
                continue
            for name, found in vars(importlib.import_module(module.name)).items():
                is_own = inspect.isfunction(inspect.unwrap(found)) if callable(found) else False
                if is_own and inspect.unwrap(found).__module__ == module.name and not name.startswith("_"):
                    yield name, found


ACTIONS = dict(public_actions())
ON_A_VERSION = {"version": 0, "save_id": uuid4()}
AN_ACT = {"act": uuid4()}


def an_answer(cast: Cast) -> dict[str, Any]:
    return {**ON_A_VERSION, "active_ms": 0, "answer": answer_for(cast.assignment("ann"))}


def a_passage(cast: Cast) -> Passage:
    return Passage.objects.select_related("project").filter(project=cast.project).earliest("pk")


def an_arrival(cast: Cast) -> Arrival:
    return import_passages(cast.project, by=None, source=io.BytesIO(b"A late one.\n"), name="late.txt").arrival


def an_invitation(cast: Cast) -> Invitation:
    return invite(cast.project, by=cast.lead, email="new@example.org", roles={"annotator"})[0]


def a_file(text: str = "A.\n") -> io.BytesIO:
    return io.BytesIO(text.encode())


def house_job(cast: Cast) -> Job:
    return Job.objects.create(kind="backup")


DAY = datetime.date(2026, 11, 18)
SPLITS = ReleaseSettings((("test", 1),), with_pos=False)


def a_draft(cast: Cast) -> Release:
    merge_project(cast.project, by=None)
    return draft_release(cast.project, by=None, date=DAY, settings=SPLITS)


def gold_files() -> dict[str, Any]:
    gold = '{"s1": {"sentence": "So.", "sentence_split": ["So", "."], "substitutes": []}}'
    return {"files": [("test", "gold.json", uploads.keep(a_file(gold)))], "date": DAY}


def a_foreign_release(cast: Cast) -> Release:
    return import_gold(cast.project, by=None, **gold_files())


def a_system() -> dict[str, Any]:
    return {"split": "test", "system": System("quill"), "file": uploads.keep(a_file("{}"))}


def some_settings(cast: Cast) -> dict[str, Any]:
    now = {name: getattr(cast.project, name) for name in SETTINGS}
    return {"shown": now, "wanted": {**now, "name": "Other"}}


@pytest.fixture(autouse=True)
def _a_named_host(settings: Any) -> None:
    settings.WEBHOOK_HOSTS = (Host("hooks.example.org"),)


A_WEBHOOK: dict[str, Any] = {"url": "https://hooks.example.org/", "news": list(News)}


def a_webhook(cast: Cast) -> Webhook:
    return make_webhook(cast.project, by=None, **A_WEBHOOK)


Call = Callable[[Cast], tuple[list[Any], dict[str, Any]]]
# By name, what an action is called with beside `by`.
CALLS: dict[str, Call] = {
    "create_user": lambda cast: ([], {"email": "new@example.org"}),
    "create_first_user": lambda cast: (
        [],
        {"email": "new@example.org", "name": "New", "password": "a-long-password-indeed"},
    ),
    "user_for": lambda cast: (["new@example.org"], {}),
    "allow_creating_projects": lambda cast: ([cast.ann], {}),
    "set_password": lambda cast: ([cast.ann], {"password": "a-long-password-indeed"}),
    "change_name": lambda cast: ([cast.ann], {"name": "Renamed"}),
    "change_email": lambda cast: ([cast.ann], {"email": "new@example.org"}),
    "end_sign_in": lambda cast: ([a_sign_in(cast)], {}),
    "end_other_sign_ins": lambda cast: ([cast.ann], {"session_key": ""}),
    "make_token": lambda cast: ([cast.ann], {"name": "Notebook", "scopes": ["read"]}),
    "revoke_token": lambda cast: ([a_token(cast)], {}),
    "disable_user": lambda cast: ([cast.ann], {}),
    "erase_user": lambda cast: ([cast.ann], {}),
    "make_sign_in_link": lambda cast: ([make_user("demo", is_demo=True)], {}),
    "ask_to_assign_everyone": lambda cast: ([cast.project], {}),
    "save_answer": lambda cast: ([cast.assignment("ann")], an_answer(cast)),
    "submit_assignment": lambda cast: ([cast.assignment("ann")], an_answer(cast)),
    "reopen_assignment": lambda cast: ([cast.assignment("ann")], ON_A_VERSION),
    "discard_assignment": lambda cast: ([cast.assignment("ann")], {**ON_A_VERSION, "reason": "grammar"}),
    "undo_discard": lambda cast: ([cast.assignment("ann")], ON_A_VERSION),
    "withdraw_assignment": lambda cast: ([cast.assignment("ann")], {}),
    "change_guidelines": lambda cast: ([cast.project], {"version": 1, "guidelines": "New.", "look_up_policy": ""}),
    "read_guidelines": lambda cast: ([cast.membership("ann")], {"version": 1}),
    "import_annotations": lambda cast: ([cast.project], {"source": a_file(), "name": "a.csv"}),
    "import_keys": lambda cast: ([cast.project], {"source": a_file(), "name": "a.csv"}),
    "add_voices": lambda cast: ([cast.project], {"answers": {"V1": {}}}),
    "begin_arrival": lambda cast: (
        [cast.project],
        {
            "kind": ArrivalKind.PASSAGES,
            "file": uploads.keep(a_file()),
            "name": "a.txt",
            "options": passages_options(),
        },
    ),
    "keep_upload": lambda cast: ([cast.project], {"file": uploads.keep(a_file()), "name": "a.txt"}),
    "import_upload": lambda cast: ([an_upload(cast)], {"kind": ArrivalKind.PASSAGES, "options": passages_options()}),
    "call_off_arrival": lambda cast: ([an_arrival(cast)], {}),
    "archive_passage": lambda cast: ([a_passage(cast)], {}),
    "replace_passage": lambda cast: ([a_passage(cast)], {"text": "Another text."}),
    "screen_passage": lambda cast: ([a_passage(cast)], {"verdict": "accepted"}),
    "undo_screening": lambda cast: ([cast.project], {"act": 1}),
    "screen_many": lambda cast: ([cast.project], {"act": "accept_rest"}),
    "begin_preview": lambda cast: ([cast.project], {"file": uploads.keep(a_file()), "name": "a.txt"}),
    "look_again": lambda cast: ([a_preview(cast)], {"options": {}}),
    "take_in": lambda cast: ([a_preview(cast)], {}),
    "give_up_preview": lambda cast: ([a_preview(cast)], {}),
    "import_passages": lambda cast: ([cast.project], {"source": a_file(), "name": "a.txt"}),
    "import_project": lambda cast: ([], {"slug": "new", "lead": "new@example.org", "source": a_file()}),
    "invite": lambda cast: ([cast.project], {"email": "new@example.org", "roles": {"annotator"}}),
    "invite_many": lambda cast: ([cast.project], {"emails": ["new@example.org"], "roles": {"annotator"}}),
    "renew_invitation": lambda cast: ([an_invitation(cast)], {}),
    "revoke_invitation": lambda cast: ([an_invitation(cast)], {}),
    "accept_invitation": lambda cast: ([an_invitation(cast)], {}),
    "enqueue": lambda cast: (["assign_everyone"], {"project": cast.project}),
    "cancel_job": lambda cast: ([a_job(cast)], {}),
    "retry_job": lambda cast: ([a_job(cast)], {}),
    "add_member": lambda cast: ([cast.project], {"user": cast.stranger, "roles": {"lead"}}),
    "change_roles": lambda cast: ([cast.membership("ann")], {"roles": {"lead"}}),
    "remove_member": lambda cast: ([cast.membership("ann")], {}),
    "bring_back": lambda cast: ([cast.membership("former")], {}),
    "make_password_link": lambda cast: ([cast.membership("ann")], {}),
    "pause_member": lambda cast: ([cast.membership("ann")], {}),
    "resume_member": lambda cast: ([cast.membership("ann")], {}),
    "create_project": lambda cast: ([], {"slug": "new", "preset": "sws", "lead": cast.stranger}),
    "begin_project": lambda cast: (
        [],
        {"slug": "new", "preset": "sws", "name": "New", "language": "en", "time_zone": "UTC"},
    ),
    "change_member": lambda cast: ([cast.membership("ann")], {"wanted": {"is_paused": True}}),
    "choose_tests": lambda cast: ([cast.project], {"passages": []}),
    "skip_step": lambda cast: ([cast.project], {"step": "screening"}),
    "change_project_state": lambda cast: ([cast.project], {"act": "close"}),
    "set_most_passages": lambda cast: ([cast.project], {"most": {cast.membership("ann").uuid: 3}}),
    "let_pass": lambda cast: ([cast.membership("ann")], {}),
    "give_another_try": lambda cast: ([cast.membership("ann")], {}),
    "ask_for_test": lambda cast: ([cast.membership("ann")], {}),
    "ask_for_plan": lambda cast: ([cast.project], {}),
    "withdraw_work": lambda cast: ([cast.membership("ann")], {"with_begun": True}),
    "even_out": lambda cast: ([cast.project], {}),
    "set_control": lambda cast: ([a_passage(cast)], {"is_control": True}),
    "choose_controls": lambda cast: ([cast.project], {"passages": []}),
    "add_passages": lambda cast: ([cast.project], {"passages": []}),
    "change_protocol": lambda cast: ([cast.project], {"version": cast.project.version, "changes": {"keep_at": 3}}),
    "change_settings": lambda cast: ([cast.project], some_settings(cast)),
    "copy_setup": lambda cast: ([cast.project], {"slug": "copy", "name": "Copy"}),
    "set_key": lambda cast: ([cast.project.passages.earliest("pk")], {"answer": {"none": True}}),
    "ask_question": lambda cast: ([cast.assignment("ann")], {"text": "Is this a name?"}),
    "answer_question": lambda cast: (
        [ask_question(cast.assignment("ann"), by=cast.ann, text="Is this a name?")],
        {"version": 1, "text": "No."},
    ),
    "measure_agreement": lambda cast: ([cast.project], {"settings": agreement_settings(cast.project)}),
    "ask_for_agreement": lambda cast: ([cast.project], {"settings": agreement_settings(cast.project)}),
    "decide_span": lambda cast: ([a_passage(cast), (3, 8)], {**AN_ACT, "version": 0, "content": {"verdict": "keep"}}),
    "decide_passage": lambda cast: ([a_passage(cast)], {**AN_ACT, "version": 0, "content": {"verdict": "settled"}}),
    "undo_decisions": lambda cast: ([a_passage(cast)], {**AN_ACT, "undoes": uuid4()}),
    "unite_double": lambda cast: ([a_passage(cast)], {**AN_ACT, "take": "both"}),
    "draw_doubles": lambda cast: ([cast.project], {"wanted": 1}),
    "undo_act": lambda cast: ([cast.project], {**AN_ACT, "undoes": uuid4()}),
    "settle_quiet": lambda cast: ([cast.project], {**AN_ACT, "dispute": 0}),
    "decide_elsewhere": lambda cast: (
        [cast.project],
        {**AN_ACT, "targets": [Elsewhere(a_passage(cast), (3, 8), 0)], "content": {"verdict": "keep"}},
    ),
    "add_comment": lambda cast: ([a_passage(cast)], {"text": "Is this a name?"}),
    "resolve_comment": lambda cast: (
        [add_comment(a_passage(cast), by=cast.lead, text="Is this a name?")],
        {"version": 1},
    ),
    "draft_release": lambda cast: ([cast.project], {"date": DAY, "settings": SPLITS}),
    "ask_to_build": lambda cast: ([a_draft(cast)], {}),
    "build_release": lambda cast: ([a_draft(cast)], {}),
    "freeze_release": lambda cast: ([a_draft(cast)], {"version": 1, "ticked": []}),
    "withdraw_release": lambda cast: ([a_draft(cast)], {"version": 1, "why": "A wrong file."}),
    "drop_draft": lambda cast: ([a_draft(cast)], {}),
    "change_card": lambda cast: ([cast.project], {"version": 0, "values": {"pay": "None."}}),
    "ask_to_import_gold": lambda cast: ([cast.project], gold_files()),
    "import_gold": lambda cast: ([cast.project], gold_files()),
    "submit_run": lambda cast: ([a_foreign_release(cast)], a_system()),
    "measure_system": lambda cast: ([a_foreign_release(cast)], a_system()),
    "make_webhook": lambda cast: ([cast.project], A_WEBHOOK),
    "pause_webhook": lambda cast: ([a_webhook(cast)], {}),
    "resume_webhook": lambda cast: ([a_webhook(cast)], {}),
    "end_webhook": lambda cast: ([a_webhook(cast)], {}),
    "change_secret": lambda cast: ([a_webhook(cast)], {}),
    "send_test": lambda cast: ([a_webhook(cast)], {}),
    "send_again": lambda cast: ([send_test(a_webhook(cast), by=None)], {}),
    "merge_project": lambda cast: ([cast.project], {}),
    "ask_to_merge": lambda cast: ([cast.project], {}),
    "take_back": lambda cast: ([an_arrival(cast)], {}),
}
# The whole house's: not even a project's lead may.
OF_THE_HOUSE: dict[str, Call] = {
    "enqueue": lambda cast: (["backup"], {}),
    "cancel_job": lambda cast: ([house_job(cast)], {}),
    "retry_job": lambda cast: ([house_job(cast)], {}),
}


def everything() -> dict[str, list[Any]]:
    return {model.__name__: list(model._base_manager.order_by("pk").values()) for model in apps.get_models()}


def refuses(action: Callable[..., Any], call: Call, cast: Cast, user: User) -> None:
    words, given = call(cast)
    before = everything()

    with pytest.raises(NotAllowed):
        action(*words, by=user, **given)

    assert everything() == before


def test_every_action_has_an_entry() -> None:
    with_a_person = {name for name, action in ACTIONS.items() if "by" in inspect.signature(action).parameters}

    assert with_a_person == set(CALLS)
    assert set(ACTIONS) - with_a_person == WITHOUT_A_PERSON


def test_the_work_of_a_job_is_a_step_that_no_door_imports() -> None:
    assert [name for name, found in ACTIONS.items() if "run" in inspect.signature(found).parameters] == []


@pytest.mark.parametrize("name", CALLS)
def test_a_stranger_is_refused_and_nothing_is_written(cast: Cast, name: str) -> None:
    refuses(ACTIONS[name], CALLS[name], cast, cast.stranger)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "create_project"])
def test_the_lead_of_another_project_is_a_stranger_here(cast: Cast, name: str) -> None:
    refuses(ACTIONS[name], CALLS[name], cast, cast.other_lead)


@pytest.mark.parametrize("name", OF_THE_HOUSE)
def test_what_is_the_whole_houses_is_the_operators(cast: Cast, name: str) -> None:
    for user in (cast.lead, cast.stranger):
        refuses(ACTIONS[name], OF_THE_HOUSE[name], cast, user)


def test_a_lead_does_nobodys_own_work(cast: Cast) -> None:
    for name in ("save_answer", "submit_assignment", "discard_assignment", "ask_question", "read_guidelines"):
        refuses(ACTIONS[name], CALLS[name], cast, cast.lead)
