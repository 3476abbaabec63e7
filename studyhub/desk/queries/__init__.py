"""Page-shaped reads for the learner's own pages."""

from studyhub.desk.queries.course import course_page
from studyhub.desk.queries.home import home_page
from studyhub.desk.queries.progress import progress_page
from studyhub.desk.queries.search import SearchPage, search_page
from studyhub.desk.queries.shapes import ChapterProgress, CourseCard, CourseProgress, HomePage, ProgressPage

__all__ = [
    "ChapterProgress",
    "CourseCard",
    "CourseProgress",
    "HomePage",
    "ProgressPage",
    "SearchPage",
    "course_page",
    "home_page",
    "progress_page",
    "search_page",
]
