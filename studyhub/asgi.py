"""The ASGI door, for servers that speak nothing else; WSGI is the tested and faster one."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studyhub.settings")
application = get_asgi_application()
