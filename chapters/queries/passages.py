"""Search in what anybody may read of a course: titles, objectives, paragraphs, checkpoints.

``PASSAGES`` is one branch of the statement with which the desk looks everywhere at once; it wants the parameters of
``asked``. Everything that leaves here is plain text; what matched stands between ``BEGIN`` and ``END``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import Any

from django.db import connection
from django.urls import reverse

BEGIN, END = "\x02", "\x03"  # around what matched; the loader lets neither into a text
# What Postgres would take for a tag or an entity, or, where its locale is C, for letters of the word beside it.
SIGNS = "<>&“”„‘’«»–—…·×÷−→≤≥±≈°•"
BLANKS = " " * len(SIGNS)
LONGEST, RUN_UP = 320, 120  # characters of an extract, and of them before what matched
ASKED_FOR = str.maketrans({**dict.fromkeys(SIGNS, " "), **dict.fromkeys("“”„«»", '"')})
MOST_WORDS = 6  # of a question that are looked up for a likely slip
LEAST_ALIKE = 0.75  # Ratcliff and Obershelp's likeness (difflib) from which a word is suggested
MOST_COURSES = 8  # whose words are kept in each process

# All words of the question, and any of them (all, where some are shut out). A question that only shuts words out, or
# has none to look for, is no question.
ALL = "websearch_to_tsquery('english', %(asked)s)"
SOME = f"""(
    SELECT CASE WHEN strpos({ALL}::text, '!') > 0 THEN {ALL} ELSE replace({ALL}::text, ' & ', ' | ')::tsquery END
)"""
ASKS = f"querytree({ALL}) NOT IN ('', 'T')"
PASSAGES = """
SELECT 'passage' AS source, id, ts_rank_cd(words, {some}, 1) AS rank, {complete} AS complete
FROM chapters_passage WHERE course_id = %(course)s AND words @@ {some}
"""
HEADLINE = """ts_headline(
    'english', translate({text}, %(signs)s, %(blanks)s), {some},
    'HighlightAll=true, StartSel=' || %(begin)s || ', StopSel=' || %(end)s
)"""
SHOWN = f"""
SELECT passage.id, passage.kind, passage.page, passage.anchor, passage.heading, passage.text,
    chapter.slug, chapter.number, chapter.title, {HEADLINE.format(text="passage.text", some=SOME)}
FROM chapters_passage passage JOIN chapters_chapter chapter ON chapter.id = passage.chapter_id
WHERE passage.id = ANY(%(ids)s)
"""  # noqa: S608 our own text
UNKNOWN = """
SELECT word FROM unnest(%(typed)s::text[]) WITH ORDINALITY AS one(word, place)
WHERE numnode(plainto_tsquery('english', word)) > 0 AND NOT EXISTS (
    SELECT 1 FROM chapters_passage
    WHERE course_id = %(course)s AND words @@ plainto_tsquery('english', word)
) ORDER BY place
"""
WORDS = """
SELECT word FROM ts_stat(format(
    'SELECT to_tsvector(''simple'', translate(text, %%L, %%L)) FROM chapters_passage WHERE course_id = %%s',
    %(signs)s::text, %(blanks)s::text, %(course)s::bigint
))
WHERE word ~ '^[a-z][a-z0-9-]{2,30}$' ORDER BY ndoc DESC, word
"""


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage that was found. ``extract`` is plain text with what matched between BEGIN and END."""

    kind: str  # title, objective, paragraph, checkpoint
    url: str
    heading: str  # of the section, or of the chapter
    chapter_number: int
    chapter_title: str
    lab: bool
    extract: str


def asked(text: str, course_pk: int = 0) -> dict[str, Any]:
    """The parameters of every statement about this question; those that look for it want the course."""
    plain = text.translate(ASKED_FOR)
    return {"asked": plain, "course": course_pk, "signs": SIGNS, "blanks": BLANKS, "begin": BEGIN, "end": END}


def extract_of(headline: str, text: str) -> str:
    """The part of ``text`` in which most of what was looked for stands, of some 320 characters.

    ``headline``: the whole text as Postgres marked it, with blanks for signs. Shorter texts stay whole; a part begins
    with a sentence where one begins near, and … says where the text goes on.
    """
    spans, at = [], 0
    for number, piece in enumerate(re.split(f"[{BEGIN}{END}]", headline)):  # every second piece matched
        if number % 2:
            spans.append((at, at + len(piece)))
        at += len(piece)
    start, end = _window(text, [span[0] for span in spans])
    told, at = [], start
    for first, last in spans:
        if start <= first and last <= end:
            told += [text[at:first], BEGIN, text[first:last], END]
            at = last
    before, after = "… " if start else "", " …" if end < len(text) else ""
    return f"{before}{''.join(told)}{text[at:end]}{after}"


def _window(plain: str, marks: Sequence[int]) -> tuple[int, int]:
    """(start, end) of the part to show, between words."""
    if len(plain) <= LONGEST or not marks:
        return 0, len(plain) if len(plain) <= LONGEST else plain.rfind(" ", 0, LONGEST)
    best = max(marks, key=lambda here: sum(here <= one < here + LONGEST - RUN_UP for one in marks))
    start = 0
    if best > LONGEST - RUN_UP:
        sentence = max(plain.rfind(sign, best - RUN_UP, best) for sign in (". ", "? ", ": "))
        start = sentence + 2 if sentence >= 0 else plain.rfind(" ", 0, best - 20) + 1
    if len(plain) <= start + LONGEST:
        return start, len(plain)
    end = plain.rfind(" ", start, start + LONGEST)
    return start, end if end > start else start + LONGEST


def passages_shown(ids: Collection[int], text: str, course_slug: str) -> dict[int, PassageHit]:
    """The passages with these ids, each with the extract that matches ``text`` best (one query; none for no ids)."""
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(SHOWN, {**asked(text), "ids": list(ids)})
        rows = cursor.fetchall()
    return {
        pk: PassageHit(
            kind=kind,
            url=reverse(page, args=[course_slug, slug]) + (f"#{anchor}" if anchor else ""),
            heading=heading,
            chapter_number=number,
            chapter_title=title,
            lab=page == "lab",
            extract=extract_of(headline, whole),
        )
        for pk, kind, page, anchor, heading, whole, slug, number, title, headline in rows
    }


def suggestion_for(text: str, course_pk: int, release_pk: int) -> str:
    """The question with words that the course does not have changed to the likest ones it has; "" without any.

    One query, one more the first time in a process at a release.
    """
    typed = list(dict.fromkeys(re.findall(r"[a-z][a-z0-9-]{2,30}", text.lower())))[:MOST_WORDS]
    if not typed:
        return ""
    with connection.cursor() as cursor:
        cursor.execute(UNKNOWN, {"typed": typed, "course": course_pk})
        unknown = [word for (word,) in cursor.fetchall()]
    better = {word: likest(word, words_of(course_pk, release_pk)) for word in unknown} if unknown else {}
    changed = text
    for word, other in better.items():
        if other:
            changed = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", other, changed, flags=re.IGNORECASE)
    return changed if changed.lower() != text.lower() else ""


def likest(word: str, words: Sequence[str]) -> str:
    """The word that is most like ``word``, the more frequent of two; "" where none is at least 0.75 alike.

    ``words`` begin with the most frequent one.
    """
    letters = set(word)
    near = [
        one
        for one in words
        if abs(len(one) - len(word)) <= 3 and len(letters & set(one)) >= len(letters) // 2 and one != word
    ]
    close = get_close_matches(word, near, n=5, cutoff=LEAST_ALIKE)
    places = {one: place for place, one in enumerate(near)}
    return min(
        close, key=lambda one: (-round(SequenceMatcher(None, one, word).ratio(), 1), places[one]), default=""
    )


@lru_cache(maxsize=MOST_COURSES)
def words_of(course_pk: int, release_pk: int) -> tuple[str, ...]:
    """The words of a course's passages at a release, the most frequent first; one query the first time in a process."""
    with connection.cursor() as cursor:
        cursor.execute(WORDS, asked("", course_pk))
        return tuple(word for (word,) in cursor.fetchall())
