"""What an address can lead to, and what a form there sends."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse

from chapters.models import Chapter, Checkpoint, Note, Section
from quizzes.models import Card, CardTry, Correction, QuestionReport, QuestionVersion, Quiz
from tests.conftest import CHAPTER, COURSE, NOON, QUIZ
from tests.matrix.actors import Actor
from tests.quizzes.play import form, slot_of
from tests.studyhub.web.addresses import patterns

MISSING = "there-is-none"
ASKED_OF_ONE_QUESTION = ("report", "question_past")


@dataclass(frozen=True)
class Things:
    """The rows that addresses name."""

    owner: Actor
    card: str
    report: int
    correction: int
    question: str
    picture: str


def made(owner: Actor) -> Things:
    """Rows beside the shipped course: a retired chapter, quiz and card, a correction that waits."""
    gone = NOON - timedelta(days=1)
    chapter = Chapter.objects.get(course__slug=COURSE, slug=CHAPTER)
    chapter.pk, chapter.slug, chapter.retired_at, chapter._state.adding = None, "gone", gone, True
    chapter.save()
    for row in (
        Quiz.objects.get(course__slug=COURSE, slug=QUIZ),
        Card.objects.filter(course__slug=COURSE).order_by("pk").first(),
    ):
        row.pk, row.slug, row.retired_at, row._state.adding = None, "gone", gone, True
        row.save()
    slot = slot_of(owner.attempt, 1)
    version = QuestionVersion.objects.get(pk=slot.version_id)
    correction = Correction.objects.create(
        question_id=version.question_id, before=version, after=version, made_at=NOON
    )
    picture = next(iter(_pictures()), "nothing.svg")
    return Things(
        owner,
        Card.objects.filter(course__slug=COURSE).order_by("pk").values_list("slug", flat=True)[0],
        QuestionReport.objects.get().pk,
        correction.pk,
        version.question.slug,
        picture,
    )


def _pictures() -> list[str]:
    from django.conf import settings

    folder = settings.MEDIA_ROOT
    return sorted(path.name for path in folder.glob("*.*")) if folder.is_dir() else []


def objects_of(wanted: dict[str, Any]) -> tuple[str, ...]:
    """Which objects a pattern with these arguments can be asked for."""
    if "attempt_id" in wanted:
        return "own", "other", "missing"
    if {"chapter", "quiz", "card"} & set(wanted):
        return "live", "retired", "missing"
    if {"course", "report_id", "correction_id", "name"} & set(wanted):
        return "live", "missing"
    return ("missing",) if wanted else ("-",)


def rows() -> list[tuple[str, str]]:
    """Every (pattern, object) of the site."""
    return [(name, kind) for name, wanted in patterns() for kind in objects_of(wanted)]


def address_of(name: str, kind: str, actor: Actor, things: Things) -> str | None:
    """The address of an object; None for an attempt of one's own where the actor has none."""
    wanted = dict(patterns())[name]
    live = {
        "course": COURSE, "chapter": CHAPTER, "quiz": QUIZ, "card": things.card, "question": things.question,
        "report_id": things.report, "correction_id": things.correction, "name": things.picture,
    }  # fmt: skip
    given: dict[str, Any] = {key: live.get(key, value) for key, value in wanted.items()}
    if "attempt_id" in wanted:
        whose = {"own": actor.attempt, "other": things.owner.attempt}.get(kind)
        if kind == "own" and whose is None:
            return None
        given["attempt_id"] = whose.pk if whose else uuid.UUID(int=7)
    elif kind in {"retired", "missing"}:
        put = next(
            (key for key in ("quiz", "card", "chapter", "course", "report_id", "correction_id", "name") if key in wanted),
            None,
        )  # fmt: skip
        if put:
            given[put] = 987654 if put.endswith("_id") else "gone" if kind == "retired" else MISSING
    return reverse(name, kwargs=given) + ("?q=1" if name in ASKED_OF_ONE_QUESTION else "")


def _seen(actor: Actor, section: Section) -> str:
    """The moment of the actor's note, as the page's form carries it."""
    note = Note.objects.filter(section=section, learner=actor.user).first() if actor.user else None
    return note.at.isoformat() if note else ""


def body_of(name: str, actor: Actor, things: Things) -> dict[str, Any]:
    """What the page's own form sends; every field of every form where the address has none."""
    attempt = actor.attempt or things.owner.attempt
    section = Section.objects.filter(kind="section", chapter__slug=CHAPTER).order_by("pk").first()
    bodies: dict[str, dict[str, Any]] = {
        "attempt": form(slot_of(attempt, 3)),
        "flag": {"q": 2, "state": "on"},
        "skip": {"q": 2},
        "report": {"q": 1, "reason": "other", "option": "", "text": "words"},
        "inbox_report": {"state": "declined", "answer": "It stands."},
        "correct": {"act": ""},
        "note": {"section": section.slug, "text": "words", "seen": _seen(actor, section)},
        "mark": {"section": section.slug, "anchor": "nothing", "start": 0, "quote": "words"},
        "unmark": {"mark": 1},
        "read": {"section": section.slug, "state": "read"},
        "place": {"section": section.slug},
        "tick": {"checkpoint": Checkpoint.objects.filter(chapter__slug=CHAPTER).first().slug, "state": "ticked"},
        "card_words": {"words": "words"},
        "card_compare": {"words": "words"},
        "card_rate": {"try": CardTry.objects.filter(learner_id=things.owner.user.pk).values_list("pk", flat=True)[0]},
        "settings": {"name": "A", "zone": "Europe/Berlin", "time_zone": "Europe/Berlin"},
    }  # fmt: skip
    return bodies.get(name, {"q": 1, "state": "on", "section": section.slug, "words": "x"})
