"""Chapters: parts known by name, anchors, settings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studyhub.packs.formats.chapter import ChapterRead, read_chapter
from studyhub.packs.formats.course import read_course

TEXT = """---
kind: chapter
id: water
number: 4
title: "Water: the basics"
domain: tea
minutes: 30
needs: [kettle, cup]
---

Water first.

## Objectives

- Say how hot, with $T$. {#heat}
- Say how long. {#time}

## Why heat matters {#why}
objectives: heat, time
minutes: 8

Green leaves scald. {#scald}

### Smaller {#smaller}

![A cup](../media/cup.svg "A cup") {#fig-cup}

- one {#first}
- two {#second}

> [!MISCONCEPTION] {#boil-all}
> "Boil them all."

```text
{#not-an-anchor}
```

## Mini-lab: cool a cup {#lab}
minutes: 20

Wait.

## Study rhythm {#rhythm}

Twice.

## Checkpoint

- [ ] I can say {0, 1}. {#say, objectives: heat, time}

## Resources

- [On (good) water](https://water.example/a_(b)) {watch, Water Press, 12 min, checked 2026-11-30}
"""


def read() -> ChapterRead:
    return read_chapter(TEXT, "chapters/water.md")


def test_chapter_with_everything() -> None:
    chapter = read().draft
    assert read().faults == ()
    assert chapter is not None
    assert (chapter.title, chapter.number, chapter.minutes, chapter.needs) == (
        "Water: the basics",
        4,
        30,
        ("kettle", "cup"),
    )
    assert chapter.purpose_md == "Water first."
    assert [(one.slug, one.text_md, one.line) for one in chapter.objectives] == [
        ("heat", "Say how hot, with $T$.", 15),
        ("time", "Say how long.", 16),
    ]
    assert [(one.slug, one.kind, one.title_md, one.minutes) for one in chapter.sections] == [
        ("why", "section", "Why heat matters", 8),
        ("lab", "lab", "cool a cup", 20),
        ("rhythm", "rhythm", "Study rhythm", None),
    ]
    assert chapter.sections[0].objectives == ("heat", "time")
    assert (chapter.sections[0].line, chapter.sections[0].body_line) == (18, 22)
    (checkpoint,) = chapter.checkpoints
    assert (checkpoint.slug, checkpoint.text_md, checkpoint.objectives) == (
        "say",
        "I can say {0, 1}.",
        ("heat", "time"),
    )
    (resource,) = chapter.resources
    assert (resource.title, resource.url, resource.kind) == (
        "On (good) water",
        "https://water.example/a_(b)",
        "watch",
    )
    assert (resource.publisher, resource.minutes, resource.checked) == ("Water Press", 12, "2026-11-30")


def test_anchors_of_paragraphs_headings_figures_and_callouts() -> None:
    assert read().anchors == {
        *("why", "scald", "smaller", "fig-cup", "first", "second", "boil-all", "lab", "rhythm")
    }


def test_own_sources_are_collected() -> None:
    text = TEXT.replace(
        "minutes: 30", 'sources:\n  leaf: "A. Leaf: On leaves, 2020, https://leaf.example/on"'
    )
    (source,) = read_chapter(text, "chapters/water.md").sources
    assert (source.text, source.url, source.line) == (
        "A. Leaf: On leaves, 2020",
        "https://leaf.example/on",
        8,
    )


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400), st.integers(0, len(TEXT)))
def test_any_text_is_read_without_raising(text: str, place: int) -> None:
    whole = TEXT[:place] + text + TEXT[place:]
    for reading in (read_chapter(whole, "chapters/a.md"), read_course(whole, "course.md")):
        assert all(fault.line >= 1 for fault in reading.faults)


def test_chapter_id_that_the_site_needs_itself_is_refused() -> None:
    read = read_chapter(TEXT.replace("id: water", "id: quizzes"), "chapters/water.md")
    told = [(fault.line, fault.code, fault.what) for fault in read.faults if fault.code == "E016"]
    assert told == [(3, "E016", 'the site has a page of its own at "quizzes"')]


@pytest.mark.parametrize(
    ("line", "edit", "told"),
    [
        ("edit: typo\n", "typo", []),
        ("edit: substantive\n", "substantive", []),
        ("", "", []),
        ("edit: \n", "", []),
        ("edit: big\n", "", ["E108"]),
        ("edits: typo\n", "", ["E103"]),
    ],
)
def test_authors_word_on_an_edit(line, edit, told):
    read = read_chapter(TEXT.replace("minutes: 8\n", f"minutes: 8\n{line}"), "chapters/water.md")
    assert read.draft is not None
    assert read.draft.sections[0].edit == edit
    assert [fault.code for fault in read.faults] == told


@pytest.mark.parametrize("slug", ["history", "mistakes", "notes", "search"])
def test_page_that_every_course_has_is_no_chapter(slug):
    read = read_chapter(TEXT.replace("id: water", f"id: {slug}"), "chapters/water.md")
    assert "E016" in [fault.code for fault in read.faults]
