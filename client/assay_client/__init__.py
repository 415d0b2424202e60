"""Assay from a notebook or a script: `Assay(url, token)`. Standard library only."""

from assay_client.assay import Assay
from assay_client.errors import (
    AssayError,
    Damaged,
    Failed,
    PandasMissing,
    Problem,
    Refused,
    StillGoing,
    TooLarge,
    Unreachable,
)
from assay_client.imports import Import
from assay_client.jobs import Job
from assay_client.merges import Merge, Report
from assay_client.projects import Project
from assay_client.releases import Release, ReleaseFile, verify
from assay_client.runs import Run

__all__ = [
    "Assay",
    "AssayError",
    "Damaged",
    "Failed",
    "Import",
    "Job",
    "Merge",
    "PandasMissing",
    "Problem",
    "Project",
    "Refused",
    "Release",
    "ReleaseFile",
    "Report",
    "Run",
    "StillGoing",
    "TooLarge",
    "Unreachable",
    "verify",
]
