"""Which addresses are allowed."""

from __future__ import annotations

import pytest

from studyhub.text.addresses import external, local


@pytest.mark.parametrize("address", ["https://a.b/c?d=e#f", "http://a.b", "mailto:a@b.c", "HTTPS://A.B/"])
def test_web_and_mail_addresses_are_external(address: str) -> None:
    assert external(address)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        " javascript:x",
        "data:text/html,x",
        "file:///etc/passwd",
        "//evil",
        "https:evil",
        "https:///x",
        "https://a b",
        "https://[",
        "mailto:",
        "",
    ],
)
def test_other_addresses_are_not_external(address: str) -> None:
    assert not external(address)


@pytest.mark.parametrize(
    ("address", "allowed"), [("/c/x/", True), ("#a-1", True), ("//evil", False), ("/\\e", False)]
)
def test_local_addresses_are_paths_and_places(address: str, allowed: bool) -> None:
    assert local(address) is allowed
