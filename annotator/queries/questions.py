"""What annotators have asked, for the leads who may answer it."""

from annotator.models import Project, Question, User
from annotator.models.questions import QuestionQuerySet


def questions_for(project: Project, *, by: User) -> QuestionQuerySet:
    """Without those about passages that they have still to annotate themselves."""
    rows = Question.objects.filter(assignment__passage__project=project).visible_to(by)
    return rows.select_related("assignment__passage__project", "assignment__membership__user", "answered_by")


def questions_led_by(by: User) -> QuestionQuerySet:
    """Those that they may answer, in all their projects."""
    rows = Question.objects.visible_to(by).filter(assignment__passage__project__in=Project.objects.led_by(by))
    return rows.select_related("assignment__passage__project", "assignment__membership__user", "answered_by")


def open_questions(project: Project, *, by: User) -> QuestionQuerySet:
    """The longest unanswered first. Found from the questions, of which there are few, not from all passages."""
    unanswered = list(Question.objects.filter(answered_at=None).values_list("pk", flat=True))
    return questions_for(project, by=by).filter(pk__in=unanswered).order_by("pk")
