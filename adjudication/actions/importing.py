"""Decisions and comments that come with a whole project, under its arrival."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from adjudication.domain.decision_lines import ReadComment, ReadDecision, read_comment, read_decision
from adjudication.domain.decisions import decides_nothing
from adjudication.models import Comment, Decision, DecisionStep, Double
from annotator.actions.importing.projects import also_brings
from annotator.domain.formats.assay_jsonl import ReadProject, also_reads
from annotator.models import Arrival, Membership, Passage

BATCH = 100  # decisions in one transaction: each has some steps


Told = tuple[Any, int, dict[str, int]]  # what was read, its passage, and everybody by name


def _batches_of(wanted: str, arrival: Arrival, read: ReadProject) -> Iterator[Sequence[Told]]:
    rows = iter([item for kind, item in read.others if kind == wanted])
    of_passage: dict[str, int] = {}
    of_voice: dict[str, int] = {}
    while batch := list(islice(rows, BATCH)):
        # Only where there is something, and after the rows that they name were written.
        of_passage = of_passage or dict(Passage.all_rows.filter(arrival=arrival).values_list("external_id", "pk"))
        of_voice = of_voice or dict(Membership.all_rows.filter(arrival=arrival).values_list("pseudonym", "pk"))
        yield [(item, of_passage[item.passage], of_voice) for item in batch]


def _insert(batch: Sequence[tuple[ReadDecision, int, dict[str, int]]]) -> None:
    rows = Decision.objects.bulk_create(_row(*item) for item in batch)
    DecisionStep.objects.bulk_create(
        _step(row, number, step, voices)
        for row, (item, _, voices) in zip(rows, batch, strict=True)
        for number, step in enumerate(item.steps, start=1)
    )
    for item, passage, voices in batch:
        if item.seat:
            _take_seat(item, passage, voices)


def _row(item: ReadDecision, passage: int, voices: dict[str, int]) -> Decision:
    content, stands = dict(item.content), item.stands
    start, end = item.span or (None, None)
    decided = item.steps[stands.decided - 1] if stands.decided else None
    told = {name: decided[name] for name in ("reason", "cause", "evidence", "snapshot", "at")} if decided else {}
    return Decision(
        passage_id=passage,
        start=start,
        end=end,
        seat=item.seat,
        content=content,
        verdict=content["verdict"] or "",
        is_empty=decides_nothing(content),
        by_id=voices[decided["by"]] if decided else None,
        act=item.steps[-1]["act"],
        proposed=stands.proposed,
        version=len(item.steps),
        steps_imported=len(item.steps),
        **told,
    )


def _step(row: Decision, number: int, step: Any, voices: dict[str, int]) -> DecisionStep:
    names = ("content", "reason", "cause", "evidence", "snapshot", "merge", "is_proposal", "at", "act", "undoes")
    return DecisionStep(decision=row, number=number, by_id=voices[step["by"]], **{name: step[name] for name in names})


def _take_seat(item: ReadDecision, passage: int, voices: dict[str, int]) -> None:
    """Whoever decided as one of two has that seat; with what settles the passage they are done."""
    double, _ = Double.objects.get_or_create(passage_id=passage)
    changes: dict[str, Any] = {f"seat_{item.seat}_id": voices[item.steps[-1]["by"]]}
    if item.span is None and item.content["verdict"]:
        changes[f"done_{item.seat}"] = item.steps[-1]["at"]
    Double.objects.filter(pk=double.pk).update(**changes)


def _tables(arrival: Arrival) -> list[Any]:
    """To be removed before their passages, where the import is called off."""
    return [
        DecisionStep.objects.filter(decision__passage__arrival=arrival),
        Decision.objects.filter(passage__arrival=arrival),
        Double.objects.filter(passage__arrival=arrival),
    ]


def _insert_comments(batch: Sequence[tuple[ReadComment, int, dict[str, int]]]) -> None:
    Comment.objects.bulk_create(
        Comment(
            passage_id=passage,
            by_id=voices[item.by],
            resolved_by_id=voices[item.resolved_by] if item.resolved_by else None,
            **item.values,
        )
        for item, passage, voices in batch
    )


def _comments(arrival: Arrival) -> list[Any]:
    return [Comment.objects.filter(passage__arrival=arrival)]


also_reads("decision", read_decision)
also_brings(partial(_batches_of, "decision"), _insert, _tables)
also_reads("comment", read_comment)
also_brings(partial(_batches_of, "comment"), _insert_comments, _comments)
