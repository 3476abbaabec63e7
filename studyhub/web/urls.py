"""Addresses for machines that watch over the site."""

from django.urls import path

from studyhub.web import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
]
