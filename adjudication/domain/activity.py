"""What leads read of merges, reports and decisions."""

from annotator.domain.activity import Place, Words

PLACES = {
    "decision": Place("decisions", "passage__project", "passage", ("passage__external_id",), "“{0}”"),
    "double": Place("decisions", "passage__project", "passage", ("passage__external_id",), "“{0}”"),
    "comment": Place("decisions", "passage__project", "passage", ("passage__external_id",), "“{0}”"),
}
SAID = {
    "merge.made": Words("merged: {targets:target}, {kept} kept", "results"),
    "merge.chosen": Words("went back to an earlier merge", "results"),
    "agreement.measured": Words("measured agreement", "results"),
    "agreement.curve_made": Words("measured what fewer annotators would give", "results"),
    "doubles.drawn": Words("had passages drawn for two adjudicators: {now}", "decisions"),
    "decision.made": Words("decided about {about}"),
    "decision.proposed": Words("proposed a decision about {about}"),
    "decision.undone": Words("took a decision about {about} back"),
    "double.decided": Words("took a seat at {about}, one of two"),
    "double.settled": Words("settled {about}, one of two"),
    "double.united": Words("united what two decided about {about}"),
    "comment.added": Words("commented on {about}"),
    "comment.resolved": Words("resolved a comment on {about}"),
    "comment.reopened": Words("reopened a comment on {about}"),
}
