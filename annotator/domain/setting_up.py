"""The steps in which a project is set up, and how each of them stands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class StepState(StrEnum):
    TODO = "todo"
    PART = "part"
    DONE = "done"
    SKIPPED = "skipped"


SAID = {
    StepState.TODO: "to be done",
    StepState.PART: "begun",
    StepState.DONE: "done",
    StepState.SKIPPED: "skipped",
}

STEPS = {
    "rules": "Rules",
    "passages": "Passages",
    "screening": "Screening",
    "guidelines": "Guidelines",
    "people": "People",
    "test": "Test",
    "open": "Open",
}
# What a lead may say to do without; of the guidelines: without a text of one's own.
MAY_BE_SKIPPED = ("screening", "guidelines", "test")


@dataclass(frozen=True)
class Step:
    name: str  # of STEPS
    state: StepState
    note: str  # how it stands, in a few words
    lacks: str = ""  # what opening would find missing, in a sentence; "": nothing
    is_needed: bool = False  # nobody could work without it

    @property
    def title(self) -> str:
        return STEPS[self.name]

    @property
    def said(self) -> str:
        return SAID[self.state]

    @property
    def is_over(self) -> bool:
        return self.state in (StepState.DONE, StepState.SKIPPED)

    @property
    def may_be_skipped(self) -> bool:
        return self.name in MAY_BE_SKIPPED


@dataclass(frozen=True)
class Checklist:
    steps: tuple[Step, ...]

    def step(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)

    @property
    def done(self) -> int:
        return sum(step.is_over for step in self.steps)

    @property
    def missing(self) -> list[Step]:
        return [step for step in self.steps if step.lacks]

    @property
    def first_undone(self) -> Step:
        return next((step for step in self.steps if not step.is_over), self.steps[-1])

    def before(self, name: str) -> Step | None:
        return self._beside(name, -1)

    def after(self, name: str) -> Step | None:
        return self._beside(name, 1)

    def _beside(self, name: str, by: int) -> Step | None:
        place = [step.name for step in self.steps].index(name) + by
        return self.steps[place] if 0 <= place < len(self.steps) else None


def checklist(steps: Sequence[Step], *, is_draft: bool) -> Checklist:
    """With the last step, which is to open: it hangs on all the others."""
    lacking = [step for step in steps if step.lacks]
    if not is_draft:
        last = Step("open", StepState.DONE, "it has been opened")
        steps = [replace(step, lacks="") for step in steps]
    elif not lacking:
        last = Step("open", StepState.TODO, "nothing is missing")
    else:
        last = Step("open", StepState.TODO, f"{len(lacking)} thing{'s' if len(lacking) > 1 else ''} missing")
    return Checklist((*steps, last))
