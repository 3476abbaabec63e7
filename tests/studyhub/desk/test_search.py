"""The search page of a course."""

import re
from dataclasses import replace
from datetime import timedelta
from importlib import import_module

import pytest
from django.contrib.postgres.search import SearchVector
from django.db.models import Value
from django.test import Client

from chapters.models import Chapter, Passage
from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Card, CardTry
from studyhub.desk.forms import TOO_LONG, UNREADABLE
from studyhub.desk.queries.search import search_page
from studyhub.desk.queries.spelling import words_of
from tests.conftest import COURSE
from tests.quizzes.goods import (
    AT,
    chapter_goods,
    course_goods,
    question,
    section,
    shelve_course,
    shelve_quiz,
)
from tests.quizzes.play import counted, send

pytestmark = pytest.mark.django_db
PAGE = "/c/small-course/search/"
ITEM = re.compile(r'<li><h2><a href="([^"]*)">(.*?)</a></h2>(?:<p>(.*?)</p>)?<p class="label">(.*?)</p></li>')
LATER = AT + timedelta(days=1)


def look(client, words, **more):
    """(address, name, extract, place) of each result."""
    return ITEM.findall(client.get(PAGE, {"q": words, **more}).content.decode())


def said(client, words, **more):
    return client.get(PAGE, {"q": words, **more}).content.decode()


def card(course, slug, front="What is the floor of a ferry?", back="Its lowest deck."):
    points = [{"slug": "p1", "part": "short", "html": f"<p>{back}</p>", "text": back}]
    return Card.objects.create(
        course=course,
        chapter=Chapter.objects.get(course=course),
        slug=slug,
        deck="deck",
        deck_title="Deck",
        level="senior",
        front_html=front,
        front_text=front,
        points=points,
        fingerprint="now",
        words=SearchVector(Value(front), config="english"),
        back_words=SearchVector(Value(back), config="english"),
    )


@pytest.fixture
def quiz(db):
    return shelve_quiz(
        question("one", stem_text="Which ferry carries a turnip?"),
        question("two", stem_text="Which ferry carries a radish?"),
        question("three", stem_text="Which train carries a radish?"),
    )


@pytest.fixture
def many(db):
    """A course in which 45 paragraphs name a walrus."""
    html = "".join(f'<p id="w{n}">Walrus number {n}.</p>' for n in range(45))
    goods = section("here", "Walruses.", html=html)
    return shelve_course(chapter=replace(chapter_goods(), sections=(goods,)))[0]


def test_empty_page_says_what_can_be_found(client, quiz):
    body = client.get(PAGE).content.decode()
    assert "This finds titles, objectives, paragraphs" in body
    assert "autofocus" in body
    assert '<form class="search" role="search" method="get" action="/c/small-course/search/">' in body


def test_results_lead_to_their_paragraph(client, quiz):
    sections = (
        section("here", "Text about a walrus."),
        section("lab", "A walrus in the lab.", kind="lab", title="Feed a walrus"),
    )
    shelve_course(chapter=replace(chapter_goods(), title="Walrus book", sections=sections), at=LATER)
    found = look(client, "walrus")
    assert {one[0] for one in found} == {
        "/c/small-course/small/",
        "/c/small-course/small/#here-p1",
        "/c/small-course/small/lab/#lab",
        "/c/small-course/small/lab/#lab-p1",
    }
    assert [one[1] for one in found][:2] == ["<mark>Walrus</mark> book", "Feed a <mark>walrus</mark>"]
    assert ("/c/small-course/small/lab/#lab-p1", "Feed a walrus", "A <mark>walrus</mark> in the lab.",
            "Chapter 1, Walrus book, mini-lab") in found  # fmt: skip


def test_titles_come_before_objectives_before_paragraphs(client, quiz):
    objective = replace(chapter_goods().objectives[0], html="Tell a <em>walrus</em> apart")
    sections = (section("here", "Text about a walrus here."), section("there", "A", title="Wise walrus talk"))
    goods = replace(chapter_goods(), sections=sections, objectives=(objective,))
    shelve_course(chapter=goods, at=LATER)
    assert [one[1] for one in look(client, "walrus")] == [
        "Wise <mark>walrus</mark> talk",
        "Objective",
        "Here",
    ]


def test_course_and_chapters_that_are_not_there_are_404(client, quiz):
    assert client.get("/c/nothing/search/?q=a").status_code == 404


def test_other_courses_are_not_searched(client, course, quiz):
    assert look(client, "quantization") == []
    assert "Nothing was found for “quantization”" in said(client, "quantization")


def test_hostile_titles_and_questions_stay_text(client, db):
    evil = '<img src=x onerror="alert(1)">'
    goods = replace(
        chapter_goods(), title=f"Zebra {evil}", sections=(section("here", title=f"Zebra {evil}"),)
    )
    shelve_course(chapter=goods, course=replace(course_goods(), title=f"Course {evil}"))
    body = said(client, f"zebra {evil}") + said(client, "zebra")
    assert "<img" not in body
    assert "<mark>Zebra</mark> &lt;img src=x onerror=&quot;alert(1)&quot;&gt;" in body


@pytest.mark.parametrize(
    ("words", "error"),
    [("a" * 200, ""), ("a" * 201, TOO_LONG), ("a" * 5000, TOO_LONG), ("a\x00b", UNREADABLE), ("\x02walrus\x03", UNREADABLE),
     ("\ue000x", UNREADABLE), ("  \t\n ", ""), ("\u202ewal\u200brus", ""), ("'\"\\); DROP TABLE --", ""), ("!!! & | <-> :*", ""),
     ("\U0001f9ad", ""), ("-walrus", ""), ('"', ""), ("or or -or", ""), ("100 % of", "")],
)  # fmt: skip
def test_odd_input_gets_a_clear_answer(client, quiz, words, error):
    answer = client.get(PAGE, {"q": words})
    assert answer.status_code == (422 if error else 200)
    assert (error in answer.content.decode()) == bool(error) or not error
    assert look(client, words) == []


@pytest.mark.parametrize("page", ["0", "-1", "x", "²", "99999999999999", "1.5"])
def test_page_that_is_no_number_is_the_first(client, many, page):
    assert look(client, "walrus", page=page) == look(client, "walrus")


def test_results_come_in_pages_of_twenty(client, many):
    pages = [look(client, "walrus", page=n) for n in (1, 2, 3)]
    assert [len(one) for one in pages] == [20, 20, 5]
    assert len({one[0] for page in pages for one in page}) == 45
    first, last = said(client, "walrus"), said(client, "walrus", page=3)
    assert "1 to 20 of 45 results" in first
    assert 'rel="next" href="?q=walrus&amp;page=2"' in first
    assert 'rel="prev"' not in first
    assert "41 to 45 of 45 results" in last
    assert 'rel="prev" href="?q=walrus&amp;page=2"' in last
    assert 'rel="next"' not in last


def test_page_after_the_last_leads_back(client, many):
    assert "There are no more results for “walrus”" in said(client, "walrus", page=4)


def test_slip_is_mended_and_said(client, many):
    words_of.cache_clear()
    body = said(client, "warlus")
    assert 'Nothing was found for “warlus”. Did you mean <a href="?q=walrus">walrus</a>?' in body
    assert len(look(client, "warlus")) == 20


def test_some_of_the_words_are_better_than_nothing(client, many):
    body = said(client, "walrus 7 elephant")
    assert "No place has all of these words." in body
    assert look(client, "walrus 7 elephant")[0][0] == "/c/small-course/small/#w7"


def test_nothing_found_says_what_to_do(client, many):
    body = said(client, "elephant")
    assert "Nothing was found for “elephant”" in body
    assert '<a href="/c/small-course/">the chapters of the course</a>' in body


def test_words_that_are_shut_out_are_not_found(client, many):
    assert len(look(client, "walrus -7 -8", page=3)) == 3
    assert look(client, "-7") == []


def test_answered_question_leads_to_the_learners_own_attempt(quiz, learner, signed_in):
    assert look(signed_in, "ferry") == []
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    assert look(signed_in, "ferry") == []
    send(attempt, 1)
    found = [(f"/attempts/{attempt.pk}/?q=1", "Small quiz, question 1",
              "Which <mark>ferry</mark> carries a turnip?", "A question you have answered")]  # fmt: skip
    assert look(signed_in, "ferry") == found
    assert look(signed_in, "radish") == []
    finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=AT)
    assert [one[0] for one in look(signed_in, "ferry")] == [f"/attempts/{attempt.pk}/review/#q1"]


def test_question_answered_twice_is_found_once_at_the_newer_attempt(quiz, learner, signed_in):
    first = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    send(first, 1)
    send(first, 1, again=True)
    second = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=LATER)
    assert len(look(signed_in, "turnip")) == 1
    send(second, 1, at=LATER)
    assert [one[0] for one in look(signed_in, "turnip")] == [f"/attempts/{second.pk}/?q=1"]


def test_nobody_finds_what_another_one_answered(quiz, learner, other, client):
    send(start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT), 1)
    theirs = Client()
    theirs.force_login(other, "studyhub.accounts.backends.Backend")
    guest = Client()
    guest.post("/c/small-course/quizzes/small-quiz/start/")
    assert [look(one, "ferry") for one in (client, theirs, guest)] == [[], [], []]


def test_front_of_a_card_is_found_by_everybody(client, quiz):
    card(quiz.course, "ferry-floor")
    card(quiz.course, "gone", front="What is a ferry?").__class__.objects.filter(slug="gone").update(
        retired_at=AT
    )
    assert look(client, "ferry") == [
        (
            "/c/small-course/cards/ferry-floor/",
            "What is the floor of a <mark>ferry</mark>?",
            "",
            "Interview card, senior",
        )
    ]


@pytest.mark.parametrize(
    ("tries", "found"),
    [
        ([], 0),
        ([{"shown_at": AT}], 1),
        ([{"shown_at": AT, "rated_at": AT}], 1),
        ([{}], 0),
        ([{"shown_at": AT, "undone_at": AT}], 0),
        ([{"shown_at": AT, "fingerprint": "before"}], 0),
        ([{"shown_at": AT, "rated_at": AT}, {}], 0),
        ([{"shown_at": AT, "rated_at": AT}, {"undone_at": AT}], 1),
    ],
)
def test_back_of_a_card_is_found_once_it_was_opened(quiz, learner, other, signed_in, tries, found):
    row = card(quiz.course, "ferry-floor")
    for one in tries:
        CardTry.objects.create(learner=learner, card=row, **{"fingerprint": "now", "begun_at": AT, **one})
    CardTry.objects.create(learner=other, card=row, fingerprint="now", begun_at=AT, shown_at=AT)
    seen = look(signed_in, "lowest")
    assert len(seen) == found
    assert all(one[1:3] == ("What is the floor of a ferry?", "Its <mark>lowest</mark> deck.") for one in seen)
    assert look(Client(), "lowest") == []


def test_objective_opens_at_itself(client, quiz):
    (found,) = look(client, "weigh")
    assert found[0] == "/c/small-course/small/#objective-weigh"
    assert '<li id="objective-weigh"' in client.get("/c/small-course/small/").content.decode()


def test_every_hit_of_the_shipped_course_opens_at_a_place_that_is_there(client, course):
    rows = (
        Passage.objects.filter(course=course)
        .exclude(anchor="")
        .values_list("page", "chapter__slug", "anchor")
    )
    pages = {}
    for page, slug, anchor in rows:
        address = f"/c/{COURSE}/{slug}/{'lab/' if page == 'lab' else ''}"
        pages.setdefault(address, client.get(address).content.decode())
        assert pages[address].count(f' id="{anchor}"') == 1, anchor
    assert len(pages) == 2


def test_question_page_leads_to_the_search_of_its_course(quiz, learner, signed_in):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    link = f'<a href="{PAGE}" data-search aria-keyshortcuts="/">Search</a>'
    for _ in range(2):  # rendered, and kept
        page = signed_in.get(f"/attempts/{attempt.pk}/").content.decode()
        assert (page.count(link), page.count("<kbd>/</kbd>")) == (1, 1)
    region = signed_in.get(
        f"/attempts/{attempt.pk}/", headers={"HX-Request": "true", "HX-Target": "question"}
    )
    assert "data-search" not in region.content.decode()


@pytest.mark.parametrize("answered", [1, 3])
@pytest.mark.parametrize(
    ("words", "most"), [("carries", 4), ("text", 3), ("elephant", 4), ("text carries", 6)]
)
def test_queries_stay_within_eight_and_do_not_grow(quiz, learner, signed_in, words, most, answered):
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT)
    for position in range(1, answered + 1):
        send(attempt, position)
    signed_in.get(PAGE, {"q": "walrsu"})
    signed_in.get(PAGE, {"q": words})  # this process has met the words
    _, asked = counted(lambda: signed_in.get(PAGE, {"q": words}))
    assert len(asked) == most


@pytest.mark.parametrize("target", ["main", "question"])
def test_htmx_is_sent_to_the_whole_page(client, many, target):
    answer = client.get(PAGE, {"q": "walrus"}, headers={"HX-Request": "true", "HX-Target": target})
    assert answer["HX-Redirect"] == f"{PAGE}?q=walrus"
    assert {"HX-Request", "HX-Target"} <= {one.strip() for one in answer["Vary"].split(",")}


def test_no_search_is_kept_for_another_question(client, many, settings, monkeypatch):
    settings.READY_SECONDS = 60
    monkeypatch.setattr(import_module("chapters.queries.courses"), "LOOKED", [])  # forgotten again at the end
    assert len(look(client, "walrus")) == 20
    assert look(client, "elephant") == []
    assert "This finds titles" in client.get(PAGE).content.decode()
    assert len(look(client, "walrus", page=3)) == 5


def test_every_page_of_a_course_leads_to_its_search(client, course):
    for address in ("/", f"/c/{COURSE}/", f"/c/{COURSE}/model-optimization/", f"/c/{COURSE}/about/"):
        assert f'<a href="/c/{COURSE}/search/" data-search' in client.get(address).content.decode(), address


def test_two_courses_keep_their_results_apart(client, quiz):
    shelve_course(course=replace(course_goods(), slug="other-course"))
    assert {one[0].split("/")[2] for one in look(client, "text")} == {"small-course"}


@pytest.mark.parametrize("words", ["walrus", "“walrus”", "“a walrus”", "two×walrus", "walrus…"])
def test_typographic_signs_do_not_hide_a_word(client, quiz, words):
    sections = (section("here", "Say “walrus” – a walrus… or two×walrus < three."),)
    shelve_course(chapter=replace(chapter_goods(), sections=sections), at=LATER)
    found = look(client, words)
    assert len(found) == 1
    plain = found[0][2].replace("<mark>", "").replace("</mark>", "")
    assert plain == "Say “walrus” – a walrus… or two×walrus &lt; three."
    assert "“<mark>walrus</mark>” –" in found[0][2]


def test_signs_beside_a_word_of_a_stem_do_not_hide_it(learner, signed_in):
    quiz = shelve_quiz(question("one", stem_text="Is 2×ferry ≥ “turnip” – or a <b c>?"))
    send(start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=AT), 1)
    for words, extract in (
        ("ferry turnip", "Is 2×<mark>ferry</mark> ≥ “<mark>turnip</mark>” – or a &lt;b c&gt;?"),
        ("c", "Is 2×ferry ≥ “turnip” – or a &lt;b <mark>c</mark>&gt;?"),
    ):
        assert [one[2] for one in look(signed_in, words)] == [extract]


@pytest.mark.parametrize("words", ["kv cache", "speculative decoding", "tensor parallel"])
def test_hyphen_between_words_is_a_blank(course, words):
    plain, joined = (search_page(COURSE, one, 1, None) for one in (words, words.replace(" ", "-")))
    assert plain.total > 2
    assert [one.url for one in joined.results] == [one.url for one in plain.results]
