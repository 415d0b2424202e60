"""The card that comes with a whole project, under its arrival."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotator.actions.importing.projects import also_brings
from annotator.domain.errors import Invalid
from annotator.domain.formats.assay_jsonl import ReadProject, also_reads
from annotator.models import Arrival
from exports.domain.releases import checked_card
from exports.models import Card


def _read(project: ReadProject, value: Any) -> Mapping[str, str]:
    if any(kind == "card" for kind, _ in project.others):
        raise Invalid.of("assay_jsonl", "There is one card in a file.")
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise Invalid.of("assay_jsonl", "A field of the card is not a text.")
    return checked_card(value)


def _batches(arrival: Arrival, read: ReadProject) -> Iterator[Sequence[Any]]:
    for kind, values in read.others:
        if kind == "card":
            yield [(arrival.project_id, values)]


def _insert(batch: Sequence[tuple[int, Mapping[str, str]]]) -> None:
    Card.objects.bulk_create(Card(project_id=project, values=dict(values)) for project, values in batch)


def _tables(arrival: Arrival) -> list[Any]:
    return [Card.objects.filter(project__arrival=arrival)]


also_reads("card", _read)
also_brings(_batches, _insert, _tables)
