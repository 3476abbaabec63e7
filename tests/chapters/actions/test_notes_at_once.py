"""Two pages that write the first note at once: one is kept, the other is told."""

import pytest
from django.utils import timezone

from chapters.actions import NoteMoved, keep_note
from chapters.models import Note, Section
from tests.quizzes.goods import shelve_course
from tests.quizzes.play import at_once


@pytest.mark.django_db(transaction=True)
def test_first_notes_of_six_pages_are_one_note_and_five_refusals(learner):
    shelve_course()
    here = Section.objects.get(slug="here")

    def keep(words):
        try:
            keep_note(learner_id=learner.pk, section=here, text=words, at=timezone.now())
        except NoteMoved:
            return "moved"
        return words

    for turn in range(5):
        Note.objects.all().delete()
        said = at_once([lambda n=n, turn=turn: keep(f"{n} of {turn}") for n in range(6)])
        assert said.count("moved") == 5
        assert Note.objects.get().text in said
