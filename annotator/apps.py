from django.apps import AppConfig


class AnnotatorConfig(AppConfig):
    name = "annotator"

    def ready(self) -> None:
        """Pages and commands name the kinds of jobs too, not only workers."""
        import annotator.tasks  # noqa: F401
