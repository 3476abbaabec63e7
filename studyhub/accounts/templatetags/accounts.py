"""Words for the templates about accounts."""

from __future__ import annotations

import re

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
_SIDE = re.compile(r'viewBox="0 0 (\d+) \1"')
_DOTS = re.compile(r'\bd="([MHVz0-9,]+)"')


@register.filter
def picture(svg: str) -> SafeString:
    """Draw the square code of an authenticator app inside the page: the policy admits no data: images.

    Only the dots of ``svg`` are taken over; anything else in it is left out.
    """
    side, dots = _SIDE.search(svg), _DOTS.search(svg)
    if side is None or dots is None:
        return SafeString("")
    return format_html(
        '<svg class="qr" role="img" aria-label="The key below as a picture for an authenticator app" '
        'width="200" height="200" viewBox="0 0 {0} {0}"><path d="{1}"/></svg>',
        side[1],
        dots[1],
    )
