"""The one place that reads the environment. docs/operators.md lists every variable."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse_lazy

from studyhub import postgres

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str, default: bool = False) -> bool:
    return os.environ.get(name, "yes" if default else "no").lower() in {"1", "yes", "true", "on"}


def _number(name: str, default: int, most: int = 2**31 - 1) -> int:
    """A whole number from the environment. Raises ImproperlyConfigured with the variable's name."""
    given = os.environ.get(name, str(default))
    if not given.isascii() or not given.isdigit() or int(given) > most:
        raise ImproperlyConfigured(
            f"{name}={given} is not a whole number up to {most}. Write digits only, such as {name}={default}."
        )
    return int(given)


def _choice(name: str, default: str, *others: str) -> str:
    """One of a few words from the environment. Raises ImproperlyConfigured with the variable's name."""
    given = os.environ.get(name, default)
    if given not in {default, *others}:
        raise ImproperlyConfigured(f"{name}={given} is none of {', '.join([default, *others])}.")
    return given


def _address(name: str, url: str) -> SplitResult:
    """An address from the environment, in parts. Raises ImproperlyConfigured when it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port, parts.hostname
    except ValueError as problem:
        raise ImproperlyConfigured(f"{name} is not an address: {problem}.") from problem
    return parts


def _database(url: str) -> dict[str, Any]:
    """Turn postgresql://user:word@host:port/name?option=value into Django's settings.

    Raises ImproperlyConfigured for any other database: StudyHub needs Postgres 15 or newer.
    """
    parts = _address("DATABASE_URL", url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL begins with {parts.scheme or 'nothing'}://. StudyHub runs on Postgres only: "
            "write postgresql://user:password@host:5432/name, or leave it unset for the embedded server."
        )
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", None) or unquote(parts.hostname or "")
    return {
        "ENGINE": "studyhub.web.database",
        "NAME": unquote(parts.path.lstrip("/")) or "studyhub",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": _number("STUDYHUB_CONN_MAX_AGE", 600),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"connect_timeout": 5, **_prepared(), **options},
        "TEST": {"TEMPLATE": "template0"},
    }


def _prepared() -> dict[str, Any]:
    """Statements that come again are planned once per connection, except behind a pooler that cannot keep them."""
    return (
        {"server_side_binding": True, "prepare_threshold": 2}
        if _flag("STUDYHUB_PREPARE", default=True)
        else {}
    )


def _secret(data: Path) -> str:
    """The secret key: from the environment, else kept in the data folder, else only for this process."""
    if given := os.environ.get("SECRET_KEY"):
        return given
    kept = data / "secret-key"
    try:
        return kept.read_text().strip()
    except OSError:
        made = secrets.token_urlsafe(48)
    try:
        data.mkdir(mode=0o711, parents=True, exist_ok=True)
        with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(made)
    except OSError:
        if kept.is_file():  # made by another process a moment ago
            return kept.read_text().strip()
        # A read-only folder: `serve` says so in words, `check` needs no lasting key.
    return made


DATA = Path(os.environ.get("STUDYHUB_DATA", BASE_DIR / ".data")).resolve()
EMBEDDED = not os.environ.get("DATABASE_URL")
SECRET_KEY = _secret(DATA)
DEBUG = _flag("DEBUG")
HOST = os.environ.get("STUDYHUB_HOST", "127.0.0.1")
PORT = _number("PORT", 8000, most=65535)
SITE_URL = os.environ.get("SITE_URL", f"http://127.0.0.1:{PORT}").rstrip("/")
HTTPS = SITE_URL.startswith("https://")
BEHIND_PROXY = _flag("BEHIND_PROXY")  # what a proxy of one's own says of a request is believed
ALLOWED_HOSTS = [
    *{_address("SITE_URL", SITE_URL).hostname or "127.0.0.1", "127.0.0.1", "localhost", "[::1]"},
    *filter(None, os.environ.get("ALLOWED_HOSTS", "").split(",")),
]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
SHIPPED_PACK = BASE_DIR / "fixtures" / "packs" / "llm-inference"

DATABASES = {"default": _database(os.environ.get("DATABASE_URL") or postgres.url(DATA))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    # Limits on sign-in must hold over all worker processes, so they are counted in the database.
    # Django throws a third of them away above MAX_ENTRIES, 300 of its own accord: then a stranger who tries that many
    # addresses would be forgotten.
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "web_cache",
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    },
}

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
    "template_partials.apps.SimpleAppConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "studyhub.web",
    "studyhub.accounts",
    "chapters",
    "quizzes",
    "studyhub.packs",
    "studyhub.desk",
]

MIDDLEWARE = [
    "studyhub.web.middleware.JournalMiddleware",
    "studyhub.web.middleware.GuardMiddleware",  # before the one that sends people on to https
    "django.middleware.security.SecurityMiddleware",
    "studyhub.web.strangers.StrangersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "studyhub.accounts.middleware.DoorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "studyhub.accounts.middleware.LearnerMiddleware",
]

ROOT_URLCONF = "studyhub.urls"
WSGI_APPLICATION = "studyhub.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "django.template.loaders.filesystem.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "studyhub.web.context.site",
            ],
            "builtins": ["template_partials.templatetags.partials"],
        },
    }
]

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["studyhub.accounts.backends.Backend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = reverse_lazy("home")

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = _number("EMAIL_PORT", 587, most=65535)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _flag("EMAIL_USE_TLS", default=True)
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "StudyHub <studyhub@localhost>")
if EMAIL_HOST:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
else:  # letters lie in the data folder until a mail server is named
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA / "mail"

ACCOUNT_ADAPTER = "studyhub.accounts.adapters.Adapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_HOST else "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True  # one letter either way: the answer does not tell who has an account
ACCOUNT_EMAIL_NOTIFICATIONS = bool(EMAIL_HOST)
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
ACCOUNT_FORMS = {
    "signup": "studyhub.accounts.proofs.SignUp",
    "add_email": "studyhub.accounts.proofs.ChangeAddress",
}
# How often a door may be knocked at: by network (ip), by person (user), by address (key). A class sits behind one ip.
ACCOUNT_RATE_LIMITS = {
    "login": "120/m/ip",
    "login_failed": "20/m/ip,5/5m/key",  # the key: an address and a network, or the second factor of a person
    "login_failed_anywhere": "50/h/key",  # the key: an address
    "change_password": "5/5m/user",
    "reauthenticate": "10/m/user",
    "reset_password": "20/m/ip,5/h/key",
    "reset_password_from_key": "20/m/ip",
    "confirm_email": "1/3m/key,5/h/key",
    "signup": "60/m/ip",
}
MFA_FORMS = {
    "login_webauthn": "studyhub.accounts.proofs.SignInByKey",
    "authenticate_webauthn": "studyhub.accounts.proofs.SecondStepByKey",
    "reauthenticate": "studyhub.accounts.proofs.ProveByCode",
    "reauthenticate_webauthn": "studyhub.accounts.proofs.ProveByKey",
    "add_webauthn": "studyhub.accounts.proofs.AddKey",
}
MFA_RATE_LIMITS = {"webauthn_login": "30/m/ip"}
PASSWORD_RESET_TIMEOUT = 3600  # seconds a reset link lives
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_HOST
MFA_TOTP_ISSUER = "StudyHub"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS

SESSION_ENGINE = "studyhub.accounts.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrf"
CSRF_FAILURE_VIEW = "studyhub.web.views.csrf_failure"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked on the machine itself, without the proxy
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if BEHIND_PROXY else 0  # limits count visitors, not the proxy
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# W002: web.middleware.GuardMiddleware sends X-Frame-Options, on more answers than Django's own would. The others: over
# plain http on one's own machine cookies cannot be marked Secure; with an https SITE_URL none of them is silenced.
SILENCED_SYSTEM_CHECKS = [
    "security.W002",
    *([] if HTTPS else ["security.W004", "security.W008", "security.W012", "security.W016"]),
]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

READY_SECONDS = 1.0  # how long a process takes for granted what it has just seen of a loaded course; 0: never

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    *(["studyhub.web.bundle.BundleFinder"] if DEBUG else []),
]
MEDIA_ROOT = DATA / "media"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "studyhub.web.bundle.BundledStaticFilesStorage"},
}
WHITENOISE_MAX_AGE = 31536000 if not DEBUG else 0

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

ACCESS_LOG = _flag("ACCESS_LOG")  # a line for each request
LOG_FORMAT = _choice("LOG_FORMAT", "text", "json")
LOG_LEVEL = _choice("LOG_LEVEL", "WARNING", "DEBUG", "INFO", "ERROR", "CRITICAL")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "studyhub.web.logs.TextLines"},
        "json": {"()": "studyhub.web.logs.JsonLines"},
    },
    "handlers": {"console": {"class": "studyhub.web.logs.Lines", "formatter": LOG_FORMAT}},
    # What a visitor sent wrongly is told to the visitor; the operator hears of our own failures.
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "studyhub.access": {"level": "INFO" if ACCESS_LOG else "CRITICAL"},
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}

METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")  # whoever shows it may read /metrics; empty: nobody
if 0 < len(METRICS_TOKEN) < 16:
    raise ImproperlyConfigured("METRICS_TOKEN is shorter than 16 characters. Make one: openssl rand -hex 32")
