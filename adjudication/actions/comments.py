"""What adjudicators and leads say to each other about a passage."""

from django.db import transaction
from django.utils import timezone

from adjudication.domain.decisions import check_span
from adjudication.models import Comment
from adjudication.permissions import check_can_adjudicate
from annotator.actions.log import write
from annotator.domain.errors import Invalid, Stale
from annotator.domain.lengths import MAX_COMMENT_LENGTH
from annotator.domain.text import is_blank, line_problems
from annotator.domain.tokens import Span
from annotator.models import Passage, User

MOST_COMMENTS = 200  # on one passage


@transaction.atomic
def add_comment(passage: Passage, *, by: User, text: str, span: Span | None = None) -> Comment:
    membership = check_can_adjudicate(by, passage)
    text = text.replace("\r\n", "\n").strip()
    if is_blank(text):
        raise Invalid.of("blank", "The comment is empty.", "text")
    if problems := line_problems(text, what="The comment", path="text", most=MAX_COMMENT_LENGTH):
        raise Invalid(problems)
    if span is not None:
        check_span(span, text=passage.text, protocol=passage.project.protocol, path="span")
    if Comment.objects.filter(passage=passage).count() >= MOST_COMMENTS:
        raise Invalid.of("too_many", f"There are {MOST_COMMENTS} comments on this passage already.", "text")
    start, end = span or (None, None)
    comment = Comment.objects.create(passage=passage, start=start, end=end, text=text, by=membership)
    write(comment, "comment.added", by=by)
    return comment


@transaction.atomic
def resolve_comment(comment: Comment, *, by: User, version: int, is_resolved: bool = True) -> Comment:
    """Said and done; or taken up again."""
    membership = check_can_adjudicate(by, comment.passage)
    if (comment.resolved_at is not None) == is_resolved:
        return comment  # somebody else was as quick
    if comment.version != version:
        stored = {"version": comment.version, "resolved": comment.resolved_at is not None}
        raise Stale("Somebody else has changed this comment in the meantime.", stored=stored)
    changes = {
        "resolved_by": membership if is_resolved else None,
        "resolved_at": timezone.now() if is_resolved else None,
    }
    write(comment, "comment.resolved" if is_resolved else "comment.reopened", by=by, changes=changes)
    return comment
