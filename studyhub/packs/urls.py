"""Addresses of pictures that packs brought."""

from django.urls import path

from studyhub.packs import views

urlpatterns = [path("<str:name>", views.picture, name="picture")]
