"""Tags for pages: shelved prose, days and moments in the learner's zone."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def shelf(context: template.Context, html: str) -> SafeString:
    """Put in HTML that was rendered and sanitised when the pack was loaded, without compressing it again."""
    pieces = context.get("pieces")
    return mark_safe(pieces.leave_mark(html) if pieces is not None else html)  # noqa: S308 sanitised at load time


@register.filter
def day(value: date | datetime | None) -> str:
    """A day as 12 Nov, with the year when it is another one."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        value = timezone.localtime(value).date()
    this_year = timezone.localdate().year
    return f"{value.day} {value:%b}" if value.year == this_year else f"{value.day} {value:%b} {value.year}"


@register.filter
def moment(value: datetime | None) -> str:
    """A moment as 12:03 today and 12 Nov, 12:03 otherwise, in the learner's zone."""
    if value is None:
        return ""
    local = timezone.localtime(value)
    clock = f"{local:%H:%M}"
    return clock if local.date() == timezone.localdate() else f"{day(local)}, {clock}"


@register.filter
def percent(part: Any, whole: Any) -> str:
    """A share as 75 %, or nothing of nothing."""
    return f"{round(100 * float(part) / float(whole))} %" if whole else ""
