"""The changes at a section and the history of a chapter in the browser."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from studyhub.accounts.models import User
from tests.chapters.editions import FIRST, OTHER, TYPO, load
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course
from tests.quizzes.test_views import counted

pytestmark = pytest.mark.django_db
PAGE = "/c/small-course/small/"
HISTORY = f"{PAGE}history/"


def author_of(browser, learner, **role):
    User.objects.filter(pk=learner.pk).update(**(role or {"is_author": True}))
    return browser


def text(response):
    return " ".join(response.content.decode().split())


@pytest.fixture
def changed(signed_in):
    load(FIRST, 0)
    signed_in.post(f"{PAGE}read/", {"section": "here", "state": "read"})
    load(OTHER, 1)
    return signed_in


def test_section_says_what_changed_in_words_and_signs(changed):
    body = text(changed.get(PAGE))
    assert '<li class="changed" data-for="here">' in body
    assert "changed since you read it" in body
    assert '<a href="#here-p1">The cache holds values, and twice as many as …</a>' in body
    assert '<del><span class="away">taken out: </span>cahce</del>' in body
    assert '<ins><span class="away">put in: </span>cache</ins>' in body
    assert "I have read the new wording" in body
    changed.post(f"{PAGE}read/", {"section": "here", "state": "read"})
    assert "<del>" not in text(changed.get(PAGE))


def test_typo_says_nothing(signed_in):
    load(FIRST, 0)
    signed_in.post(f"{PAGE}read/", {"section": "here", "state": "read"})
    load(TYPO, 1)
    body = text(signed_in.get(PAGE))
    assert '<li class="read" data-for="here">' in body
    assert 'class="edits' not in body


def test_markup_in_the_text_stays_text(signed_in):
    load("One &lt;b&gt;bold&lt;/b&gt; word.", 0)
    signed_in.post(f"{PAGE}read/", {"section": "here", "state": "read"})
    load("Two &lt;script&gt;x&lt;/script&gt; words.", 1)
    body = text(signed_in.get(PAGE))
    assert "&lt;script&gt;x&lt;/script&gt;" in body
    assert "<script>x" not in body


@pytest.mark.parametrize("sections", [("here",), ("here", "there", "lab")])
def test_chapter_asks_at_most_seven_times_with_changes(signed_in, sections):
    shelve_course()
    for slug in sections:
        signed_in.post(f"{PAGE}read/", {"section": slug, "state": "read"})
    goods = chapter_goods()
    new = tuple(section(one.slug, f"Not that {one.slug}, never.", kind=one.kind) for one in goods.sections)
    shelve_course(chapter=replace(goods, sections=new), at=AT + timedelta(days=1))
    first, second = (counted(lambda: signed_in.get(PAGE))[1] for _ in range(2))
    assert len(first) <= 8, first
    assert len(second) <= 7, second


@pytest.mark.parametrize("who", ["visitor", "guest", "learner"])
@pytest.mark.parametrize("address", [HISTORY, "/c/small-course/history/"])
def test_history_is_not_there_for_others(signed_in, who, address):
    load(FIRST, 0)
    browser = signed_in if who == "learner" else Client()
    if who == "guest":
        browser.post(f"{PAGE}read/", {"section": "here", "state": "read"})
    answer = browser.get(address)
    assert (answer.status_code, answer.content) == (404, Client().get("/there-is-no-such-page/").content)
    assert "/history/" not in text(browser.get("/c/small-course/"))


@pytest.mark.parametrize("role", [{"is_author": True}, {"is_admin": True}])
def test_history_shows_every_wording_with_its_step(signed_in, learner, role):
    for days, (words, edit) in enumerate([(FIRST, ""), (TYPO, ""), (OTHER, "substantive")]):
        load(words, days, edit)
    browser = author_of(signed_in, learner, **role)
    assert 'href="/c/small-course/history/"' in text(browser.get("/c/small-course/"))
    assert f'href="{HISTORY}"' in text(browser.get("/c/small-course/history/"))
    body = text(browser.get(HISTORY))
    places = [body.index(f">Release {n} ") for n in (3, 2, 1)]
    assert places == sorted(places)
    assert "Wording 3, another meaning: asks for another reading, by the author’s word" in body
    assert "Wording 2, small edit: nobody is asked to read again, by its size" in body
    assert "Wording 1, the first one kept" in body
    assert '<del><span class="away">taken out: </span>cahce</del>' in body


def aimed(days, purpose="<p>Why one should weigh.</p>", **objectives):
    """The small course with another purpose and other words for its objectives."""
    goods = chapter_goods()
    said = tuple(
        replace(one, html=objectives.get(one.slug, one.html))
        for one in goods.objectives
        if objectives.get(one.slug) != ""
    )
    shelve_course(chapter=replace(goods, purpose_html=purpose, objectives=said), at=AT + timedelta(days=days))


def test_history_shows_changes_of_purpose_and_objectives(signed_in, learner):
    aimed(0)
    aimed(1, purpose="<p>Why one should not weigh.</p>")
    aimed(2, purpose="<p>Why one should not weigh.</p>", weigh="Can <em>weigh</em> apples", choose="")
    aimed(3, purpose="<p>Why one should not weigh.</p>", weigh="Can <b>weigh</b> apples", choose="")
    body = text(author_of(signed_in, learner).get(HISTORY))
    second, first = (part.split("</section>")[0] for part in body.split('id="release-')[1:3])
    assert second.startswith("3")
    assert "Objectives" in second
    assert '<ins><span class="away">put in: </span>apples</ins>' in second
    assert '<del><span class="away">taken out: </span>Can choose</del>' in second
    assert "What the chapter is for" not in second
    assert first.startswith("2")
    assert "What the chapter is for" in first
    assert '<ins><span class="away">put in: </span>not</ins>' in first
    assert 'id="release-4"' not in body


def test_purpose_stands_on_the_page_of_its_release(signed_in, learner):
    for days in range(22):
        load(f"Wording not {days}", days)
    goods = chapter_goods()
    shelve_course(chapter=replace(goods, purpose_html="<p>Else.</p>"), at=AT + timedelta(days=30))
    browser = author_of(signed_in, learner)
    first, second = (text(browser.get(f"{HISTORY}?page={page}")) for page in (1, 2))
    assert ("What the chapter is for" in first, "What the chapter is for" in second) == (True, False)


def test_section_that_left_keeps_its_history(signed_in, learner):
    load(FIRST, 0)
    goods = chapter_goods()
    shelve_course(chapter=replace(goods, sections=goods.sections[1:]), at=AT + timedelta(days=1))
    assert "no longer in the chapter" in text(author_of(signed_in, learner).get(HISTORY))


@pytest.mark.parametrize("page", ["0", "x", "99", "-1", "", "%00"])
def test_any_page_number_gives_a_page(signed_in, learner, page):
    load(FIRST, 0)
    assert author_of(signed_in, learner).get(f"{HISTORY}?page={page}").status_code == 200


@pytest.mark.parametrize(
    "address", ["/c/nothing/history/", "/c/small-course/nothing/history/", "/c/no/small/history/"]
)
def test_history_of_nothing_is_404(signed_in, learner, address):
    load(FIRST, 0)
    assert author_of(signed_in, learner).get(address).status_code == 404


@pytest.mark.parametrize("head", [{}, {"HX-Request": "true", "HX-Target": "main"}])
def test_history_is_a_whole_page_and_asks_as_often_for_one_step_as_for_three(signed_in, learner, head):
    browser, counts = author_of(signed_in, learner), []
    load(FIRST, 0)
    for days, words in enumerate([TYPO, OTHER, FIRST, f"{OTHER} more"], start=1):
        load(words, days)
        browser.get(HISTORY)
        answer, asked = counted(lambda: browser.get(HISTORY, headers=head))
        assert answer.content.startswith(b"<!doctype html>")
        counts.append(len(asked))
    assert counts == [counts[0]] * 4
    assert counts[0] <= 6


def test_long_history_has_pages(signed_in, learner):
    for days in range(21):
        load(f"Wording not {days}", days)
    browser = author_of(signed_in, learner)
    assert "Page 1 of 2" in text(browser.get(HISTORY))
    assert "Wording 1, the first one kept" in text(browser.get(f"{HISTORY}?page=2"))
