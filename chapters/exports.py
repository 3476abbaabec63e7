"""What a learner takes along of this storey: places, marks of reading, notes and marked words."""

from __future__ import annotations

from chapters.models import CheckpointMark, Highlight, Note, ObjectiveEvidence, Place, SectionRead
from chapters.queries import NotedSection, notes_page
from chapters.queries.notes import noted_courses
from studyhub.accounts.exporting import Table

SECTION = {
    "course": "section__chapter__course__slug",
    "chapter": "section__chapter__slug",
    "section": "section__slug",
}
OWN = (
    Table(
        file="places.json",
        model=Place,
        owner="learner_id",
        columns={**SECTION, "anchor": "anchor", "at": "at"},
        order=("at", "pk"),
        left_out={"chapter": "the section's chapter is the same"},
    ),
    Table(
        file="sections-read.json",
        model=SectionRead,
        owner="learner_id",
        columns={**SECTION, "wording": "fingerprint", "paragraphs": "paragraphs", "at": "at"},
        order=("at", "pk"),
    ),
    Table(
        file="checkpoints.json",
        model=CheckpointMark,
        owner="learner_id",
        columns={
            "course": "checkpoint__chapter__course__slug",
            "chapter": "checkpoint__chapter__slug",
            "checkpoint": "checkpoint__slug",
            "html": "checkpoint__html",
            "ticked": "ticked",
            "at": "at",
        },
        order=("at", "pk"),
    ),
    Table(
        file="objectives.json",
        model=ObjectiveEvidence,
        owner="learner_id",
        columns={
            "course": "objective__chapter__course__slug",
            "chapter": "objective__chapter__slug",
            "objective": "objective__slug",
            "html": "objective__html",
            "answered": "answered",
            "right": "right",
            "last_at": "last_at",
        },
        order=("pk",),
    ),
    Table(
        file="notes.json",
        model=Note,
        owner="learner_id",
        columns={**SECTION, "title": "section__title", "text": "text", "at": "at"},
        order=("at", "pk"),
    ),
    Table(
        file="marks.json",
        model=Highlight,
        owner="learner_id",
        columns={
            **SECTION,
            "paragraph": "anchor",
            "start": "start",
            "end": "end",
            "quote": "quote",
            "at": "at",
        },
        order=("at", "pk"),
    ),
)

# Tables of nobody in particular (accounts.erasing): what packs brought.
NOBODYS = dict.fromkeys(
    [
        *(
            "chapters_course",
            "chapters_release",
            "chapters_domain",
            "chapters_source",
            "chapters_misconception",
        ),
        *("chapters_chapter", "chapters_chaptersheet", "chapters_objective", "chapters_section"),
        *("chapters_sectionwording", "chapters_checkpoint", "chapters_resource", "chapters_passage"),
    ],
    "the course as its pack says it",
)


def notes_as_text(learner_id: int) -> str:
    """All notes and marked words as Markdown, by course and in reading order (a few queries for each course)."""
    lines = ["# Your notes", ""]
    for slug in noted_courses(learner_id):
        page = notes_page(slug, learner_id)
        lines += [f"## {page.course.title}", ""]
        for chapter in page.chapters:
            lines += [f"### {chapter.title}", ""]
            for section in chapter.sections:
                lines += _section(section)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: NotedSection) -> list[str]:
    lines = [f"#### {section.title}", ""]
    for mark in section.kept.marks:
        lines += [*(f"> {line}" for line in mark.quote.splitlines()), ""]
    if section.kept.text:
        lines += [section.kept.text, ""]
    return lines
