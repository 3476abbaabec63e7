"""The yardstick: one Django view without middleware, on the same web server with the same workers.

The module is its own settings: ``python -m tests.bench.bare PORT`` serves it until it is ended.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

SECRET_KEY = "a yardstick keeps no secrets"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "tests.bench.bare"
MIDDLEWARE: list[str] = []
INSTALLED_APPS: list[str] = []
USE_I18N = False


def bare(request: HttpRequest) -> HttpResponse:
    """Two bytes and nothing else."""
    return HttpResponse("ok")


urlpatterns = [path("", bare)]


def load(target: str) -> Any:
    """The application, in a new worker."""
    return get_wsgi_application()


def serve(port: int) -> None:
    """As ``studyhub.web.serving.run`` does it, without a database and without StudyHub."""
    from granian.constants import Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.bare"
    get_wsgi_application()
    server = Server(
        "tests.bench.bare:application",
        address="127.0.0.1",
        port=port,
        interface=Interfaces.WSGI,
        workers=2,
        blocking_threads=1,
        blocking_threads_idle_timeout=600,
        log_level=LogLevels.warning,
        log_access=False,
    )
    gc.collect()
    gc.freeze()
    server.serve(target_loader=load)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
