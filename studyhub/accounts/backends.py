"""Who a session belongs to: allauth's answer, read with one plain statement."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from studyhub.accounts.models import User
from studyhub.accounts.queries import person_by_id


class Backend(AuthenticationBackend):  # type: ignore[misc]  # allauth ships no types
    """allauth's backend (e-mail and password); people who were deactivated are nobody."""

    def get_user(self, user_id: int) -> User | None:
        """Find the person of a session."""
        user = person_by_id(user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
