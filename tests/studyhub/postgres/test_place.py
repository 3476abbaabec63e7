"""Where a cluster lives, without touching the disk."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from studyhub import postgres
from studyhub.postgres import Embedded


def test_url_leads_to_the_socket_in_the_data_folder() -> None:
    address = urlsplit(postgres.url(Path("/srv/hub")))
    assert (address.scheme, address.username, address.path) == ("postgresql", "studyhub", "/studyhub")
    assert parse_qs(address.query) == {"host": ["/srv/hub/postgres/socket"], "port": ["5432"]}


def test_url_makes_nothing(tmp_path: Path) -> None:
    postgres.url(tmp_path / "data")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b", "it's", 'say "hub"', "50%", "Übung", "a?b&c=d#e"])
def test_url_keeps_odd_names(name: str) -> None:
    address = urlsplit(postgres.url(Path("/srv") / name))
    assert parse_qs(address.query)["host"] == [f"/srv/{name}/postgres/socket"]


def test_url_of_a_long_path_uses_a_short_folder_of_its_own() -> None:
    one, two = Embedded.at(Path("/srv") / ("a" * 90)), Embedded.at(Path("/srv") / ("b" * 90))
    assert one.socket.parent == two.socket.parent == Path("/tmp").resolve()
    assert one.socket != two.socket
    assert one.socket == Embedded.at(Path("/srv") / ("a" * 90)).socket


def test_two_names_of_one_folder_are_one_place(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "other").symlink_to(tmp_path / "real")
    assert postgres.url(tmp_path / "other") == postgres.url(tmp_path / "real")
