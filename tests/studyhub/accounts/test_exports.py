"""The export: every table that leads to a person is in it or has a reason, and it holds the learner's rows only."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import models
from django.test import Client

from chapters.actions import keep_note, keep_place, mark_section, mark_words
from chapters.models import Section
from quizzes.actions import start_attempt
from quizzes.models import Response
from studyhub.accounts.exporting import NOT_TAKEN, TABLES, TEXTS
from studyhub.accounts.exports import write_export
from studyhub.accounts.models import User
from tests.quizzes.goods import AT, question, shelve_quiz
from tests.quizzes.play import counted, send

EXPORT = "/settings/export/"


def leading_to_people():
    """Every table from which foreign keys lead to a person, whatever the number of steps."""
    found = {User}
    while True:
        more = {
            model
            for model in apps.get_models()
            if model not in found
            and any(
                one.is_relation and one.many_to_one | one.one_to_one and one.related_model in found
                for one in model._meta.concrete_fields
            )
        }
        if not more:
            return found
        found |= more


def test_every_table_that_leads_to_people_is_taken_along_or_has_a_reason():
    taken = {one.model._meta.label for one in TABLES}
    labels = {model._meta.label for model in leading_to_people()}
    assert len(labels) > 15
    assert labels - taken - set(NOT_TAKEN) == set()
    assert taken & set(NOT_TAKEN) == set()
    assert all(len(reason) > 15 for reason in NOT_TAKEN.values())


@pytest.mark.parametrize("table", TABLES, ids=lambda one: one.file)
def test_every_column_is_taken_along_or_has_a_reason(table):
    used = {path.split("__")[0].removesuffix("_id") for path in table.columns.values()}
    used |= {name.removesuffix("_id") for name in table.left_out} | {"pk", "id"}
    used.add(table.owner.split("__")[0].removesuffix("_id"))
    columns = {one.name for one in table.model._meta.concrete_fields if not isinstance(one, models.AutoField)}
    columns -= {one.name for one in table.model._meta.concrete_fields if one.primary_key}
    assert {name.removesuffix("_id") for name in columns} - used == set()
    assert all(len(reason) > 10 for reason in table.left_out.values())


def test_no_file_is_named_twice():
    names = [*(one.file for one in TABLES), *TEXTS]
    assert sorted(names) == sorted(set(names))


def opened(learner, at=AT):
    with zipfile.ZipFile(write_export(learner.pk, at)) as parcel:
        assert parcel.testzip() is None
        return {name: parcel.read(name).decode() for name in parcel.namelist()}


def live(person, canary):
    """Leave something of ``canary`` in what a person keeps."""
    User.objects.filter(pk=person.pk).update(name=f"name {canary}")
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    here = Section.objects.get(slug="here")
    keep_note(learner_id=person.pk, section=here, text=f"note {canary}\n# not a heading", at=AT)
    keep_place(learner_id=person.pk, section=here, anchor=f"anchor-{canary}", at=AT)
    mark_section(learner_id=person.pk, section=here, read=True, at=AT)
    mark_words(learner_id=person.pk, section=here, anchor="here-p1", start=4, quote="text", at=AT)


@pytest.fixture
def lived(db, learner, other):
    quiz = shelve_quiz(question("asked"), question("open"))
    for person, canary in ((learner, "canary-mine"), (other, "canary-theirs")):
        live(person, canary)
        attempt = start_attempt(learner_id=person.pk, quiz=quiz, fresh=False, at=AT)
        send(attempt, 1, right=False)
    return quiz


def test_export_holds_what_the_learner_kept_and_nothing_of_others(lived, learner):
    files = opened(learner)
    whole = "\n".join(files.values())
    assert "canary-theirs" not in whole
    assert "bob@example.org" not in whole
    assert json.loads(files["person.json"])[0]["name"] == "name canary-mine"
    assert json.loads(files["notes.json"])[0]["text"] == "note canary-mine\n# not a heading"
    assert "> text\n" in files["notes.md"]
    assert "note canary-mine" in files["notes.md"]
    assert json.loads(files["marks.json"])[0]["quote"] == "text"
    assert [one["section"] for one in json.loads(files["sections-read.json"])] == ["here"]
    assert {
        name: len(json.loads(files[name])) for name in ("attempts.json", "questions.json", "answers.json")
    } == {
        "attempts.json": 1,
        "questions.json": 2,
        "answers.json": 1,
    }


def test_export_gives_answers_in_words_and_no_key(lived, learner):
    files = opened(learner)
    (answer,) = json.loads(files["answers.json"])
    given = Response.objects.get(learner=learner)
    assert (answer["state"], answer["question"], answer["options"]) == ("wrong", "asked", given.options)
    assert answer["answer"].startswith("asked ")
    whole = "\n".join(files.values())
    assert "Because" not in whole  # a rationale
    assert "open alpha" not in whole  # an option of the question that is still open
    assert learner.password not in whole


def test_export_of_the_same_rows_is_the_same_bytes(lived, learner):
    assert write_export(learner.pk, AT).read() == write_export(learner.pk, AT).read()


@pytest.mark.parametrize("rows", [1, 3])
def test_export_costs_the_same_whatever_is_kept(lived, learner, rows):
    here = Section.objects.get(slug="here")
    for n in range(rows):
        mark_section(learner_id=learner.pk, section=here, read=True, at=AT + timedelta(hours=n))
    for slug in ("there", "lab", "rhythm")[:rows]:
        keep_note(
            learner_id=learner.pk,
            section=Section.objects.get(slug=slug, chapter__slug="small"),
            text=slug,
            at=AT,
        )
    _, statements = counted(lambda: write_export(learner.pk, AT))
    assert len(statements) == len(TABLES) + 4  # the text of the notes takes four in one course


def test_download_is_a_zip_of_ones_own_that_nobody_keeps(lived, signed_in):
    asked = signed_in.post(EXPORT)
    assert asked["Location"].startswith("/accounts/reauthenticate/")
    answer = signed_in.post(asked["Location"], {"password": "correct horse battery"})
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].startswith('attachment; filename="studyhub-')
    assert "no-store" in answer["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as parcel:
        assert "canary-mine" in parcel.read("notes.md").decode()


def test_guest_takes_along_what_this_browser_keeps(lived, client):
    client.post("/c/small-course/small/note/", {"section": "here", "text": "a guest's note"})
    with zipfile.ZipFile(io.BytesIO(b"".join(client.post(EXPORT).streaming_content))) as parcel:
        assert "a guest's note" in parcel.read("notes.md").decode()
        assert "canary" not in parcel.read("notes.md").decode()


def test_stranger_has_nothing_to_take_along(db, client):
    assert client.post(EXPORT).status_code == 404
    assert Client().get(EXPORT).status_code == 405


def test_settings_offer_the_download_to_those_who_keep_something(signed_in, client, db):
    assert f'action="{EXPORT}"' in signed_in.get("/settings/").content.decode()
    assert f'action="{EXPORT}"' not in Client().get("/settings/").content.decode()
