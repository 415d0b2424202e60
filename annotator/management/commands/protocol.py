"""The rules of work of a project: shown, and changed as far as they still can be."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotator.actions.protocols import change_protocol
from annotator.domain.protocol_changes import is_fixed_by_work, with_changed_type, with_type
from annotator.domain.protocols import Protocol, protocol_from_dict
from annotator.management.base import AssayCommand
from annotator.management.files import project_named
from annotator.models import Project
from annotator.queries.projects import has_work


class Command(AssayCommand):
    help = "Show the protocol of a project, or change it as far as its work allows: --set keep_at=3."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a switch; repeatable")
        parser.add_argument(
            "--add-type", action="append", default=[], metavar="KEY=LABEL", help="repeatable, as all are"
        )
        parser.add_argument("--relabel", action="append", default=[], metavar="KEY=LABEL")
        parser.add_argument(
            "--retire",
            action="append",
            default=[],
            metavar="KEY",
            help="nobody can choose the type any more; answers keep it",
        )
        parser.add_argument("--bring-back", action="append", default=[], metavar="KEY")

    def run(self, *, slug: str, **options: Any) -> dict[str, Any]:
        project = project_named(slug)
        if changes := self._changes(project, **options):
            changed = change_protocol(project, by=None, version=project.version, changes=changes)
            is_new = changed.version != project.version
            self.say("Changed." if is_new else "Nothing was changed.", **options)
            project = changed
        self._show(project, **options)
        return {"project": slug, "version": project.version, "protocol": project.protocol.as_dict()}

    def _changes(self, project: Project, **options: Any) -> dict[str, Any]:
        protocol = project.protocol
        changes: dict[str, Any] = {}
        for given in options["set"]:
            name, value = _parted(given, "--set")
            changes[name] = _value(value, getattr(protocol, name, None))
        for given in options["add_type"]:
            protocol = _with(protocol, with_type(protocol, *_parted(given, "--add-type")))
        for given in options["relabel"]:
            key, label = _parted(given, "--relabel")
            protocol = _with(protocol, with_changed_type(protocol, key, label=label))
        for option, is_retired in (("retire", True), ("bring_back", False)):
            for key in options[option]:
                protocol = _with(protocol, with_changed_type(protocol, key, is_retired=is_retired))
        if protocol.types != project.protocol.types:
            changes["types"] = protocol.as_dict()["types"]
        return changes

    def _show(self, project: Project, **options: Any) -> None:
        fixed = has_work(project)
        for name, value in project.protocol.as_dict().items():
            if name == "types":
                for item in value:
                    retired = "  retired" if item["is_retired"] else ""
                    self.say(f"{'type':<26} {item['code']}  {item['key']}  “{item['label']}”{retired}", **options)
                continue
            note = "  (fixed by the first save)" if fixed and is_fixed_by_work(name) else ""
            self.say(f"{name:<26} {json.dumps(value, ensure_ascii=False)}{note}", **options)


def _parted(given: str, option: str) -> tuple[str, str]:
    name, sign, value = given.partition("=")
    if not sign or not name:
        raise CommandError(f"{option} takes NAME=VALUE, not “{given}”.")
    return name.strip(), value


def _value(text: str, now: Any) -> Any:
    """JSON, but a text needs no quotes."""
    if isinstance(now, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _with(protocol: Protocol, changes: dict[str, Any]) -> Protocol:
    return protocol_from_dict({**protocol.as_dict(), **changes})
