"""The agreement report: every figure with what it was divided by, and the signature of its settings (method.md 6)."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from adjudication.domain.agreement.counting import AgreementCounts, AgreementSettings
from adjudication.domain.agreement.pairs import Agreement, Pair, agreement, mean, ratio_mean
from adjudication.domain.agreement.spans import exact_f1, overlapping_f1
from adjudication.domain.agreement.types import cohens_kappa, type_agreement
from adjudication.domain.agreement.words import alpha, fleiss_kappa
from adjudication.domain.human import human_performance
from adjudication.domain.signature import signature

OVERALL = ("pa_det", "pa_sug", "pa_det_w", "pa_sug_w")


def agreement_report(counts: AgreementCounts, settings: AgreementSettings) -> dict[str, Any]:
    found = agreement(counts.pairs, both_empty=settings.both_empty)
    intervals = counts.resamples.intervals() if settings.resamples else None
    pairs = [_pair_row(pair, counts, found, intervals, settings) for pair in sorted(counts.pairs)]
    return {
        "signature": agreement_signature(settings),
        **{name: getattr(found, name) for name in OVERALL},
        "intervals": {name: intervals[name] if intervals else None for name in OVERALL},
        "leave_one_out": _leave_one_out(found, counts.annotators),
        "passages": counts.answers_per_passage.total(),
        "compared_passages": sum(times for count, times in counts.answers_per_passage.items() if count >= 2),
        "answers_per_passage": _sorted(counts.answers_per_passage),
        "left_out_det": sum(row["pa_det"] is None for row in pairs),
        "left_out_sug": sum(row["pa_sug"] is None for row in pairs),
        "few_shared": sum(row["is_few"] for row in pairs),
        "annotators": [_annotator_row(name, counts, found) for name in counts.annotators],
        "pairs": pairs,
        "alpha": alpha(counts.words),
        "fleiss_kappa": fleiss_kappa(counts.words, len(counts.annotators)),
        "words": sum(times for (raters, _), times in counts.words.items() if raters >= 2),
        "span_f1": {kind: mean(row[f"f1_{kind}"] for row in pairs) for kind in ("exact", "overlapping")},
        "types": _types(counts, settings.merge.types, pairs),
        "pa_sug_ceiling": mean(row["pa_sug_ceiling"] for row in pairs),
        "shared_with_common": _shared_with_common(counts),
        "kept_without_two_votes": _share(counts.gold["kept without two votes"], counts.gold["kept"]),
        "single_vote_suggestions": _share(counts.gold["single votes"], counts.gold["suggestions"]),
        "type_ties": _share(counts.gold["type ties"], counts.gold["kept"]),
        "discards": _discards(counts),
        "human_performance": human_performance(counts.human),
    }


def agreement_signature(settings: AgreementSettings) -> str:
    told = settings.as_dict()
    of_merge = told.pop("merge")
    return signature("agreement", {**told, **of_merge})


def _pair_row(
    pair: Pair,
    counts: AgreementCounts,
    found: Agreement,
    intervals: Mapping[str, Any] | None,
    settings: AgreementSettings,
) -> dict[str, Any]:
    one, histograms = found.pairs[pair], counts.pairs[pair]
    around = intervals["pairs"][pair] if intervals else {"pa_det": None, "pa_sug": None}
    return {
        "a": pair[0],
        "b": pair[1],
        "pa_det": one.pa_det,
        "n": one.n,
        "pa_sug": one.pa_sug,
        "m": one.m,
        "pa_det_interval": around["pa_det"],
        "pa_sug_interval": around["pa_sug"],
        "is_few": one.n < settings.min_shared,
        "pa_sug_ceiling": ratio_mean(histograms.lengths, one.m),
        "f1_exact": exact_f1(histograms.detection),
        "f1_overlapping": overlapping_f1(counts.matched[pair], histograms.detection),
        "type_agreement": type_agreement(counts.types[pair]),
        "type_kappa": cohens_kappa(counts.types[pair]),
    }


def _annotator_row(name: str, counts: AgreementCounts, found: Agreement) -> dict[str, Any]:
    against, without = found.only(name), found.without(name)
    return {
        "name": name,
        **{what: counts.volume[name, what] for what in ("passages", "marks", "substitutes", "discards")},
        "pa_det": against.pa_det,
        "pa_sug": against.pa_sug,
        "pa_det_without": without.pa_det,
        "pa_sug_without": without.pa_sug,
    }


def _leave_one_out(found: Agreement, annotators: tuple[str, ...]) -> dict[str, list[float] | None]:
    """The least and the most that PA becomes by leaving one annotator out."""
    ranges: dict[str, list[float] | None] = {}
    for name in ("pa_det", "pa_sug"):
        values = [getattr(found.without(annotator), name) for annotator in annotators]
        known = [value for value in values if value is not None]
        ranges[name] = [min(known), max(known)] if known else None
    return ranges


def _types(counts: AgreementCounts, types: tuple[str, ...], pairs: list[dict[str, Any]]) -> dict[str, Any]:
    """The matrix adds up all pairs, each both ways round."""
    total: Counter[tuple[str, str]] = Counter()
    for found in counts.types.values():
        for (one, two), times in found.items():
            total[one, two] += times
            total[two, one] += times
    return {
        "agreement": mean(row["type_agreement"] for row in pairs),
        "kappa": mean(row["type_kappa"] for row in pairs),
        "shared": total.total() // 2,
        "types": list(types),
        "matrix": [[total[one, two] for two in types] for one in types],
    }


def _shared_with_common(counts: AgreementCounts) -> dict[str, Any]:
    """Shared spans for which two annotators have a substitute in common, over all pairs."""
    common = total = 0
    for found in counts.pairs.values():
        total += found.suggestion.total()
        common += sum(times for (both, _), times in found.suggestion.items() if both)
    return _share(common, total)


def _discards(counts: AgreementCounts) -> dict[str, Any]:
    """`agreement`: of the passages that either of two discarded and both were given, the share that both did."""
    pairwise = _share(counts.discarded_by_both.total(), counts.discarded_by_either.total())
    return {
        "discards": sum(count * passages for count, passages in counts.discards_per_passage.items()),
        "passages": sum(passages for count, passages in counts.discards_per_passage.items() if count),
        "agreement": pairwise,
    }


def _share(count: int, of: int) -> dict[str, Any]:
    return {"share": count / of if of else None, "count": count, "of": of}


def _sorted(counts: Counter[int]) -> dict[str, int]:
    return {str(key): counts[key] for key in sorted(counts)}
