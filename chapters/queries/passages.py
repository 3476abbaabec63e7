"""Search in what anybody may read of a course: titles, objectives, paragraphs, checkpoints.

``PASSAGES`` is one branch of the statement with which the desk looks everywhere at once: it stands below ``ASKED`` and
wants the parameters of ``asked``. Everything that leaves here is plain text; what matched stands between ``BEGIN`` and
``END``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection
from django.urls import reverse

from studyhub.text.extracts import extract_of, likely_for, likely_words

# What Postgres would take for a tag or an entity, or, where its locale is C, for letters of the word beside it.
SIGNS = "<>&“”„‘’«»–—…·×÷−→≤≥±≈°•"
BLANKS = " " * len(SIGNS)
ASKED_FOR = str.maketrans({**dict.fromkeys(SIGNS, " "), **dict.fromkeys("“”„«»", '"')})
HYPHEN = re.compile(
    r"(?<=[^\W\d_])-(?=[^\W\d_])"
)  # kv-cache is KV cache too; beside a digit it may be a sign
MOST_STEMMED = 20_000  # words whose stems are kept in each process
MOST_ADDRESSES = 4096
STEMMED: dict[str, frozenset[str]] = {}  # words met in results, with their stems: facts that never change

# The question, read once for the statement: with all of its words, and with any of them (all, where some are shut
# out); its stems; whether there is anything to look for, since a question may only shut words out. The statement's plan
# then does not depend on the question, and Postgres may keep it.
ASKED = """
WITH given AS MATERIALIZED (SELECT websearch_to_tsquery('english', %(asked)s) AS strict), asked AS MATERIALIZED (
    SELECT strict,
        CASE WHEN strpos(strict::text, '!') > 0 THEN strict
            ELSE replace(strict::text, ' & ', ' | ')::tsquery END AS loose,
        tsvector_to_array(to_tsvector('english', %(asked)s)) AS stems,
        querytree(strict) NOT IN ('', 'T') AS asks
    FROM given
)
"""
STRICT, LOOSE = "(SELECT strict FROM asked)", "(SELECT loose FROM asked)"
# How near to each other the words stand counts where there are several; for a single one half the work is enough.
RANKS = {True: "ts_rank_cd", False: "ts_rank"}
PASSAGES = """
SELECT 'passage' AS source, id, {rank}(words, {sought}, 1) AS rank, {complete} AS complete
FROM chapters_passage WHERE course_id = %(course)s AND words @@ {sought}
"""
# What to show of the passages among the hits, in the same statement: another one would cost more than they do.
PLACE = """passage.kind, passage.page, passage.anchor, passage.heading, passage.text,
    chapter.slug, chapter.number, chapter.title"""
PLACES = """
LEFT JOIN chapters_passage passage ON hit.source = 'passage' AND passage.id = hit.id
LEFT JOIN chapters_chapter chapter ON chapter.id = passage.chapter_id
"""
Placed = tuple[str, str, str, str, str, str, int, str]  # the columns of PLACE
STEMS = """
SELECT word, tsvector_to_array(to_tsvector('english', word)) FROM unnest(%(words)s::text[]) AS one(word)
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


def asked(text: str, course_pk: int) -> dict[str, Any]:
    """The parameters of the statement that looks for this question in a course."""
    return {"asked": HYPHEN.sub(" ", text.translate(ASKED_FOR)), "course": course_pk}


def passages_shown(
    places: Mapping[int, Placed], stems: Collection[str], course_slug: str
) -> dict[int, PassageHit]:
    """The passages that were found, by id, each with the extract in which most words have one of ``stems``.

    No query but that of ``extracts``.
    """
    told = extracts([place[4] for place in places.values()], stems)
    return {
        pk: PassageHit(
            kind=kind,
            url=_street(page, course_slug, slug) + (f"#{anchor}" if anchor else ""),
            heading=heading,
            chapter_number=number,
            chapter_title=title,
            lab=page == "lab",
            extract=extract,
        )
        for (pk, (kind, page, anchor, heading, _, slug, number, title)), extract in zip(
            places.items(), told, strict=True
        )
    }


@lru_cache(maxsize=MOST_ADDRESSES)
def _street(page: str, course_slug: str, slug: str) -> str:
    return reverse(page, args=[course_slug, slug])


def extracts(texts: Sequence[str], stems: Collection[str]) -> list[str]:
    """Of each text the part to show, with the words marked that have one of ``stems``.

    No query; one where a word may match of which this process has not asked before what its stem is.
    """
    likely = likely_for(frozenset(stems))
    found = [likely_words(text, likely) for text in texts]
    met = {word.text for words in found for word in words}
    _learn(met - STEMMED.keys())
    counted = {word for word in met if not STEMMED[word].isdisjoint(stems)}
    return [
        extract_of(text, [word.span for word in words if word.text in counted])
        for text, words in zip(texts, found, strict=True)
    ]


def _learn(words: Collection[str]) -> None:
    """Ask for the stems of these words (one query; none for no words)."""
    if not words:
        return
    with connection.cursor() as cursor:
        cursor.execute(STEMS, {"words": list(words)})
        found = {word: frozenset(stems) for word, stems in cursor.fetchall()}
    if len(STEMMED) + len(found) > MOST_STEMMED:
        STEMMED.clear()
    STEMMED.update(found)
