"""What a command loads before it does anything: every one of them pays for it."""

import os
import subprocess
import sys

from tests.house import ROOT

LOADED = """
import gc, sys
import manage
sys.argv = ["manage.py", "export", "--help"]
try:
    manage.main()
except SystemExit:
    pass
for name in ("celery", "rest_framework.serializers", "numpy", "nltk", "openpyxl", "msgspec"):
    assert name not in sys.modules, name
assert gc.isenabled() and gc.get_freeze_count()
from annotator.domain.jobs import label_of
assert [label_of(kind) for kind in ("import", "merge", "backup")] == ["Import a file", "Merge", "Back up"]
from celery import current_app
from django.conf import settings
assert current_app.main == "assay" and current_app.conf.broker_url == settings.CELERY_BROKER_URL
"""


def test_a_command_starts_without_what_only_jobs_need() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
