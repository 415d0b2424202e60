"""The tables of one person's work, alone and blind."""

from annotator.models.api_tokens import ApiToken, IdempotencyKey
from annotator.models.arrivals import Arrival, Upload
from annotator.models.events import Event, Subject
from annotator.models.jobs import Job, Worker
from annotator.models.people import Invitation, LoginAttempt, Membership, SignIn, User
from annotator.models.previews import Preview
from annotator.models.projects import EarlierGuidelines, Passage, Project
from annotator.models.questions import Question
from annotator.models.tallies import Check, Tally
from annotator.models.tokens import PassageTokens
from annotator.models.work import Assignment, Submission, unless_blind

__all__ = [
    "ApiToken",
    "Arrival",
    "Assignment",
    "Check",
    "EarlierGuidelines",
    "Event",
    "IdempotencyKey",
    "Invitation",
    "Job",
    "LoginAttempt",
    "Membership",
    "Passage",
    "PassageTokens",
    "Preview",
    "Project",
    "Question",
    "SignIn",
    "Subject",
    "Submission",
    "Tally",
    "Upload",
    "User",
    "Worker",
    "unless_blind",
]
