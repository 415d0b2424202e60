from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"

    def ready(self) -> None:
        """Pages and commands name the kinds of jobs too, not only workers; and what happened is read in the browser."""
        from annotator.domain import activity
        from annotator.domain.jobs import kinds_come_by
        from exports.domain.activity import PLACES, SAID

        kinds_come_by(_load_kinds)
        activity.tells(PLACES, SAID)


def _load_kinds() -> None:
    import exports.tasks  # noqa: F401
