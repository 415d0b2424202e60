"""The votes of all, counted."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from adjudication.actions.merging import ask_to_merge, merge_project
from adjudication.models import Merge
from adjudication.queries.merges import why_nothing_merged
from annotator.management.base import AssayCommand
from annotator.management.files import project_named
from annotator.models import Project

COUNTS = (
    *("passages", "too_few", "discarded", "answers", "targets", "kept", "suggestions", "votes", "type_ties"),
    *("discarded_targets", "asking", "least_of", "most_of", "by_annotators"),
)


LISTED = ("gone_targets", "votes_before")  # of a merge's changes; long, and on its pages


class Command(AssayCommand):
    help = "Merge everybody's newest submissions into targets with their voting index; single votes are dropped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--shards", type=int, metavar="N", help="merge in N parts; changes no vote")
        parser.add_argument("--queue", action="store_true", help="let the workers do it, and wait for them")

    def run(self, *, slug: str, **options: Any) -> dict[str, Any]:
        merge, is_new = self._made(project_named(slug), **options)
        self._tell(merge, is_new, **options)
        changes = {name: value for name, value in merge.changes.items() if name not in LISTED}
        return {
            "merge": str(merge.uuid),
            "made": is_new,
            "input": merge.input_hash,
            "signature": merge.signature,
            "changes": changes,
            **{name: getattr(merge, name) for name in COUNTS},
        }

    def _made(self, project: Project, *, shards: int | None, queue: bool, **options: Any) -> tuple[Merge, bool]:
        if queue:
            result = self.follow(ask_to_merge(project, by=None, shards=shards), **options).result or {}
            merge = Merge.objects.filter(uuid=result["merge"]).first()
            if merge is None:
                raise CommandError("Another merge was made since: merge again.")
            return merge, result["made"]
        return merge_project(project, by=None, shards=shards, progress=self.progress_bar(**options))

    def _tell(self, merge: Merge, is_new: bool, **options: Any) -> None:
        if not merge.answers:
            self.say("Nobody has submitted an answer that counts: there is nothing to merge.", **options)
            return
        self.say(why_nothing_merged(merge) or _what_was_merged(merge), **options)
        if merge.asking:
            self.say(f"{merge.asking:,} passages ask for somebody: ties, overlaps, variants, near misses.", **options)
        if merge.type_ties:
            self.say(f"{merge.type_ties:,} ties of type were broken by the rules.", **options)
        if not is_new:
            self.say("Nothing has changed since it was merged before.", **options)
        elif merge.changes:
            told = (("added", "added"), ("gone", "gone"), ("kept", "newly kept"), ("dropped", "newly dropped"))
            others = (("moved", "with other votes"), ("retyped", "with other types"))
            words = [f"{merge.changes.get(name, 0):,} {what}" for name, what in (*told, *others)]
            self.say(f"Against the merge before: {', '.join(words)}.", **options)
        self.say(merge.signature, **options)


def _what_was_merged(merge: Merge) -> str:
    left_out = [
        f"{count:,} {what}"
        for count, what in ((merge.too_few, "with too few answers"), (merge.discarded, "discarded"))
        if count
    ]
    of = str(merge.most_of) if merge.least_of == merge.most_of else f"{merge.least_of} to {merge.most_of}"
    return (
        f"{merge.passages:,} passages merged, {of} answers each"
        f"{' (left out: ' + ', '.join(left_out) + ')' if left_out else ''}: {merge.targets:,} targets, "
        f"{merge.kept:,} kept, with {merge.suggestions:,} suggestions and {merge.votes:,} votes."
    )
