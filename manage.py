#!/usr/bin/env python
"""The command line: `manage.py help` lists the commands. Installed by pip it is the command `assay`."""

import gc
import os
import sys


def main() -> None:
    gc.disable()  # until config.apps: what a start makes is no garbage, and looking for some takes a tenth of it
    here = os.path.dirname(os.path.abspath(__file__))
    if here not in sys.path:  # a script's folder is there by itself; installed, this file is a module in assay/
        sys.path.insert(0, here)
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
