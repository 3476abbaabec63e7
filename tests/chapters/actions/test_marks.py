"""Marks go along with their words when a release rewords their section."""

from dataclasses import replace
from hashlib import sha256

import pytest

from chapters.actions import mark_words
from chapters.models import Highlight, Section
from tests.quizzes.goods import AT, chapter_goods, section, shelve_course

pytestmark = pytest.mark.django_db
FIRST = "The weigths of a model take most of the memory. The weigths stay."


def shelve(words):
    goods = chapter_goods()
    changed = tuple(
        replace(section("here", words), fingerprint=sha256(words.encode()).hexdigest())
        if one.slug == "here"
        else one
        for one in goods.sections
    )
    shelve_course(chapter=replace(goods, sections=changed))
    return Section.objects.get(slug="here")


@pytest.fixture
def mark(learner):
    def act(section, quote, start=0, who=learner):
        return mark_words(
            learner_id=who.pk, section=section, anchor="here-p1", start=start, quote=quote, at=AT
        )

    return act


def marks(person):
    return list(
        Highlight.objects.of(person.pk).order_by("start").values_list("anchor", "start", "end", "quote")
    )


def test_typo_within_marked_words_is_mended_in_the_mark_too_over_several_releases(mark, learner, other):
    here = shelve(FIRST)
    for person in (learner, other):
        mark(here, "weigths of a model", who=person)
    mark(here, "weigths stay", start=40)
    for words in (FIRST, FIRST.replace("weigths", "weights"), "Now: " + FIRST.replace("weigths", "weights")):
        shelve(words)
    assert marks(other) == [("here-p1", 9, 27, "weights of a model")]
    assert marks(learner) == [("here-p1", 9, 27, "weights of a model"), ("here-p1", 57, 69, "weights stay")]


def test_mark_whose_words_are_gone_stays_as_it_was(mark, learner):
    mark(shelve(FIRST), "take most of the memory")
    shelve("The weigths of a model are large. The weigths stay.")
    assert marks(learner) == [("here-p1", 23, 46, "take most of the memory")]


def test_words_that_come_back_are_marked_again(mark, learner):
    mark(shelve(FIRST), "take most of the memory")
    shelve("Something else stands here now.")
    shelve("In short: " + FIRST)
    assert [one[3] for one in marks(learner)] == ["take most of the memory"]


def test_marks_that_come_to_cover_the_same_words_become_one(mark, learner):
    here = shelve("Alpha beta gamma and then delta.")
    mark(here, "beta gamma")
    mark(here, "then delta", start=20)
    Highlight.objects.create(
        learner=learner, section=here, anchor="here-p1", start=6, end=11, quote="beta ", at=AT
    )
    shelve("Alpha beta and then delta.")
    assert len({one[:3] for one in marks(learner)}) == len(marks(learner))


def test_two_marks_that_change_places_are_both_kept(mark, learner):
    here = shelve("aaa bbb ccc ddd eee fff.")
    mark(here, "aaa bbb")
    mark(here, "eee fff", start=16)
    shelve("eee fff. ccc ddd aaa bbb")
    assert sorted(one[3] for one in marks(learner)) == ["aaa bbb", "eee fff"]
