"""Arrivals: what a file can bring."""

from enum import StrEnum


class ArrivalKind(StrEnum):
    PASSAGES = "passages"
    ANSWERS = "answers"
    PROJECT = "project"
