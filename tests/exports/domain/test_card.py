"""The README of a release: the same facts give the same text."""

from dataclasses import replace
from typing import Any

import pytest

from exports.domain.card import CardFacts, write_card

COUNTS = {
    "sentences": 2,
    "words": 21,
    "targets": 4,
    "suggestions": 9,
    "labels": 20,
    "phrases": 1,
    "suggested_phrases": 2,
    "by_type": {"diversify-expression": 1, "refine-usage": 3},
    "by_pos": [],
    "off_tokens": 0,
    "added": 0,
}
SHARE = {"name": "test", "asked": 3, "got": 2, "groups": 1, "new": 2, "words": 10.5, "votes": 10.0}
AGREEMENT: dict[str, Any] = {
    "pa_det": 0.2311,
    "pa_sug": 0.3522,
    "pa_det_interval": [0.226, 0.237],
    "pa_sug_interval": None,
    "pairs": 45,
    "human": {"f_detection_05": 0.5621, "f_e2e_05": None},
    "signature": "agreement|both_empty:1|method:2",
}
FACTS = CardFacts(
    title="Essays, release 1",
    notes="",
    date="2026-11-18",
    languages=["de", "en"],
    preset="sws",
    passages=1_205,
    left_out={"discarded by most": 9, "with too few answers": 3},
    screening={"accepted": 0, "unscreened": 5, "refused": {}},
    annotators=10,
    answers=(8, 10),
    keep_at=2,
    types={"refine-usage": "refine usage", "diversify-expression": "diversify expression"},
    counts={"test": COUNTS},
    shares=[SHARE],
    seed=4711,
    agreement=AGREEMENT,
    decisions={"passages settled": 3, "types settled": 301},
    causes={"a matter of taste": 4, "an error": 1},
    unsettled=1,
    guidelines="# Mark\n\nMark **words**.\n## Not\nNo names.",
    guidelines_version=3,
    look_up_policy="Dictionaries are allowed.",
    stated={"licence": 'cc "by" 4.0', "pay": "by the hour", "ai_policy": "None."},
    signature="merge|keep_at:2|method:2",
    version="0.1.0",
)


def section(text: str, head: str) -> str:
    """What stands under a heading, up to the next one of ours."""
    return text.split(f"\n## {head}\n", 1)[1].split("\n## ", 1)[0].strip()


def card(**given: Any) -> str:
    return write_card(replace(FACTS, **given))


def test_the_head_is_what_hubs_read() -> None:
    head = card().split("\n---\n")[0]

    for line in (
        'license: "cc \\"by\\" 4.0"',
        'language:\n- "de"\n- "en"',
        "size_categories:\n- n<1K",
        "task_categories:\n- text2text-generation",
        'configs:\n- config_name: default\n  data_files:\n  - split: "test"\n    path: "test.jsonl"',
    ):
        assert line in head
    assert "license" not in card(stated={}).split("\n---\n")[0]


@pytest.mark.parametrize(("sentences", "size"), [(999, "n<1K"), (1_000, "1K<n<10K"), (10_000, "10K<n<100K")])
def test_the_size_is_told_in_the_classes_of_hubs(sentences: int, size: str) -> None:
    assert f"size_categories:\n- {size}\n" in card(counts={"test": {**COUNTS, "sentences": sentences}})


def test_splits_are_named_as_readers_take_them() -> None:
    """YAML reads a bare `no` or `2024` as something else; a “-” no reader takes."""
    text = card(counts=dict.fromkeys(("no", "2024", "test-a", "test_a"), COUNTS))

    named = [line.partition("split: ")[2] for line in text.splitlines() if line.startswith("  - split:")]
    assert named == ['"no"', '"2024"', '"test_a_"', '"test_a"']
    assert '    path: "test-a.jsonl"\n' in text


def test_agreement_is_told_with_intervals_pairs_a_person_and_its_settings() -> None:
    text = section(card(), "Agreement")

    assert text.startswith("PA_det 23.1 % (22.6 to 23.7), PA_sug 35.2 % over 45 pairs of annotators")
    assert "A person against the merge of the others: detection F0.5 0.562, end to end F0.5 –." in text
    assert text.endswith("`agreement|both_empty:1|method:2`")
    assert section(card(agreement=None), "Agreement") == "Not measured."
    assert "A person" not in card(agreement={**AGREEMENT, "human": None})


def test_decisions_are_told_by_kind_and_by_cause() -> None:
    assert section(card(), "Decisions") == (
        "304 by adjudicators, laid over the votes: 3 passages settled, 301 types settled.\n\n"
        "Causes: a matter of taste 4, an error 1.\n\n"
        "1 disputed passage nobody has settled: the votes stand."
    )
    bare = section(card(decisions={}, causes={}, unsettled=0), "Decisions")
    assert bare == "None: the votes stand as they were merged."


def test_splits_are_told_with_what_was_asked_and_how_far_off_they_are() -> None:
    text = section(card(shares=[SHARE, {**SHARE, "name": "dev", "asked": 2}]), "Splits")

    assert "| split | asked | got | deviation | groups | new | words each | votes each |" in text
    assert "| test | 3 | 2 | -1 | 1 | 2 | 10.5 | 10.0 |" in text
    assert "| dev | 2 | 2 | 0 |" in text
    assert "Seed 4711." in text


def test_guidelines_are_told_with_their_version_and_below_our_headings() -> None:
    text = section(card(), "Guidelines (version 3)")

    assert text == "### Mark\n\nMark **words**.\n#### Not\nNo names."
    assert section(card(guidelines=" \n"), "Guidelines (version 3)") == "None."


def test_the_rule_on_looking_things_up_is_told_after_that_on_ai() -> None:
    text = card()

    assert section(text, "Looking things up") == "Dictionaries are allowed."
    assert text.index("## AI tools\n\nNone.") < text.index("## Looking things up")
    assert section(card(look_up_policy=""), "Looking things up") == "Not stated."


def test_what_nobody_stated_is_not_stated() -> None:
    text = card(stated={})

    for head in ("Licence", "Recruitment", "Background", "Pay", "Consent", "Ethics", "AI tools", "Limits", "Contact"):
        assert section(text, head) == "Not stated."
    assert "What it is: not stated." in text


def test_parts_of_speech_have_a_table_with_the_share_of_each_type() -> None:
    pos = [["noun", "refine-usage", 3], ["noun", "diversify-expression", 1], ["phrase", "refine-usage", 2]]
    text = section(card(counts={"test": {**COUNTS, "targets": 6, "by_pos": pos}}), "Types")

    assert "|  | noun | verb | adj. | adv. | phrase | other | total |" in text
    assert "| targets | 4 | 0 | 0 | 0 | 2 | 0 | 6 |" in text
    assert "| refine usage | 75.0 % | – | – | – | 100.0 % | – | 83.3 % |" in text
    assert "Parts of speech were not tagged." in section(card(), "Types")
    assert "English only" not in text


def test_targets_in_languages_that_the_tagger_does_not_know_are_said_to_be_left_out() -> None:
    some = card(counts={"test": {**COUNTS, "by_pos": [["noun", "refine-usage", 3]]}})
    assert "The tagger knows English only: 1 target in other languages is not counted here." in section(some, "Types")
    none = section(card(languages=["de", "fr"]), "Types")
    assert none.endswith("Parts of speech were not tagged: the tagger knows English only.")


def test_added_suggestions_and_targets_off_tokens_are_told() -> None:
    text = card(counts={"test": {**COUNTS, "added": 1, "off_tokens": 2}})

    assert "1 suggestion came from adjudicators and has no vote; in `<split>.json` it stands with one." in text
    assert "2 targets that are no span of tokens are left out of `<split>.json`" in text


@pytest.mark.parametrize(
    ("screening", "says"),
    [
        ({"accepted": 0, "unscreened": 5, "refused": {}}, "Screening: not screened."),
        (
            {"accepted": 1_000, "unscreened": 0, "refused": {"grammar": 94, "short": 58}},
            "Screening: of 1,152 passages that came in 1,000 were accepted, 152 refused (94 grammar or typo, "
            "58 too short).",
        ),
        (
            {"accepted": 1, "unscreened": 3, "refused": {}},
            "Screening: of 4 passages that came in 1 was accepted, 3 not screened.",
        ),
        (
            {"accepted": 30, "unseen": 24, "unscreened": 0, "refused": {"short": 1}},
            "Screening: of 31 passages that came in 30 were accepted (24 of them all at once, without being looked "
            "at), 1 refused (1 too short).",
        ),
    ],
)
def test_screening_is_told_with_the_reasons_of_refusals(screening: dict[str, Any], says: str) -> None:
    assert f"\n\n{says}\n\n" in card(screening=screening)


def test_notes_of_this_release_stand_before_its_tables() -> None:
    text = card(notes=" Without May.\n")

    assert section(text, "Notes") == "Without May."
    assert text.index("## Notes") < text.index("## Size")
