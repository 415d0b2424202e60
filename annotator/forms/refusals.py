"""What an action refused, said beside the field it is about."""

from django import forms

from annotator.domain.errors import Invalid, Refused


def add_refusal(form: forms.Form, error: Refused, *, field: str | None = None) -> None:
    """`field`: what the refusal is about where it does not say so itself."""
    problems = error.problems if isinstance(error, Invalid) else []
    for problem in problems:
        form.add_error(problem.path if problem.path in form.fields else field, problem.message)
    if not problems:
        form.add_error(field, error.message)
