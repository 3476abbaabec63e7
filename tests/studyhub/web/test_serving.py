"""Where the site of a data folder runs, for commands that name an address."""

import os

import pytest

from studyhub.postgres.lock import try_lock
from studyhub.web.serving import address_of_site

UNSAID, SAID = "http://127.0.0.1:8000", "https://study.example.org"


@pytest.mark.parametrize(
    ("holder", "running", "site_url", "address"),
    [
        ("http://127.0.0.1:8455/ (process 7)", True, UNSAID, "http://127.0.0.1:8455"),
        ("http://[::1]:9/ (process 7)", True, UNSAID, "http://[::1]:9"),
        ("http://127.0.0.1:8455/ (process 7)", True, SAID, SAID),
        ("http://127.0.0.1:8455/ (process 7)", False, UNSAID, ""),  # it was killed
        ("", True, UNSAID, ""),  # it is just starting
        (None, False, UNSAID, ""),
    ],
)
def test_address_is_that_at_which_the_site_runs(tmp_path, settings, holder, running, site_url, address):
    settings.DATA, settings.PORT, settings.SITE_URL = tmp_path, 8000, site_url
    path = tmp_path / "serve.lock"
    if holder is not None:
        path.write_text(holder)
    held = try_lock(path) if running else None
    assert address_of_site() == address
    if held is not None:
        os.close(held)
