"""A request that is answered goes at once: what the log keeps of it is no ring that waits for the collector."""

from __future__ import annotations

import gc
import weakref

from django.http import HttpRequest

from studyhub.web.logs import Running


def test_request_goes_when_it_is_answered() -> None:
    gc.disable()
    try:
        request = HttpRequest()
        request.__dict__["running"] = Running(request, "id-of-this", 0.0)
        gone = weakref.ref(request)
        del request
        assert gone() is None
    finally:
        gc.enable()
