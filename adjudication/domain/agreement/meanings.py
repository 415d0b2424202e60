"""What each figure means, in two lines, and how it is made: what a page opens beside a number."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Meaning:
    name: str
    says: str
    formula: str


MEANINGS = {
    "pa_det": Meaning(
        "PA_det",
        "How far two people mark the same words: of what either marked in a passage, the share that both did, "
        "averaged over passages, then over pairs. Two empty answers agree fully unless the setting says "
        "otherwise.",
        "mean over pairs of: mean over passages of |s_i ∩ s_j| / |s_i ∪ s_j|, s = the spans of a person (Wang et "
        "al. 2023, 3.4)",
    ),
    "pa_sug": Meaning(
        "PA_sug",
        "Where two people marked the same words: of the substitutes either offered, the share that both did. "
        "Lists of different length cannot agree fully: see the ceiling.",
        "mean over pairs of: mean over shared spans of |t_i ∩ t_j| / |t_i ∪ t_j|, t = the substitutes' keys",
    ),
    "interval": Meaning(
        "95 % interval",
        "How far the figure might be off because these passages and not others were annotated. The annotators are"
        " taken as given. Whole groups are drawn where passages have one.",
        "2.5 and 97.5 percentiles over resamples of groups (or passages) by Poisson weights from a fixed seed; "
        "how many, "
        "the signature says (1,000 unless others were asked for)",
    ),
    "leave_one_out": Meaning(
        "leaving one out",
        "The least and the most the figure becomes when any one annotator is left out. A wide range means that it"
        " hangs on a single person.",
        "min and max over annotators of the mean over the pairs without them",
    ),
    "weighted": Meaning(
        "weighted",
        "The same mean with each pair counting as much as it has passages (PA_det) or shared spans (PA_sug). It "
        "differs where some pairs met rarely.",
        "Σ N_ij · PA_ij / Σ N_ij, and with M_ij",
    ),
    "both_empty": Meaning(
        "neither marked anything",
        "The share of pairs and passages in which neither marked anything. The higher it is, the more the rule "
        "for such passages (1, 0 or skip) decides PA_det.",
        "cells with |s_i ∪ s_j| = 0 / all cells",
    ),
    "alpha": Meaning(
        "Krippendorff’s α",
        "Agreement beyond chance on every word: marked or not. 0 is what chance gives, 1 is full agreement; "
        "marking few words keeps it low even where people agree well.",
        "1 − observed / expected disagreement, nominal, over tokens with a letter or digit that two or more judged",
    ),
    "fleiss": Meaning(
        "Fleiss’ κ",
        "The same idea as α, and only where everybody judged every word: the one figure for many raters that most "
        "readers know.",
        "(P − P_e) / (1 − P_e), P = mean agreement per word, P_e = by chance; words by all annotators",
    ),
    "span_f1": Meaning(
        "span F1",
        "Agreement on spans pooled over all passages: once only where they are equal, once where they overlap by "
        "a character, each span used once.",
        "2 · matched / (|s_i| + |s_j|), mean over pairs; overlapping by a largest one-to-one matching",
    ),
    "types": Meaning(
        "type agreement and κ",
        "Where two people marked the same words: how often they give the same type, and how much of that is "
        "beyond chance. A person's type for a span is the majority of their substitutes; ties are left out.",
        "Cohen's κ per pair, then the mean; pairs without one are counted",
    ),
    "ceiling": Meaning(
        "ceiling of PA_sug",
        "The most that PA_sug could be, given how many substitutes each person offers: somebody who gives one and"
        " somebody who gives three agree by a third at the best.",
        "mean over shared spans of min(|t_i|, |t_j|) / max(|t_i|, |t_j|)",
    ),
    "human": Meaning(
        "a person against the rest",
        "Each person scored like a system against the merge of all the others, never against their own votes. It "
        "is what a system is compared with.",
        "F0.5 of detection, first suggestion = first in the answer; with single votes dropped and without",
    ),
    "voting_index": Meaning(
        "voting index",
        "How many annotators marked a target. Targets below the threshold are dropped from the gold, and stay "
        "visible to adjudicators.",
        "number of distinct annotators per span; kept from keep_at on",
    ),
    "shares": Meaning(
        "shares of the gold",
        "How firm the gold is: kept targets on whose substitute no two people agree, and suggestions that one "
        "person alone made. In the SWS release they are 24.8 % and 60.2 %.",
        "over kept targets; over their suggestions",
    ),
    "type_ties": Meaning(
        "ties of type",
        "Kept targets whose type no majority settles. The labels of the tied types decide, then the project's order of "
        "types: an adjudicator should look.",
        "kept targets with a tie / kept targets",
    ),
    "few": Meaning(
        "pairs left out, few passages",
        "Two who never submitted the same passage, or never marked the same words, have nothing to divide by: they are "
        "left out of the mean and counted. Pairs with few passages stay in it, and are pale.",
        "N_ij = 0 or M_ij = 0: left out; N_ij < min_shared: few",
    ),
    "people": Meaning(
        "each person",
        "PA: with each of the others, on average; without: what PA_det of all becomes without them. Marks each, "
        "time and "
        "discards: how much and how fast. The type: how many of their substitutes are of the first one.",
        "mean over their pairs; mean over the pairs without them; marks / passages; active seconds / passages",
    ),
    "merged_passages": Meaning(
        "passages in the gold",
        "What was merged and counts. A passage with too few answers is left out; one that more people discarded than "
        "submitted is merged and counted apart, and none of its targets is kept.",
        "answers ≥ min_answers, and discards ≤ answers (where drops_discarded is on)",
    ),
    "kept_targets": Meaning(
        "targets kept",
        "Words that so many people marked that they are in the gold. What fewer marked is dropped, and stays "
        "visible as "
        "dropped.",
        "distinct spans of a passage with voting index ≥ keep_at",
    ),
    "suggestions": Meaning(
        "suggestions and votes",
        "What people offered for the kept targets: each word or phrase once, with as many votes as people "
        "offered it. A "
        "suggestion with one vote stays.",
        "distinct keys per kept target; Σ of their voters",
    ),
    "asking": Meaning(
        "passages that ask for somebody",
        "Where votes alone do not settle it: ties of type, targets that overlap, variants of one suggestion, "
        "near misses, "
        "some discards. They are first in the queue of adjudication.",
        "passages in the gold with one of these flags at least",
    ),
    "thresholds": Meaning(
        "what each threshold keeps",
        "What the gold would be if targets were kept from 1, 2, 3, … annotators on: fewer and firmer ones the "
        "higher the "
        "threshold. Look here before you change keep_at.",
        "sums over targets with voting index ≥ n; mean votes = labels / targets",
    ),
    "discards": Meaning(
        "discards",
        "Passages that somebody set aside, and how often two people who were given the same passage both did.",
        "both discarded / either discarded, over pairs given the passage",
    ),
    "drift": Meaning(
        "over time",
        "Somebody's agreement with the others in windows of 50 of their own submissions. Points outside the grey "
        "band are unlikely if nothing had changed.",
        "mean agreement per window; band = 2.5 to 97.5 percentiles over 200 shuffles of their order",
    ),
    "curve": Meaning(
        "fewer annotators",
        "What you would get with k annotators instead of all: two golds by disjoint groups of k, how much they "
        "have in common and how large they are. Says whether more people pay.",
        "100 seeded draws over at most 2,000 passages; F1 of kept targets and of suggestions between the two golds",
    ),
    "checks": Meaning(
        "controls and repeats",
        "How often somebody meets passages whose key is known, and how far they agree with themself on passages that "
        "came twice, at least 50 passages apart. Both stand among the work and count in nothing else.",
        "controls met by the rule of the test / controls submitted; PA_det and PA_sug of first and second answer",
    ),
}
