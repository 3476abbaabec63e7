"""What somebody may have meant who asked for words that nothing they can find has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from django.db import connection

from chapters.queries.passages import BLANKS, SIGNS
from studyhub.text.spelling import likest

MOST_WORDS = 6  # of a question that are looked up for a likely slip
MOST_COURSES = 8  # whose words are kept in each process
# A word that begins with a letter; one behind a minus is shut out, and stays as it is.
TYPED = re.compile(r"(?<![\w-])[a-z][a-z0-9-]{2,30}(?![\w-])")

# Of the words typed those with whose stem nothing is found: no passage, no front of a card, no question answered.
UNKNOWN = """
SELECT word FROM unnest(%(typed)s::text[]) WITH ORDINALITY AS one(word, place),
    LATERAL (SELECT plainto_tsquery('english', word) AS sought) asked
WHERE numnode(sought) > 0
    AND NOT EXISTS (SELECT 1 FROM chapters_passage WHERE course_id = %(course)s AND words @@ sought)
    AND NOT EXISTS (
        SELECT 1 FROM quizzes_card WHERE course_id = %(course)s AND retired_at IS NULL AND words @@ sought
    )
    AND NOT EXISTS (
        SELECT 1 FROM quizzes_questionversion version
        JOIN quizzes_response response ON response.version_id = version.id
        JOIN quizzes_question question ON question.id = version.question_id
        JOIN quizzes_quiz quiz ON quiz.id = question.quiz_id
        WHERE version.words @@ sought AND response.learner_id = %(learner)s AND quiz.course_id = %(course)s
    )
ORDER BY place
"""
# Words that anybody may read: no question's stem is among them, and no card's back.
WORDS = """
SELECT word FROM ts_stat(format(
    'SELECT to_tsvector(''simple'', translate(text, %%1$L, %%2$L)) FROM chapters_passage WHERE course_id = %%3$s
    UNION ALL SELECT to_tsvector(''simple'', translate(front_text, %%1$L, %%2$L)) FROM quizzes_card
    WHERE course_id = %%3$s AND retired_at IS NULL',
    %(signs)s::text, %(blanks)s::text, %(course)s::bigint
))
WHERE word ~ '^[a-z][a-z0-9-]{2,30}$' ORDER BY ndoc DESC, word
"""


@dataclass(frozen=True, slots=True)
class Meant:
    """``text``: the question with likelier words, "" without any; ``lost``: whether none of its own is known."""

    text: str = ""
    lost: bool = False


def meant_by(text: str, course_pk: int, release_pk: int, learner_id: int | None) -> Meant:
    """The question with each word that finds nothing changed to the likeliest of the course's words.

    A word of which any form is found stays. One query, one more the first time in a process at a release.
    """
    typed = list(dict.fromkeys(TYPED.findall(text.lower())))[:MOST_WORDS]
    if not typed:
        return Meant()
    with connection.cursor() as cursor:
        cursor.execute(UNKNOWN, {"typed": typed, "course": course_pk, "learner": learner_id})
        unknown = [word for (word,) in cursor.fetchall()]
    if not unknown:
        return Meant()
    words = words_of(course_pk, release_pk)
    better = {word: likest(word, words) for word in unknown}
    changed = text
    for word, other in better.items():
        if other:
            changed = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", other, changed, flags=re.IGNORECASE)
    return Meant(changed if changed != text else "", lost=len(unknown) == len(text.split()))


@lru_cache(maxsize=MOST_COURSES)
def words_of(course_pk: int, release_pk: int) -> tuple[str, ...]:
    """The words of a course at a release, the most frequent first; one query the first time in a process."""
    with connection.cursor() as cursor:
        cursor.execute(WORDS, {"course": course_pk, "signs": SIGNS, "blanks": BLANKS})
        return tuple(word for (word,) in cursor.fetchall())
