"""Words marked in extracts."""

import re
from collections import Counter
from importlib import import_module

import pytest
from django.db import connection

from chapters.models import Passage
from chapters.queries import passages
from chapters.queries.passages import asked, extracts
from tests.quizzes.play import counted

HEADLINE = """
SELECT text, tsvector_to_array(to_tsvector('english', %(asked)s)), ts_headline(
    'english', translate(text, %(signs)s, %(blanks)s), websearch_to_tsquery('english', %(asked)s),
    'HighlightAll=true, StartSel=[[, StopSel=]]'
) FROM chapters_passage
WHERE course_id = %(course)s AND words @@ websearch_to_tsquery('english', %(asked)s)
"""


def marked(html):
    """The words that are marked, in lower case."""
    return re.findall("\\w+", " ".join(re.findall("\x02(.*?)\x03", html)).lower())


@pytest.fixture
def nothing_met(monkeypatch):
    monkeypatch.setattr(passages, "STEMMED", {})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("stems", "text", "shown"),
    [
        (["memori"], "Memory, memories and a memo.", "[Memory], [memories] and a memo."),
        (["quantiz"], "“Quantized”: requantize it.", "“[Quantized]”: requantize it."),
        (["per-channel", "per", "channel"], "Per-channel scales per tensor", "[Per-channel] scales [per] tensor"),
        (["16"], "16 bits, 16.1 GB, 2.16, FP16 and 16.", "[16] bits, 16.1 GB, 2.16, FP16 and [16]."),
        (["3.5"], "Version 3.5 or 13.5 or 3.51", "Version [3.5] or 13.5 or 3.51"),
        (["kv"], "İ kv_cache a×kv<kv>", "İ [kv]_cache a×[kv]<[kv]>"),
        (["c"], "C and c++ and cc", "[C] and [c]++ and cc"),
        ([], "Nothing", "Nothing"),
    ],
)  # fmt: skip
def test_words_with_the_stem_are_marked(stems, text, shown):
    assert extracts([text], stems) == [shown.replace("[", "\x02").replace("]", "\x03")]


@pytest.mark.parametrize(
    "words",
    ["quantization", "KV cache", "per-channel scale", '"tensor parallelism"', "memories", "8-bit weights"],
)
def test_marks_are_those_of_postgres_in_the_shipped_course(course, words, monkeypatch):
    monkeypatch.setattr(import_module("studyhub.text.extracts"), "LONGEST", 10_000)
    given = {**asked(words, course.pk), "signs": passages.SIGNS, "blanks": passages.BLANKS}
    with connection.cursor() as cursor:
        cursor.execute(HEADLINE, given)
        rows = cursor.fetchall()
    assert rows
    shown = extracts([text for text, _, _ in rows], rows[0][1])
    ours = [Counter(marked(one)) for one in shown]
    theirs = [Counter(marked(one.replace("[[", "\x02").replace("]]", "\x03"))) for _, _, one in rows]
    assert all(ask <= give for ask, give in zip(theirs, ours, strict=True))
    extra = sum(one.total() for one in ours) - sum(one.total() for one in theirs)
    assert extra <= 2  # "bits/weight" is one word to Postgres


@pytest.mark.django_db
def test_stem_is_asked_for_once(nothing_met):
    _, first = counted(lambda: extracts(["Caches cached", "cache"], ["cach"]))
    _, again = counted(lambda: extracts(["cached, caches"], ["cach"]))
    assert (len(first), len(again)) == (1, 0)


@pytest.mark.django_db
def test_stems_do_not_grow_without_end(nothing_met, monkeypatch):
    monkeypatch.setattr(passages, "MOST_STEMMED", 3)
    for text in ("caches cached", "cacher caching"):
        extracts([text], ["cach"])
    assert set(passages.STEMMED) == {"cacher", "caching"}


@pytest.mark.django_db
def test_index_of_words_has_no_list_of_new_rows():
    with connection.cursor() as cursor:
        cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'passage_words'")
        assert cursor.fetchone() == (["fastupdate=off"],)
    assert [one.name for one in Passage._meta.indexes] == ["passage_words"]
