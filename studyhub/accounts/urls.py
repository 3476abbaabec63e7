"""Under /settings/: a person's own page. Sign-up, sign-in and the rest are allauth's, under /accounts/."""

from __future__ import annotations

from django.urls import path

from studyhub.accounts import views

urlpatterns = [
    path("", views.settings_page, name="settings"),
    path("export/", views.export, name="export"),
    path("delete/", views.leave, name="leave"),
    path("deleted/", views.left, name="left"),
    path("sessions/<int:session_id>/end/", views.end_session, name="end_session"),
]
