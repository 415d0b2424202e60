"""What people said of a passage when somebody settled it, and what of that is other by now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adjudication.domain.gold import Snapshot
from adjudication.domain.merge import MergedPassage
from annotator.domain.tokens import Span


@dataclass(frozen=True)
class PassageSnapshot:
    """What was merged of a passage: kept with each decision about it as a whole."""

    of: int
    discards: int
    targets: Mapping[Span, Snapshot]

    @classmethod
    def made(cls, merged: MergedPassage, *, discards: int) -> "PassageSnapshot":
        return cls(merged.of, discards, {(row.start, row.end): Snapshot.of(row) for row in merged.targets})

    def as_dict(self) -> dict[str, Any]:
        """Short, for there are as many as settled passages: of each target start, end, voters, type, suggestions."""
        rows = [
            [*span, list(said.voters), said.type, [[text, list(voters)] for text, voters in said.suggestions]]
            for span, said in sorted(self.targets.items())
        ]
        return {"of": self.of, "discards": self.discards, "targets": rows}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PassageSnapshot | None":
        """None where none was kept, or a file brought something else."""
        try:
            targets = {
                (start, end): Snapshot(
                    tuple(voters), type_, tuple((text, tuple(offered_by)) for text, offered_by in suggestions)
                )
                for start, end, voters, type_, suggestions in data["targets"]
            }
            return cls(data["of"], data["discards"], targets)
        except (KeyError, TypeError, ValueError):
            return None


@dataclass(frozen=True)
class Changed:
    """A target of which something else is said by now; None where there was or is none."""

    span: Span
    then: Snapshot | None
    now: Snapshot | None


def changed(then: PassageSnapshot, now: PassageSnapshot) -> Iterator[Changed]:
    """In the order of the text."""
    for span in sorted({*then.targets, *now.targets}):
        before, after = then.targets.get(span), now.targets.get(span)
        if before != after:
            yield Changed(span, before, after)
