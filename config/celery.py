"""The Celery application: `celery -A config.celery worker`."""

import os
import warnings

from celery import Celery

# Meant for pickled messages, which can carry code; ours are JSON.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
