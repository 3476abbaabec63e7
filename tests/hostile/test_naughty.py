"""Texts that careless programs break: kept, shown and taken along exactly as they were typed.

Proves goal 6 (0 of 485 + 41 changed or shown wrongly). White space at either end of a field of one line does not count;
a line ends with a line feed, however it came; NUL is refused, never cut out.
"""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from uuid import uuid4

import pytest
from django.test import Client

from chapters.models import Note, Section
from quizzes.actions import start_attempt
from quizzes.models import Attempt, CardTry, QuestionReport, Quiz, Response
from studyhub.accounts.exports import write_export
from studyhub.accounts.models import User
from tests.conftest import CHAPTER, COURSE, NOON
from tests.hostile.strings import OWN, naughty
from tests.quizzes.play import send
from tests.studyhub.text.judge import parse

CARD = "weights-estimate"
PAGE = f"/c/{COURSE}/{CHAPTER}/"
SEPARATOR = "\n~\n"


def plain(text: str) -> str:
    """The text with line feeds as ends of lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def packed(longest: int) -> list[str]:
    """All of them, as many to a text as it may hold."""
    found: list[str] = []
    for one in map(plain, naughty()):
        if found and len(found[-1]) + len(SEPARATOR) + len(one) < longest:
            found[-1] += SEPARATOR + one
        else:
            found.append(f"~\n{one}")
    return [f"{one}{SEPARATOR}" for one in found]


def shown(answer, tag: str, **wanted: str) -> list[str]:
    """The text of elements of this sort, as a browser holds it: the judge's parser strips what HTML forbids to none."""
    assert answer.status_code == 200
    found = [one for one in parse(answer.content.decode()).iter(tag) if wanted.items() <= one.attrib.items()]
    return [one.get("value") if tag == "input" else "".join(one.itertext()) for one in found]


def exported(learner: User, file: str) -> list[dict[str, str]]:
    with write_export(learner.pk, NOON) as made, zipfile.ZipFile(BytesIO(made.read())) as parcel:
        return json.loads(parcel.read(file))


@pytest.mark.django_db
def test_notes_and_words_of_cards_stay_as_they_were_typed(signed_in, learner, course):
    section = (
        Section.objects.filter(kind="section", chapter__slug=CHAPTER, retired_at=None).order_by("pk").first()
    )
    for text in packed(9_000):
        seen = "".join(one.at.isoformat() for one in Note.objects.all())
        assert (
            signed_in.post(f"{PAGE}note/", {"section": section.slug, "text": text, "seen": seen}).status_code
            == 303
        )
        assert Note.objects.get().text == text.strip()
        assert text.strip() in shown(signed_in.get(PAGE), "textarea", name="text")
        assert [one["text"] for one in exported(learner, "notes.json")] == [text.strip()]
    for text in packed(19_000):
        CardTry.objects.all().delete()
        assert signed_in.post(f"/c/{COURSE}/cards/{CARD}/words/", {"words": text}).status_code == 303
        assert CardTry.objects.get().words == text
        assert shown(signed_in.get(f"/c/{COURSE}/cards/{CARD}/"), "textarea", name="words") == [text]


@pytest.mark.django_db
def test_reports_stay_as_they_were_typed(signed_in, learner, attempt):
    send(attempt, 1)
    for text in packed(1_900):
        QuestionReport.objects.all().delete()
        asked = {"q": 1, "reason": "other", "option": "", "text": text}
        assert signed_in.post(f"/attempts/{attempt.pk}/report/", asked).status_code == 302
        assert QuestionReport.objects.get().text == text.strip()
        said = shown(signed_in.get("/reports/"), "blockquote")  # its lines as paragraphs
        assert "".join("".join(said).split("\n")) == "".join(text.strip().split("\n"))


@pytest.mark.django_db
def test_names_stay_as_they_were_typed_or_are_refused(signed_in, learner):
    for text in naughty():
        answer = signed_in.post("/settings/", {"name": text, "time_zone": "UTC"})
        if len(text.strip()) > 120:
            assert answer.status_code == 422
            continue
        assert answer.status_code in {302, 303}
        assert User.objects.get(pk=learner.pk).name == text.strip()
    for text in naughty()[::12]:
        User.objects.filter(pk=learner.pk).update(name=text[:120])
        assert shown(signed_in.get("/settings/"), "input", name="name") == [plain(text[:120])]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["short", "cloze"])
def test_typed_answers_stay_as_they_were_typed(signed_in, learner, course, kind):
    quiz = Quiz.objects.filter(
        questions__current__kind=kind, course=course, purpose="quiz", retired_at=None
    ).first()
    for text in (one.strip() for one in OWN):
        attempt = start_attempt(learner_id=learner.pk, quiz=quiz, fresh=True, at=NOON)
        slot = attempt.slots.select_related("version").filter(version__kind=kind).first()
        gaps = len(slot.version.body["gaps"]) if kind == "cloze" else 1
        body = {"q": slot.position, "key": str(uuid4()), "choice": [text] * gaps}
        assert signed_in.post(f"/attempts/{attempt.pk}/", body).status_code == 303
        response = Response.objects.get(slot=slot)
        assert (response.parts or [response.typed]) == [text] * gaps
        assert any(
            plain(text) in one
            for one in shown(signed_in.get(f"/attempts/{attempt.pk}/?q={slot.position}"), "main")
        )


NUL = ["\x00", "before\x00after", "\x00" * 50]


@pytest.mark.django_db
@pytest.mark.parametrize("text", NUL, ids=range(len(NUL)))
def test_nul_is_refused_in_words_and_nothing_is_kept(signed_in, learner, attempt, text):
    section = Section.objects.filter(kind="section", chapter__slug=CHAPTER).order_by("pk").first()
    doors = {
        f"{PAGE}note/": {"section": section.slug, "text": text},
        f"/c/{COURSE}/cards/{CARD}/words/": {"words": text},
        f"/attempts/{attempt.pk}/report/": {"q": 1, "reason": "other", "text": text},
        "/settings/": {"name": text, "time_zone": "UTC"},
        f"/attempts/{attempt.pk}/": {"q": 1, "choice": text, "key": "0" * 32},
    }
    for door, body in doors.items():
        for answer in (signed_in.post(door, body), Client().post(door, body)):
            assert (answer.status_code, b"NUL" in answer.content) == (400, True), door
    assert [Note.objects.count(), CardTry.objects.count(), QuestionReport.objects.count()] == [0, 0, 0]
    assert Attempt.objects.count() == 1
