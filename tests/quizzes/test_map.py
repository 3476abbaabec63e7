"""The map of all questions says the same after every act, whichever way the page came."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from quizzes.actions import apply_correction, start_attempt
from quizzes.models import Correction
from studyhub.accounts.auditing import Actor

from .goods import AT, option, question, shelve_quiz, typed
from .play import form, slot_of

pytestmark = pytest.mark.django_db
HTMX = {"headers": {"HX-Request": "true", "HX-Target": "question"}}
LATER = AT + timedelta(days=1)


def keyed(right):
    words = ("alpha", "beta", "gamma")
    return question("one", options=tuple(option(word, word == right, slug=word) for word in words))


def shelve(right="alpha"):
    return shelve_quiz(keyed(right), question("two"), typed("three"), question("four"))


@pytest.fixture
def going(learner):
    return start_attempt(learner_id=learner.pk, quiz=shelve(), fresh=False, at=AT)


def at(attempt, name="attempt"):
    return reverse(name, args=[attempt.pk])


def mapped(response):
    """What the map says: of each question number, words and sign, and which one it is; behind it the points."""
    text = response.content.decode()
    links = re.findall(
        r'<a class="(\w+)" href="\?q=(\d)"( aria-current="true")?>\2<span class="away">, ([^<]+)</span>'
        r'<span class="sign" aria-hidden="true">([^<]*)</span></a>',
        text,
    )
    here = [int(place) for _, place, current, *_ in links if current]
    assert [place for _, place, *_ in links] == ["1", "2", "3", "4"]
    assert all(words.split(",")[0] == state for state, _, _, words, _ in links)
    points = [re.sub(r" ?here", "", one) for one in re.findall(r'<i class="([^"]*)"></i>', text)]
    assert points == [words.replace(",", "") for *_, words, _ in links]
    return here, [f"{words} {sign}".strip() for *_, words, sign in links]


def everywhere(client, attempt, position):
    """The map of a question's page: as a region and as a whole page, which say the same."""
    address = f"{at(attempt)}?q={position}"
    region, whole = mapped(client.get(address, **HTMX)), mapped(client.get(address))
    assert region == whole
    return whole


UNSEEN = ["unseen"] * 4


@pytest.mark.parametrize(("right", "says"), [(True, "right ✓"), (False, "wrong ✕")])
@pytest.mark.parametrize("position", [1, 2, 3, 4])
def test_answer_changes_its_own_place_in_the_map(signed_in, going, position, right, says):
    told = signed_in.post(at(going), form(slot_of(going, position), right=right), **HTMX)
    expected = [says if place == position else "unseen" for place in range(1, 5)]
    assert mapped(told) == ([position], expected) == everywhere(signed_in, going, position)


def test_answer_in_another_tab_stands_in_the_map_of_the_next(signed_in, going):
    first, second = (form(slot_of(going, place), right=False) for place in (1, 3))
    signed_in.get(f"{at(going)}?q=3")  # this tab was opened before the other one's answer
    signed_in.post(at(going), first, **HTMX)
    told = signed_in.post(at(going), second, **HTMX)
    assert mapped(told) == ([3], ["wrong ✕", "unseen", "wrong ✕", "unseen"])


def test_same_answer_from_another_tab_gets_the_same_map(signed_in, going):
    sent = form(slot_of(going, 2))
    told = [mapped(signed_in.post(at(going), sent, **HTMX)) for _ in "ab"]
    assert told == [([2], ["unseen", "right ✓", "unseen", "unseen"])] * 2


@pytest.mark.parametrize("answered_first", [True, False])
def test_flag_stands_beside_the_state_whatever_came_first(signed_in, going, answered_first):
    def answer():
        signed_in.post(at(going), form(slot_of(going, 1)), **HTMX)

    def flag():
        signed_in.post(at(going, "flag"), {"q": "1", "state": "on"}, **HTMX)

    for act in (answer, flag) if answered_first else (flag, answer):
        act()
    assert everywhere(signed_in, going, 1) == ([1], ["right, flagged ✓⚑", *UNSEEN[1:]])
    signed_in.post(at(going, "flag"), {"q": "1", "state": "off"}, **HTMX)
    assert everywhere(signed_in, going, 1) == ([1], ["right ✓", *UNSEEN[1:]])


def test_skipped_question_says_so_until_it_is_answered(signed_in, going):
    signed_in.post(at(going, "skip"), {"q": "1"}, **HTMX)
    assert everywhere(signed_in, going, 2) == ([2], ["skipped –", *UNSEEN[1:]])
    told = signed_in.post(at(going), form(slot_of(going, 1)), **HTMX)
    assert mapped(told) == ([1], ["right ✓", *UNSEEN[1:]])


def test_retry_leaves_the_first_answer_in_the_map(signed_in, going):
    signed_in.post(at(going), form(slot_of(going, 1), right=False), **HTMX)
    told = signed_in.post(at(going), form(slot_of(going, 1), again="1"), **HTMX)
    assert mapped(told) == ([1], ["wrong ✕", *UNSEEN[1:]]) == everywhere(signed_in, going, 1)


def test_corrected_key_moves_the_state_in_the_map(signed_in, going, learner):
    signed_in.post(at(going), form(slot_of(going, 1)), **HTMX)
    assert everywhere(signed_in, going, 1) == ([1], ["right ✓", *UNSEEN[1:]])
    shelve("beta")
    apply_correction(correction_id=Correction.objects.get().pk, by=Actor(learner.pk), at=LATER)
    assert everywhere(signed_in, going, 1) == ([1], ["wrong ✕", *UNSEEN[1:]])
    told = signed_in.post(at(going), form(slot_of(going, 2)), **HTMX)
    assert mapped(told) == ([2], ["wrong ✕", "right ✓", "unseen", "unseen"])
