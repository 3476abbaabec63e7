import gzip
import zlib

import pytest
from django.template import engines
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from studyhub.web.splice import Pieces, SplicedResponse, gzipped, plain

PROSE = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)), max_size=300)


@given(st.lists(st.tuples(PROSE, PROSE), max_size=5), PROSE)
def test_gzip_gives_exactly_the_plain_page(parts, end):
    pieces = Pieces()
    rendered = "".join(before + pieces.leave_mark(piece) for before, piece in parts) + end
    expected = "".join(before + piece for before, piece in parts) + end
    assert plain(rendered, pieces) == expected
    assert gzip.decompress(gzipped(rendered, pieces)) == expected.encode()


def test_gzip_is_one_member_that_ends_where_it_ends():
    pieces = Pieces()
    rendered = "a" + pieces.leave_mark("b" * 10_000) + "c" + pieces.leave_mark("") + pieces.leave_mark("d")
    stream = zlib.decompressobj(wbits=31)
    assert stream.decompress(gzipped(rendered, pieces)) == b"a" + b"b" * 10_000 + b"cd"
    assert (stream.eof, stream.unused_data) == (True, b"")


def test_piece_with_a_mark_in_it_is_not_read_as_a_mark():
    pieces = Pieces()
    rendered = pieces.leave_mark("\x001\x00") + pieces.leave_mark("second")
    assert plain(rendered, pieces) == "\x001\x00second"
    assert gzip.decompress(gzipped(rendered, pieces)) == b"\x001\x00second"


def test_mark_that_nobody_left_stays_as_it_is():
    pieces = Pieces()
    rendered = "\x007\x00" + pieces.leave_mark("piece")
    assert plain(rendered, pieces) == "\x007\x00piece"
    assert gzip.decompress(gzipped(rendered, pieces)) == b"\x007\x00piece"


def answer(**headers):
    request = RequestFactory().get("/", headers=headers)
    response = SplicedResponse(request, "400.html", {})
    response.resolve_template = lambda name: engines["django"].from_string(
        "{% load studyhub %}<p>{{ who }}</p>{% shelf prose %}"
    )
    response.context_data |= {"who": "Ada & Bob", "prose": "<p>Prose & more — “so”</p>" * 50}
    return response.render()


@pytest.mark.parametrize("accepts", ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8"])
def test_response_is_gzip_where_the_browser_takes_it(accepts):
    squeezed, whole = answer(**{"Accept-Encoding": accepts}), answer()
    assert squeezed["Content-Encoding"] == "gzip"
    assert gzip.decompress(squeezed.content) == whole.content
    assert len(squeezed.content) < len(whole.content)
    assert "Accept-Encoding" in squeezed["Vary"]


@pytest.mark.parametrize("accepts", ["", "identity", "br", "gzip;q=0"])
def test_response_is_plain_where_it_does_not(accepts):
    whole = answer(**{"Accept-Encoding": accepts})
    assert "Content-Encoding" not in whole
    assert whole.content.startswith(b"<p>Ada &amp; Bob</p><p>Prose & more")
    assert "Accept-Encoding" in whole["Vary"]
