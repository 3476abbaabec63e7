import gzip
import re

import pytest
from django.test import Client

from chapters.models import Section
from studyhub.web import regions
from tests.conftest import CHAPTER, COURSE
from tests.studyhub.web.ledger import table_prints

PAGE = f"/c/{COURSE}/{CHAPTER}/"
TOKENS = re.compile(r'csrfmiddlewaretoken" value="([^"]+)"')


@pytest.fixture
def kept(settings, course):
    """Pages for strangers are kept, for as long as the test says."""
    settings.READY_SECONDS = 60.0
    regions.KEPT.clear()


def asked(browser):
    """The page, its cookie taken over as a browser does: the test client looks at no written header."""
    answer = browser.get(PAGE)
    if "Set-Cookie" in answer.headers:
        browser.cookies.load(answer["Set-Cookie"])
    return answer


def test_second_stranger_gets_the_page_without_a_query(kept, django_assert_num_queries):
    browser = Client()
    first = browser.get(PAGE)
    browser.cookies.clear()
    with django_assert_num_queries(0):
        second = browser.get(PAGE)
    assert TOKENS.sub("", second.content.decode()) == TOKENS.sub("", first.content.decode()).replace(
        re.search(r'X-CSRFToken": "([^"]+)', first.content.decode())[1],
        re.search(r'X-CSRFToken": "([^"]+)', second.content.decode())[1],
    )
    assert second["Content-Security-Policy"] == first["Content-Security-Policy"]
    assert {"Accept-Encoding", "HX-Request", "HX-Target", "Cookie"} <= set(second["Vary"].split(", "))


def test_page_is_kept_again_after_its_time(settings, course, django_assert_num_queries):
    settings.READY_SECONDS = 1e-9
    browser = Client()
    browser.get(PAGE)
    browser.cookies.clear()
    settings.READY_SECONDS = 60.0
    browser.get(PAGE)
    browser.cookies.clear()
    with django_assert_num_queries(0):
        browser.get(PAGE)


def test_gzip_of_a_kept_page_is_the_plain_page(kept):
    browser = Client()
    asked(browser)
    squeezed = browser.get(PAGE, headers={"accept-encoding": "gzip"})
    assert gzip.decompress(squeezed.content) == browser.get(PAGE).content


def test_first_stranger_gets_the_page_squeezed_as_a_whole(kept):
    browser = Client()
    first, second = (browser.get(PAGE, headers={"accept-encoding": "gzip"}) for _ in range(2))
    assert len(first.content) == pytest.approx(len(second.content), abs=40)
    assert first["Content-Encoding"] == second["Content-Encoding"] == "gzip"


def test_token_of_a_kept_page_opens_the_form_to_its_visitor_only(kept):
    Client().get(PAGE)
    one, two = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    tokens = [TOKENS.search(asked(browser).content.decode())[1] for browser in (one, two)]
    assert tokens[0] != tokens[1]
    form = {"section": Section.objects.filter(kind="section").first().slug, "state": "read"}
    assert two.post(f"{PAGE}read/", form | {"csrfmiddlewaretoken": tokens[0]}).status_code == 403
    assert one.post(f"{PAGE}read/", form | {"csrfmiddlewaretoken": tokens[0]}).status_code == 303


def test_visitor_keeps_the_token_cookie_it_has(kept):
    browser = Client()
    browser.get(PAGE)
    browser.cookies.clear()
    first = browser.get(PAGE)
    secret = re.match("csrf=([0-9a-f]{32}); ", first["Set-Cookie"])[1]
    second = browser.get(PAGE, headers={"cookie": f"csrf={secret}"})
    assert "Set-Cookie" not in second
    assert [TOKENS.search(answer.content.decode())[1] for answer in (first, second)] == [
        "a" * 32 + secret
    ] * 2


@pytest.mark.parametrize(
    "headers", [{"HX-Request": "true", "HX-Target": "rail"}, {"Cookie": "session=unknown"}]
)
def test_others_do_not_get_the_strangers_page(kept, headers):
    browser = Client()
    whole = browser.get(PAGE).content
    answer = browser.get(PAGE, headers=headers)
    assert answer.status_code == 200
    assert (len(answer.content) < len(whole) / 2) == ("HX-Request" in headers)
    assert TOKENS.findall(answer.content.decode())[:1] != ["a" * 32]


def test_learner_never_gets_and_never_leaves_a_strangers_page(kept, signed_in, learner):
    section = Section.objects.filter(kind="section").first().slug
    signed_in.post(f"{PAGE}read/", {"section": section, "state": "read"})
    mine = signed_in.get(PAGE).content.decode()
    theirs = Client().get(PAGE).content.decode()
    assert learner.email in mine
    assert "✓ Read" in mine
    assert learner.email not in theirs
    assert "✓ Read" not in theirs


def test_missing_page_is_not_kept(kept):
    browser = Client()
    assert [browser.get("/c/nothing/here/").status_code for _ in range(2)] == [404, 404]


def test_kept_pages_change_no_table(kept):
    Client().get(PAGE)
    before = table_prints()
    Client().get(PAGE)
    assert table_prints() == before
