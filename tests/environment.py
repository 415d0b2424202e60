"""Loaded by pytest before Django's settings: tests have a data folder of their own."""

import os
import tempfile

os.environ.setdefault("ASSAY_TEST_DIR", tempfile.mkdtemp(prefix="assay-tests-"))
os.environ["ASSAY_DATA_DIR"] = os.path.join(os.environ["ASSAY_TEST_DIR"], "data")
os.environ["ASSAY_URL"] = "http://127.0.0.1:8000"
for name in (
    "ASSAY_DEBUG",
    "ASSAY_DEMO",
    "ASSAY_SECRET_KEY",
    "ASSAY_ALLOWED_HOSTS",
    "ASSAY_PROXIES",
    "ASSAY_WEBHOOK_HOSTS",
    "CELERY_BROKER_URL",
):
    os.environ.pop(name, None)
# The browser's own event loop runs in the test process beside Django's synchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
