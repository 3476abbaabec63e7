"""Notes and marks over HTTP: with and without htmx, whole pages and lines, strangers, hostile bodies."""

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from chapters.actions import MOST_MARKS
from chapters.forms import LONGEST_NOTE
from chapters.models import Highlight, Note, Section
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, shelve_course
from tests.quizzes.play import counted
from tests.quizzes.test_views import URLENCODED
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
PAGE, NOTES = "/c/small-course/small/", "/c/small-course/notes/"
NOTE = {"section": "here", "text": "A word\r\nof mine"}
MARK = {"section": "here", "anchor": "here-p1", "start": 4, "quote": "text"}


def htmx(region):
    return {"HX-Request": "true", "HX-Target": region}


def text(response):
    return response.content.decode()


@pytest.fixture(autouse=True)
def shelf(db):
    return shelve_course()[0]


def highlight(learner, slug="here", quote="text"):
    section = Section.objects.get(slug=slug)
    return Highlight.objects.create(
        learner=learner, section=section, anchor=f"{slug}-p1", start=4, end=8, quote=quote, at=AT
    )


def test_note_is_posted_redirected_and_shown(signed_in):
    answer = signed_in.post(f"{PAGE}note/", NOTE)
    assert (answer.status_code, answer["Location"]) == (303, f"{PAGE}#note-here")
    body = text(signed_in.get(PAGE))
    assert ">A word\nof mine</textarea>" in body
    assert body.count('<details class="own" open>') == 1


def test_note_while_typing_brings_only_the_line_that_says_so(signed_in):
    answer = signed_in.post(f"{PAGE}note/", NOTE, headers=htmx("note-here"))
    assert (answer.status_code, text(answer).strip()[:5]) == (200, "Kept ")
    assert strip_tags(text(answer)).strip()[:-5] == "Kept "
    assert text(answer).count("<") == 1  # what the next note says it has seen
    seen = Note.objects.get().at.isoformat()
    gone = signed_in.post(f"{PAGE}note/", {**NOTE, "text": "", "seen": seen}, headers=htmx("note-here"))
    assert text(gone).strip() == "No note is kept here"
    assert Note.objects.count() == 0


def test_longest_note_is_kept_and_a_longer_one_keeps_its_words_on_the_page(signed_in):
    longest = "é" * LONGEST_NOTE
    assert signed_in.post(f"{PAGE}note/", {**NOTE, "text": longest}).status_code == 303
    line = signed_in.post(f"{PAGE}note/", {**NOTE, "text": longest + "x"}, headers=htmx("note-here"))
    assert line.status_code == 422
    assert "this one has 10,001" in text(line)
    whole = signed_in.post(f"{PAGE}note/", {**NOTE, "text": longest + "x"})
    assert whole.status_code == 422
    assert f"{longest}x</textarea>" in text(whole)
    assert Note.objects.get().text == longest


def test_note_is_shown_as_it_was_typed_and_never_as_markup(signed_in):
    signed_in.post(f"{PAGE}note/", {**NOTE, "text": "</textarea><script>alert(1)</script>\u202e"})
    for page in (PAGE, NOTES):
        body = text(signed_in.get(page))
        assert "<script>alert" not in body
        assert "&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;\u202e" in body


def test_nobody_else_sees_a_note(signed_in, other):
    signed_in.post(f"{PAGE}note/", NOTE)
    theirs = Client()
    theirs.force_login(other, "studyhub.accounts.backends.Backend")
    for browser in (theirs, Client()):
        assert all("A word" not in text(browser.get(page)) for page in (PAGE, NOTES))


@pytest.mark.parametrize(("act", "data"), [("note", NOTE), ("mark", MARK)])
def test_first_thing_kept_makes_a_guest(client, act, data):
    client.post(f"{PAGE}{act}/", data)
    assert [one.guest for one in User.objects.all()] == [True]
    assert "no longer" not in text(client.get(NOTES))


@pytest.mark.parametrize(
    ("act", "data"), [("note", {**NOTE, "text": ""}), ("mark", {**MARK, "quote": "nothing"})]
)
def test_nothing_kept_makes_no_guest(client, act, data):
    client.post(f"{PAGE}{act}/", data)
    assert User.objects.count() == 0


def test_mark_brings_the_list_of_its_section(signed_in):
    answer = signed_in.post(f"{PAGE}mark/", MARK, headers=htmx("marks-here"))
    assert answer.status_code == 200
    body = text(answer)
    assert 'id="marks-here"' in body
    assert 'data-anchor="here-p1" data-start="4" data-end="8"' in body
    assert "<html" not in body
    assert 'data-start="4"' in text(signed_in.get(PAGE))
    plain = signed_in.post(f"{PAGE}mark/", {**MARK, "start": 0, "quote": "The"})
    assert (plain.status_code, plain["Location"]) == (303, f"{PAGE}#here-p1")


def test_mark_that_cannot_be_kept_says_why_and_leaves_the_list(signed_in, learner):
    kept = highlight(learner)
    answer = signed_in.post(f"{PAGE}mark/", {**MARK, "quote": "nothing"}, headers=htmx("marks-here"))
    assert answer.status_code == 422
    assert "not in this paragraph" in text(answer)
    assert f'name="mark" value="{kept.pk}"' in text(answer)
    Highlight.objects.bulk_create(
        Highlight(learner=learner, section=kept.section, anchor="x", start=n, end=n + 1, quote="x", at=AT)
        for n in range(MOST_MARKS)
    )
    full = signed_in.post(f"{PAGE}mark/", {**MARK, "start": 0, "quote": "The"}, headers=htmx("marks-here"))
    assert (full.status_code, "at most 200 marks" in text(full)) == (422, True)


@pytest.mark.parametrize(("page", "back"), [("", f"{PAGE}#here"), ("notes", f"{NOTES}#here")])
def test_mark_is_removed_and_leads_back_to_where_one_was(signed_in, learner, page, back):
    answer = signed_in.post(f"{NOTES}unmark/", {"mark": highlight(learner).pk, "page": page})
    assert (answer.status_code, answer["Location"]) == (303, back)
    assert Highlight.objects.count() == 0


def test_last_mark_removed_leaves_a_line_for_htmx(signed_in, learner):
    answer = signed_in.post(f"{NOTES}unmark/", {"mark": highlight(learner).pk}, headers=htmx("marks-here"))
    assert 'id="marks-here" tabindex="-1">No words of this section' in text(answer)


def test_mark_of_somebody_else_is_404(signed_in, client, other):
    row = highlight(other)
    for browser in (signed_in, Client()):
        assert browser.post(f"{NOTES}unmark/", {"mark": row.pk}).status_code == 404
    assert Highlight.objects.count() == 1


def test_section_that_left_the_course_keeps_its_note_and_lets_it_be_changed(signed_in):
    signed_in.post(f"{PAGE}note/", NOTE)
    Section.objects.filter(slug="here").update(retired_at=AT)
    assert "no longer in the course" in text(signed_in.get(NOTES))
    seen = Note.objects.get().at.isoformat()
    answer = signed_in.post(f"{PAGE}note/", {**NOTE, "text": "", "seen": seen})
    assert (answer.status_code, answer["Location"]) == (303, f"{NOTES}#here")
    assert Note.objects.count() == 0


def test_notes_page_of_one_who_kept_nothing_offers_the_first_step(signed_in, client):
    for browser in (signed_in, Client()):
        assert "Nothing is kept yet" in text(browser.get(NOTES))
    assert Client().get("/c/nothing/notes/").status_code == 404


@pytest.mark.parametrize("rows", [1, 3])
def test_notes_page_costs_the_same_whatever_is_kept(signed_in, learner, rows):
    for slug in ("here", "there", "lab")[:rows]:
        signed_in.post(f"{PAGE}note/", {"section": slug, "text": slug})
        highlight(learner, slug)
    _, statements = counted(lambda: signed_in.get(NOTES))
    assert len(statements) == 4  # the session and three


HOSTILE = [
    b"",
    b"section=nothing&text=x&anchor=x&start=0&quote=x&mark=0",
    b"section=here%00&text=x&mark=-1",
    b"section=here&text=%00&anchor=%00&start=x&quote=%00&mark=x",
    b"section=here&text=" + b"a" * 10_001 + b"&mark=99999999999999999999",
    b"section=here&anchor=here-p1&start=1e9&quote=" + b"a" * 3000 + b"&text=" + b"a" * 20_000,
    b"section=%FF%FE&mark=%FF",
    b"section=here&text=" + b"a" * 500_000,
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("door", [f"{PAGE}note/", f"{PAGE}mark/", f"{NOTES}unmark/"])
@pytest.mark.parametrize("region", ["", "note-here", "marks-here"])
def test_hostile_body_is_refused_and_nothing_is_stored(signed_in, door, body, region):
    before = table_prints()
    answer = signed_in.generic(
        "POST", door, body, content_type=URLENCODED, headers=htmx(region) if region else {}
    )
    assert answer.status_code in {303, 400, 404, 422}  # 303: a message on the chapter's page
    assert changed_tables(before) == []


LAB = f"{PAGE}lab/"


def test_lab_takes_a_note_and_shows_it_again(signed_in):
    assert f'form="done-lab" formaction="{PAGE}note/"' in text(signed_in.get(LAB))
    answer = signed_in.post(f"{PAGE}note/", {"section": "lab", "text": "Warm up first."})
    assert (answer.status_code, answer["Location"]) == (303, f"{LAB}#note-lab")
    assert ">Warm up first.</textarea>" in text(signed_in.get(LAB))
    assert "Warm up first." not in text(signed_in.get(PAGE))


def test_lab_takes_a_mark_and_leads_back_to_it(signed_in, learner):
    mark = {"section": "lab", "anchor": "lab-p1", "start": 4, "quote": "text"}
    region = text(signed_in.post(f"{PAGE}mark/", mark, headers=htmx("marks-lab")))
    assert 'data-anchor="lab-p1" data-start="4" data-end="8"' in region
    assert signed_in.post(f"{PAGE}mark/", mark)["Location"] == f"{LAB}#lab-p1"
    body = text(signed_in.get(LAB))
    assert (body.count('data-anchor="lab-p1"'), f'data-mark="{PAGE}mark/"' in body) == (1, True)
    answer = signed_in.post(f"{NOTES}unmark/", {"mark": Highlight.objects.of(learner.pk).get().pk})
    assert answer["Location"] == f"{LAB}#lab"


def test_lab_of_a_stranger_costs_one_query_and_one_more_for_what_a_learner_kept(signed_in, client):
    for browser, most in ((Client(), 1), (signed_in, 3)):
        browser.get(LAB)
        assert len(counted(lambda browser=browser: browser.get(LAB))[1]) == most


@pytest.mark.parametrize("headers", [{}, htmx("note-lab")])
def test_lab_is_a_whole_page_with_and_without_htmx(signed_in, headers):
    assert text(signed_in.get(LAB, headers=headers)).startswith("<!doctype html>")


@pytest.mark.parametrize("address", [PAGE, LAB, NOTES])
def test_paper_ends_with_title_version_licence_and_day(signed_in, shelf, address):
    body = text(signed_in.get(address))
    (line,) = [one for one in body.splitlines() if 'class="colophon"' in one]
    said = strip_tags(line).strip()
    title = {PAGE: "Small chapter", LAB: "Lab", NOTES: "Your notes"}[address]
    assert said.startswith(f"{title}. Small course, revision 1·")
    assert "Course text: CC BY 4.0." in said
    assert said.endswith(f"Printed {timezone.localdate():%-d %b %Y}.")


@pytest.mark.parametrize("headers", [{}, htmx("note-here")], ids=["plain", "htmx"])
def test_two_pages_do_not_take_each_others_note_away(signed_in, headers):
    signed_in.post(f"{PAGE}note/", NOTE)
    answer = signed_in.post(f"{PAGE}note/", {**NOTE, "text": "Mine, typed elsewhere"}, headers=headers)
    body = text(answer)
    kept = Note.objects.get()
    assert (answer.status_code, kept.text) == (409, "A word\nof mine")
    assert "A word\nof mine" in body
    assert f'value="{kept.at.isoformat()}"' in body
    assert headers or "Mine, typed elsewhere</textarea>" in body
    again = {**NOTE, "text": "Mine, typed elsewhere", "seen": kept.at.isoformat()}
    assert signed_in.post(f"{PAGE}note/", again, headers=headers).status_code == (200 if headers else 303)
    assert Note.objects.get().text == "Mine, typed elsewhere"
