"""Screening: a lead looks at every passage before anybody is given it; one that nobody looked at is not screened."""

from enum import StrEnum


class Screening(StrEnum):
    NONE = ""
    ACCEPTED = "accepted"
    REFUSED = "refused"


# Why a passage is refused; the number is the key that says so.
SCREENING_REASONS = {
    "unclear": "Unclear",
    "grammar": "Grammar or typo",
    "short": "Too short",
    "personal": "Personal data",
    "offensive": "Offensive",
    "duplicate": "Duplicate",
}
