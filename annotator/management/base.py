"""What every command of ours shares: a ready database, `--json`, and one clear line where something is refused."""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, DataError, IntegrityError

from annotator.database import make_missing_sqlite, pending_migrations
from annotator.domain.errors import Invalid, Refused
from annotator.domain.jobs import JobState
from annotator.models import Job
from annotator.queries.jobs import job_line

READER_GONE, INTERRUPTED = 141, 130  # as the shell counts the signals PIPE and INT


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _one_line(message: str) -> NoReturn:
    """argparse would print the whole usage first."""
    sys.exit(f"{message[:1].upper()}{message[1:]}. See --help.")


class PlainCommand(BaseCommand):
    """Wrong arguments are one line."""

    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.error = _one_line  # type: ignore[method-assign]
        return parser


class Failed(CommandError):
    """Exit 1 with one clear line, and under `--json` with a result that says what is wrong."""

    def __init__(self, message: str, *, result: dict[str, Any]) -> None:
        super().__init__(message)
        self.result = result


class AssayCommand(PlainCommand):
    """Subclasses write `run(**options)` and may return a dict, printed whole under `--json`."""

    needs_migrated_database = True

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.add_argument("--json", action="store_true", help="print one JSON object, for machines")
        return parser

    def handle(self, *args: Any, **options: Any) -> None:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a letter is no failure
        try:
            self._handle(**options)
        except BrokenPipeError:
            # Whoever read the output has enough of it; nothing more is written at the end either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(READER_GONE)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except CommandError as error:
            if not self._called_from_command_line:  # type: ignore[attr-defined]
                raise
            sys.exit(self._said(error))

    def _said(self, error: CommandError) -> int:
        """One line without the name of a class before it; the exit code."""
        with contextlib.suppress(OSError):  # nobody may be listening
            self.stderr.write(str(error))
        return error.returncode

    def _handle(self, **options: Any) -> None:
        try:
            if self.needs_migrated_database:
                make_missing_sqlite()
            if self.needs_migrated_database and (names := pending_migrations()):
                raise CommandError(
                    f"The database is {len(names)} migration{'s' if len(names) > 1 else ''} behind: "
                    "run `manage.py migrate` (`manage.py up` does it too)."
                )
            try:
                self._print(self.run(**options), **options)
            except Failed as failure:
                self._print(failure.result, **options)
                raise
            except (CommandError, Refused) as error:
                self._print({"error": str(error)}, **options)
                raise
        except Invalid as error:
            raise CommandError(" ".join(problem.message for problem in error.problems)) from None
        except Refused as error:
            raise CommandError(error.message) from None
        except (IntegrityError, DataError) as error:
            raise CommandError(f"The database refused this: {_first_line(error)}") from None
        except DatabaseError as error:
            raise CommandError(f"The database does not answer: {_first_line(error)}") from None
        except UnicodeEncodeError:
            raise CommandError("An argument is not valid UTF-8.") from None

    def _print(self, result: dict[str, Any] | None, **options: Any) -> None:
        if options["json"]:
            json.dump(result or {}, sys.stdout)
            self.stdout.write("")
            self.stdout.flush()

    def say(self, line: str, **options: Any) -> None:
        if not options.get("json"):
            self.stdout.write(line)

    def progress_bar(self, **options: Any) -> Callable[[int, int], None]:
        """For long work at a terminal, in its own colour; nothing where nobody watches."""
        if options.get("json") or not self.stderr.isatty():
            return lambda done, total: None

        def show(done: int, total: int) -> None:
            share = done / total if total else 1
            self.stderr.write(f"\r[{'#' * int(30 * share):<30}] {int(100 * share):>3} %", style_func=str, ending="")
            if done == total:
                self.stderr.write("")

        return show

    def follow(self, job: Job, **options: Any) -> Job:
        """Wait for a job that a worker does, with its bar; where nobody works, that is said once."""
        show, said = self.progress_bar(**options), ""
        while True:
            line = job_line(job)
            show(line.done, max(line.total, 1))
            if line.job.is_over:
                break
            if line.says and line.says != said and not line.has_worker:
                said = line.says
                self.stderr.write(said)
            time.sleep(0.2)
        if line.job.state != JobState.DONE:
            raise CommandError(line.says or f"The job is {line.job.state}.")
        return line.job

    run: Callable[..., dict[str, Any] | None]
