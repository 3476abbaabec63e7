"""One file with everything, put back equal; a damaged one is refused before anything is touched (trust.md 2, goal 10)."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections

from quizzes.actions import start_attempt
from quizzes.models import Attempt
from studyhub.accounts.models import User
from studyhub.postgres import PostgresProblem
from studyhub.web import backups, diagnosis, manifest
from tests.conftest import NOON
from tests.quizzes.play import send
from tests.studyhub.web.ledger import table_prints

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lived(quiz, learner, settings, tmp_path):
    """A site with answers and a picture."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.MEDIA_ROOT.mkdir()
    (settings.MEDIA_ROOT / "figure.svg").write_bytes(b"<svg/>" * 999)
    attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=False, at=NOON)
    send(attempt, 1)
    send(attempt, 4, right=False)
    return attempt


@pytest.fixture
def backup(lived, tmp_path):
    return backups.write_backup(tmp_path / "out" / "all.tar", NOON)


@pytest.fixture
def empty(lived):
    """The site is pointed at a second, empty database, gone afterwards; the name of its own."""
    own, name = connection.settings_dict["NAME"], f"restored_{os.getpid()}"
    with psycopg.connect(**address("postgres"), autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    point_at(name)
    yield own
    point_at(own)
    with psycopg.connect(**address("postgres"), autocommit=True) as server:
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def address(name):
    known = ("host", "port", "user", "password")
    given = connection.get_connection_params()
    return {"dbname": name, **{key: given[key] for key in known if given.get(key)}}


def point_at(name):
    connections["default"].close()
    connections["default"].settings_dict["NAME"] = name


def test_backup_put_into_an_empty_database_is_equal_table_by_table(backup, lived, empty, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "other-media"
    assert backups.restore_backup(backups.read_backup(backup.path), replace=False) == []
    assert Attempt.objects.get(pk=lived.pk).answered == 2
    assert (settings.MEDIA_ROOT / "figure.svg").read_bytes() == b"<svg/>" * 999
    again = backups.write_backup(tmp_path / "out" / "again.tar", NOON)
    assert again.tables == backup.tables
    assert len(again.tables) > 40
    assert sum(n for n, _ in again.tables.values()) > 1000
    User.objects.create_user(
        "new@example.org", "correct horse battery"
    )  # the sequences went on where they were


def test_constraints_and_indexes_come_back(backup, empty, tmp_path):
    def shape():
        with connection.cursor() as cursor:
            cursor.execute("""
                SELECT conrelid::regclass::text, conname,
                    CASE contype WHEN 'c' THEN conkey::text ELSE pg_get_constraintdef(oid) END
                FROM pg_constraint WHERE connamespace = 'public'::regnamespace
                UNION ALL SELECT tablename, indexname, split_part(indexdef, ' WHERE ', 1) FROM pg_indexes WHERE schemaname = 'public'
                ORDER BY 1, 2, 3
            """)  # conditions are put into other words when they are read again
            return cursor.fetchall()

    backups.restore_backup(backup, replace=False)
    restored = shape()
    assert len(restored) > 150
    point_at(empty)
    assert shape() == restored


def test_backup_holds_its_moment_while_the_site_writes(lived, learner, tmp_path, monkeypatch):
    dump = backups.programs.dump

    def dump_later(*given, **named):
        User.objects.create_user("late@example.org", "correct horse battery")
        dump(*given, **named)

    monkeypatch.setattr(backups.programs, "dump", dump_later)
    made = backups.write_backup(tmp_path / "moment.tar", NOON)
    assert User.objects.count() == made.tables["accounts_user"][0] + 1


def test_only_the_owner_may_read_a_backup_and_nothing_is_left_beside_it(backup):
    assert backup.path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in backup.path.parent.iterdir()] == ["all.tar"]


def cut_at(share):
    return lambda raw: raw[: int(len(raw) * share)]


def flipped(raw):
    at = len(raw) // 2
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


@pytest.mark.parametrize(
    "spoil",
    [cut_at(0), cut_at(0.001), cut_at(0.3), cut_at(0.7), cut_at(0.98), flipped, lambda raw: b"PK\x03\x04" + raw,
     lambda raw: os.urandom(4096), lambda raw: b"<html>" * 999],
    ids=["empty", "header", "third", "most", "nearly whole", "one bit", "zip", "noise", "a page"],
)  # fmt: skip
def test_damaged_or_foreign_file_is_refused_and_nothing_is_touched(backup, spoil, tmp_path):
    bad = tmp_path / "bad.tar"
    bad.write_bytes(spoil(backup.path.read_bytes()))
    before = table_prints()
    with pytest.raises(CommandError, match=r"Nothing was restored\. .*bad\.tar"):
        call_command("restore", str(bad), "--replace", stdout=StringIO())
    assert table_prints() == before


def rewritten(backup, path, **changed):
    """The same backup with another manifest."""
    with tarfile.open(backup.path) as old, tarfile.open(path, "w") as new:
        for member in old:
            body = old.extractfile(member).read()
            if member.name == "manifest.json":
                body = json.dumps(json.loads(body) | changed).encode()
                member.size = len(body)
            new.addfile(member, io.BytesIO(body))
    return path


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"format": 99}, "newer StudyHub"),
        ({"migrations": ["quizzes.9999_from_the_future"]}, "9999_from_the_future is not known"),
        ({"product": "something"}, "something else"),
        ({"files": []}, "manifest in .* is odd"),
        ({"tables": {"accounts_user": 5}}, "is odd: accounts_user"),
        ({"sequences": []}, "is odd: sequences"),
        ({"shape": 5}, "is odd: shape"),
        *(
            ({"files": {"database.dump": [1, "0"], name: [1, "0"]}}, "is odd")
            for name in (
                "media//tmp/x",
                "media/../x",
                "media/.",
                "media/",
                "database.dumpX",
                "media/a/../../x",
                "/x",
            )
        ),
        ({"files": {"database.dump": [1, "0"]}}, "cut off or changed|does not name"),
    ],
)
def test_backup_of_a_newer_or_other_program_says_so(backup, tmp_path, changed, words):
    with pytest.raises(backups.BackupProblem, match=words):
        backups.read_backup(rewritten(backup, tmp_path / "other.tar", **changed))


def test_file_that_the_list_does_not_name_is_refused(backup, tmp_path):
    with tarfile.open(backup.path, "a") as parcel:
        (tmp_path / "x").write_text("x")
        parcel.add(tmp_path / "x", "../../x")
    with pytest.raises(backups.BackupProblem, match="does not name"):
        backups.read_backup(backup.path)


def test_data_is_replaced_only_when_asked_and_kept_first(backup, lived, settings, tmp_path):
    settings.DATA = tmp_path / "data"
    settings.DATA.mkdir()
    settings.EMBEDDED = False
    User.objects.create_user("since@example.org", "correct horse battery")
    with pytest.raises(CommandError, match="holds data already"):
        call_command("restore", str(backup.path), stdout=StringIO())
    said = StringIO()
    call_command("restore", str(backup.path), "--replace", stdout=said)
    assert "each as in the backup" in said.getvalue()
    assert not User.objects.filter(email="since@example.org").exists()
    (kept,) = backups.folder_of_backups().glob("before-restore-*.tar")
    backups.restore_backup(backups.read_backup(kept), replace=True)
    assert User.objects.filter(email="since@example.org").exists()


def test_dump_that_the_server_refuses_changes_nothing(backup, lived):
    body = backup.path.with_name("broken.dump")
    with tarfile.open(backup.path) as parcel:
        body.write_bytes(parcel.extractfile("database.dump").read()[:-5000])
    before = table_prints()
    with pytest.raises(PostgresProblem, match="it is as it was"):
        backups.programs.load(connection.get_connection_params(), body, clear=True)
    connection.close()
    assert table_prints() == before


def test_verify_reads_a_backup_and_the_running_data(backup, lived):
    said = StringIO()
    call_command("verify", str(backup.path), stdout=said)
    assert "is whole" in said.getvalue()
    call_command("verify", stdout=said)
    assert "Every attempt's sums are those of its recorded answers." in said.getvalue()
    Attempt.objects.filter(pk=lived.pk).update(answered=5)
    with pytest.raises(CommandError, match="Not everything agrees"):
        call_command("verify", stdout=said)
    assert "wrong Every attempt's sums" in said.getvalue()
    assert "1 rows do not" in said.getvalue()


def test_doctor_says_what_is_well_and_what_to_do(lived, settings, tmp_path):
    settings.DATA, settings.EMBEDDED = tmp_path, False
    said = StringIO()
    call_command("doctor", stdout=said)
    text = said.getvalue()
    for words in ("Postgres 1", "acknowledged is on the disk", "No migration is pending", "GB are free", "letters lie in",
                  "There is no backup yet", "differ by 0"):  # fmt: skip
        assert words in text
    settings.DEBUG = True
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    with pytest.raises(CommandError, match="Something is wrong"):
        call_command("doctor", stdout=said)
    assert "does not take letters" in said.getvalue()


def test_unsafe_setting_of_the_server_is_wrong(lived):
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO off")
    try:
        wrong = [one for one in diagnosis.examine(NOON) if one.state == diagnosis.WRONG]
    finally:
        connection.close()
    assert [one.words.split(":")[0] for one in wrong] == ["Postgres runs with synchronous_commit off"]


def test_site_makes_one_backup_a_day(lived, settings, tmp_path):
    from studyhub.web.preparing import back_up_daily

    settings.DATA = tmp_path
    at = datetime(2026, 11, 30, 12, tzinfo=UTC)
    moments = [at, at + timedelta(hours=22), at + timedelta(hours=23), at + timedelta(days=3)]
    assert [back_up_daily(one) for one in moments] == [True, False, True, True]
    assert len(backups.made_by_the_site()) == 3


def test_backups_of_seven_days_and_four_weeks_are_kept():
    start = datetime(2026, 9, 1, 3, tzinfo=UTC)
    made = {Path(f"{n:03}"): start + timedelta(hours=12 * n) for n in range(200)}
    kept = sorted({*made} - {*backups.superfluous(made)})
    days = sorted({made[one].date() for one in kept})
    assert [made[one].hour for one in kept] == [15] * len(kept)  # of two on a day the later one
    assert days[-7:] == [date(2026, 12, 3 + n) for n in range(7)]
    assert days[:-7] == [date(2026, 11, 22), date(2026, 11, 29)]
    assert backups.superfluous({one: made[one] for one in kept}) == []


def test_print_of_a_file_is_its_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert manifest.file_print(tmp_path / "a") == (3, hashlib.sha256(b"abc").hexdigest())


def test_site_backs_up_before_it_changes_the_tables(lived, settings, tmp_path):
    from studyhub.web.preparing import migrate

    settings.DATA = tmp_path
    said: list[str] = []
    call_command("migrate", "quizzes", "0005", verbosity=0)
    migrate(said.append, NOON)
    assert said == ["Making a backup before the tables change.", "Preparing the tables."]
    (made,) = backups.folder_of_backups().glob("before-migration-*.tar")
    assert "quizzes.0006_answer_counts" not in backups.read_backup(made).manifest["migrations"]
    assert backups.read_backup(made).tables["quizzes_response"][0] == 2
    migrate(said.append, NOON)
    assert len(said) == 2


def test_restoring_twice_keeps_what_was_there_and_the_file_itself(lived, settings, tmp_path):
    settings.DATA = tmp_path
    own = backups.back_up_and_rotate(NOON)
    for _ in range(2):
        call_command("restore", str(own.path), "--replace", stdout=StringIO())
    kept = sorted(one.name for one in backups.folder_of_backups().glob("*.tar"))
    assert own.path.exists()
    assert len([one for one in kept if one.startswith("before-restore-")]) == 2
    assert [one for one in backups.folder_of_backups().iterdir() if one.name.startswith(".")] == []


def test_second_backup_of_a_day_lets_the_first_one_be(lived, settings, tmp_path):
    settings.DATA = tmp_path
    first, second = backups.back_up_and_rotate(NOON), backups.back_up_and_rotate(NOON + timedelta(hours=1))
    assert first.path.exists()
    backups.back_up_and_rotate(NOON + timedelta(days=2))
    assert (first.path.exists(), second.path.exists()) == (False, True)
