"""Storey 7: the learner's desk."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """App label ``desk``; owns no table."""

    name = "studyhub.desk"
    label = "desk"
