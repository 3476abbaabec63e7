"""What authors see beside the pages of everybody."""

from __future__ import annotations

from django import template

from quizzes.queries.awaiting import awaiting

register = template.Library()
register.simple_tag(awaiting, name="awaiting")
