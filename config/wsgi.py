"""What the web server loads."""

import os

from django.core.wsgi import get_wsgi_application

from config.proxies import noticing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = noticing(get_wsgi_application())
