"""How far people agree."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from adjudication.actions.measuring import agreement_settings, measure_agreement
from adjudication.domain.agreement.pairs import BothEmpty
from annotator.management.base import AssayCommand
from annotator.management.files import project_named


class Command(AssayCommand):
    help = "PA_det and PA_sug over all pairs, with intervals, N, M and everything beside them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("--both-empty", default="1", help="1, 0 or skip: passages where neither marked anything")
        parser.add_argument("--resamples", type=int, default=1000, help="for the intervals; 0 leaves them out")
        parser.add_argument("--shards", type=int, metavar="N", help="count in N parts; changes no figure")

    def run(self, *, slug: str, both_empty: str, resamples: int, shards: int | None, **options: Any) -> dict[str, Any]:
        if both_empty not in list(BothEmpty):
            raise CommandError(f"--both-empty is one of {', '.join(BothEmpty)}.")
        if not 0 <= resamples <= 10_000:
            raise CommandError("--resamples is between 0 and 10,000.")
        project = project_named(slug)
        settings = agreement_settings(project, both_empty=BothEmpty(both_empty), resamples=resamples)
        report, _ = measure_agreement(
            project, by=None, settings=settings, shards=shards, progress=self.progress_bar(**options)
        )
        self.say(_in_words(report.result), **options)
        result: dict[str, Any] = report.result
        return result


def _in_words(found: dict[str, Any]) -> str:
    lines = [
        f"PA_det {_figure(found, 'pa_det')}   weighted {_number(found['pa_det_w'])}",
        f"PA_sug {_figure(found, 'pa_sug')}   weighted {_number(found['pa_sug_w'])}",
        f"{len(found['pairs'])} pairs over {found['compared_passages']:,} passages; "
        f"left out: {found['left_out_det']} of PA_det, {found['left_out_sug']} of PA_sug; "
        f"{found['few_shared']} with few passages in common",
        f"alpha {_number(found['alpha'])} on {found['words']:,} words; "
        f"span F1 {_number(found['span_f1']['exact'])} exact, {_number(found['span_f1']['overlapping'])} overlapping",
        f"type agreement {_number(found['types']['agreement'])}, kappa {_number(found['types']['kappa'])} on "
        f"{found['types']['shared']:,} shared targets",
        "",
        f"{'pair':<24} {'PA_det':>7} {'95 %':>15} {'N':>6} {'PA_sug':>7} {'95 %':>15} {'M':>6}",
    ]
    for row in found["pairs"]:
        lines.append(
            f"{row['a'] + ' – ' + row['b']:<24} {_number(row['pa_det']):>7} {_range(row['pa_det_interval']):>15} "
            f"{row['n']:>6,} {_number(row['pa_sug']):>7} {_range(row['pa_sug_interval']):>15} {row['m']:>6,}"
            f"{'  few' if row['is_few'] else ''}"
        )
    return "\n".join([*lines, "", found["signature"]])


def _figure(found: dict[str, Any], name: str) -> str:
    spread = found["leave_one_out"][name]
    return f"{_number(found[name])}  95 % {_range(found['intervals'][name])}, leaving one out {_range(spread)}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _range(value: list[float] | None) -> str:
    return "–" if value is None else f"{value[0]:.4f}–{value[1]:.4f}"
