"""Answer with a whole page or with the one region htmx asked for, spliced from ready-made pieces."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.utils.cache import patch_vary_headers

from studyhub.web.request import LearnerRequest
from studyhub.web.splice import SplicedResponse


def page(
    request: LearnerRequest,
    template: str,
    context: Mapping[str, object],
    *,
    regions: Collection[str] = (),
    status: int = 200,
) -> SplicedResponse:
    """Render ``template``, or only the region htmx asked for (one of ``regions``).

    A region that this page does not have (a redirect led elsewhere) gets the whole page, which htmx then visits.
    """
    htmx = request.htmx
    wanted = htmx.target if htmx and not htmx.history_restore_request else None
    name = f"{template}#{wanted}" if wanted in regions else template
    response = SplicedResponse(request, name, dict(context), status=status)
    patch_vary_headers(response, ("HX-Request", "HX-Target"))
    if wanted and wanted not in regions and request.method == "GET":
        response.headers["HX-Redirect"] = request.get_full_path()
    return response
