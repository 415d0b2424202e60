"""The README of a release: a dataset card with the head that dataset hubs read. Pure: the same facts, the same text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.formats.reading import counted
from annotator.domain.language import is_english
from annotator.domain.screening import SCREENING_REASONS
from exports.domain.releases import CARD_FIELDS
from exports.domain.rows import FLAT_TYPES, added_up

NOT_STATED = "not stated"
POS_NAMES = ("noun", "verb", "adj.", "adv.", "phrase", "other")
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True)
class CardFacts:
    """All that the card tells. `counts` and `shares` by split, `types` {key: label}, `agreement` None where nobody
    measured, `decisions` {kind: times} and `causes` {label: times}."""

    title: str
    notes: str  # of this release alone
    date: str
    languages: Sequence[str]
    preset: str
    passages: int  # that were merged, also those that are not in the gold
    left_out: Mapping[str, int]  # why, and how many
    screening: Mapping[str, Any]  # how many accepted, unseen of them, unscreened; refused by reason
    annotators: int
    answers: tuple[int, int]  # fewest and most of a passage
    keep_at: int
    types: Mapping[str, str]
    counts: Mapping[str, Mapping[str, Any]]
    shares: Sequence[Mapping[str, Any]]
    seed: int
    agreement: Mapping[str, Any] | None
    decisions: Mapping[str, int]
    causes: Mapping[str, int]
    unsettled: int
    guidelines: str
    guidelines_version: int
    look_up_policy: str
    stated: Mapping[str, str]
    signature: str
    version: str

    @property
    def total(self) -> Mapping[str, Any]:
        return added_up(self.counts.values())


def write_card(facts: CardFacts) -> str:
    parts = [
        _head(facts),
        f"# {facts.title}",
        *_what(facts),
        *_notes(facts),
        *_table_1(facts),
        *_table_2(facts),
        *_splits(facts),
    ]
    parts += [*_agreement(facts), *_decisions(facts), *_people(facts), *_files(facts), *_guidelines(facts)]
    return "\n\n".join(parts) + "\n"


def _head(facts: CardFacts) -> str:
    """YAML, whose strings are written as JSON writes them. The types are told: a reader that takes them from the first
    split would find none where nothing in it is a target."""
    size = next((name for most, name in SIZES if facts.total["sentences"] < most), "n>1M")
    lines = ["---"]
    if licence := facts.stated.get("licence"):
        lines.append(f"license: {json.dumps(licence, ensure_ascii=False)}")
    lines += ["language:", *(f"- {json.dumps(language)}" for language in facts.languages)]
    lines += [f"pretty_name: {json.dumps(facts.title, ensure_ascii=False)}", "size_categories:", f"- {size}"]
    lines += ["task_categories:", "- text2text-generation", "annotations_creators:", "- expert-generated"]
    lines += ["configs:", "- config_name: default", "  data_files:"]
    for name, own in _names_for_readers(list(facts.counts)).items():
        lines += [f"  - split: {json.dumps(own)}", f"    path: {json.dumps(f'{name}.jsonl')}"]
    lines += ["dataset_info:", "  features:", *_features(FLAT_TYPES, "  ")]
    return "\n".join([*lines, "---"])


def _names_for_readers(splits: Sequence[str]) -> dict[str, str]:
    """Readers take no “-”, which splits of earlier releases may have in their names."""
    found: dict[str, str] = {}
    for name in splits:
        own = name.replace("-", "_")
        while own != name and own in {*splits, *found.values()}:
            own += "_"
        found[name] = own
    return found


def _features(types: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, kind in types.items():
        yield f"{indent}- name: {name}"
        if isinstance(kind, str):
            yield f"{indent}  dtype: {kind}"
        elif isinstance(kind[0], str):
            yield f"{indent}  list: {kind[0]}"
        else:
            yield f"{indent}  list:"
            yield from _features(kind[0], f"{indent}  ")


def _what(facts: CardFacts) -> Iterator[str]:
    yield facts.stated.get("description", f"What it is: {NOT_STATED}.")
    least, most = facts.answers
    answers = f"{most}" if least == most else f"{least} to {most}"
    yield (
        f"{counted(facts.total['sentences'], 'passage')} by the protocol `{facts.preset}`. "
        f"{counted(facts.annotators, 'annotator')}, blind to each other, marked words that could be better and offered "
        f"substitutes; every passage has {answers} answers. A target is kept where at least {facts.keep_at} marked "
        f"the very same words; a suggestion has a vote from everyone who offered it."
    )
    if facts.left_out:
        said = ", ".join(f"{times:,} {why}" for why, times in facts.left_out.items())
        yield f"Of {facts.passages:,} passages {sum(facts.left_out.values()):,} are not in it: {said}."
    yield f"Screening: {_screening(facts.screening)}"


def _screening(found: Mapping[str, Any]) -> str:
    refused = sum(found["refused"].values())
    if not found["accepted"] and not refused:
        return "not screened."
    came = found["accepted"] + found["unscreened"] + refused
    said = f"of {counted(came, 'passage')} that came in {found['accepted']:,} {_were(found['accepted'])} accepted"
    if unseen := found.get("unseen", 0):
        said += f" ({unseen:,} of them all at once, without being looked at)"
    if refused:
        whys = ", ".join(f"{times:,} {SCREENING_REASONS[why].lower()}" for why, times in found["refused"].items())
        said += f", {refused:,} refused ({whys})"
    if found["unscreened"]:
        said += f", {found['unscreened']:,} not screened"
    return f"{said}."


def _were(times: int) -> str:
    return "was" if times == 1 else "were"


def _notes(facts: CardFacts) -> Iterator[str]:
    if notes := facts.notes.strip():
        yield "## Notes"
        yield notes


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The first column is words, the others are figures."""
    ruler = ["---", *(["---:"] * (len(head) - 1))]
    lines = [" | ".join(str(cell) for cell in row) for row in (head, ruler, *rows)]
    return "\n".join(f"| {line} |" for line in lines)


def _table_1(facts: CardFacts) -> Iterator[str]:
    names = ("sentences", "targets", "suggestions", "labels")
    rows = [[split, *(f"{found[name]:,}" for name in names)] for split, found in facts.counts.items()]
    total = facts.total
    rows.append(["**all**", *(f"**{total[name]:,}**" for name in names)])
    yield "## Size"
    yield _table(["split", "sentences", "targets", "suggestions", "labels"], rows)
    words = _mean(total["words"], total["sentences"])
    yield (
        f"A label is one annotator's vote for one suggestion. A sentence has {words} words on average. "
        f"{_share(total['phrases'], total['targets'])} of the targets and "
        f"{_share(total['suggested_phrases'], total['suggestions'])} of the suggestions are longer than a word."
    )
    if total["added"] or total["off_tokens"]:
        yield (
            f"{counted(total['added'], 'suggestion')} came from adjudicators and {_have(total['added'])} no vote; in "
            f"`<split>.json` {_stand(total['added'])} with one. {counted(total['off_tokens'], 'target')} that "
            f"{_is(total['off_tokens'])} no span of tokens {_is(total['off_tokens'])} left out of `<split>.json` and "
            f"{'stands' if total['off_tokens'] == 1 else 'stand'} in the other files."
        )


def _have(times: int) -> str:
    return "has" if times == 1 else "have"


def _stand(times: int) -> str:
    return "it stands" if times == 1 else "they stand"


def _is(times: int) -> str:
    return "is" if times == 1 else "are"


def _table_2(facts: CardFacts) -> Iterator[str]:
    found = {(part, type_): times for part, type_, times in facts.total["by_pos"]}
    yield "## Types"
    if not found:
        total = facts.total
        rows = [
            [label, f"{total['by_type'].get(key, 0):,}", _share(total["by_type"].get(key, 0), total["targets"])]
            for key, label in facts.types.items()
        ]
        yield _table(["type", "targets", "share"], rows)
        is_known = any(map(is_english, facts.languages))
        yield f"Parts of speech were not tagged{'' if is_known else ': the tagger knows English only'}."
        return
    sums = {part: sum(found.get((part, key), 0) for key in facts.types) for part in POS_NAMES}
    rows = [["targets", *(f"{sums[part]:,}" for part in POS_NAMES), f"{sum(sums.values()):,}"]]
    for key, label in facts.types.items():
        own = [found.get((part, key), 0) for part in POS_NAMES]
        shares = [_share(times, sums[part]) for times, part in zip(own, POS_NAMES, strict=True)]
        rows.append([label, *shares, _share(sum(own), sum(sums.values()))])
    yield _table(["", *POS_NAMES, "total"], rows)
    yield "Targets by part of speech, tagged by HanTa, and the share of each type. A phrase is more than one word."
    if others := facts.total["targets"] - sum(found.values()):
        said = f"{counted(others, 'target')} in other languages {_is(others)} not counted here"
        yield f"The tagger knows English only: {said}."


def _splits(facts: CardFacts) -> Iterator[str]:
    rows = [
        [
            row["name"],
            f"{row['asked']:,}",
            f"{row['got']:,}",
            f"{row['got'] - row['asked']:+,}" if row["got"] != row["asked"] else "0",
            f"{row['groups']:,}",
            f"{row['new']:,}",
            _tenths(row["words"]),
            _tenths(row["votes"]),
        ]
        for row in facts.shares
    ]
    yield "## Splits"
    yield _table(["split", "asked", "got", "deviation", "groups", "new", "words each", "votes each"], rows)
    yield (
        f"Groups are never divided; what an earlier release placed stays; lengths and votes are spread alike. Seed "
        f"{facts.seed}."
    )


def _agreement(facts: CardFacts) -> Iterator[str]:
    yield "## Agreement"
    found = facts.agreement
    if found is None:
        yield "Not measured."
        return
    pairs = f"over {counted(found['pairs'], 'pair')}"
    yield (
        f"PA_det {_percent(found['pa_det'])}{_interval(found['pa_det_interval'])}, "
        f"PA_sug {_percent(found['pa_sug'])}{_interval(found['pa_sug_interval'])} {pairs} of annotators "
        f"(Wang et al. 2023, 3.4), of the answers before the filter and before any decision."
    )
    if human := found.get("human"):
        yield (
            f"A person against the merge of the others: detection F0.5 {_figure(human.get('f_detection_05'))}, "
            f"end to end F0.5 {_figure(human.get('f_e2e_05'))}."
        )
    yield f"`{found['signature']}`"


def _decisions(facts: CardFacts) -> Iterator[str]:
    yield "## Decisions"
    if not facts.decisions:
        yield "None: the votes stand as they were merged."
    else:
        said = ", ".join(f"{times:,} {kind}" for kind, times in facts.decisions.items())
        yield f"{sum(facts.decisions.values()):,} by adjudicators, laid over the votes: {said}."
    if facts.causes:
        yield "Causes: " + ", ".join(f"{label} {times:,}" for label, times in facts.causes.items()) + "."
    if facts.unsettled:
        yield f"{counted(facts.unsettled, 'disputed passage')} nobody has settled: the votes stand."


def _people(facts: CardFacts) -> Iterator[str]:
    for field in CARD_FIELDS[1:]:
        yield f"## {field.label}"
        yield facts.stated.get(field.key, f"{NOT_STATED.capitalize()}.")
        if field.key == "ai_policy":
            yield "## Looking things up"
            yield facts.look_up_policy or f"{NOT_STATED.capitalize()}."


def _files(facts: CardFacts) -> Iterator[str]:
    yield "## Files"
    names = ", ".join(f"`{name}`" for name in facts.counts)
    yield (
        f"For each split ({names}): `<split>.json` as Smart Word Suggestions is released (spans count tokens), and "
        f"`<split>.jsonl`, a row for each passage with offsets in Unicode code points. `votes.csv` has a row for each "
        f"suggestion with its voters, by pseudonym; a cell that a spreadsheet would take for a formula has `'` before "
        f"it. `answers.jsonl` has every answer that counted and every decision. `manifest.json` has the settings, the "
        f"counts and the checksums; `sha256sum -c SHA256SUMS` checks them."
    )
    yield f"Made by Assay {facts.version} on {facts.date}: `{facts.signature}`"


def _guidelines(facts: CardFacts) -> Iterator[str]:
    yield f"## Guidelines (version {facts.guidelines_version})"
    text = facts.guidelines.strip()
    # Their own headings stand below ours.
    yield "\n".join(f"##{line}" if line.startswith("#") else line for line in text.splitlines()) if text else "None."


def _share(above: int, below: int) -> str:
    return f"{100 * above / below:.1f} %" if below else "–"


def _mean(above: int, below: int) -> str:
    return f"{above / below:.1f}" if below else "–"


def _tenths(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(found: Sequence[float] | None) -> str:
    return f" ({100 * found[0]:.1f} to {100 * found[1]:.1f})" if found else ""
