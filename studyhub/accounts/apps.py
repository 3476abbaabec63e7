"""Storey 2: people, and who belongs together."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """App label ``accounts``; allauth's own app is ``account``."""

    name = "studyhub.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Register what people take along of this storey, and what stays of it when they go."""
        from studyhub.accounts.erasing import KEPT, NOBODYS
        from studyhub.accounts.exporting import NOT_TAKEN, take_along
        from studyhub.accounts.exports import NOBODYS as OF_NOBODY
        from studyhub.accounts.exports import NOT_OWN, OWN, STAYS

        take_along(*OWN)
        NOT_TAKEN.update(NOT_OWN)
        KEPT.update(STAYS)
        NOBODYS.update(OF_NOBODY)
