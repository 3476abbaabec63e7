"""A region at once, and where an answered form leads."""

import gzip
import re

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from studyhub.web.regions import at_once, followed

HTMX = {"HX-Request": "true", "HX-Target": "question"}


@pytest.fixture
def spoken(settings, tmp_path):
    """A page of two regions, one of which says what surrounds it."""
    (tmp_path / "spoken.html").write_text(
        "whole{% partialdef say inline %}<p id=say>{{ word }} {{ csrf_token }} {{ house.name }}</p>{% endpartialdef %}"
    )
    engine = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**engine, "DIRS": [tmp_path, *engine["DIRS"]]}]
    return "spoken.html"


def asked(**headers):
    request = RequestFactory().post("/", headers=headers)
    request.META["CSRF_COOKIE"] = "s" * 32
    return request


@pytest.mark.parametrize("accepted", ["", "gzip"])
def test_region_at_once_holds_its_context_and_the_token_and_nothing_else(spoken, accepted):
    answer = at_once(asked(**{"Accept-Encoding": accepted}), spoken, "say", {"word": "<b>"})
    text = gzip.decompress(answer.content) if accepted else answer.content
    assert re.fullmatch(rb"<p id=say>&lt;b&gt; [A-Za-z0-9]{64} </p>", text)
    assert (answer.headers.get("Content-Encoding", ""), answer.status_code) == (accepted, 200)
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert answer.headers["Vary"] == "Cookie, Accept-Encoding, HX-Request, HX-Target"


def test_tokens_of_regions_at_once_differ(spoken):
    first, second = (at_once(asked(), spoken, "say", {}).content for _ in "ab")
    assert first != second


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (HTMX, 200),
        ({}, 303),
        ({"HX-Target": "question"}, 303),
        ({"HX-Request": "false", "HX-Target": "question"}, 303),
        ({"HX-Request": "true"}, 303),
        ({"HX-Request": "true", "HX-Target": "other"}, 303),
        ({**HTMX, "HX-History-Restore-Request": "true"}, 303),
        ({**HTMX, "HX-History-Restore-Request": "false"}, 200),
    ],
)
def test_kept_form_is_answered_at_once_only_where_htmx_asks_for_the_region(headers, status):
    answer = followed(asked(**headers), "/there/", HttpResponse, regions=("question",))
    assert (answer.status_code, answer.headers.get("Location")) == (
        status,
        "/there/" if status == 303 else None,
    )
