"""The request as views see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

    from studyhub.accounts.models import User


class LearnerRequest(HttpRequest):
    """A request with its learner: the account, or the guest bound to this browser, or nobody yet.

    ``learner`` is looked up on first use (one query) by accounts.middleware.
    """

    htmx: HtmxDetails
    learner: User | None
    # A person who keeps nothing yet has no row: ask accounts.actions.ensure_learner in a POST that keeps something.
