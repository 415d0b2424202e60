"""A new project."""

from zoneinfo import available_timezones

from django import forms

from annotator.domain.lengths import MAX_PROJECT_NAME_LENGTH
from annotator.presets import offered


class NamedForm(forms.Form):
    """What a project is called, and where it lives; the action makes that of its name where it is not given."""

    name = forms.CharField(
        max_length=MAX_PROJECT_NAME_LENGTH,
        help_text="As everybody who works in it reads it.",
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    slug = forms.CharField(
        label="Address",
        required=False,
        max_length=50,
        help_text="Small letters, digits and hyphens; it cannot be changed later. Left empty, it is made of the name.",
    )


class NewProjectForm(NamedForm):
    preset = forms.ChoiceField(label="Kind of work", widget=forms.RadioSelect)
    language = forms.CharField(
        label="Language of the passages", initial="en", max_length=35, help_text="A language tag: en, de, pt-BR."
    )
    time_zone = forms.CharField(
        initial="UTC",
        max_length=50,
        help_text="By which days are counted, such as Europe/Berlin.",
        widget=forms.TextInput(attrs={"list": "zones", "data-zone": ""}),
    )

    def __init__(self, *args: object, **given: object) -> None:
        super().__init__(*args, **given)  # type: ignore[arg-type]
        names = list(offered())
        self.fields["preset"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        self.fields["preset"].initial = names[0]


def zones() -> list[str]:
    """Those that are named after a place."""
    return sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix/")))
