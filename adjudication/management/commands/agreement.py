"""How far people agree."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from adjudication.actions.measuring import agreement_settings, ask_for_agreement, measure_agreement
from adjudication.domain.agreement.counting import AgreementSettings
from adjudication.domain.agreement.pairs import BothEmpty
from adjudication.domain.agreement.text import in_words
from adjudication.models import AgreementReport
from adjudication.queries.reports import told
from annotator.management.base import AssayCommand
from annotator.management.files import project_named
from annotator.models import Project

SHORT_LIST = 45  # pairs: those of ten people


class Command(AssayCommand):
    help = "PA_det and PA_sug over all pairs, with intervals, N, M and everything beside them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--both-empty", default="1", help="1, 0 or skip: passages where neither marked anything")
        parser.add_argument(
            "--resamples", type=int, default=1000, help="for the intervals: 100 or more; 0 leaves them out"
        )
        parser.add_argument("--people", nargs="+", default=[], metavar="NAME", help="only these annotators")
        parser.add_argument("--groups", nargs="+", default=[], metavar="GROUP", help="only passages of these groups")
        parser.add_argument("--shards", type=int, metavar="N", help="count in N parts; changes no figure")
        parser.add_argument("--queue", action="store_true", help="let the workers do it, and wait for them")
        parser.add_argument("--pairs", action="store_true", help=f"list all pairs, also more than {SHORT_LIST}")

    def run(
        self, *, slug: str, both_empty: str, resamples: int, people: list[str], groups: list[str], pairs: bool,
        **options: Any,
    ) -> dict[str, Any]:  # fmt: skip
        if both_empty not in list(BothEmpty):
            raise CommandError(f"--both-empty is one of {', '.join(BothEmpty)}.")
        project = project_named(slug)
        of_whom = {"people": tuple(sorted(set(people))), "groups": tuple(sorted(set(groups)))}
        chosen = agreement_settings(project, both_empty=BothEmpty(both_empty), resamples=resamples, **of_whom)
        result = told(self._report(project, chosen, **options), user=None)
        self.say(in_words(result, with_pairs=pairs or len(result["pairs"]) <= SHORT_LIST), **options)
        return result

    def _report(
        self, project: Project, chosen: AgreementSettings, *, shards: int | None, queue: bool, **options: Any
    ) -> AgreementReport:
        if queue:
            job = self.follow(ask_for_agreement(project, by=None, settings=chosen, shards=shards), **options)
            return AgreementReport.objects.get(uuid=(job.result or {})["report"])
        report, _ = measure_agreement(
            project, by=None, settings=chosen, shards=shards, progress=self.progress_bar(**options)
        )
        return report
