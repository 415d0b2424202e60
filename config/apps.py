import gc

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Whatever rings for a job, a page or a command, finds the broker of our settings; `check` finds our checks."""
        import config.proxies  # noqa: F401
        from annotator.domain.jobs import kinds_come_by

        kinds_come_by(_load_kinds)
        gc.enable()
        gc.freeze()  # what is loaded now stays until the end, where it is not looked through again either


def _load_kinds() -> None:
    import config.celery
    import config.tasks  # noqa: F401


class OurStaticFiles(StaticFilesConfig):
    """Of what packages bring we serve htmx 2 and nothing else."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "htmx-4*", "htmx-2.js", "htmax*", "ext", "django-htmx.js"]
