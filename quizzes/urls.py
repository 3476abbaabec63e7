"""Addresses of quizzes and attempts."""

from django.urls import path

from quizzes import views

urlpatterns = [
    path("c/<slug:course>/quizzes/<slug:quiz>/", views.quiz, name="quiz"),
    path("c/<slug:course>/quizzes/<slug:quiz>/start/", views.start, name="start"),
    path("attempts/<uuid:attempt_id>/", views.attempt, name="attempt"),
    path("attempts/<uuid:attempt_id>/flag/", views.flag, name="flag"),
    path("attempts/<uuid:attempt_id>/skip/", views.skip, name="skip"),
    path("attempts/<uuid:attempt_id>/finish/", views.finish, name="finish"),
    path("attempts/<uuid:attempt_id>/review/", views.review, name="review"),
]
