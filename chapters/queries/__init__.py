"""Page-shaped reads of storey 3."""

from chapters.queries.courses import course_named, course_page, course_sources, courses, places_of, view_of
from chapters.queries.pages import (
    chapter_page,
    chapter_sheet,
    evidence_of,
    lab_page,
    objective_state,
    paragraph_labels,
)
from chapters.queries.shapes import (
    ChapterPage,
    CheckpointView,
    CoursePage,
    CourseView,
    DomainView,
    LabView,
    NoteView,
    ObjectiveView,
    Place,
    QuizLink,
    ResourceView,
    SectionView,
)
from chapters.queries.sheets import Sheet, build_sheet, course_view, sheet_of

__all__ = [
    "ChapterPage",
    "CheckpointView",
    "CoursePage",
    "CourseView",
    "DomainView",
    "LabView",
    "NoteView",
    "ObjectiveView",
    "Place",
    "QuizLink",
    "ResourceView",
    "SectionView",
    "Sheet",
    "build_sheet",
    "chapter_page",
    "chapter_sheet",
    "course_named",
    "course_page",
    "course_sources",
    "course_view",
    "courses",
    "evidence_of",
    "lab_page",
    "objective_state",
    "paragraph_labels",
    "places_of",
    "sheet_of",
    "view_of",
]
