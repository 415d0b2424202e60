"""All settings, read from the environment only. `.env.example` lists every variable; a test keeps the two equal."""

import contextlib
import os
import secrets
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from exports.domain.hosts import Host, parse_host

BASE_DIR = Path(__file__).resolve().parent.parent
IS_CLONE = (BASE_DIR / "pyproject.toml").is_file()  # not installed by pip
env = environ.Env()

# Where everything that is not code lives: database, broker, key, backups, built static files. Beside manage.py in a
# clone; installed, in the folder Assay is called from, for site-packages is thrown away with every upgrade.
DATA_DIR = Path(env("ASSAY_DATA_DIR", default="") or (BASE_DIR if IS_CLONE else Path.cwd()) / "var").absolute()
os.environ["ASSAY_DATA_DIR"] = str(DATA_DIR)  # what is started from here works elsewhere, on the same data
os.umask(0o077)  # whatever is made in it is nobody else's to read
try:
    DATA_DIR.mkdir(parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(f"ASSAY_DATA_DIR cannot be used: {error}.") from None

# Links are made from this address; its host is allowed, its scheme decides about secure cookies.
# `up` leaves its own behind, so that links printed by other commands lead to where it serves.
_left_by_up = DATA_DIR / "url"
URL = (
    env("ASSAY_URL", default="") or (_left_by_up.is_file() and _left_by_up.read_text()) or "http://127.0.0.1:8000"
).rstrip("/")
_url = urlsplit(URL)
if _url.scheme not in ("http", "https") or not _url.hostname:
    raise ImproperlyConfigured(f"ASSAY_URL must look like https://assay.example.org, not {URL!r}.")
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = list(dict.fromkeys([*LOCAL_HOSTS, _url.hostname, *env.list("ASSAY_ALLOWED_HOSTS", default=[])]))
IS_PRODUCTION = set(ALLOWED_HOSTS) != set(LOCAL_HOSTS)
HAS_TLS = _url.scheme == "https"
DEBUG = env.bool("ASSAY_DEBUG", default=False)
if DEBUG and IS_PRODUCTION:
    raise ImproperlyConfigured("ASSAY_DEBUG shows tracebacks to everybody: not where others can reach Assay.")
# Sign-in links and the person switch; set by `manage.py up --demo`, honoured on loopback and never in production.
DEMO = env.bool("ASSAY_DEMO", default=False) and not IS_PRODUCTION
# How many proxies of yours stand in front: so many addresses from the right of X-Forwarded-For are believed.
_proxies = env("ASSAY_PROXIES", default="") or "0"
if not _proxies.isdecimal():
    raise ImproperlyConfigured(f"ASSAY_PROXIES must be a number, not {_proxies!r}.")
PROXIES = int(_proxies)


def _own_secret_key() -> str:
    """A key made at first start, readable by nobody else; good for one machine, refused in production."""
    path = DATA_DIR / "secret-key"
    if path.exists() and not path.read_text().strip():
        path.unlink()  # a full disk once kept it from being written
    if not path.exists():
        # Written aside and linked in place whole: of two processes that start at once, the second reads the first's.
        made = path.with_name(f"secret-key.{os.getpid()}")
        made.write_text(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            os.link(made, path)
        made.unlink()
    path.chmod(0o600)
    return path.read_text().strip()


SECRET_KEY = env("ASSAY_SECRET_KEY", default="")
SECRET_KEY_FALLBACKS = env.list("ASSAY_SECRET_KEY_FALLBACKS", default=[])
if not SECRET_KEY:
    if IS_PRODUCTION:
        _public = ", ".join(sorted(set(ALLOWED_HOSTS) - set(LOCAL_HOSTS)))
        raise ImproperlyConfigured(
            f"Assay is to serve {_public}: set ASSAY_SECRET_KEY to a secret of your own "
            "(python3 -c 'import secrets; print(secrets.token_urlsafe(50))')."
        )
    SECRET_KEY = _own_secret_key()
elif IS_PRODUCTION and len(SECRET_KEY) < 32:
    raise ImproperlyConfigured("ASSAY_SECRET_KEY is too short: 32 characters at least.")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "config.apps.OurStaticFiles",
    "django_htmx",  # brings htmx
    "template_partials",
    "rest_framework",
    "config.apps.ConfigConfig",
    "annotator",
    "adjudication",
    "exports",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.HelpfulErrors",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "config.middleware.SessionRenewal",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotator.views.context.everywhere",
            ],
        },
    },
]

# --- data -----------------------------------------------------------------------------------------------------------
_database_url = env("DATABASE_URL", default="") or f"sqlite:///{DATA_DIR / 'assay.sqlite3'}"
with warnings.catch_warnings(action="ignore"):  # what it cannot read is said below, in one line
    DATABASES = {"default": env.db_url_config(_database_url)}
_database = DATABASES["default"]
if not _database.get("ENGINE"):
    raise ImproperlyConfigured("DATABASE_URL must look like postgres://user:password@host:5432/name.")
if _database["ENGINE"].endswith("sqlite3"):
    _database["ENGINE"] = "annotator.sqlite3"  # writers queue in the order they came
    # IMMEDIATE: a writer queues for the lock instead of failing half-way; FULL: an acknowledged save survives a
    # power cut.
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    _database["CONN_MAX_AGE"] = None
else:
    # A wrong or dead host is a clear error after seconds, not after the driver's minutes.
    _database.setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
    _database["OPTIONS"].setdefault("tcp_user_timeout", 30_000)  # milliseconds: of a host that has vanished
    _database["CONN_MAX_AGE"] = 600
    _database["CONN_HEALTH_CHECKS"] = True
    # Prepared statements: a save by one person took 13.5 ms without them, 8.8 ms with them, in one run.
    _database["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 2}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- background work ------------------------------------------------------------------------------------------------
BROKER_DIR = DATA_DIR / "broker"
CELERY_BROKER_URL = env("CELERY_BROKER_URL", default="") or "filesystem://localhost/"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
if CELERY_BROKER_URL.startswith("filesystem://"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "polling_interval": 0.1,
    }
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Longer than the longest task, or Redis hands out a task that is still being worked on.
        "visibility_timeout": 6 * 3600,
        # A Redis that hangs must not hold the doorbell for ever.
        "socket_connect_timeout": 2,
        "socket_timeout": 10,
    }

# --- people ---------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "annotator.User"
AUTHENTICATION_BACKENDS = ["annotator.authentication.Backend"]
SESSION_ENGINE = "annotator.authentication"
PASSWORD_HASHERS = ["annotator.authentication.Argon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600
LOGIN_URL = "log_in"
LOGIN_REDIRECT_URL = "home"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # idle; renewed hourly at most by config.middleware.SessionRenewal
SESSION_COOKIE_NAME = "assay_session"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HAS_TLS
CSRF_COOKIE_NAME = "assay_csrf"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
CSRF_TRUSTED_ORIGINS = [URL] if IS_PRODUCTION else []

# --- e-mail ---------------------------------------------------------------------------------------------------------
# By scheme: the usual port, and how the line is made safe (STARTTLS, or TLS from the first byte).
_MAIL_SCHEMES = {"smtp": (25, ""), "smtp+tls": (587, "use_tls"), "smtps": (465, "use_ssl")}


def _mail_of(text: str) -> dict[str, Any] | None:
    """How Django reaches the mail server; None: there is none, and nowhere a trace of e-mail."""
    if not text:
        return None
    try:
        found = urlsplit(text)
        (port, safety), host = _MAIL_SCHEMES[found.scheme], found.hostname
        wanted = parse_qs(found.query, strict_parsing=True) if found.query else {}
        if not host or set(wanted) - {"from"} or found.path not in ("", "/"):
            raise ValueError
        own_port = found.port
    except (KeyError, ValueError):
        raise ImproperlyConfigured(  # what stands there holds a password
            "ASSAY_EMAIL_URL must look like smtp+tls://user:password@mail.example.org:587?from=assay@example.org "
            "(or smtps://, or smtp:// without encryption)."
        ) from None
    safe = {"use_tls": safety == "use_tls", "use_ssl": safety == "use_ssl"}
    who = {"username": unquote(found.username or ""), "password": unquote(found.password or "")}
    [sender] = wanted.get("from", [f"assay@{_url.hostname}"])[:1]
    return {"sender": sender, "server": {"host": host, "port": own_port or port, "timeout": 10, **who, **safe}}


MAIL = _mail_of(env("ASSAY_EMAIL_URL", default=""))


# --- webhooks -------------------------------------------------------------------------------------------------------
def _webhook_hosts(names: list[str]) -> tuple[Host, ...]:
    """The only hosts that are called when something happens; none: there are no webhooks, and nowhere a trace of
    them."""
    try:
        return tuple(parse_host(name.strip()) for name in names if name.strip())
    except ValueError as error:
        raise ImproperlyConfigured(f"ASSAY_WEBHOOK_HOSTS: {error}.") from None


WEBHOOK_HOSTS = _webhook_hosts(env.list("ASSAY_WEBHOOK_HOSTS", default=[]))

# --- the API --------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotator.api.door.TokenDoor", "annotator.api.door.SessionDoor"],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "annotator.api.door.WithinScopes",
    ],
    "DEFAULT_PARSER_CLASSES": ["annotator.api.door.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "annotator.api.door.AlwaysJSON",
    "DEFAULT_THROTTLE_CLASSES": ["annotator.api.throttles.ReadsByToken", "annotator.api.throttles.CreatesByToken"],
    "EXCEPTION_HANDLER": "annotator.api.door.error_response",
    "DEFAULT_METADATA_CLASS": None,  # the document says it all
}
# For all processes together; what is kept there are the counts of annotator.api.throttles, and nothing else.
if CELERY_BROKER_URL.startswith(("redis://", "rediss://")):
    _waits = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}  # seconds: a request does not wait for a count
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": CELERY_BROKER_URL,
            "KEY_PREFIX": "assay",
            "OPTIONS": _waits,
        }
    }
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": str(DATA_DIR / "cache"),
            "OPTIONS": {"MAX_ENTRIES": 2_000},
        }
    }
# Read by annotator.api.document only, which is not loaded before somebody asks for the document.
SPECTACULAR_SETTINGS = {
    "TITLE": "Assay",
    "VERSION": "1",
    "DESCRIPTION": (
        "What a person does in the browser, over HTTP: annotators their own work and nothing else; "
        "adjudicators and leads merges, agreement, decisions and the gold."
    ),
    "OAS_VERSION": "3.1.1",
    "SERVERS": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["annotator.api.document.close_objects"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SORT_OPERATIONS": False,
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "session": {"type": "apiKey", "in": "cookie", "name": SESSION_COOKIE_NAME},
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "A token of your own, made under Account. Each call names the scopes that open it.",
            },
            "form_token": {
                "type": "apiKey",
                "in": "header",
                "name": "X-CSRFToken",
                "description": f"The value of the cookie {CSRF_COOKIE_NAME}.",
            },
        }
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
FILE_UPLOAD_HANDLERS = ["config.uploads.NoFiles"]

# --- safety in the browser ------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
        "form-action": ["'self'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if HAS_TLS:
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    if PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- words, time, files ---------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "static/"
STATIC_ROOT = Path(env("ASSAY_STATIC_DIR", default="") or DATA_DIR / "static")
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site has a use for these files
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.HashedStaticFiles"},
}
MEDIA_ROOT = DATA_DIR / "files"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"safe": {"()": "config.logs.SafeFormatter", "format": "%(asctime)s %(levelname)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "safe"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    # Django's own handlers would mail administrators and print paths unredacted.
    "loggers": {"django": {"handlers": ["console"], "level": "WARNING", "propagate": False}},
}
