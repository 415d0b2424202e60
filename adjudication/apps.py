from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    name = "adjudication"

    def ready(self) -> None:
        """Pages and commands name the kinds of jobs too, not only workers."""
        import adjudication.tasks  # noqa: F401
