"""Storey 6: the delivery door."""

from django.apps import AppConfig


class PacksConfig(AppConfig):
    """App label ``packs``; owns no table."""

    name = "studyhub.packs"
    label = "packs"
