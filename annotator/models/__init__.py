"""The tables of one person's work, alone and blind."""

from annotator.models.arrivals import Arrival, Upload
from annotator.models.events import Event, Subject
from annotator.models.jobs import Job, Worker
from annotator.models.people import Invitation, LoginAttempt, Membership, User
from annotator.models.projects import EarlierGuidelines, Passage, Project
from annotator.models.questions import Question
from annotator.models.tokens import PassageTokens
from annotator.models.work import Assignment, Submission, unless_blind

__all__ = [
    "Arrival",
    "Assignment",
    "EarlierGuidelines",
    "Event",
    "Invitation",
    "Job",
    "LoginAttempt",
    "Membership",
    "Passage",
    "PassageTokens",
    "Project",
    "Question",
    "Subject",
    "Submission",
    "Upload",
    "User",
    "Worker",
    "unless_blind",
]
