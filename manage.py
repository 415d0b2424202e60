#!/usr/bin/env python
"""The command line: `manage.py help` lists the commands."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Assay is not installed here: run `make setup`, then use .venv/bin/python manage.py")
    from django.core.exceptions import ImproperlyConfigured

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Assay cannot start: {error}")


if __name__ == "__main__":
    main()
