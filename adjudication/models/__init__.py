"""Tables of the adjudication app."""

from adjudication.models.decisions import Comment, Decision, DecisionStep, Double
from adjudication.models.merges import Change, Merge, MergeInput, PassageResult, Target, seen_by
from adjudication.models.reports import AgreementPair, AgreementReport, AnnotatorCurve, ShardData, SubmissionDigest

__all__ = [
    "AgreementPair",
    "AgreementReport",
    "AnnotatorCurve",
    "Change",
    "Comment",
    "Decision",
    "DecisionStep",
    "Double",
    "Merge",
    "MergeInput",
    "PassageResult",
    "ShardData",
    "SubmissionDigest",
    "Target",
    "seen_by",
]
