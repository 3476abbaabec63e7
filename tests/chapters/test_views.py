"""Courses and chapters over HTTP: regions, places, hostile bodies, budgets."""

import pytest
from django.test import Client

from chapters.models import CheckpointMark, Place, SectionRead
from quizzes.actions import start_attempt
from studyhub.accounts.models import User
from tests.conftest import CHAPTER, COURSE
from tests.quizzes.goods import AT, question, shelve_course, shelve_quiz
from tests.quizzes.play import send
from tests.quizzes.test_views import URLENCODED, counted
from tests.studyhub.web.ledger import changed_tables, table_prints

pytestmark = pytest.mark.django_db
PAGE = "/c/small-course/small/"


@pytest.fixture
def shelf(db):
    return shelve_course()[0]


def text(response):
    return response.content.decode()


def test_course_page_lists_domains_by_the_pack_with_what_is_read(shelf, signed_in):
    signed_in.post(f"{PAGE}read/", {"section": "here", "state": "read"})
    body = text(signed_in.get("/c/small-course/"))
    assert "1 of 2 sections read" in body
    assert "no chapter yet" in body
    assert "Continue: Here" in body


def test_chapter_page_carries_the_ids_that_stay(shelf, client):
    body = text(client.get(PAGE))
    for mark in (
        'data-objective="weigh"',
        'data-section="here"',
        'data-section="there"',
        'data-checkpoint="one"',
        'data-resource="paper"',
        'id="here-p1"',
        'href="/c/small-course/small/lab/"',
        'href="/c/small-course/quizzes/small-quiz/"',
    ):
        assert body.count(mark) >= 1, mark
    assert 'data-section="lab"' in text(client.get(f"{PAGE}lab/"))


@pytest.mark.parametrize(
    "address",
    [
        "/c/nothing/",
        "/c/small-course/nothing/",
        "/c/nothing/small/",
        "/c/small-course/nothing/lab/",
        "/c/nothing/about/",
        "/c/small-course/quizzes/nothing/",
    ],
)
def test_what_is_not_there_is_404_and_looks_the_same(shelf, client, address):
    answer = client.get(address)
    assert (answer.status_code, answer.content) == (404, client.get("/there-is-no-such-page/").content)


def test_chapter_without_a_lab_has_no_lab_page(client, db):
    from dataclasses import replace

    from tests.quizzes.goods import chapter_goods

    goods = chapter_goods()
    shelve_course(chapter=replace(goods, sections=goods.sections[:2]))
    assert client.get(f"{PAGE}lab/").status_code == 404


def test_section_read_over_http_is_seen_in_the_rail(shelf, signed_in):
    answer = signed_in.post(f"{PAGE}read/", {"section": "here", "state": "read"})
    assert (answer.status_code, answer["Location"]) == (303, f"{PAGE}#here")
    assert '<li class="read" data-for="here">' in text(signed_in.get(PAGE))
    signed_in.post(f"{PAGE}read/", {"section": "here", "state": "unread"})
    assert SectionRead.objects.count() == 0


def test_checkpoint_ticked_over_http_keeps_date_and_history(shelf, signed_in):
    for state in (
        ["cleared", "ticked"],
        ["cleared"],
        ["cleared", "ticked"],
    ):  # the box adds "ticked" after "cleared"
        answer = signed_in.post(f"{PAGE}tick/", {"checkpoint": "one", "state": state})
        assert (answer.status_code, answer["Location"]) == (303, f"{PAGE}#checkpoint-one")
    body = text(signed_in.get(PAGE))
    assert list(CheckpointMark.objects.order_by("pk").values_list("ticked", flat=True)) == [True, False, True]
    assert "1 of 2 ticked" in body
    assert "<summary>History</summary>" in body


def test_place_is_kept_for_those_who_are_known_only(shelf, signed_in, client, learner):
    assert signed_in.post(f"{PAGE}place/", {"section": "there", "anchor": "there-p1"}).status_code == 204
    assert Place.objects.get().anchor == "there-p1"
    before = table_prints(leave_out=())
    assert Client().post(f"{PAGE}place/", {"section": "here"}).status_code == 204
    assert changed_tables(before, leave_out=()) == []
    assert "Continue: There" in text(signed_in.get(PAGE))


@pytest.mark.parametrize(
    "act",
    [("read", {"section": "here", "state": "read"}), ("tick", {"checkpoint": "one", "state": "ticked"})],
)
def test_first_thing_kept_makes_a_guest(shelf, client, act):
    client.post(f"{PAGE}{act[0]}/", act[1])
    assert [one.guest for one in User.objects.all()] == [True]


HOSTILE = [
    b"",
    b"section=nothing&checkpoint=nothing&state=read",
    b"section=here%00&checkpoint=one%00&state=read",
    b"section=%FF%FE&checkpoint=%FF&state=%FF",
    b"section=%ED%A0%80&checkpoint=%ED%A0%80&state=ticked",
    b"section[]=here&checkpoint[]=one&state=ticked",
    b"section=" + b"a" * 5000 + b"&checkpoint=" + b"a" * 5000,
    b"section=here&checkpoint=one&state=true",
    b"section=here&checkpoint=one&state=%00",
    b"section=here&anchor=%00&checkpoint=x",
    b"section=here&anchor=" + b"a" * 121 + b"&checkpoint=x",
    b"&".join([b"section=here"] * 1000),
    b"section=" + b"a" * 500_000,
]


@pytest.mark.parametrize("body", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("door", ["read", "tick", "place"])
def test_hostile_body_is_refused_and_nothing_is_stored(shelf, signed_in, door, body):
    before = table_prints()
    answer = signed_in.generic("POST", f"{PAGE}{door}/", body, content_type=URLENCODED)
    if b"%00" in body:
        assert (answer.status_code, changed_tables(before)) == (400, [])
        return
    if door == "place" and body.startswith(b"section=here&checkpoint=one"):
        assert answer.status_code in {204, 422}  # the place needs no state
        return
    assert answer.status_code in {302, 400, 422}  # 302: a message on the chapter's page
    assert changed_tables(before) == []


def test_section_of_another_chapter_is_refused(shelf, signed_in, course):
    before = table_prints()
    signed_in.post(f"/c/{COURSE}/{CHAPTER}/read/", {"section": "here", "state": "read"})
    assert changed_tables(before) == []


@pytest.mark.parametrize(
    ("back", "shown"),
    [
        ("/attempts/x/?q=3", True),
        ("/progress/", True),
        ("", False),
        ("//evil.example", False),
        ("/\\evil.example", False),
        ("https://evil.example", False),
        ("javascript:alert(1)", False),
        ("/%000%00", False),
        ("/%00999%00", False),
        ("/%0d%0aSet-Cookie:a=b", False),
        ("%09//evil.example", False),
    ],
)
@pytest.mark.parametrize("page", ["", "lab/"])
def test_way_back_leads_to_pages_of_ours_only(shelf, client, back, shown, page):
    answer = client.get(f"{PAGE}{page}?back={back}")
    assert answer.status_code == 200
    assert ("Back to your question" in text(answer)) is shown


@pytest.mark.parametrize(
    ("region", "start"),
    [("rail", '<nav id="rail"'), ("checkpoints", '<section class="band" id="checkpoints"')],
)
def test_region_is_a_part_of_the_page(shelf, signed_in, region, start):
    part = signed_in.get(PAGE, headers={"HX-Request": "true", "HX-Target": region})
    whole = signed_in.get(PAGE)
    assert text(part).startswith(start)
    assert text(whole).startswith("<!doctype html>")
    assert start in text(whole)
    for one in (part, whole):
        assert {"HX-Request", "HX-Target", "Accept-Encoding"} <= {
            name.strip() for name in one["Vary"].split(",")
        }


@pytest.mark.parametrize("address", ["/c/small-course/", PAGE, f"{PAGE}lab/", "/c/small-course/about/"])
@pytest.mark.parametrize("target", ["question", "main", "rail<", ""])
def test_anything_else_gets_the_whole_page(shelf, signed_in, address, target):
    answer = signed_in.get(address, headers={"HX-Request": "true", "HX-Target": target})
    assert text(answer).startswith("<!doctype html>")


def history(learner, answers):
    quiz = shelve_quiz(*(question(f"old-{n}", objectives=("weigh", "measure", "choose")) for n in range(50)))
    for _ in range(answers // 50):
        attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
        for position in range(1, 51):
            send(attempt, position)


@pytest.mark.parametrize(("kept", "answers"), [(1, 0), (3, 0), (3, 500)])
def test_chapter_page_asks_at_most_seven_times_whatever_the_history(shelf, signed_in, learner, answers, kept):
    history(learner, answers)
    for n in range(kept):
        signed_in.post(f"{PAGE}read/", {"section": ("here", "there", "lab")[n], "state": "read"})
        signed_in.post(f"{PAGE}tick/", {"checkpoint": "one", "state": ("ticked", "cleared")[n % 2]})
    first, second = (counted(lambda: signed_in.get(PAGE))[1] for _ in range(2))
    assert len(first) <= 7, first
    assert len(second) <= 6, second


def test_chapter_page_asks_at_most_twice_for_a_visitor(shelf, client):
    assert len(counted(lambda: client.get(PAGE))[1]) <= 2
    assert len(counted(lambda: client.get(PAGE))[1]) == 1


def test_shipped_chapter_asks_at_most_seven_times(course, signed_in, client):
    address = f"/c/{COURSE}/{CHAPTER}/"
    answer, asked = counted(lambda: signed_in.get(address))
    assert answer.status_code == 200
    assert len(asked) <= 7
    assert len(counted(lambda: Client().get(address))[1]) <= 2


@pytest.mark.parametrize("address", ["/c/small-course/", f"{PAGE}lab/", "/c/small-course/about/"])
def test_page_asks_as_often_for_one_row_as_for_three(shelf, signed_in, address):
    counts = []
    for sections in (["here"], ["there", "lab"]):
        for section in sections:
            signed_in.post(f"{PAGE}read/", {"section": section, "state": "read"})
        signed_in.get(address)
        counts.append(len(counted(lambda: signed_in.get(address))[1]))
    assert counts[0] == counts[1] <= 7
