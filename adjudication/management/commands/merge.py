"""The votes of all, counted."""

from typing import Any

from django.core.management.base import CommandParser

from adjudication.actions.merging import merge_project
from annotator.management.base import AssayCommand
from annotator.management.files import project_named

COUNTS = ("passages", "too_few", "discarded", "answers", "targets", "kept", "suggestions", "votes", "type_ties")


class Command(AssayCommand):
    help = "Merge everybody's newest submissions into targets with their voting index; single votes are dropped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")

    def run(self, *, slug: str, **options: Any) -> dict[str, Any]:
        merge, is_new = merge_project(project_named(slug), by=None, progress=self.progress_bar(**options))
        left_out = [
            f"{count:,} {what}"
            for count, what in ((merge.too_few, "with too few answers"), (merge.discarded, "discarded"))
            if count
        ]
        of = str(merge.most_of) if merge.least_of == merge.most_of else f"{merge.least_of} to {merge.most_of}"
        self.say(
            f"{merge.passages:,} passages merged, {of} answers each"
            f"{' (left out: ' + ', '.join(left_out) + ')' if left_out else ''}: {merge.targets:,} targets, "
            f"{merge.kept:,} kept, with {merge.suggestions:,} suggestions and {merge.votes:,} votes.",
            **options,
        )
        if merge.type_ties:
            self.say(f"{merge.type_ties:,} ties of type were broken by the rules.", **options)
        if not is_new:
            self.say("Nothing has changed since it was merged before.", **options)
        self.say(merge.signature, **options)
        return {
            "merge": str(merge.uuid),
            "made": is_new,
            "input": merge.input_hash,
            "signature": merge.signature,
            "least_of": merge.least_of,
            "most_of": merge.most_of,
            **{name: getattr(merge, name) for name in COUNTS},
        }
