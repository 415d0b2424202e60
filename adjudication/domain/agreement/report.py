"""The agreement report: every figure with what it was divided by, and the signature of its settings (method.md 6)."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from adjudication.domain.agreement.counting import TALLIES, VOLUME, AgreementSettings, Counted
from adjudication.domain.agreement.drift import Window, agreement_by_passage, drift
from adjudication.domain.agreement.look import Person, look
from adjudication.domain.agreement.marks import Ints
from adjudication.domain.agreement.pairs import Agreement, Pair, PairCounts, agreement, mean, ratio_mean
from adjudication.domain.agreement.resampling import FEW_UNITS, Interval, Intervals, Units, intervals
from adjudication.domain.agreement.spans import exact_f1, overlapping_f1
from adjudication.domain.agreement.table import PairTable
from adjudication.domain.agreement.types import cohens_kappa, type_agreement
from adjudication.domain.agreement.words import alpha, fleiss_kappa
from adjudication.domain.human import human_performance
from adjudication.domain.signature import signature
from annotator.domain.canonical import sha256_of

OVERALL = ("pa_det", "pa_sug", "pa_det_w", "pa_sug_w")


@dataclass(frozen=True)
class Totals:
    """What all shards have counted, added up; of the pairs, the table tells."""

    volume: Ints
    types: Ints
    scored: Ints
    scored_twice: Ints
    gained: Ints
    tallies: Mapping[str, Counter[str]]

    @classmethod
    def of(cls, shards: Iterable[Counted]) -> Self:
        tallies = {name: Counter[str]() for name in TALLIES}
        sums: dict[str, Any] = dict.fromkeys(("volume", "types", "scored", "scored_twice", "gained"), 0)
        for shard in shards:
            for name, found in shard.tallies.items():
                tallies[name].update(found)
            for name in sums:
                sums[name] = sums[name] + getattr(shard, name)
        return cls(**sums, tallies=tallies)

    def numbers(self, name: str) -> dict[tuple[int, ...], int]:
        """A tally by the numbers in its keys, in order."""
        found = {tuple(map(int, key.split())): times for key, times in self.tallies[name].items()}
        return dict(sorted(found.items()))


@dataclass(frozen=True)
class Pace:
    """Of each annotator: their passages in the order they submitted them (None where no order is known, as of imported
    answers), and the seconds they took, all told."""

    order: Sequence[Ints | None]
    seconds: Sequence[float]


def agreement_report(
    table: PairTable, totals: Totals, units: Units, pace: Pace, settings: AgreementSettings, *, words_are: str = "words"
) -> dict[str, Any]:
    counts = table.counts()
    found = agreement(counts, both_empty=settings.both_empty)
    around = _intervals(table, units, settings)
    pairs = [_pair_row(pair, counts[pair], found, around, settings) for pair in sorted(counts)]
    answers = totals.numbers("answers_per_passage")
    heard = int((totals.volume[:, 0] > 0).sum())
    words = {(raters, marking): times for (raters, marking), times in totals.numbers("words").items()}
    everyone = heard * (heard - 1) // 2
    human = human_performance(
        table.annotators,
        totals.scored,
        totals.scored_twice,
        totals.gained,
        {what: totals.numbers(f"{what}_by_index") for what in ("targets", "found")},
        keep_at=settings.merge.keep_at,
    )
    return {
        "signature": agreement_signature(settings, units if settings.resamples else None),
        **{name: getattr(found, name) for name in OVERALL},
        "intervals": {name: around.overall[name].range for name in OVERALL},
        "units": _units(units, around),
        "leave_one_out": _leave_one_out(found, table.annotators),
        "passages": sum(answers.values()),
        "compared_passages": sum(times for (count,), times in answers.items() if count >= 2),
        "answers": int(totals.volume[:, 0].sum()),
        "answers_per_passage": {str(count): times for (count,), times in answers.items()},
        "both_empty": _both_empty(counts),
        "left_out_det": everyone - len(pairs) + sum(row["pa_det"] is None for row in pairs),
        "left_out_sug": everyone - len(pairs) + sum(row["pa_sug"] is None for row in pairs),
        "few_shared": sum(row["is_few"] for row in pairs),
        "annotators": _annotator_rows(table, totals, found, pace, settings, human),
        "pairs": pairs,
        "alpha": alpha(words),
        "fleiss_kappa": fleiss_kappa(words, heard),
        "words": sum(times for (raters, _), times in words.items() if raters >= 2),
        "words_are": words_are,
        "span_f1": {kind: mean(row[f"f1_{kind}"] for row in pairs) for kind in ("exact", "overlapping")},
        "types": _types(counts, settings.merge.types, pairs),
        "pa_sug_ceiling": mean(row["pa_sug_ceiling"] for row in pairs),
        "shared_with_common": _shared_with_common(counts),
        **_gold(totals.tallies["gold"]),
        "by_annotators": _by_annotators(totals.tallies["by_annotators"]),
        "discards": _discards(totals),
        "human_performance": human,
    }


def agreement_signature(settings: AgreementSettings, units: Units | None = None) -> str:
    told = settings.as_dict()
    of_merge = told.pop("merge")
    told |= {name: _named(told[name]) for name in ("people", "groups")}
    drawn = {} if units is None else {"units": f"{len(units.names)} {units.kind}"}
    return signature("agreement", {**told, **drawn, **of_merge})


def _named(names: list[str]) -> str:
    """Few by name; many by a hash that tells one choice from another."""
    if len(names) <= 5:
        return ",".join(names) or "all"
    return f"{len(names)}#{sha256_of(names)[:8]}"


def _intervals(table: PairTable, units: Units, settings: AgreementSettings) -> Intervals:
    if settings.resamples:
        return intervals(table, units, both_empty=settings.both_empty, seed=settings.seed, resamples=settings.resamples)
    none = Interval(None, 0)
    return Intervals(dict.fromkeys(OVERALL, none), {rows.pair: {"pa_det": none, "pa_sug": none} for rows in table})


def _units(units: Units, around: Intervals) -> dict[str, Any]:
    """What was drawn for the intervals, and how many of them have anything to say of each figure."""
    told = {name: around.overall[name].units for name in OVERALL}
    return {"are": units.kind, "count": len(units.names), **told, "is_few": min(told.values()) < FEW_UNITS}


def _pair_row(
    pair: Pair, counts: PairCounts, found: Agreement, around: Intervals, settings: AgreementSettings
) -> dict[str, Any]:
    one, interval = found.pairs[pair], around.pairs[pair]
    return {
        "a": pair[0],
        "b": pair[1],
        "pa_det": one.pa_det,
        "n": one.n,
        "pa_sug": one.pa_sug,
        "m": one.m,
        "pa_det_interval": interval["pa_det"].range,
        "pa_sug_interval": interval["pa_sug"].range,
        "units": interval["pa_det"].units,
        "units_sug": interval["pa_sug"].units,
        "is_few": one.n < settings.min_shared,
        "pa_sug_ceiling": ratio_mean(counts.lengths, one.m),
        "f1_exact": exact_f1(counts.detection),
        "f1_overlapping": overlapping_f1(counts.matched, counts.detection),
        "type_agreement": type_agreement(counts.types),
        "type_kappa": cohens_kappa(counts.types),
    }


def _annotator_rows(
    table: PairTable,
    totals: Totals,
    found: Agreement,
    pace: Pace,
    settings: AgreementSettings,
    human: Mapping[str, Any],
) -> list[dict[str, Any]]:
    against, without = _each(found, table.annotators)
    windows = [_windows(table, number, pace.order[number], settings) for number in range(len(table.annotators))]
    rows = []
    for number, name in enumerate(table.annotators):
        passages = int(totals.volume[number, 0])
        seconds = pace.seconds[number]
        rows.append(
            {
                "name": name,
                **dict(zip(VOLUME, totals.volume[number].tolist(), strict=True)),
                "pa_det": against[name][0],
                "pa_sug": against[name][1],
                "pa_det_without": without[name][0],
                "pa_sug_without": without[name][1],
                "types": dict(zip(settings.merge.types, totals.types[number].tolist(), strict=True)),
                "seconds": round(seconds / passages, 1) if seconds and passages else None,
                **_own_human(human, name),
                "windows": [asdict(window) for window in windows[number]],
            }
        )
    reasons = look([_person(row, windows[number]) for number, row in enumerate(rows)])
    return [{**row, "look": reasons.get(row["name"], [])} for row in rows]


def _own_human(human: Mapping[str, Any], name: str) -> dict[str, float | None]:
    """Their own row against the others' gold, with single votes dropped."""
    own = human["with_filter"]["annotators"].get(name, {})
    return {
        figure: own.get(figure) for figure in ("p_detection", "r_detection", "f_detection_05", "acc_recommendation")
    }


def _person(row: Mapping[str, Any], windows: Sequence[Window]) -> Person:
    names = ("name", "pa_det", "passages", "marks", "discards", "seconds")
    return Person(**{name: row[name] for name in names}, windows=windows)


def _windows(table: PairTable, number: int, order: Ints | None, settings: AgreementSettings) -> list[Window]:
    if order is None:
        return []
    values = agreement_by_passage(table, number, settings.both_empty)[order]
    return drift(values, seed=f"{settings.seed}\x1f{table.annotators[number]}")


def _each(found: Agreement, annotators: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(PA_det, PA_sug) of each annotator against the rest, and of all the others without them."""
    against: dict[str, Any] = {}
    without: dict[str, Any] = {}
    names = np.array([list(pair) for pair in found.pairs], dtype=object).reshape(-1, 2)
    columns = [
        np.array([getattr(pair, name) for pair in found.pairs.values()], dtype=np.float64)
        for name in ("pa_det", "pa_sug")
    ]
    for annotator in annotators:
        is_theirs = (names == annotator).any(axis=1)
        against[annotator] = [_mean(values[is_theirs]) for values in columns]
        without[annotator] = [_mean(values[~is_theirs]) for values in columns]
    return against, without


def _mean(values: Any) -> float | None:
    known = values[~np.isnan(values)].tolist()
    return math.fsum(known) / len(known) if known else None


def _leave_one_out(found: Agreement, annotators: tuple[str, ...]) -> dict[str, list[float] | None]:
    """The least and the most that PA becomes by leaving one annotator out."""
    _, without = _each(found, annotators)
    ranges: dict[str, list[float] | None] = {}
    for number, name in enumerate(("pa_det", "pa_sug")):
        known = [values[number] for values in without.values() if values[number] is not None]
        ranges[name] = [min(known), max(known)] if known else None
    return ranges


def _both_empty(counts: Mapping[Pair, PairCounts]) -> dict[str, Any]:
    """Pairs and passages in which neither marked anything: what the rule for both empty decides."""
    empty = sum(found.detection[0, 0] for found in counts.values())
    return _share(empty, sum(found.detection.total() for found in counts.values()))


def _types(counts: Mapping[Pair, PairCounts], types: tuple[str, ...], pairs: list[dict[str, Any]]) -> dict[str, Any]:
    """The matrix adds up all pairs, each both ways round."""
    total: Counter[tuple[int, int]] = Counter()
    for found in counts.values():
        for (one, two), times in found.types.items():
            total[one, two] += times
            total[two, one] += times
    numbers = range(len(types))
    return {
        "agreement": mean(row["type_agreement"] for row in pairs),
        "kappa": mean(row["type_kappa"] for row in pairs),
        "kappa_undefined": sum(row["type_kappa"] is None for row in pairs),
        "shared": total.total() // 2,
        "of": sum(found.suggestion.total() for found in counts.values()),
        "types": list(types),
        "matrix": [[total[one, two] for two in numbers] for one in numbers],
    }


def _shared_with_common(counts: Mapping[Pair, PairCounts]) -> dict[str, Any]:
    """Shared spans for which two annotators have a substitute in common, over all pairs."""
    total = sum(found.suggestion.total() for found in counts.values())
    common = sum(times for found in counts.values() for (both, _), times in found.suggestion.items() if both)
    return _share(common, total)


def _gold(found: Counter[str]) -> dict[str, Any]:
    return {
        "kept_without_two_votes": _share(found["kept without two votes"], found["kept"]),
        "single_vote_suggestions": _share(found["single votes"], found["suggestions"]),
        "type_ties": _share(found["type ties"], found["kept"]),
    }


def _by_annotators(tally: Counter[str]) -> dict[str, list[int]]:
    """{voting index: [targets, suggestions, votes]}"""
    indexes = sorted({int(key.split()[0]) for key in tally})
    return {str(n): [tally[f"{n} {what}"] for what in ("targets", "suggestions", "votes")] for n in indexes}


def _discards(totals: Totals) -> dict[str, Any]:
    """`agreement`: of the passages that either of two discarded and both were given, the share that both did."""
    per_passage = totals.numbers("discards_per_passage")
    both, either = (totals.tallies[f"discarded_by_{what}"].total() for what in ("both", "either"))
    return {
        "discards": sum(count * passages for (count,), passages in per_passage.items()),
        "passages": sum(passages for (count,), passages in per_passage.items() if count),
        "agreement": _share(both, either),
    }


def _share(count: int, of: int) -> dict[str, Any]:
    return {"share": count / of if of else None, "count": count, "of": of}
