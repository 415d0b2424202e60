"""Guidelines, and answers to questions."""

from django import forms

from annotator.domain.lengths import MAX_GUIDELINES_LENGTH, MAX_POLICY_LENGTH, MAX_QUESTION_LENGTH


class AnswerForm(forms.Form):
    """A lead's answer to a question, and which version of it they saw."""

    text = forms.CharField(label="Answer", max_length=MAX_QUESTION_LENGTH, widget=forms.Textarea(attrs={"rows": 2}))
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class BoardAnswerForm(AnswerForm):
    """The same on the board, where the answer may go into the guidelines too."""

    text = forms.CharField(
        label="Answer",
        max_length=MAX_QUESTION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={
            "required": "Write an answer.",
            "max_length": f"An answer has at most {MAX_QUESTION_LENGTH:,} characters.",
        },
    )
    adds = forms.BooleanField(label="Add to the guidelines", required=False)
    under = forms.CharField(label="Under", required=False, max_length=MAX_GUIDELINES_LENGTH, widget=forms.Select)


class VersionForm(forms.Form):
    version = forms.IntegerField(min_value=1, max_value=1_000_000, widget=forms.HiddenInput)


class GuidelinesForm(VersionForm):
    """The guidelines as a lead writes them, and which version they began with."""

    guidelines = forms.CharField(
        required=False,
        max_length=MAX_GUIDELINES_LENGTH,
        widget=forms.Textarea(attrs={"rows": 24}),
        help_text="Markdown: # headings, - lists, 1. numbers, > examples, | tables |, **bold**, *italic*, `code`, "
        "[links](https://…).",
    )
    look_up_policy = forms.CharField(
        label="Looking things up",
        required=False,
        max_length=MAX_POLICY_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Which dictionaries and tools annotators may use.",
    )
