import gzip
import zlib

import pytest
from django.template import engines
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from studyhub.web.regions import SplicedResponse
from studyhub.web.splice import SEAL, TOKEN, TOKEN_LENGTH, Pieces, recompressed, set_page
from studyhub.web.strangers import keep

PROSE = st.text(st.characters(exclude_characters="\x00\x02", exclude_categories=("Cs",)), max_size=300)
FORM = f'<form method="post"><input name="csrfmiddlewaretoken" value="{TOKEN}"><button>Save</button></form>'
TEXT = st.one_of(PROSE, st.just(FORM), st.tuples(PROSE, PROSE).map(TOKEN.join))
TOKENS = st.text("abcXYZ0189", min_size=TOKEN_LENGTH, max_size=TOKEN_LENGTH)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=5), TEXT, TOKENS)
def test_gzip_gives_exactly_the_plain_page(parts, end, token):
    pieces = Pieces()
    rendered = "".join(before + pieces.leave_mark(piece) for before, piece in parts) + end
    expected = ("".join(before + piece for before, piece in parts) + end).replace(TOKEN, token).encode()
    page = set_page(rendered, pieces)
    assert page.plain(token) == expected
    assert gzip.decompress(page.gzipped(token)) == expected
    assert gzip.decompress(recompressed(page).gzipped(token)) == expected
    assert gzip.decompress(keep(page, 0.0).gzipped(token)) == expected


def test_gzip_is_one_member_that_ends_where_it_ends():
    pieces = Pieces()
    rendered = "a" + pieces.leave_mark("b" * 10_000) + "c" + pieces.leave_mark("") + pieces.leave_mark("d")
    stream = zlib.decompressobj(wbits=31)
    assert stream.decompress(set_page(rendered, pieces).gzipped("")) == b"a" + b"b" * 10_000 + b"cd"
    assert (stream.eof, stream.unused_data) == (True, b"")


def test_page_squeezed_as_a_whole_is_smaller():
    pieces = Pieces()
    rendered = "".join(
        pieces.leave_mark(f"<p>{number}: the same words in every piece of prose</p>") + FORM
        for number in range(40)
    )
    page = set_page(rendered, pieces)
    token = "t" * TOKEN_LENGTH
    assert len(recompressed(page).gzipped(token)) < len(page.gzipped(token)) / 2


def test_unchanged_page_of_strangers_is_not_squeezed_again():
    first = keep(set_page(FORM, Pieces()), 1.0)
    second = keep(set_page(FORM, Pieces()), 2.0, first)
    assert (second.until, second.page is first.page) == (2.0, True)


def test_piece_with_a_mark_in_it_is_not_read_as_a_mark():
    pieces = Pieces()
    mark = f"\x00{SEAL}:1\x00"
    rendered = pieces.leave_mark(mark) + pieces.leave_mark("second")
    assert set_page(rendered, pieces).plain("") == f"{mark}second".encode()
    assert gzip.decompress(set_page(rendered, pieces).gzipped("")) == f"{mark}second".encode()


def test_mark_that_nobody_left_stays_as_it_is():
    pieces = Pieces()
    for mark in (f"\x00{SEAL}:7\x00", "\x000\x00", "\x02token\x02"):
        rendered = mark + pieces.leave_mark("piece")
        assert set_page(rendered, pieces).plain("") == f"{mark}piece".encode()
        assert gzip.decompress(set_page(rendered, pieces).gzipped("")) == f"{mark}piece".encode()


def answer(**headers):
    request = RequestFactory().get("/", headers=headers)
    response = SplicedResponse(request, "400.html", {}, 200, None)
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
