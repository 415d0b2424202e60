"""Hypothesis without a deadline: a busy machine is not a broken law."""

from hypothesis import settings

settings.register_profile("assay", deadline=None)
settings.load_profile("assay")
