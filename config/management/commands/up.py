"""One command, everything: database, static files, web server, worker."""

import errno
import fcntl
import os
import shutil
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError, connection
from django.urls import reverse

from annotator.actions.accounts import make_sign_in_link
from annotator.database import migrate
from annotator.links import first_token
from annotator.management.base import PlainCommand
from annotator.models import User

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Command(PlainCommand):
    help = "Migrate, then serve: web server and worker under this one command, until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--demo", action="store_true", help="make the demo project and print sign-in links")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=os.environ.get("PORT") or "8000")

    def handle(self, *args: Any, demo: bool, host: str, port: int, **options: Any) -> None:
        if not 0 <= port <= 65535:
            raise CommandError(f"{port} is no port: they go from 1 to 65535.")
        if demo and (host not in LOOPBACK or settings.IS_PRODUCTION):
            raise CommandError(
                "The demo signs people in by link and is served on this machine only: leave --host and ASSAY_URL out."
            )
        if host not in LOOPBACK and not settings.IS_PRODUCTION:
            raise CommandError(
                "To serve other machines, set ASSAY_URL to the address they use (.env.example says how)."
            )
        self._lock()
        listener = self._listen(host, port)
        self._prepare(demo)
        name = f"[{host}]" if ":" in host else host
        url = os.environ.get("ASSAY_URL") or f"http://{name}:{listener.getsockname()[1]}"
        (settings.DATA_DIR / "url").write_text(url)  # for the links that other commands print
        self._welcome(url, demo)
        os.environ["ASSAY_URL"] = url
        os.environ["ASSAY_DEMO"] = "1" if demo else ""
        os.set_inheritable(listener.fileno(), True)
        sys.stdout.flush()
        connection.close()
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, [sys.executable, "-m", "config.supervisor", str(listener.fileno())])  # noqa: S606

    def _lock(self) -> None:
        """One Assay per data folder; the lock lives as long as the supervisor, which inherits it."""
        fd = os.open(settings.DATA_DIR / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(f"Assay is running already on the data folder {settings.DATA_DIR}.") from None
        os.set_inheritable(fd, True)

    def _listen(self, host: str, port: int) -> socket.socket:
        """Bound before anything else is done, so that a taken port is known at once."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(256)
        except OSError as error:
            reason = getattr(error, "strerror", None) or str(error)
            how = "make run" if settings.IS_CLONE else "assay up"
            advice = f" Choose another: PORT={port + 1} {how}" if error.errno == errno.EADDRINUSE else ""
            raise CommandError(f"Port {port} on {host} cannot be used ({reason}).{advice}") from None
        return listener

    def _prepare(self, demo: bool) -> None:
        try:
            copy = migrate()
        except DatabaseError as error:
            raise CommandError(f"The database does not answer: {str(error).strip().splitlines()[0]}") from None
        if copy:
            self.stdout.write(f"Copied the database to {copy} before migrating it.")
        self._empty_broker()
        call_command("collectstatic", interactive=False, verbosity=0)
        if demo:
            call_command("demo")

    def _empty_broker(self) -> None:
        """The queue's files only ring bells; the folders themselves stay, or workers crash."""
        if not settings.CELERY_BROKER_URL.startswith("filesystem://"):
            return
        for folder in (settings.BROKER_DIR / "queue", settings.BROKER_DIR / "control"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for entry in folder.iterdir():
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()

    def _welcome(self, url: str, demo: bool) -> None:
        self.stdout.write(f"\nAssay is at {url}   (Ctrl-C stops it)\n")
        if not User.objects.exists():
            link = url + reverse("first_person", args=[first_token()])
            self.stdout.write(f"Nobody is here yet. Make the first account, which creates projects, at:\n  {link}\n")
        if not demo:
            return
        self.stdout.write("Sign in as one of the demo people (links work on this machine for 12 hours):\n")
        for user in User.objects.filter(is_demo=True, is_active=True).order_by("pk"):
            roles = ", ".join(sorted({role for row in user.memberships.active() for role in row.roles}))
            link = url + reverse("sign_in", args=[make_sign_in_link(user, by=None)])
            self.stdout.write(f"  {user.name:<16} {roles:<12} {link}")
        self.stdout.write("")
