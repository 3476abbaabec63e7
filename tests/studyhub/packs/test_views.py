import hashlib

import pytest

from studyhub.packs.actions.pictures import keep_picture, picture_kind

PNG = b"\x89PNG\r\n\x1a\n" + b"<script>alert(1)</script>"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, "png"),
        (b"\xff\xd8\xff\xe0", "jpg"),
        (b"GIF89a", "gif"),
        (b"RIFF0000WEBPVP8 ", "webp"),
        (b"<svg/>", ""),
        (b"", ""),
    ],
)
def test_picture_is_told_by_its_first_bytes(content, kind):
    assert picture_kind(content) == kind


def test_kept_picture_is_served_as_a_picture_and_nothing_else(client, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    address = keep_picture(PNG, "png")
    assert address == f"/media/{hashlib.sha256(PNG).hexdigest()}.png"
    answer = client.get(address)
    assert b"".join(answer.streaming_content) == PNG
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert "immutable" in answer["Cache-Control"]


@pytest.mark.parametrize(
    "name", ["0" * 64 + ".png", "0" * 64 + ".svg", "secret-key", "..%2Fsecret-key", "x.png"]
)
def test_other_names_are_not_found(client, settings, tmp_path, name):
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "secret-key").write_text("secret")
    assert client.get(f"/media/{name}").status_code == 404
