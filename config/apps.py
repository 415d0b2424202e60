from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Whatever rings for a job, a page or a command, finds the broker of our settings; `check` finds our checks."""
        import config.celery
        import config.proxies
        import config.tasks  # noqa: F401


class OurStaticFiles(StaticFilesConfig):
    """Of what packages bring we serve htmx 2 and nothing else."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "htmx-4*", "htmx-2.js", "htmax*", "ext", "django-htmx.js"]
