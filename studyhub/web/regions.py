"""Answer with a whole page or with the one region htmx asked for, set from ready-made pieces."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import get_template
from django.template.response import TemplateResponse
from django.utils.cache import patch_vary_headers

from studyhub.web.form_token import form_token
from studyhub.web.request import LearnerRequest
from studyhub.web.splice import TOKEN, Pieces, SetPage, set_page, takes_gzip, whole_gzipped

VARY = ("Accept-Encoding", "HX-Request", "HX-Target")
KEPT: OrderedDict[Hashable, SetPage] = OrderedDict()
MOST_KEPT = 256  # pages kept in each process

Context = Mapping[str, object] | Callable[[], Mapping[str, object]]


def page(
    request: LearnerRequest,
    template: str,
    context: Context,
    *,
    regions: Collection[str] = (),
    status: int = 200,
    kept: Hashable = None,
) -> HttpResponse:
    """Render ``template``, or only the region htmx asked for (one of ``regions``).

    A region that this page does not have (a redirect led elsewhere) gets the whole page, which htmx then visits.
    With ``kept``, a key that names everything the page depends on, the page is rendered once per process and key,
    and ``context`` may be a function that is called only then.
    """
    wanted = _wanted(request)
    name = f"{template}#{wanted}" if wanted in regions else template
    key = (name, kept) if kept is not None and not _messages_wait(request) else None
    response: HttpResponse
    if key in KEPT:
        KEPT.move_to_end(key)
        response = KeptResponse(request, KEPT[key], status)
    else:
        response = SplicedResponse(
            request, name, dict(context() if callable(context) else context), status, key
        )
    if wanted and wanted not in regions and request.method == "GET":
        response.headers["HX-Redirect"] = request.get_full_path()
    return response


def followed(
    request: LearnerRequest, address: str, show: Callable[[], HttpResponse], *, regions: Collection[str]
) -> HttpResponse:
    """Answer a POST that was kept: see ``address``, or, for htmx, at once the region that it would fetch from there."""
    if _wanted(request) in regions:
        return show()
    return HttpResponse(status=303, headers={"Location": address})


def at_once(
    request: LearnerRequest, template: str, region: str, context: Mapping[str, object]
) -> HttpResponse:
    """Give one region that is seen once: rendered from ``context`` and the form token alone, compressed as a whole.

    No context processor runs, and nothing is kept: what an answer is answered with should cost little else than its
    own text.
    """
    found = {**context, "csrf_token": form_token(request)}
    text = get_template(f"{template}#{region}").render(found).encode()
    response = HttpResponse(headers={"Vary": "Cookie"})
    _pack(request, response, lambda: text, lambda: whole_gzipped(text))
    return response


def _wanted(request: LearnerRequest) -> str | None:
    """The region that htmx asks for: as ``request.htmx`` has it, which reads every header first."""
    meta = request.META
    if meta.get("HTTP_HX_REQUEST") != "true" or meta.get("HTTP_HX_HISTORY_RESTORE_REQUEST") == "true":
        return None
    target: str | None = meta.get("HTTP_HX_TARGET")
    return target


def _messages_wait(request: LearnerRequest) -> bool:
    """Whether a message is to be shown, so that this page is like no other."""
    waiting = getattr(request, "_messages", None)
    return bool(waiting is not None and len(waiting))


def fill(request: HttpRequest, response: HttpResponse, set_: SetPage) -> None:
    """Give ``response`` the page with this visitor's token, compressed where the browser takes it."""
    token = ""
    if len(set_.runs) > 1:
        token = form_token(request)
        patch_vary_headers(response, ("Cookie",))
    _pack(request, response, lambda: set_.plain(token), lambda: set_.gzipped(token))


def _pack(
    request: HttpRequest, response: HttpResponse, plain: Callable[[], bytes], gzipped: Callable[[], bytes]
) -> None:
    patch_vary_headers(response, VARY)
    if takes_gzip(request.META.get("HTTP_ACCEPT_ENCODING", "")):
        response.headers["Content-Encoding"] = "gzip"
        response.content = gzipped()
    else:
        response.content = plain()
    response.headers["Content-Length"] = str(len(response.content))


class KeptResponse(HttpResponse):
    """A page that was set before, with this visitor's token."""

    def __init__(self, request: HttpRequest, set_: SetPage, status: int) -> None:
        super().__init__(status=status)
        self.set_page: SetPage | None = set_
        fill(request, self, set_)


class SplicedResponse(TemplateResponse):
    """A page that is rendered with marks and then set. ``set_page`` holds it without its token afterwards."""

    def __init__(
        self, request: LearnerRequest, template: str, context: dict[str, Any], status: int, key: Hashable
    ) -> None:
        super().__init__(request, template, context, status=status)
        self.pieces = Pieces()
        self.key = key
        self.set_page: SetPage | None = None
        self.at_once = key is None and "#" in template  # a small region, seen once: compressed as a whole
        if self.at_once:
            context["csrf_token"] = form_token(request)
            patch_vary_headers(self, ("Cookie",))
        else:
            context["pieces"] = self.pieces
            context["csrf_token"] = TOKEN
        patch_vary_headers(self, VARY)

    def render(self) -> SplicedResponse:
        """Render, set, keep where that is wanted, and fill in the token."""
        if not self.is_rendered:
            if self.at_once:
                text = self.rendered_content.encode()
                _pack(self._request, self, lambda: text, lambda: whole_gzipped(text))
                return self
            self.set_page = set_page(self.rendered_content, self.pieces)
            if self.key is not None:
                KEPT[self.key] = self.set_page
                while len(KEPT) > MOST_KEPT:
                    KEPT.popitem(last=False)
            fill(self._request, self, self.set_page)
        return self
