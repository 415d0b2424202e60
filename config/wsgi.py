"""What the web server loads."""

import os

from django.core.wsgi import get_wsgi_application

from annotator.domain.jobs import load_kinds
from config.proxies import noticing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = noticing(get_wsgi_application())
load_kinds()  # before the processes part, and not while somebody waits for a page
