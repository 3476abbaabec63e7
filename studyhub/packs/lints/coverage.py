"""What a pack promises and does not keep: objectives without questions, sources nobody cites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studyhub.packs.draft import ChapterDraft, Fault, PackDraft
from studyhub.packs.formats.prose import find_citations
from studyhub.packs.formats.report import shown


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts for the end of a check. ``bare_domains``: titles of domains that have no chapter yet."""

    chapters: int
    sections: int
    questions: int
    drafts: int
    bare_domains: tuple[str, ...]


def coverage(pack: PackDraft) -> Coverage:
    """Count what the pack holds."""
    used = {chapter.domain for chapter in pack.chapters}
    questions = [question for quiz in pack.quizzes for question in quiz.questions]
    domains = pack.course.domains if pack.course else ()
    return Coverage(
        chapters=len(pack.chapters),
        sections=sum(len(chapter.sections) for chapter in pack.chapters),
        questions=len(questions),
        drafts=sum(question.draft for question in questions),
        bare_domains=tuple(domain.title for domain in domains if domain.slug not in used),
    )


def lint_coverage(pack: PackDraft) -> list[Fault]:
    """W410: objectives without question. W411: domains with chapters and none. W412: uncited sources."""
    return [*_objectives(pack), *_domains(pack), *_sources(pack)]


def _objectives(pack: PackDraft) -> Iterator[Fault]:
    asked = {
        (quiz.chapter, slug)
        for quiz in pack.quizzes
        for question in quiz.questions
        for slug in question.objectives
    }
    for chapter in pack.chapters:
        for objective in chapter.objectives:
            if (chapter.slug, objective.slug) not in asked:
                what = f'no question asks for objective "{shown(objective.slug)}"'
                mend = f'Write one with "objectives: {objective.slug}", or delete the objective.'
                yield Fault(chapter.path, objective.line, "W410", what, mend)


def _domains(pack: PackDraft) -> Iterator[Fault]:
    asked = {quiz.chapter for quiz in pack.quizzes if quiz.questions}
    for domain in pack.course.domains if pack.course else ():
        chapters = [chapter.slug for chapter in pack.chapters if chapter.domain == domain.slug]
        if chapters and not asked.intersection(chapters):
            what = f'domain "{shown(domain.title)}" has a chapter and no question'
            yield Fault("course.md", domain.line, "W411", what, "Write a quiz for one of its chapters.")


def _sources(pack: PackDraft) -> Iterator[Fault]:
    cited = {slug for quiz in pack.quizzes for question in quiz.questions for slug in question.sources}
    for text in _texts(pack):
        cited.update(slug for slug, _ in find_citations(text.split("\n")))
    for source in pack.course.sources if pack.course else ():
        if source.slug not in cited:
            what = f'source "{shown(source.slug)}" is never cited'
            mend = f"Cite it as [@{source.slug}] or in a question's source:, or delete it."
            yield Fault(source.path, source.line, "W412", what, mend)


def _texts(pack: PackDraft) -> Iterator[str]:
    if pack.course:
        yield pack.course.intro_md
    for chapter in pack.chapters:
        yield from _chapter_texts(chapter)
    for quiz in pack.quizzes:
        yield quiz.intro_md
        for question in quiz.questions:
            yield "\n".join((question.stem_md, question.body_md, question.explanation_md))
            yield from (option.rationale_md for option in question.options)
            yield from (typed.rationale_md for typed in question.typed)
            yield from (part.rationale_md for part in question.parts)


def _chapter_texts(chapter: ChapterDraft) -> Iterator[str]:
    yield chapter.purpose_md
    yield from (section.body_md for section in chapter.sections)
    yield from (objective.text_md for objective in chapter.objectives)
    yield from (checkpoint.text_md for checkpoint in chapter.checkpoints)
