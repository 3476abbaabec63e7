import pytest


@pytest.fixture(autouse=True)
def _quick(settings):
    """Pages name static files without a manifest, and passwords are hashed quickly."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
