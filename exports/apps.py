from django.apps import AppConfig


class ExportsConfig(AppConfig):
    name = "exports"

    def ready(self) -> None:
        """Pages and commands name the kinds of jobs too, not only workers."""
        from annotator.domain.jobs import kinds_come_by

        kinds_come_by(_load_kinds)


def _load_kinds() -> None:
    import exports.tasks  # noqa: F401
