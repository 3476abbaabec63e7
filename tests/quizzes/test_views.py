"""Quizzes and attempts over HTTP: exactly once, hostile bodies, strangers, regions."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Attempt, RejectedResponse, Response
from studyhub.accounts.models import User
from tests.studyhub.web.ledger import changed_tables, table_prints

from .goods import AT, question, several, shelve_quiz, typed
from .play import counted, form, raw_right, raw_wrong, send, slot_of

pytestmark = pytest.mark.django_db
BACKEND = "studyhub.accounts.backends.Backend"
HTMX = {"headers": {"HX-Request": "true", "HX-Target": "question"}}


@pytest.fixture
def small(db):
    return shelve_quiz(
        question("one", body_html="<p>Given.</p>"),
        several("two", score="partial"),
        typed("three"),
        question("four"),
    )


@pytest.fixture
def going(small, learner):
    return start_attempt(learner_id=learner.pk, quiz=small, fresh=False, at=AT)


@pytest.fixture
def stranger(other):
    client = Client()
    client.force_login(other, BACKEND)
    return client


def at(attempt, name="attempt"):
    return reverse(name, args=[attempt.pk])


def text(response):
    return response.content.decode()


def test_quiz_page_offers_to_start_then_to_go_on(signed_in, small, learner):
    address = reverse("quiz", args=["small-course", "small-quiz"])
    assert "Start over" not in text(signed_in.get(address))
    begun = signed_in.post(reverse("start", args=["small-course", "small-quiz"]))
    attempt = Attempt.objects.get()
    assert (begun.status_code, begun["Location"]) == (303, at(attempt))
    assert "Go on, 0 of 4 answered" in text(signed_in.get(address))


def test_start_twice_leads_to_the_same_attempt(signed_in, small):
    address = reverse("start", args=["small-course", "small-quiz"])
    assert signed_in.post(address)["Location"] == signed_in.post(address)["Location"]
    assert Attempt.objects.count() == 1


def test_start_at_a_question_leads_to_it(signed_in, small):
    address = reverse("start", args=["small-course", "small-quiz"])
    assert signed_in.post(address, {"at": "three"})["Location"] == at(Attempt.objects.get()) + "?q=3"
    assert signed_in.post(address, {"at": "nothing"})["Location"] == at(Attempt.objects.get())


def test_visitor_who_starts_becomes_a_guest_and_keeps_the_attempt(client, small):
    begun = client.post(reverse("start", args=["small-course", "small-quiz"]))
    attempt = Attempt.objects.get()
    assert attempt.learner.guest is True
    assert client.get(begun["Location"]).status_code == 200
    assert Client().get(begun["Location"]).status_code == 404


def test_quiz_without_a_published_question_begins_nothing(signed_in, small):
    from dataclasses import replace

    shelve_quiz(replace(question("x"), draft=True), slug="empty-quiz")
    address = reverse("start", args=["small-course", "empty-quiz"])
    assert signed_in.post(address, follow=True).status_code == 200
    assert Attempt.objects.count() == 0


def test_question_shows_options_under_ids_of_this_attempt(signed_in, going):
    body = text(signed_in.get(at(going)))
    slot = slot_of(going, 1)
    assert [body.count(f'value="{token}"') for token in slot.tokens] == [1] * 4
    assert not any(slug in body for slug in slot.order)
    assert "Which one, one?" in body
    assert "Given." in body


@pytest.mark.parametrize("position", [1, 2, 3])
def test_answer_leads_to_its_feedback(signed_in, going, position):
    slot = slot_of(going, position)
    answer = signed_in.post(at(going), form(slot))
    assert (answer.status_code, answer["Location"]) == (303, f"{at(going)}?q={position}")
    body = text(signed_in.get(answer["Location"]))
    assert 'class="verdict right"' in body
    assert "data-rationale" in body
    assert body.count("data-option=") == len(slot.order)


def test_feedback_tells_the_chosen_first_then_the_right_then_the_others(signed_in, going):
    slot = slot_of(going, 1)
    signed_in.post(at(going), form(slot, right=False))
    body = text(signed_in.get(f"{at(going)}?q=1"))
    told = [part.split('"')[0] for part in body.split('data-rationale="')[1:]]
    wrong, right = raw_wrong(slot)[0], raw_right(slot)[0]
    assert told == [wrong, right, *(one for one in slot.tokens if one not in (wrong, right))]
    assert body.count("<details open>") == 2


def test_same_post_twice_is_one_row_and_one_redirect(signed_in, going):
    sent = form(slot_of(going, 1))
    first, second = signed_in.post(at(going), sent), signed_in.post(at(going), sent)
    assert (first.status_code, first["Location"]) == (second.status_code, second["Location"])
    assert (Response.objects.count(), RejectedResponse.objects.count()) == (1, 0)


def test_second_answer_is_409_and_shows_the_recorded_one(signed_in, going):
    slot = slot_of(going, 1)
    signed_in.post(at(going), form(slot, right=False))
    late = signed_in.post(at(going), form(slot))
    assert late.status_code == 409
    assert 'class="verdict wrong"' in text(late)
    assert "the recorded one" in text(late)
    assert (Response.objects.get().state, RejectedResponse.objects.count()) == ("wrong", 1)


def test_same_key_with_another_answer_is_409(signed_in, going):
    slot, key = slot_of(going, 1), str(uuid.uuid4())
    signed_in.post(at(going), form(slot, key=key))
    late = signed_in.post(at(going), form(slot, right=False, key=key))
    assert (late.status_code, Response.objects.get().state) == (409, "right")


def test_answer_after_the_end_is_409(signed_in, going, learner):
    finish_attempt(attempt_id=going.pk, learner_id=learner.pk, at=AT)
    assert signed_in.post(at(going), form(slot_of(going, 1))).status_code == 409
    assert (Response.objects.count(), RejectedResponse.objects.count()) == (0, 1)


def test_retry_is_marked_as_such(signed_in, going):
    slot = slot_of(going, 1)
    signed_in.post(at(going), form(slot, right=False))
    assert 'name="again" value="1"' in text(signed_in.get(f"{at(going)}?q=1&again=1"))
    signed_in.post(at(going), form(slot, again="1"))
    body = text(signed_in.get(f"{at(going)}?q=1"))
    assert "another try; the first one, wrong, stays the recorded one" in body
    going.refresh_from_db()
    assert (going.answered, going.right) == (1, 0)


@pytest.mark.parametrize("again", [{}, {"again": "1"}])
def test_options_of_another_question_are_422_and_nothing_is_stored(signed_in, going, again):
    before = table_prints()
    sent = form(slot_of(going, 1), choice=slot_of(going, 4).tokens[:1], **again)
    answer = signed_in.post(at(going), sent)
    assert answer.status_code == 422
    assert 'id="error"' in text(answer)
    assert changed_tables(before) == []


def test_refused_answer_comes_back_with_what_was_given(signed_in, going):
    slot, key = slot_of(going, 3), str(uuid.uuid4())
    body = text(signed_in.post(at(going), form(slot, choice="3,5", key=key, certainty="2")))
    assert 'value="3,5"' in body
    assert f'value="{key}"' in body
    assert 'name="certainty" value="2" checked' in body


def test_refused_options_stay_chosen(signed_in, going):
    tokens = slot_of(going, 1).tokens
    body = text(signed_in.post(at(going), form(slot_of(going, 1), choice=tokens[:2])))
    assert [f'value="{token}" checked' in body for token in tokens] == [True, True, False, False]


URLENCODED = "application/x-www-form-urlencoded"
KEY = "key=6f1e0e7c-6f5c-4f0b-9d5e-0a8a6e0c9b11"
BODIES = {
    "empty": b"",
    "nothing but ampersands": b"&&&&",
    "no key": b"q=1&choice=a",
    "bad key": b"q=1&choice=a&key=not-a-uuid",
    "NUL in choice": f"q=1&{KEY}&choice=a%00b".encode(),
    "NUL in typed": f"q=3&{KEY}&choice=3%00".encode(),
    "NUL in key": b"q=1&choice=a&key=6f1e0e7c%00",
    "lone surrogate": f"q=3&{KEY}&choice=%ED%A0%80".encode(),
    "invalid UTF-8": f"q=3&{KEY}&choice=%FF%FE".encode(),
    "raw invalid UTF-8": f"q=3&{KEY}&choice=".encode() + b"\xff\xfe\x00",
    "nested": f"q=1&{KEY}&choice[][a]=1".encode(),
    "nested deep": f"q=1&{KEY}&choice={'[' * 190}".encode(),
    "q of 5,000 digits": f"q={'9' * 5000}&{KEY}&choice=a".encode(),
    "q negative": f"q=-1&{KEY}&choice=a".encode(),
    "q zero": f"q=0&{KEY}&choice=a".encode(),
    "q true": f"q=true&{KEY}&choice=a".encode(),
    "q NaN": f"q=NaN&{KEY}&choice=a".encode(),
    "q beyond the end": f"q=99&{KEY}&choice=a".encode(),
    "q beyond bigint": f"q=99999999999999999999&{KEY}&choice=a".encode(),
    "number NaN": f"q=3&{KEY}&choice=NaN".encode(),
    "number endless": f"q=3&{KEY}&choice={'9' * 150}".encode(),
    "number longer than a column": f"q=3&{KEY}&choice={'9' * 250}".encode(),
    "two numbers": f"q=3&{KEY}&choice=1&choice=2".encode(),
    "choice of nothing": f"q=1&{KEY}&choice=".encode(),
    "a hundred choices": f"q=2&{KEY}&{'&'.join(['choice=a'] * 100)}".encode(),
    "a thousand fields": b"&".join([b"choice=a"] * 1000),
    "certainty out of range": f"q=3&{KEY}&choice=3.5&certainty=4".encode(),
    "certainty true": f"q=3&{KEY}&choice=3.5&certainty=true".encode(),
}
TYPES = {
    "json": ("application/json", b'{"q": 1, "choice": [true], "key": "x"}'),
    "json nested": ("application/json", b"[" * 100_000),
    "multipart without a boundary": ("multipart/form-data", b"--x"),
    "multipart cut short": (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="q"',
    ),
    "unknown charset": ("application/x-www-form-urlencoded; charset=klingon", b"q=1"),
    "utf-16": ("application/x-www-form-urlencoded; charset=utf-16", b"q=1"),
    "half a megabyte": (URLENCODED, b"choice=" + b"a" * 500_000),
}
HOSTILE = {**{name: (URLENCODED, body) for name, body in BODIES.items()}, **TYPES}
PLACED = (b"q=1", b"q=2", b"q=3")  # a readable position is all that flagging and skipping want
CASES = [("attempt", name) for name in HOSTILE] + [
    (door, name) for door in ("flag", "skip") for name in HOSTILE if not HOSTILE[name][1].startswith(PLACED)
]


@pytest.mark.parametrize(("door", "name"), CASES)
def test_hostile_body_is_refused_and_nothing_is_stored(signed_in, going, door, name):
    kind, body = HOSTILE[name]
    before = table_prints()
    answer = signed_in.generic("POST", at(going, door), body, content_type=kind)
    assert answer.status_code in ({415} if kind == "application/json" else {400, 404, 422})
    assert changed_tables(before) == []


@pytest.mark.parametrize("at_question", ["%00", "a%00b", "%FF", "%ED%A0%80"])
def test_place_to_start_at_that_is_no_text_is_refused(signed_in, small, at_question):
    address = reverse("start", args=["small-course", "small-quiz"])
    answer = signed_in.generic("POST", address, f"at={at_question}".encode(), content_type=URLENCODED)
    assert (answer.status_code, Attempt.objects.count()) == (400, 0)


@pytest.mark.parametrize("at_question", ["9" * 5000, "'--"])
def test_hostile_place_to_start_at_is_no_place(signed_in, small, at_question):
    address = reverse("start", args=["small-course", "small-quiz"])
    answer = signed_in.generic("POST", address, f"at={at_question}".encode(), content_type=URLENCODED)
    assert (answer.status_code, answer["Location"]) == (303, at(Attempt.objects.get()))


@pytest.mark.parametrize("query", ["q=%00", "q=0", "q=-1", "q=x", f"q={'9' * 5000}", "q=99", "q=1.5"])
def test_question_that_cannot_be_is_404(signed_in, going, query):
    assert signed_in.get(f"{at(going)}?{query}").status_code == 404


@pytest.mark.parametrize("query", ["at=%00", "at=%000%00", "at=%00999%00", "at=%FF"])
def test_quiz_page_with_a_hostile_place_is_served(signed_in, small, query):
    assert (
        signed_in.get(reverse("quiz", args=["small-course", "small-quiz"]) + f"?{query}").status_code == 200
    )


def everything(client, attempt_id, q=1):
    """Every address of an attempt, asked and posted to: (name, status, body)."""
    told = [("GET attempt", client.get(reverse("attempt", args=[attempt_id])))]
    told.append(("GET question", client.get(reverse("attempt", args=[attempt_id]) + f"?q={q}")))
    told.append(("GET region", client.get(reverse("attempt", args=[attempt_id]), **HTMX)))
    told.append(("HEAD", client.head(reverse("attempt", args=[attempt_id]))))
    told.append(("GET review", client.get(reverse("review", args=[attempt_id]))))
    sent = {"q": q, "key": str(uuid.uuid4()), "choice": "a", "state": "on"}
    for name in ("attempt", "flag", "skip", "finish"):
        told.append((f"POST {name}", client.post(reverse(name, args=[attempt_id]), sent)))
        told.append((f"POST region {name}", client.post(reverse(name, args=[attempt_id]), sent, **HTMX)))
    return [(name, one.status_code, one.content) for name, one in told]


@pytest.mark.parametrize("state", ["open", "answered", "finished"])
def test_attempt_of_another_looks_like_a_missing_one(stranger, going, learner, state):
    if state != "open":
        send(going, 1)
    if state == "finished":
        finish_attempt(attempt_id=going.pk, learner_id=learner.pk, at=AT)
    before = table_prints()
    theirs, missing = everything(stranger, going.pk), everything(stranger, uuid.uuid4())
    assert theirs == missing
    assert {status for _, status, _ in theirs} == {404}
    assert changed_tables(before) == []


def test_attempt_is_404_for_visitors_and_guests(going, small):
    visitor, guest = Client(), Client()
    guest.post(reverse("start", args=["small-course", "small-quiz"]))
    assert {status for _, status, _ in everything(visitor, going.pk)} == {404}
    assert everything(guest, going.pk) == everything(guest, uuid.uuid4())
    assert {status for _, status, _ in everything(guest, going.pk)} == {404}


def test_own_flag_skip_and_finish(signed_in, going):
    assert signed_in.post(at(going, "flag"), {"q": 2, "state": "on"})["Location"] == f"{at(going)}?q=2"
    assert slot_of(going, 2).flagged is True
    assert signed_in.post(at(going, "skip"), {"q": 1})["Location"] == f"{at(going)}?q=2"
    assert slot_of(going, 1).skipped is True
    for _ in range(2):
        assert signed_in.post(at(going, "finish"))["Location"] == at(going, "review")
    assert signed_in.post(at(going, "skip"), {"q": 2})["Location"] == at(going, "review")


def test_question_without_a_number_is_the_next_open_one_and_skipped_ones_come_last(signed_in, going):
    send(going, 2)
    signed_in.post(at(going, "skip"), {"q": 1})
    assert "Question 3 of 4" in text(signed_in.get(at(going)))
    send(going, 3)
    send(going, 4)
    assert "Question 1 of 4" in text(signed_in.get(at(going)))


def test_review_is_closed_until_the_end(signed_in, going):
    send(going, 1)
    answer = signed_in.get(at(going, "review"))
    assert (answer.status_code, "The review opens when you finish" in text(answer)) == (200, True)
    assert "Because" not in text(answer)


def test_review_lists_every_question_with_every_option_and_reason(signed_in, going, learner):
    send(going, 1, right=False)
    send(going, 3, right=False)
    finish_attempt(attempt_id=going.pk, learner_id=learner.pk, at=AT)
    body = text(signed_in.get(at(going, "review")))
    tokens = [token for slot in going.slots.all() for token in slot.tokens]
    assert [body.count(f'data-rationale="{token}"') for token in tokens] == [1] * 12
    assert "0 of 4 right" in body
    assert body.count("not answered") >= 2


@pytest.mark.parametrize("status", [200, 422, 409])
def test_region_is_a_part_of_the_page(signed_in, going, status):
    slot = slot_of(going, 1)
    if status != 200:
        send(going, 1) if status == 409 else None

    def ask(**extra):
        if status == 200:
            return signed_in.get(at(going), **extra)
        choice = raw_right(slot) if status == 409 else []
        return signed_in.post(at(going), form(slot, choice=choice, key=str(uuid.UUID(int=1))), **extra)

    whole, part = ask(), ask(**HTMX)
    assert (whole.status_code, part.status_code) == (status, status)
    assert text(part).startswith('<article id="question"')
    assert text(whole).startswith("<!doctype html>")
    assert 'id="question"' in text(whole)
    for one in (whole, part):
        assert {"HX-Request", "HX-Target", "Accept-Encoding"} <= {
            name.strip() for name in one["Vary"].split(",")
        }


@pytest.mark.parametrize(
    "headers",
    [{"HX-Request": "true"}, {"HX-Request": "true", "HX-Target": "other"}, {"HX-Target": "question"},
     {"HX-Request": "true", "HX-Target": "question", "HX-History-Restore-Request": "true"}],
)  # fmt: skip
def test_anything_else_gets_the_whole_page(signed_in, going, headers):
    assert text(signed_in.get(at(going), headers=headers)).startswith("<!doctype html>")


@pytest.mark.parametrize("page", ["quiz", "review"])
def test_list_pages_ask_as_often_with_one_row_as_with_three(signed_in, learner, page):
    quizzes = [
        shelve_quiz(*(question(f"{slug}{n}") for n in range(rows)), slug=slug)
        for rows, slug in ((1, "short"), (3, "long"))
    ]
    counts = []
    for rows, quiz in zip((1, 3), quizzes, strict=True):
        for _ in range(rows):
            attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=AT)
            for position in range(1, rows + 1):
                send(attempt, position)
            finish_attempt(attempt_id=attempt.pk, learner_id=learner.pk, at=AT)
        address = (
            at(attempt, "review") if page == "review" else reverse("quiz", args=["small-course", quiz.slug])
        )
        signed_in.get(address)
        counts.append(len(counted(lambda a=address: signed_in.get(a))[1]))
    assert counts[0] == counts[1] <= 8


def test_signed_in_pages_are_kept_by_nobody(signed_in, going):
    assert signed_in.get(at(going))["Cache-Control"] == "private, no-store"
    assert User.objects.count() == 1
