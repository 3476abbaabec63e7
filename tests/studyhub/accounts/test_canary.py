"""Something unmistakable in everything personal: all of it is taken along, none of it stays (trust.md 1.19, goal 15).

Which columns are personal is found from the models: every column that can hold text, of every table that leads to a
person. A column that refuses free words is listed here, so that a new one is looked at.
"""

import subprocess
import zipfile
from collections import Counter
from datetime import timedelta

import pytest
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.core.management import call_command
from django.db import Error, connection, models, transaction

from chapters.actions import keep_place, mark_checkpoint, mark_section
from chapters.models import Checkpoint, Highlight, Objective, ObjectiveEvidence, Section
from quizzes.models import Correction, RejectedResponse, Rescored, Response
from studyhub.accounts.actions import erase_person
from studyhub.accounts.erasing import NOBODYS
from studyhub.accounts.exporting import NOT_TAKEN, TABLES
from studyhub.accounts.exports import write_export
from studyhub.accounts.models import Session, User
from studyhub.accounts.sessions import SessionStore
from studyhub.postgres.dump import conninfo
from studyhub.postgres.programs import installed
from tests.conftest import CHAPTER, NOON
from tests.matrix.actors import everyone
from tests.matrix.things import made
from tests.studyhub.accounts.test_exports import leading_to_people

TAKEN = {one.model: one for one in TABLES}
REFUSE = {  # the database lets only certain words into these
    "accounts.Membership.role",
    "quizzes.QuestionReport.reason",
    "quizzes.QuestionReport.state",
    "quizzes.Response.state",
    "quizzes.Slot.state",
}
STAYS = "quizzes.QuestionReport", "option"  # names an option of the question: what is in doubt for everybody
READ_AS_TEXT = {"chapters.Note.text", "chapters.Highlight.quote"}  # stand in notes.md too
SAID = {"options", "typed", "parts"}  # an answer stands in words too, beside its parts
PEOPLE_WORDS = {"person", "people", "user", "learner", "actor", "author", "owner", "member", "by"}


def path_to_person(model):
    """The shortest way from a table to its person, as the registry says or along the foreign keys."""
    if model in TAKEN:
        return TAKEN[model].owner
    ways, seen = [("", model)], set()
    while True:
        path, here = ways.pop(0)
        for one in here._meta.concrete_fields:
            if one.is_relation and one.related_model is User:
                return f"{path}{one.name}"
            if one.is_relation and one.related_model not in seen:
                seen.add(one.related_model)
                ways.append((f"{path}{one.name}__", one.related_model))


def textual(field):
    """Whether a column holds text, in whatever shape."""
    kinds = (models.CharField, models.TextField, models.JSONField, ArrayField, models.GenericIPAddressField)
    return isinstance(field, kinds) and not field.is_relation


def shaped(field, token, number):
    """(what to put into a column, what to look for)."""
    if isinstance(field, models.GenericIPAddressField):
        return (f"203.0.113.{number}",) * 2
    if isinstance(field, models.EmailField):
        return (f"{token}@example.net",) * 2
    return ([token] if isinstance(field, (models.JSONField, ArrayField)) else token), token


def scattered(person):
    """Put a word of its own into every personal column; gives word -> (table, column), and columns that refused."""
    words, refused = {}, set()
    for model in sorted(leading_to_people(), key=lambda one: one._meta.label):
        fields = [one for one in model._meta.concrete_fields if textual(one)]
        row = model._default_manager.filter(**{path_to_person(model): person.pk}).order_by("pk").first()
        assert row is not None or not fields, f"{model._meta.label}: nothing to put a word into"
        for field in sorted(fields, key=lambda one: one.primary_key):
            number = len(words) + len(refused) + 1
            value, word = shaped(field, f"zq{number:03}x", number)
            try:
                with transaction.atomic():
                    changed = model._default_manager.filter(pk=row.pk).update(**{field.name: value})
            except Error:
                refused.add(f"{model._meta.label}.{field.name}")
            else:
                assert changed == 1
                words[word] = model, field.name
    return words, refused


def live_fully(owner):
    """A row of every table that can be somebody's, beside what everybody of the matrix has."""
    person = owner.user
    section = Section.objects.filter(kind="section", chapter__slug=CHAPTER).order_by("pk").first()
    keep_place(learner_id=person.pk, section=section, anchor="", at=NOON)
    mark_section(learner_id=person.pk, section=section, read=True, at=NOON)
    Highlight.objects.create(
        learner=person, section=section, anchor="a", start=0, end=4, quote="word", at=NOON
    )
    checkpoint = Checkpoint.objects.filter(chapter__slug=CHAPTER).first()
    mark_checkpoint(learner_id=person.pk, checkpoint=checkpoint, ticked=True, at=NOON)
    ObjectiveEvidence.objects.get_or_create(
        learner=person, objective=Objective.objects.filter(chapter__slug=CHAPTER).first()
    )
    response = Response.objects.filter(learner=person).order_by("pk").first()
    RejectedResponse.objects.create(
        slot_id=response.slot_id, learner=person, key=response.key, reason="late", at=NOON
    )
    made(owner)
    Correction.objects.update(set_aside_at=NOON, set_aside_by=person, set_aside_reason="why")
    Rescored.objects.create(
        correction=Correction.objects.get(), response=response, fraction_before=0, fraction_after=1
    )
    address = EmailAddress.objects.get(user=person)
    EmailConfirmation.objects.create(email_address=address, key="a-key", sent=NOON)
    Authenticator.objects.create(user=person, type="totp", data={})
    UserSession.objects.create(user=person, ip="192.0.2.1", session_key="a", user_agent="a browser")


def dumped():
    """What pg_dump writes of each table: table -> its lines, counted."""
    address, environment = conninfo(connection.get_connection_params())
    program = installed() / "pg_dump"
    done = subprocess.run(
        [program, "--data-only", "--no-owner", f"--dbname={address}"],
        env=environment, capture_output=True, check=True, text=True,
    )  # fmt: skip
    tables, here = {}, None
    for line in done.stdout.splitlines():
        if line.startswith("COPY public."):
            here = tables.setdefault(line.split()[1].removeprefix("public.").strip('"'), Counter())
        elif line == "\\.":
            here = None
        elif here is not None:
            here[line] += 1
    return tables


@pytest.fixture
def lived(transactional_db, course, settings, tmp_path):
    settings.EMAIL_FILE_PATH = tmp_path
    actors = everyone()
    live_fully(actors["owner"])
    return actors


def under_way(**values):
    store = SessionStore()
    store.update(values)
    store.save()
    return store.session_key


def test_every_personal_word_is_taken_along_exactly_once(lived):
    owner = lived["owner"].user
    words, refused = scattered(owner)
    assert refused == REFUSE
    assert len(words) > 30
    with zipfile.ZipFile(write_export(owner.pk, NOON)) as parcel:
        files = {name: parcel.read(name).decode() for name in parcel.namelist()}
    assert [one for one in expected(words) if not found_as(files, *one)] == []


def test_no_personal_word_is_left_and_no_row_of_others_is_changed(lived, settings):
    owner = lived["owner"].user
    words, _ = scattered(owner)
    before, own = dumped(), owned(owner)
    assert {table for table in before if any(map(names(words), before[table]))} == {
        model._meta.db_table for model, _ in words.values()
    }
    erase_person(person_id=owner.pk)
    after = dumped()
    left = [line.split("\t") for table in after.values() for line in table if names(words)(line)]
    (as_option,) = (word for word, (model, name) in words.items() if (model._meta.label, name) == STAYS)
    assert [one for line in left for one in line if names(words)(one)] == [as_option]
    assert [one for one in files_in(settings.MEDIA_ROOT) if names(words)(one)] == []

    lost = {table: (lines - after[table]).total() for table, lines in before.items()}
    new = {table: (lines - before[table]).total() for table, lines in after.items()}
    for table in ("quizzes_questionreport", "quizzes_correction"):  # stay without words and person
        own[table] = new.pop(table)
    assert {table: n for table, n in lost.items() if n} == {table: n for table, n in own.items() if n}
    assert new.pop("quizzes_answercount") > 0
    assert set(new.values()) == {0}


def test_letters_and_sessions_under_way_that_name_the_person_go_and_others_stay(lived, tmp_path):
    owner, other = lived["owner"].user, lived["classmate"].user
    gone = {
        under_way(**{LOGIN_SESSION_KEY: {"user_pk": user_pk_to_url_str(owner), "email": None}}),
        under_way(_messages=f"A letter went to {owner.email.upper()}."),
    }
    stays = {
        under_way(**{LOGIN_SESSION_KEY: {"user_pk": user_pk_to_url_str(other), "email": None}}),
        under_way(_messages=f"A letter went to more-{owner.email} and to {owner.email}.uk"),
    }
    for name, to in (("gone", owner.email), ("stays", f"un{owner.email}"), ("stays-too", other.email)):
        (tmp_path / f"{name}.log").write_text(f"To: {to}\n\n{to}: hello")
    erase_person(person_id=owner.pk)
    kept = set(Session.objects.values_list("session_key", flat=True))
    assert (kept & gone, kept & stays) == (set(), stays)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["stays-too.log", "stays.log"]


def owned(person):
    """How many rows of each table are this person's."""
    found = Counter()
    for model in leading_to_people() - {Correction}:
        found[model._meta.db_table] = model._default_manager.filter(
            **{path_to_person(model): person.pk}
        ).count()
    return found


def names(words):
    """Whether one of the words stands in a line."""
    return lambda line: any(word in line for word in words)


def files_in(folder):
    return [one.read_text("utf-8", "replace") for one in folder.rglob("*") if one.is_file()]


def expected(words):
    """(word, files it has to stand in, whether it may stand there more than once)."""
    for word, (model, column) in words.items():
        table = TAKEN.get(model)
        taken = table is not None and column in table.columns.values()
        where = {table.file} if taken else set()
        if f"{model._meta.label}.{column}" in READ_AS_TEXT:
            where |= {"notes.md"}
        yield word, where, model in {Response, RejectedResponse} and column in SAID
    assert {model._meta.label for model, _ in words.values()} <= set(NOT_TAKEN) | {
        one.model._meta.label for one in TABLES
    }


def found_as(files, word, where, often):
    counts = {name: text.count(word) for name, text in files.items() if word in text}
    return set(counts) == where and (often or set(counts.values()) <= {1})


@pytest.mark.django_db
def test_of_every_table_in_the_database_it_is_said_what_becomes_of_it():
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
    personal = {model._meta.db_table for model in leading_to_people()}
    assert personal & set(NOBODYS) == set()
    assert personal | set(NOBODYS) == tables
    assert all(len(what) > 15 for what in NOBODYS.values())


def test_no_column_is_named_as_a_person_without_leading_to_one():
    found = {
        f"{model._meta.label}.{one.name}"
        for model in apps.get_models(include_auto_created=True)
        for one in model._meta.concrete_fields
        if PEOPLE_WORDS & set(one.name.split("_"))
        and not one.is_relation
        and not isinstance(one, models.BooleanField)
    }
    assert found == {
        "usersessions.UserSession.user_agent",
        "accounts.AuditEvent.actor_id",  # a plain number, which leads to nobody once its person is gone
    }


@pytest.mark.django_db
def test_erasing_by_the_sweep_leaves_no_guest_either(course):
    guest = everyone()["guest"].user
    long_ago = NOON - timedelta(days=60)
    User.objects.filter(pk=guest.pk).update(seen_on=long_ago.date(), joined_at=long_ago, name="zq-guest")
    call_command("sweep_guests")
    assert not User.objects.filter(pk=guest.pk).exists()
    assert not Session.objects.filter(person_id=guest.pk).exists()
