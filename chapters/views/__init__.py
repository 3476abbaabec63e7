"""Storey 3 in the browser: one module for each kind of page."""

from chapters.views import history, notes
from chapters.views.reading import about, chapter, lab, place, read, tick

__all__ = ["about", "chapter", "history", "lab", "notes", "place", "read", "tick"]
