"""Settings come from the environment, are all documented, and refuse what would be unsafe."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.process
ROOT = Path(__file__).resolve().parent.parent.parent


def start(tmp_path: Path, script: str = "print('fine')", **env: str) -> subprocess.CompletedProcess[str]:
    """Load the settings in a process of their own."""
    code = f"import django; django.setup(); from django.conf import settings; {script}"
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "DATABASE_", "CELERY_"))
    }
    given = {**clean, "DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA_DIR": str(tmp_path / "data"), **env}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=given, capture_output=True, text=True, check=False
    )


def names_read() -> set[str]:
    sources = [ROOT / "config/settings.py", *(ROOT / "config/management/commands").glob("*.py")]
    text = "\n".join(path.read_text() for path in sources)
    return set(re.findall(r"""(?:env(?:\.\w+)?\(|environ(?:\.get)?[\[(])["']([A-Z_]+)["']""", text))


def test_what_is_started_in_another_folder_finds_the_same_data(tmp_path: Path) -> None:
    data = os.path.relpath(tmp_path / "data", ROOT)

    done = start(tmp_path, "import os; print(os.environ['ASSAY_DATA_DIR'])", ASSAY_DATA_DIR=data)

    assert Path(done.stdout.strip()).is_absolute()
    assert Path(done.stdout.strip()).resolve() == (tmp_path / "data").resolve()


def test_every_variable_is_in_the_example_and_every_example_is_read() -> None:
    text = (ROOT / ".env.example").read_text()
    documented = set(re.findall(r"^#?\s?([A-Z][A-Z_]+)=", text, re.M))
    # Read by docker-compose.yml, not by Assay.
    for_compose = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))

    assert names_read() <= documented
    assert documented <= names_read() | for_compose


def test_two_fresh_installs_have_different_keys_that_nobody_else_can_read(tmp_path: Path) -> None:
    keys = [start(tmp_path / name, "print(settings.SECRET_KEY)").stdout for name in ("one", "two")]

    assert len(set(keys)) == 2
    assert all(len(key) > 50 for key in keys)
    mode = (tmp_path / "one" / "data" / "secret-key").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_the_key_survives_a_restart(tmp_path: Path) -> None:
    first, second = (start(tmp_path, "print(settings.SECRET_KEY)").stdout for _ in range(2))

    assert first == second


@pytest.mark.parametrize(
    "env", [{"ASSAY_URL": "https://assay.example.org"}, {"ASSAY_ALLOWED_HOSTS": "assay.example.org"}]
)
def test_production_refuses_the_generated_key(tmp_path: Path, env: dict[str, str]) -> None:
    without, short = start(tmp_path, **env), start(tmp_path, ASSAY_SECRET_KEY="short", **env)
    good = start(tmp_path, ASSAY_SECRET_KEY="k" * 50, **env)

    assert "set ASSAY_SECRET_KEY" in without.stderr
    assert "too short" in short.stderr
    assert good.stdout == "fine\n"


def test_manage_py_says_in_one_line_why_it_cannot_start(tmp_path: Path) -> None:
    env = {**os.environ, "ASSAY_DATA_DIR": str(tmp_path), "ASSAY_URL": "https://assay.example.org"}
    env.pop("ASSAY_SECRET_KEY", None)

    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "ASSAY_SECRET_KEY" in done.stderr


def test_a_mistyped_address_is_refused(tmp_path: Path) -> None:
    assert "ASSAY_URL must look like" in start(tmp_path, ASSAY_URL="assay.example.org").stderr


def test_nothing_is_in_debug_mode_unless_asked(tmp_path: Path) -> None:
    assert start(tmp_path, "print(settings.DEBUG, settings.DEMO)").stdout == "False False\n"


def test_writers_on_sqlite_queue(tmp_path: Path) -> None:
    """Also where the file was named."""
    for env in ({}, {"DATABASE_URL": f"sqlite:///{tmp_path / 'own.sqlite3'}"}):
        assert start(tmp_path, "print(settings.DATABASES['default']['ENGINE'])", **env).stdout == "annotator.sqlite3\n"


def test_the_demo_is_never_on_in_production(tmp_path: Path) -> None:
    env = {"ASSAY_DEMO": "1", "ASSAY_SECRET_KEY": "k" * 50}
    here = start(tmp_path, "print(settings.DEMO)", **env)
    there = start(tmp_path, "print(settings.DEMO)", ASSAY_URL="https://assay.example.org", **env)

    assert (here.stdout, there.stdout) == ("True\n", "False\n")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cookies_are_secure_where_there_is_tls(tmp_path: Path, scheme: str) -> None:
    script = "print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.HAS_TLS)"
    done = start(tmp_path, script, ASSAY_URL=f"{scheme}://assay.example.org", ASSAY_SECRET_KEY="k" * 50)

    assert done.stdout.split() == [str(scheme == "https")] * 3


@pytest.mark.parametrize(("proxies", "is_clean"), [("1", True), ("0", True), ("", False)])
def test_the_deploy_check_is_clean_once_proxies_are_named(tmp_path: Path, proxies: str, is_clean: bool) -> None:
    env = {**os.environ, "ASSAY_DATA_DIR": str(tmp_path), "ASSAY_URL": "https://assay.example.org"}
    env["ASSAY_PROXIES"] = proxies
    env.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)  # the browser tests' own
    env["ASSAY_SECRET_KEY"] = "QmF0aHJvb20tU2luay1LZXR0bGUtUGlnZW9uLTc3-Lamp-Orchard-Zebra"
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]

    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)

    assert done.returncode == (0 if is_clean else 1), done.stderr
    assert ("ASSAY_PROXIES is not set" in done.stderr) == (not is_clean)


def test_log_lines_cannot_be_forged_and_hold_no_links() -> None:
    import logging

    from config.logs import SafeFormatter

    record: Any = logging.LogRecord("x", 30, "", 0, "Not Found: /invite/abc123\n2026 ERROR forged \x1b[31m", None, None)

    line = SafeFormatter("%(message)s").format(record)

    assert line == "Not Found: /invite/…\\n2026 ERROR forged \\x1b[31m"


def test_a_traceback_cannot_pass_for_a_log_line() -> None:
    import logging
    import sys as system

    from config.logs import SafeFormatter

    try:
        raise ValueError("first\n2026-01-01 00:00:00 WARNING forged")
    except ValueError:
        record = logging.LogRecord("x", 40, "", 0, "Broken", None, system.exc_info())

    lines = SafeFormatter("%(message)s").format(record).splitlines()

    assert lines[0] == "Broken"
    assert all(line.startswith("  | ") for line in lines[1:])


def test_the_row_that_postgresql_refused_is_not_logged() -> None:
    import logging
    import sys as system

    from config.logs import SafeFormatter

    refusal = "duplicate key\nDETAIL:  Key (email, text)=(ann@example.org, first\n\nsecond) already exists.\n"
    try:
        try:
            raise ValueError(refusal)
        except ValueError as error:
            raise RuntimeError(refusal) from error
    except RuntimeError:
        record = logging.LogRecord("x", 40, "", 0, f"Broken: {refusal}", None, system.exc_info())

    text = SafeFormatter("%(message)s").format(record)

    assert not [word for word in ("ann@", "first", "second") if word in text]
    assert text.count("DETAIL: …") == 3
    assert "direct cause" in text
    assert "RuntimeError: duplicate key" in text


@pytest.mark.parametrize(
    "env",
    [
        {"ASSAY_PROXIES": "x"},
        {"DATABASE_URL": "foo"},
        {"ASSAY_DATA_DIR": "/proc/nowhere"},
        {"ASSAY_URL": "https://assay.example.org", "ASSAY_SECRET_KEY": "k" * 50, "ASSAY_DEBUG": "1"},
    ],
    ids=lambda env: next(reversed(env)),
)
def test_a_senseless_setting_is_one_clear_line(tmp_path: Path, env: dict[str, str]) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "DATABASE_"))}
    given = {**clean, "ASSAY_DATA_DIR": str(tmp_path), **env}
    command = [sys.executable, "manage.py", "check"]

    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Assay cannot start: ")


def test_an_empty_key_file_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret-key").touch()

    assert len(start(tmp_path, "print(settings.SECRET_KEY)").stdout) > 50


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://localhost", ("localhost", 25, "", "", False, False, "assay@127.0.0.1")),
        ("smtp+tls://u%40x:p%2Fw@mail.x.org", ("mail.x.org", 587, "u@x", "p/w", True, False, "assay@127.0.0.1")),
        ("smtps://u:p@mail.x.org:4650?from=a@x.org", ("mail.x.org", 4650, "u", "p", False, True, "a@x.org")),
    ],
)
def test_the_mail_server_is_read_from_one_address(tmp_path: Path, url: str, expected: tuple[Any, ...]) -> None:
    script = (
        "m = settings.MAIL; s = m['server']; "
        "print((s['host'], s['port'], s['username'], s['password'], s['use_tls'], s['use_ssl'], m['sender']))"
    )

    assert start(tmp_path, script, ASSAY_EMAIL_URL=url).stdout.strip() == repr(expected)


def test_without_an_address_there_is_no_mail_server(tmp_path: Path) -> None:
    assert start(tmp_path, "print(settings.MAIL)").stdout == "None\n"


def test_without_named_hosts_there_are_no_webhooks(tmp_path: Path) -> None:
    assert start(tmp_path, "print(settings.WEBHOOK_HOSTS)").stdout == "()\n"
    assert start(tmp_path, "print(settings.WEBHOOK_HOSTS)", ASSAY_WEBHOOK_HOSTS=" , ").stdout == "()\n"


def test_hosts_that_may_be_told_are_read_from_a_list(tmp_path: Path) -> None:
    script = "print(*map(str, settings.WEBHOOK_HOSTS))"
    named = "Hooks.example.org, hooks.example.org:8443,127.0.0.1:9000,[::1]:9000"

    told = start(tmp_path, script, ASSAY_WEBHOOK_HOSTS=named).stdout

    assert told == "hooks.example.org hooks.example.org:8443 127.0.0.1:9000 [::1]:9000\n"


@pytest.mark.parametrize("named", ["https://hooks.example.org", "hooks.example.org/x", "0x7f.1", "a b", "*", "*.x.org"])
def test_a_host_that_cannot_be_meant_is_refused(tmp_path: Path, named: str) -> None:
    assert "ASSAY_WEBHOOK_HOSTS: " in start(tmp_path, ASSAY_WEBHOOK_HOSTS=f"x.org,{named}").stderr


@pytest.mark.parametrize("url", ["mail.x.org", "http://mail.x.org", "smtp://", "smtp://h:x1", "smtp://h/?form=a@x.org"])
def test_a_mail_server_that_cannot_be_meant_is_refused_without_its_password(tmp_path: Path, url: str) -> None:
    done = start(tmp_path, ASSAY_EMAIL_URL=url.replace("//", "//u:s3cret@"))

    assert "ASSAY_EMAIL_URL must look like" in done.stderr
    assert "s3cret" not in done.stderr.rpartition("ImproperlyConfigured")[2]
