"""Every named constraint of storey 3, broken once."""

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from chapters import models
from chapters.actions import mark_section, record_many
from tests.quizzes.goods import AT, shelve_course
from tests.quizzes.test_models import change, twin

pytestmark = pytest.mark.django_db

TWINS = {
    "release_number_once": models.Release,
    "domain_slug_once": models.Domain,
    "source_slug_once": models.Source,
    "misconception_slug_once": models.Misconception,
    "chapter_slug_once": models.Chapter,
    "objective_slug_once": models.Objective,
    "section_slug_once": models.Section,
    "checkpoint_slug_once": models.Checkpoint,
    "resource_slug_once": models.Resource,
    "place_once": models.Place,
    "section_read_once": models.SectionRead,
    "evidence_once": models.ObjectiveEvidence,
    "section_wording_once": models.SectionWording,
    "note_once": models.Note,
    "highlight_once": models.Highlight,
}
CHANGES = {
    "domain_weight_of_100": (models.Domain, {"weight": 101}),
    "section_kind": (models.Section, {"kind": "song"}),
    "resource_kind": (models.Resource, {"kind": "smell"}),
    "evidence_right_of_answered": (models.ObjectiveEvidence, {"right": 2}),
    "section_wording_edit": (models.SectionWording, {"edit": "small"}),
    "highlight_not_empty": (models.Highlight, {"end": 3}),
    "passage_kind": (models.Passage, {"kind": "song"}),
    "passage_weight": (models.Passage, {"weight": "E"}),
}


@pytest.fixture
def rows(learner):
    course, _ = shelve_course()
    section = models.Section.objects.get(chapter__course=course, slug="here")
    mark_section(learner_id=learner.pk, section=section, read=True, at=AT)
    aims = list(
        models.Objective.objects.filter(chapter__course=course, slug="weigh").values_list("pk", flat=True)
    )
    record_many(learner_id=learner.pk, counts=dict.fromkeys(aims, (1, 1)), at=AT)
    _around(course, section, learner)
    return course


def _around(course, section, learner):
    owned = {"learner": learner, "section": section, "at": AT}
    models.Note.objects.create(text="mine", **owned)
    models.Highlight.objects.create(anchor="here", start=3, end=5, quote="me", **owned)
    models.SectionWording.objects.filter(section=section).delete()
    models.SectionWording.objects.create(
        section=section, release=models.Release.objects.latest("pk"), number=1, title="Here", made_at=AT
    )
    models.Passage.objects.create(
        course=course, chapter=section.chapter, kind="title", heading="Here", text="Here", weight="A"
    )


def test_every_constraint_has_a_case():
    rows = apps.get_app_config("chapters").get_models()
    assert {one.name for model in rows for one in model._meta.constraints} == {*TWINS, *CHANGES}


@pytest.mark.parametrize("name", TWINS)
def test_row_is_there_once(rows, name):
    with pytest.raises(IntegrityError) as broken, transaction.atomic():
        twin(TWINS[name].objects.latest("pk"))
    assert broken.value.__cause__.diag.constraint_name == name


@pytest.mark.parametrize("name", CHANGES)
def test_value_stays_in_bounds(rows, name):
    model, columns = CHANGES[name]
    with pytest.raises(IntegrityError) as broken, transaction.atomic():
        change(model, **columns)
    assert broken.value.__cause__.diag.constraint_name == name
