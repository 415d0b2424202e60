from collections.abc import Iterator
from typing import Any

from django.apps import AppConfig

NEVER_ARRIVED = (
    "EXISTS (SELECT 1 FROM adjudication_decision d JOIN annotator_passage p ON p.id = d.passage_id "
    "JOIN annotator_arrival r ON r.id = p.arrival_id WHERE d.id = OLD.decision_id AND r.done_at IS NULL)"
)


class AdjudicationConfig(AppConfig):
    name = "adjudication"

    def ready(self) -> None:
        """Pages and commands name the kinds of jobs too, not only workers; and what happened is read in the browser."""
        from adjudication.domain.activity import PLACES, SAID
        from annotator.domain import activity
        from annotator.domain.jobs import kinds_come_by
        from annotator.guards import keep_rows_of
        from annotator.queries.own_data import also_keeps

        kinds_come_by(_load_kinds)
        activity.tells(PLACES, SAID)
        also_keeps(_own_data)
        keep_rows_of("adjudication_decisionstep", ("decision_id", "number"), unless=NEVER_ARRIVED)


def _load_kinds() -> None:
    import adjudication.tasks  # noqa: F401


def _own_data(user: Any) -> Iterator[dict[str, Any]]:
    from adjudication.queries.own_data import records_of

    return records_of(user)
