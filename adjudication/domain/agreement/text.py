"""The report at a terminal: all that method.md 6 says is always reported, in groups a person can read."""

from collections.abc import Iterator, Mapping
from typing import Any

from adjudication.domain.agreement.resampling import FEW_UNITS, is_hint
from annotator.domain.formats.reading import counted
from annotator.domain.jobs import percent

Report = Mapping[str, Any]
FIGURES = {"pa_det": "PA_det", "pa_sug": "PA_sug"}


def in_words(found: Report, *, with_pairs: bool) -> str:
    groups = [_pairs_in_short(found), _words_and_spans(found), _types(found), _gold(found), _human(found)]
    groups += [_people(found), *([_checks(found)] if found["checks"] else [])]
    groups += [_every_pair(found) if with_pairs else ["--pairs lists them all."]]
    return "\n\n".join("\n".join(lines) for lines in [*groups, [found["signature"]]])


def number(value: float | None, digits: int = 4) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def interval(value: list[float] | None) -> str:
    """Three decimals are what a thousand resamples can tell."""
    return "–" if value is None else f"{value[0]:.3f}–{value[1]:.3f}"


def _share(value: Mapping[str, Any]) -> str:
    return f"{number(value['share'])} ({value['count']:,} of {value['of']:,})"


def _pairs_in_short(found: Report) -> list[str]:
    lines = []
    for name, label in FIGURES.items():
        around = found["leave_one_out"][name]
        spread = "–" if around is None else f"{around[0]:.4f}–{around[1]:.4f}"
        lines.append(
            f"{label} {number(found[name])}   95 % {interval(found['intervals'][name])}, leaving one out {spread}, "
            f"weighted {number(found[f'{name}_w'])}"
        )
    units = found["units"]
    told = (
        counted(units["count"], units["are"].removesuffix("s"))
        if units["count"] == 1
        else f"{units['count']:,} {units['are']}"
    )
    if any(found["intervals"].values()):
        of_sug = f", {units['pa_sug']:,} of them for PA_sug" if units["pa_sug"] != units["pa_det"] else ""
        hints = [label for name, label in FIGURES.items() if is_hint(found["intervals"][name], units[name])]
        few = f"; fewer than {FEW_UNITS} for {' and '.join(hints)}: {_as_hints(hints)}" if hints else ""
        lines.append(f"Intervals by resampling {told}{of_sug}{few}.")
    else:
        asked = "none were asked for" if "|resamples:0|" in found["signature"] else f"too few to resample, {told}"
        lines.append(f"No intervals: {asked}.")
    lines.append(
        f"{counted(len(found['pairs']), 'pair')} over {counted(found['compared_passages'], 'passage')}; left out: "
        f"{found['left_out_det']} of PA_det, {found['left_out_sug']} of PA_sug; {found['few_shared']} with few "
        "passages in common"
    )
    lines.append(f"Neither marked anything: {_share(found['both_empty'])} of pairs and passages.")
    return lines


def _as_hints(figures: list[str]) -> str:
    return "take its interval as a hint" if len(figures) == 1 else "take their intervals as a hint"


def _words_and_spans(found: Report) -> list[str]:
    span_f1 = found["span_f1"]
    fleiss = f", Fleiss' kappa {number(found['fleiss_kappa'])}" if found["fleiss_kappa"] is not None else ""
    return [
        f"Alpha {number(found['alpha'])} on {found['words']:,} {found['words_are']}{fleiss}",
        f"Span F1 {number(span_f1['exact'])} exact, {number(span_f1['overlapping'])} overlapping",
        f"PA_sug could be {number(found['pa_sug_ceiling'])} at the most, by the lengths of the lists",
        f"Shared targets with a substitute in common: {_share(found['shared_with_common'])}",
    ]


def _types(found: Report) -> list[str]:
    types = found["types"]
    undefined = f"; kappa is not defined for {types['kappa_undefined']} pairs" if types["kappa_undefined"] else ""
    lines = [
        f"Type agreement {number(types['agreement'])}, kappa {number(types['kappa'])} on {types['shared']:,} of "
        f"{types['of']:,} shared targets: in the others somebody's own types tie{undefined}"
    ]
    for name, row in zip(types["types"], types["matrix"], strict=True):
        lines.append(f"  {name:<24}" + "".join(f"{count:>10,}" for count in row))
    return lines


def _gold(found: Report) -> list[str]:
    discards = found["discards"]
    return [
        f"Kept targets without a suggestion of two votes: {_share(found['kept_without_two_votes'])}",
        f"Suggestions with a single vote: {_share(found['single_vote_suggestions'])}",
        f"Ties of type among kept targets: {_share(found['type_ties'])}",
        f"Discards: {discards['discards']:,} on {discards['passages']:,} passages; both of two discarded "
        f"{_share(discards['agreement'])}",
    ]


def _human(found: Report) -> list[str]:
    lines = ["A person against the others' gold        P       R    F0.5     Acc   e2e F0.5   ImpR"]
    for key, label in (("with_filter", "with single votes dropped"), ("without_filter", "with all votes")):
        row = found["human_performance"][key]
        names = ("p_detection", "r_detection", "f_detection_05", "acc_recommendation", "f_e2e_05", "improvable_ratio")
        lines.append(f"  {label:<30}" + " ".join(f"{number(row[name]):>7}" for name in names))
    return lines


def _people(found: Report) -> list[str]:
    head = (("PA_det", 7), ("PA_sug", 7), ("without", 8), ("passages", 8), ("marks", 6), ("s", 6), ("discards", 8))
    lines = [" ".join([f"{'annotator':<20}", *(f"{name:>{width}}" for name, width in head)])]
    for row in found["annotators"]:
        each = row["marks"] / row["passages"] if row["passages"] else None
        lines.append(
            f"{row['name']:<20} {number(row['pa_det']):>7} {number(row['pa_sug']):>7} "
            f"{number(row['pa_det_without']):>8} {row['passages']:>8,} {number(each, 1):>6} "
            f"{number(row['seconds'], 0):>6} {row['discards']:>8,}"
        )
        lines += [f"  look: {reason}" for reason in row["look"]]
        if row["windows"]:
            lines.append(f"  per 50 own submissions: {' '.join(map(_window, row['windows']))}")
    if any(row["windows"] for row in found["annotators"]):
        lines.append("PA_det per 50 own submissions; * outside the band that chance gives.")
    return lines


def _window(found: Mapping[str, Any]) -> str:
    return f"{number(found['value'], 3)}{'' if found['low'] <= found['value'] <= found['high'] else '*'}"


def _checks(found: Report) -> list[str]:
    head = (("met", 7), ("controls", 8), ("repeats", 7), ("PA_det", 7), ("PA_sug", 7))
    return [
        "Controls met, and agreement with oneself on repeats; all looked at so far, whoever the report is about",
        " ".join([f"{'annotator':<20}", *(f"{name:>{width}}" for name, width in head)]),
        *(
            f"{row['name']:<20} {_met(row):>7} {row['controls']:>8,} {row['repeats']:>7,} {number(row['pa_det']):>7} "
            f"{number(row['pa_sug']):>7}"
            for row in found["checks"]
        ),
    ]


def _met(row: Mapping[str, Any]) -> str:
    return f"{percent(row['met'], row['controls'])} %" if row["controls"] else "–"


def _every_pair(found: Report) -> list[str]:
    return [
        f"Units are the {found['units']['are']} that an interval is drawn over; * fewer than {FEW_UNITS}: a hint.",
        f"{'pair':<24} {'PA_det':>7} {'95 %':>13} {'units':>6} {'N':>6} "
        f"{'PA_sug':>7} {'95 %':>13} {'units':>6} {'M':>6}",
        *_pair_lines(found),
    ]


def _units(around: list[float] | None, count: int) -> str:
    return f"{count:,}{'*' if is_hint(around, count) else ''}"


def _pair_lines(found: Report) -> Iterator[str]:
    for row in found["pairs"]:
        yield (
            f"{row['a'] + ' – ' + row['b']:<24} {number(row['pa_det']):>7} {interval(row['pa_det_interval']):>13} "
            f"{_units(row['pa_det_interval'], row['units']):>6} {row['n']:>6,} {number(row['pa_sug']):>7} "
            f"{interval(row['pa_sug_interval']):>13} {_units(row['pa_sug_interval'], row['units_sug']):>6} "
            f"{row['m']:>6,}{'  few' if row['is_few'] else ''}"
        )
