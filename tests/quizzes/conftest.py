import pytest


@pytest.fixture(autouse=True)
def _plain_static(settings):
    """Pages name static files without a manifest: nothing need be collected."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
