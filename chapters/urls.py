"""Addresses of chapters and of what belongs to a course. /c/<course>/ is the desk's, its quizzes/ are storey 4's."""

from django.urls import path

from chapters import views

urlpatterns = [
    path("c/<slug:course>/about/", views.about, name="about"),
    path("c/<slug:course>/notes/", views.notes.notes, name="notes"),
    path("c/<slug:course>/notes/unmark/", views.notes.unmark, name="unmark"),
    path("c/<slug:course>/<slug:chapter>/", views.chapter, name="chapter"),
    path("c/<slug:course>/<slug:chapter>/history/", views.history.chapter_history, name="chapter_history"),
    path("c/<slug:course>/<slug:chapter>/lab/", views.lab, name="lab"),
    path("c/<slug:course>/<slug:chapter>/mark/", views.notes.mark, name="mark"),
    path("c/<slug:course>/<slug:chapter>/note/", views.notes.note, name="note"),
    path("c/<slug:course>/<slug:chapter>/place/", views.place, name="place"),
    path("c/<slug:course>/<slug:chapter>/read/", views.read, name="read"),
    path("c/<slug:course>/<slug:chapter>/tick/", views.tick, name="tick"),
]
