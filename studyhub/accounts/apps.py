"""Storey 2: people, and who belongs together."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """App label ``accounts``; allauth's own app is ``account``."""

    name = "studyhub.accounts"
    label = "accounts"
