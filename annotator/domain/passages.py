"""What a passage is, to everything that reads, stores or writes one."""

from enum import StrEnum


class PassageKind(StrEnum):
    WORK = "work"
    TEST = "test"  # of the qualification
    PRACTICE = "practice"  # counts for nothing
    CONTROL = "control"
