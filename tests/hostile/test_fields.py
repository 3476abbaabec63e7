"""Hostile text through every field that a person can fill, on to every page where it is shown.

Proves trust.md 1.6 and goal 4 for what people type: in every place it is text and nothing else. Fields are found by
walking the pages, tables by walking the models of the export: a new field or column must be met here.
"""

from __future__ import annotations

import json
import re
import zipfile
from uuid import uuid4

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db.models import CharField, Field, JSONField, TextField
from django.test import Client

from quizzes.actions import finish_attempt, start_attempt
from quizzes.models import Attempt, Quiz
from studyhub.accounts.exporting import TABLES
from studyhub.accounts.exports import write_export
from tests.conftest import NOON
from tests.hostile.fields import Form, forms, is_page, pages
from tests.hostile.watched import watched
from tests.matrix import things as matrix_things
from tests.matrix.actors import everyone
from tests.studyhub.text.judge import parse

# Breaks out of a tag, an attribute, a script, a comment, a text area, a template; long enough to be found again.
HARM = (
    "zq'\"><b zqx=1>`</textarea></title></script><!--{{ 7 }}{% zq %}&lt;&#39;--><img src=zq onerror=alert(1)>"
)
READERS = ("owner", "author", "admin")
# (address, field): fields that take text. A new one is added here once the walk meets it.
FIELDS = {
    ("account_change_password", "oldpassword"), ("account_change_password", "password1"),
    ("account_change_password", "password2"), ("account_email", "email"), ("account_reauthenticate", "password"),
    ("account_reset_password", "email"), ("attempt", "choice"), ("audit", "person"), ("audit", "thing"),
    ("card_compare", "words"), ("card_words", "words"), ("correct", "reason"), ("flag", "choice"),
    ("inbox_report", "answer"), ("note", "text"), ("read", "text"), ("report", "text"), ("search", "q"),
    ("settings", "name"), ("skip", "choice"),
}  # fmt: skip
# Text columns of people's tables that nobody types into: they hold names and words out of the course or of the site.
NOT_TYPED = {
    "accounts.AuditEvent.act", "accounts.AuditEvent.after", "accounts.AuditEvent.before",
    "accounts.AuditEvent.object_kind", "accounts.AuditEvent.request_id", "accounts.User.born_of",
    "accounts.User.password", "accounts.User.time_zone", "chapters.Highlight.anchor",
    "chapters.Highlight.quote", "chapters.Place.anchor", "chapters.SectionRead.fingerprint",
    "chapters.SectionRead.paragraphs", "mfa.Authenticator.data", "quizzes.CardTry.fingerprint",
    "quizzes.CardTry.ratings", "quizzes.QuestionReport.option", "quizzes.QuestionReport.reason",
    "quizzes.QuestionReport.state", "quizzes.RejectedResponse.options", "quizzes.RejectedResponse.reason",
    "quizzes.Rescored.state_after", "quizzes.Rescored.state_before", "quizzes.Response.detail",
    "quizzes.Response.misconceptions", "quizzes.Response.options", "quizzes.Response.state",
    "quizzes.Slot.order", "quizzes.Slot.state", "quizzes.Slot.tokens", "usersessions.UserSession.data",
    "usersessions.UserSession.session_key",
}  # fmt: skip


@pytest.fixture
def actors(course):
    """Everyone; the owner has signed in with a browser of a strange name and begun every quiz."""
    made = everyone()
    owner = made["owner"]
    owner.browser = Client(headers={"User-Agent": HARM})
    owner.browser.post("/accounts/login/", {"login": owner.user.email, "password": "correct horse battery"})
    typed = Quiz.objects.filter(questions__current__kind__in=("short", "cloze")).distinct().order_by("pk")
    for quiz in typed.filter(retired_at=None, purpose="quiz")[:2]:
        start_attempt(learner_id=owner.user.pk, quiz=quiz, fresh=False, at=NOON)
    return made


@pytest.fixture
def things(actors):
    return matrix_things.made(actors["owner"])


def with_texts(actor, things) -> list[Form]:
    """Each form of this person's that takes text, once for each address, set of fields and button."""
    found: dict[object, Form] = {}
    for one in forms(actor, things):
        if one.texts:
            found.setdefault(
                (one.page if "/attempts/" in one.page else "", one.sends[-1], *one.fields()), one
            )
    return list(found.values())


def sent(actor, one: Form, text: str):
    """The answer to a form with ``text`` in its fields."""
    if one.method == "post":
        return actor.browser.post(one.action, {**one.filled(text), "key": str(uuid4())})
    return actor.browser.get(one.action, one.filled(text))


def harmed(answer) -> list[str]:
    """Elements, attributes and comments that the text became; and the text where it is not what was typed."""
    if not is_page(answer) or b"zq" not in answer.content:
        return []
    faults, tree = [], parse(answer.content.decode())
    for element in tree.iter():
        if not isinstance(element.tag, str):
            faults.append("comment")
        elif any("zq" in str(name) for name in element.attrib):
            faults.append(f"attribute of {element.tag}")
    shown = "\0".join([*tree.itertext(), *(value for one in tree.iter() for value in one.attrib.values())])
    return faults + [f"text {one}" for one in re.findall(r"zq'(?!\"><b zqx=1>).{,20}", shown)]


@pytest.mark.browser
@pytest.mark.django_db
def test_what_people_type_is_text_on_every_page(actors, things):
    fields, wrong, met = set(), {}, {}
    for actor in (actors[name] for name in READERS):
        for one in with_texts(actor, things):
            fields.update(one.fields())
            assert [harmed(sent(actor, one, HARM)) for _ in range(2)] == [[], []], one
    for attempt in Attempt.objects.of(actors["owner"].user.pk):
        finish_attempt(attempt_id=attempt.pk, learner_id=attempt.learner_id, at=NOON)
    for name in READERS:
        for page, answer in pages(actors[name], things):
            if b"zq&#x27;" in answer.content:
                met[f"/{name}{page.replace('?', '/')}"] = answer.content.decode()
            if faults := harmed(answer):
                wrong[name, page] = faults
    assert wrong == {}
    assert len(met) > 10
    assert fields == FIELDS
    assert untouched([actors[name].user.pk for name in READERS]) == NOT_TYPED
    with write_export(actors["owner"].user.pk, NOON) as made, zipfile.ZipFile(made) as parcel:
        assert HARM in json.loads(parcel.read("notes.json"))[0]["text"]
    with watched() as chromium:  # judge 2: asked without the policy, nothing so much as tries
        looked = chromium.look(met, "told")
    assert {page: one for page, one in looked.items() if one.ran or one.tried or not one.fired} == {}


def is_text(field: Field) -> bool:
    """Whether a column holds text of any form."""
    inner = field.base_field if isinstance(field, ArrayField) else field
    return isinstance(inner, CharField | TextField | JSONField) and not field.choices


def untouched(readers: list[int]) -> set[str]:
    """Text columns of the tables people own that hold nothing of what was typed."""
    found = set()
    for table in TABLES:
        for field in filter(is_text, table.model._meta.concrete_fields):
            values = table.model._default_manager.filter(**{f"{table.owner}__in": readers}).values_list(
                field.attname, flat=True
            )
            if not any("zq" in str(value) for value in values):
                found.add(f"{table.model._meta.label}.{field.name}")
    return found
