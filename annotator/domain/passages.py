"""What a passage is, to everything that reads, stores or writes one."""

from enum import StrEnum


class PassageKind(StrEnum):
    WORK = "work"
    TEST = "test"  # of the qualification
    PRACTICE = "practice"  # counts for nothing
    CONTROL = "control"


# What goes with a passage's text, and all that a file says of a passage; in tables, in memory and in files alike.
PASSAGE_TEXTS = ("group", "lang", "context_before", "context_after", "source_text")
PASSAGE_FIELDS = ("text", *PASSAGE_TEXTS, "tokens")
