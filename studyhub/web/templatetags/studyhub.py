"""Tags for pages: shelved prose, days and moments in the learner's zone."""

from __future__ import annotations

from collections import OrderedDict
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


READY: OrderedDict[tuple[str, ...], SafeString] = OrderedDict()
MOST_READY = 512  # blocks kept in each process


class ReadyNode(template.Node):
    """A part of a page that is the same for everybody as long as its keys are."""

    def __init__(
        self, name: str, keys: list[template.base.FilterExpression], inside: template.NodeList
    ) -> None:
        self.name, self.keys, self.inside = name, keys, inside

    def render(self, context: template.Context) -> SafeString:
        """Render the first time in a process, then take the text that is ready. A form's token stays a mark in it."""
        pieces = context.get("pieces")
        if pieces is None:
            return SafeString(self.inside.render(context))
        key = (self.name, *(str(one.resolve(context)) for one in self.keys))
        text = READY.get(key)
        if text is None:
            text = READY[key] = SafeString(self.inside.render(context))
            while len(READY) > MOST_READY:
                READY.popitem(last=False)
        mark: SafeString = mark_safe(pieces.leave_mark(text))  # noqa: S308 a template's text
        return mark


@register.tag
def ready(parser: template.base.Parser, token: template.base.Token) -> ReadyNode:
    """Mark a block as static: {% ready "name" key … %}…{% endready %}; nothing inside may depend on the learner.

    The keys must name everything the block depends on, such as the course's revision and the section's slug.
    """
    bits = token.split_contents()[1:]
    if not bits:
        raise template.TemplateSyntaxError('{% ready "name" key … %} needs a name')
    inside = parser.parse(("endready",))
    parser.delete_first_token()
    return ReadyNode(bits[0].strip("\"'"), [parser.compile_filter(bit) for bit in bits[1:]], inside)


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
