"""Cellar: the embedded Postgres server. Plain Python, no Django.

The address is pure (``url``); starting and stopping are explicit (``ensure_running``, ``answers``, ``stop``).
With ``DATABASE_URL`` set nothing of this package is used.
"""

from studyhub.postgres.place import Embedded, url
from studyhub.postgres.problem import PostgresProblem
from studyhub.postgres.server import Running, answers, ensure_running, stop

__all__ = ["Embedded", "PostgresProblem", "Running", "answers", "ensure_running", "stop", "url"]
