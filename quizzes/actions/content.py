"""Put the quizzes of a pack on the shelf, inside the loader's one transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any

from django.db import transaction

from chapters.actions import shelve
from chapters.actions.shelve import apply_changes, retire
from chapters.draft import Tally
from chapters.models import Chapter, Course, Objective
from quizzes.actions.corrections import note_correction
from quizzes.draft import OptionGoods, QuestionGoods, QuizGoods
from quizzes.kinds import KINDS
from quizzes.models import Question, QuestionKey, QuestionObjective, QuestionVersion, Quiz

ALIKE = 0.8  # likeness from which a reworded option is taken for the same one


@transaction.atomic
def put_quiz(*, course: Course, goods: QuizGoods, tally: Tally, at: datetime) -> Quiz:
    """Create or change one quiz with its questions; ``was`` renames an earlier slug."""
    known = Quiz.objects.filter(course=course, purpose="quiz")
    quiz = known.filter(slug=goods.slug).first() or (
        known.filter(slug=goods.was).first() if goods.was else None
    )
    columns: dict[str, Any] = {
        "slug": goods.slug,
        "chapter_id": Chapter.objects.get(course=course, slug=goods.chapter).pk,
        "title": goods.title,
        "intro_html": goods.intro_html,
        "retired_at": None,
    }
    if quiz is None:
        quiz = Quiz.objects.create(course=course, **columns)
        tally.add("quiz", "added", goods.slug)
    else:
        tally.add("quiz", "changed" if apply_changes(quiz, columns) else "untouched", goods.slug)
    _put_questions(quiz, goods.questions, tally, at)
    return quiz


@transaction.atomic
def retire_quizzes(*, course: Course, keep: Collection[str], tally: Tally, at: datetime) -> None:
    """Retire the quizzes of a course whose slug is not in ``keep``."""
    retire(Quiz.objects.on_shelf().filter(course=course).exclude(slug__in=keep), "quiz", tally, at)


def _put_questions(quiz: Quiz, goods: Sequence[QuestionGoods], tally: Tally, at: datetime) -> None:
    """Bring the questions in line; each is counted once, by the most that happened to it."""
    _rename(quiz, goods)
    before = {row.slug: row for row in Question.objects.filter(quiz=quiz)}
    wanted = [(one.slug, _question_columns(one)) for one in goods]
    shelved = Tally()
    questions = shelve(Question, {"quiz": quiz}, wanted, shelved, at)
    for slug in shelved.names.get("question", {}).get("retired", []):
        tally.add("question", "retired", slug)
    set_anew = _aim(quiz, questions, goods) | {
        slug for slug, columns in wanted if slug in before and _set_anew(before[slug], columns)
    }
    for slug, outcome in _put_versions(questions, goods, at).items():
        if slug not in before:
            tally.add("question", "added", slug)
        if slug in before or outcome == "draft":
            tally.add("question", "changed" if outcome == "untouched" and slug in set_anew else outcome, slug)


def _set_anew(row: Question, columns: Mapping[str, Any]) -> bool:
    """Whether a question comes back or its settings change; its place in the file is none of them."""
    named = {name: value for name, value in columns.items() if not name.startswith("source_")}
    return row.retired_at is not None or any(getattr(row, name) != value for name, value in named.items())


def _question_columns(goods: QuestionGoods) -> dict[str, Any]:
    return {
        "difficulty": goods.difficulty,
        "facet": goods.facet,
        "read": goods.read,
        "sources": list(goods.sources),
        "tags": list(goods.tags),
        "source_path": goods.path,
        "source_line": goods.line,
    }


def _rename(quiz: Quiz, goods: Sequence[QuestionGoods]) -> None:
    """Give renamed questions their new slug, once: a later question may bear the old one."""
    known = set(Question.objects.filter(quiz=quiz).values_list("slug", flat=True))
    for one in goods:
        if one.was and one.slug not in known:
            Question.objects.filter(quiz=quiz, slug=one.was).update(slug=one.slug)


def _aim(quiz: Quiz, questions: Mapping[str, Question], goods: Sequence[QuestionGoods]) -> set[str]:
    """Make the objectives of the questions what the pack says; their ids are those of the quiz's chapter.

    Returns the slugs of the questions whose objectives changed.
    """
    ids = [question.pk for question in questions.values()]
    objectives = dict(Objective.objects.filter(chapter=quiz.chapter).values_list("slug", "pk"))
    wanted = {
        (questions[one.slug].pk, objectives[slug])
        for one in goods
        for slug in one.objectives
        if slug in objectives
    }
    present = {
        (row.question_id, row.objective_id): row.pk
        for row in QuestionObjective.objects.filter(question_id__in=ids)
    }
    QuestionObjective.objects.filter(
        pk__in=[pk for pair, pk in present.items() if pair not in wanted]
    ).delete()
    QuestionObjective.objects.bulk_create(
        QuestionObjective(question_id=question, objective_id=objective)
        for question, objective in sorted(wanted - set(present))
    )
    moved = {question for question, _ in wanted ^ set(present)}
    return {slug for slug, question in questions.items() if question.pk in moved}


def _put_versions(
    questions: Mapping[str, Question], goods: Sequence[QuestionGoods], at: datetime
) -> dict[str, str]:
    """Give each question the version its goods describe; an unchanged one keeps the row it has.

    Returns what became of each by slug: draft, untouched, reworded or changed.
    """
    ids = [question.current_id for question in questions.values() if question.current_id]
    versions = {row.question_id: row for row in QuestionVersion.objects.filter(pk__in=ids)}
    keys = {row.version_id: row for row in QuestionKey.objects.filter(version_id__in=ids)}
    outcomes: dict[str, str] = {}
    for one in goods:
        question = questions[one.slug]
        if one.draft:  # what was published before stays; a new question waits for its rationales
            outcomes[one.slug] = "draft"
            continue
        version = versions.get(question.pk)
        outcomes[one.slug] = _put_version(
            question, one, version, keys.get(version.pk) if version else None, at
        )
    return outcomes


def _put_version(
    question: Question,
    goods: QuestionGoods,
    version: QuestionVersion | None,
    old: QuestionKey | None,
    at: datetime,
) -> str:
    body, key = _body_and_key(goods, version)
    texts = [goods.stem_html, goods.body_html, goods.explanation_html, goods.kind, goods.points]
    fingerprint = _digest([body, key, texts])
    number, wording, outcome = 1, 1, "changed"
    if version is not None and old is not None:
        if old.fingerprint == fingerprint:
            return "untouched"
        kind = KINDS[goods.kind]
        same = (
            version.kind == goods.kind
            and version.points == goods.points
            and (_digest(kind.meaning(version.body, old.key)) == _digest(kind.meaning(body, key)))
        )
        number, wording = (version.number, version.wording + 1) if same else (version.number + 1, 1)
        outcome = "reworded" if same else "changed"
    columns = {
        name: getattr(goods, name) for name in ("kind", "stem_html", "stem_text", "body_html", "points")
    }
    made = QuestionVersion.objects.create(
        question=question, number=number, wording=wording, body=body, made_at=at, **columns
    )
    QuestionKey.objects.create(
        version=made, key=key, explanation_html=goods.explanation_html, fingerprint=fingerprint
    )
    question.current = made
    question.save(update_fields=["current"])
    if version is not None and made.number != version.number:
        note_correction(question=question, after=made, at=at)
    return outcome


def _body_and_key(
    goods: QuestionGoods, version: QuestionVersion | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    body, key = dict(goods.body), dict(goods.key)
    if goods.options:
        earlier = version.body.get("options", []) if version is not None else []
        slugs = match_options(goods.options, [(one["slug"], one["text"]) for one in earlier])
        body["options"] = [
            {"slug": slug, "html": one.html, "text": one.text}
            for slug, one in zip(slugs, goods.options, strict=True)
        ]
        key["options"] = {
            slug: {
                "right": one.right,
                "weight": one.weight,
                "rationale": one.rationale,
                "misconception": one.misconception,
                "belief": one.belief,
                "read": one.read,
            }
            for slug, one in zip(slugs, goods.options, strict=True)
        }
    return body, key


def match_options(options: Sequence[OptionGoods], earlier: Sequence[tuple[str, str]]) -> list[str]:
    """A slug for each option: the author's, else that of the earlier option with equal text, else of one that is
    at least 0.8 alike, else a new one made from the text. Each earlier slug is given once.
    """
    free = dict(earlier)
    slugs = [one.slug for one in options]
    for slug in slugs:
        free.pop(slug, None)
    for index, one in enumerate(options):
        equal = next((slug for slug, text in free.items() if text == one.text), "")
        if not slugs[index] and equal:
            slugs[index] = equal
            free.pop(equal)
    for index, one in enumerate(options):
        if not slugs[index] and free:
            slug, likeness = max(
                (
                    (slug, SequenceMatcher(None, text, one.text, autojunk=False).ratio())
                    for slug, text in free.items()
                ),
                key=lambda pair: pair[1],
            )
            if likeness >= ALIKE:
                slugs[index] = slug
                free.pop(slug)
    for index, one in enumerate(options):
        slugs[index] = slugs[index] or "o" + hashlib.sha256(one.text.encode()).hexdigest()[:10]
    return slugs


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
