"""The words that come with a preset. Of sws they carry every rule of the paper's appendix A."""

import re

import pytest

from annotator.domain.guidelines import guidelines_problems
from annotator.domain.markdown import to_html
from annotator.domain.protocols import PRESETS, not_yet
from annotator.presets import WORDS, guidelines_for, offered, policy_for

# Of appendix A, rule by rule: what our text says of it.
RULES = {
    "A: at least three words or phrases to change": r"\*\*at least three\*\* words or phrases",
    "A: substitutes for each": r"give \*\*substitutes\*\* for each",
    "A: every substitute is improve-usage or diversify-expression": r"every substitute which \*\*type\*\* it is",
    "A.1: as a teacher who helps learners": r"Imagine that you teach them",
    "A.1: the meaning is expressed more appropriately": r"\*\*says more exactly\*\* what the writer means",
    "A.1: closer to a native speaker": r"\*\*sounds more like a native speaker\*\*",
    "A.1: spoken into written language": r"turns \*\*spoken into written language\*\*",
    "A.1: more various words": r"\*\*brings variety\*\*",
    "A.1: the sentence is not rewritten": r"\*\*Do not rewrite the sentence\.\*\*",
    "A.1: mistakes are not corrected": r"\*\*Do not correct mistakes\.\*\*",
    "A.1: no synonym that does not help": r"\*\*Do not put in a synonym for its own sake\.\*\*",
    "A.1: usually fewer than three words": r"usually has \*\*fewer than three words\*\*",
    "A.1: usually adjective, adverb, noun or verb": r"\*\*adjective, an adverb, a noun or a verb\*\*",
    "A.1: usually no named entity": r"usually \*\*not a name\*\*",
    "A.2: the same meaning as the word": r"\*\*means the same\*\* as the word it stands for",
    "A.2: the sentence keeps its meaning": r"\*\*sentence keeps its meaning\*\*",
    "A.2: general and clear: more precise": r"the word is general:\*\* be \*\*more precise\*\*",
    "A.2: confusing, guessed: more general": r"have to guess what the word means here:\*\* be \*\*more general\*\*",
    "A.2: as fluent as before": r"\*\*It must read as smoothly as before\*\*",
    "A.2: prepositions go with it": r"\*\*The preposition still fits\.\*\*",
    "A.2: no errors of tense or form": r"\*\*Tense, number and part of speech stay\.\*\*",
    "A.3: parted by ; and not by a comma": r"by a \*\*semicolon\*\*, not by a comma",
    "A.3: grammar or typo problems: discard": r"a problem of \*\*grammar or a typo\*\*, \*\*discard\*\* it",
    "A.3: exactly as it stands": r"\*\*exactly what stands in the passage\*\*",
    "A.3: no punctuation": r"\*\*without punctuation\*\*",
    "A.3: the smallest range": r"the \*\*smallest piece that changes\*\*",
    "A.3: unless it cannot be parted": r"Only what cannot be parted is marked as one piece",
    "A.3: nothing is paraphrased": r"Nor is anything paraphrased",
    "A.3: the same tense, number and part of speech": r"\*walked\* → \*strolled\*, not \*stroll\*",
}
# Of the paper; ours are our own.
ITS_EXAMPLES = ("advisabl", "a lot of valuable", "north-west china", "various", "nutshell", "deserve", "another chance")


@pytest.mark.parametrize("rule", RULES)
def test_our_text_carries_every_rule_of_appendix_a(rule: str) -> None:
    assert re.search(RULES[rule], guidelines_for("sws")), rule


@pytest.mark.parametrize("example", ITS_EXAMPLES)
def test_its_examples_are_our_own(example: str) -> None:
    assert example not in guidelines_for("sws").lower()


def test_our_texts_can_be_saved_as_guidelines() -> None:
    for name in PRESETS:
        assert guidelines_problems(guidelines_for(name), policy_for(name)) == []


def test_no_sign_of_markdown_is_left_in_what_is_read() -> None:
    shown = to_html(guidelines_for("sws"))

    assert "**" not in shown
    assert not re.search(r"(?<!\w)\*\w|\w\*(?!\w)", shown)


def test_the_policy_says_something_of_dictionaries_and_of_ai() -> None:
    assert re.search(r"[Dd]ictionar", policy_for("sws"))
    assert "AI" in policy_for("sws")


def test_presets_that_work_are_offered_and_no_others() -> None:
    assert set(offered()) == {name for name, protocol in PRESETS.items() if not not_yet(protocol)}
    assert set(WORDS) == set(PRESETS)
