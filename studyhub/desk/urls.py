"""Addresses of the learner's own pages."""

from django.urls import path

from studyhub.desk import views

urlpatterns = [
    path("", views.home, name="home"),
    path("progress/", views.progress, name="progress"),
    path("c/<slug:course>/", views.course, name="course"),
    path("c/<slug:course>/search/", views.search, name="search"),
]
