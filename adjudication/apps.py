from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    name = "adjudication"

    def ready(self) -> None:
        """Pages and commands name the kinds of jobs too, not only workers."""
        from annotator.domain.jobs import kinds_come_by
        from annotator.guards import keep_rows_of

        kinds_come_by(_load_kinds)
        keep_rows_of("adjudication_decisionstep", ("decision_id", "number"))


def _load_kinds() -> None:
    import adjudication.tasks  # noqa: F401
