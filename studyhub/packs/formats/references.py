"""What one file says about others, kept until the whole pack is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studyhub.packs.formats.marks import is_id
from studyhub.packs.formats.prose import (
    find_citations,
    find_double_brackets,
    find_html,
    find_invisible,
    find_links,
    resolve,
    scheme_of,
)
from studyhub.packs.formats.report import Report, shown

OUTSIDE = ("http", "https", "mailto")


@dataclass(frozen=True, slots=True)
class Reference:
    """``kind``: domain, chapter, objective, source, misconception, read, link or picture.

    ``value`` is an id; for read "chapter#anchor"; for link and picture "path#anchor", the path in the pack.
    ``owner`` is the chapter's id where the kind needs one (objective).
    """

    path: str
    line: int
    kind: str
    value: str
    owner: str = ""


def refer_prose(lines: Sequence[str], before: int, report: Report) -> list[Reference]:
    """The references in running text; ``before``: number of file lines above it.

    Reports what leaves the pack, raw HTML, and marks that are not ours.
    """
    found: list[Reference] = []
    for link in find_links(lines):
        found.extend(_refer_link(link.target, link.picture, before + link.line + 1, report))
    for slug, at in find_citations(lines):
        if is_id(slug):
            found.append(Reference(report.path, before + at + 1, "source", slug))
        else:
            what = f'"[@{shown(slug)}]" is not a citation'
            report.add(
                before + at + 1,
                "E315",
                what,
                "Write one source in each pair of brackets: [@first] [@second].",
            )
    for at in find_html(lines):
        what = "raw HTML is shown as text"
        report.add(
            before + at + 1, "W110", what, "Write it in Markdown, or put it between backticks if it is code."
        )
    for at in find_invisible(lines):
        what = "invisible letters (direction controls or spaces without width)"
        report.add(
            before + at + 1, "W114", what, "Delete them; they can make text read differently from its source."
        )
    for inner, at in find_double_brackets(lines):
        mend = "Write [text](../chapters/name.md#anchor) with a path inside the pack."
        report.add(before + at + 1, "E314", f'"[[{shown(inner)}]]" is not a link here', mend)
    return found


def _refer_link(target: str, picture: bool, line: int, report: Report) -> list[Reference]:
    scheme = scheme_of(target)
    if picture and (scheme or target.startswith("//")):
        mend = "Put the picture into media/ and write ![…](../media/name.png)."
        report.add(line, "E312", f'picture "{shown(target)}" is not a file of this pack', mend)
        return []
    if scheme:
        if scheme not in OUTSIDE:
            mend = "Link to https, http or mailto, or to a file of the pack."
            report.add(line, "W113", f'a link to "{shown(scheme)}:" is dropped, its text stays', mend)
        return []
    place = resolve(report.path, target)
    if target.startswith("//") or place is None:
        mend = "Use a path inside the pack, such as ../media/name.svg or ../chapters/name.md#anchor."
        report.add(line, "E310", f'"{shown(target)}" leaves the pack', mend)
        return []
    return [Reference(report.path, line, "picture" if picture else "link", "#".join(place))]


def refer_read(value: str, line: int, report: Report) -> list[Reference]:
    """The reference of ``read: chapter#anchor``; reports any other form."""
    chapter, mark, anchor = value.partition("#")
    if not value:
        return []
    if not mark or not is_id(chapter) or not is_id(anchor):
        mend = 'Write "read: chapter-id#anchor"; the anchor stands as {#anchor} at the end of the paragraph.'
        report.add(line, "E316", f'read "{shown(value)}" does not name a paragraph', mend)
        return []
    return [Reference(report.path, line, "read", value)]
