"""What a learner kept of a section, by the section's slug."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from chapters.queries.notes import Kept

register = template.Library()


@register.filter
def of(kept: Mapping[str, Kept] | str | None, slug: str) -> Kept | None:
    """What is kept of this section; None of one without a note and marks, and for strangers."""
    return kept.get(slug) if isinstance(kept, Mapping) else None
