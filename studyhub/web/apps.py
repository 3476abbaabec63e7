"""Storey 1: the hallway that every page goes through."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """App label ``web``."""

    name = "studyhub.web"
    label = "web"
