"""What somebody has decided and said as an adjudicator, for themself (annotator/queries/own_data.py)."""

from collections.abc import Iterator
from typing import Any

from adjudication.models import Comment, DecisionStep
from annotator.models import User

AT_ONCE = 500


def records_of(user: User) -> Iterator[dict[str, Any]]:
    """Of projects whose adjudication they still see, and not of passages that they have still to annotate."""
    steps = DecisionStep.objects.visible_to(user).filter(by__user=user).order_by("pk")
    columns = ("decision__passage__project__slug", "decision__passage__external_id")
    spans = ("decision__start", "decision__end", "content", "reason", "at")
    for project, passage, start, end, content, reason, at in steps.values_list(*columns, *spans).iterator(AT_ONCE):
        yield {
            "record": "decision",
            "project": project,
            "passage": passage,
            "span": None if start is None else [start, end],
            "content": content,
            "reason": reason,
            "at": at.isoformat(),
        }
    comments = Comment.objects.visible_to(user).filter(by__user=user).order_by("pk")
    for comment in comments.select_related("passage__project").iterator(AT_ONCE):
        yield {
            "record": "comment",
            "project": comment.passage.project.slug,
            "passage": comment.passage.external_id,
            "span": None if comment.start is None else [comment.start, comment.end],
            "text": comment.text,
            "at": comment.at.isoformat(),
        }
