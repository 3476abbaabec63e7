"""Gives every request its learner, and keeps a learner's pages out of shared and later hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, cast

from allauth.account import app_settings
from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from django.core.handlers.exception import response_for_exception
from django.db import DatabaseError, IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone

from studyhub.accounts.browser import SIGNED_OUT, find_learner, stayed_too_long
from studyhub.accounts.queries import person_by_id
from studyhub.web.turnstile import LEAVES

if TYPE_CHECKING:
    from studyhub.accounts.models import User

EVEN = frozenset({"account_login", "account_signup", "account_reset_password"})
EVENLY = 0.4  # seconds: more than hashing a password takes
_ENDED = "You were signed in for 30 days, so this browser was signed out. All is kept: sign in to go on."


class _WithLearner:
    """The attribute ``learner`` of a request: looked up on first use, then remembered."""

    @cached_property
    def learner(self) -> User | None:
        """See studyhub.web.request.LearnerRequest."""
        return find_learner(cast(HttpRequest, self))


_KINDS: dict[type[HttpRequest], type[HttpRequest]] = {}


def _with_learner(kind: type[HttpRequest]) -> type[HttpRequest]:
    """The same kind of request, with the attribute; made once per kind."""
    if kind not in _KINDS:
        _KINDS[kind] = type(kind.__name__, (_WithLearner, kind), {})
    return _KINDS[kind]


def _even_out(request: HttpRequest) -> None:
    """Let the answer leave not before EVENLY, so that its time does not tell whether an address has an account.

    Without a mail server there is nothing to hide: sign-up has to say that an address is taken.
    """
    if app_settings.EMAIL_VERIFICATION == app_settings.EmailVerificationMethod.MANDATORY:
        request.META[LEAVES] = perf_counter() + EVENLY


class DoorMiddleware(LoginRequiredMiddleware):
    """Django's login wall; a view that is open to all is let through before anybody is looked up."""

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[object, ...],
        view_kwargs: dict[str, object],
    ) -> HttpResponseBase | None:
        """Send people without an account to sign-in, except where the view says it needs none."""
        if request.method == "POST" and getattr(request.resolver_match, "url_name", "") in EVEN:
            _even_out(request)
        if not getattr(view_func, "login_required", True):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)


class LearnerMiddleware:
    """Adds ``request.learner``, ends sign-ins older than 30 days, and marks personal pages as private.

    A request without a session costs no query here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; the time zone of its learner ends with it."""
        request.__class__ = _with_learner(type(request))
        if stayed_too_long(request, timezone.now()):
            request.session.flush()
            messages.info(request, _ENDED)
        try:
            response = self.get_response(request)
        finally:
            timezone.deactivate()
        if request.__dict__.get("learner") is not None or SESSION_KEY in request.session:
            response["Cache-Control"] = "private, no-store"
        if getattr(request, SIGNED_OUT, False):
            response["Clear-Site-Data"] = '"cache", "storage"'
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Who was deleted, or merged away, while their request was under way is nobody: the page is not there.

        What they were about to keep has nobody to belong to, and the database refused it.
        """
        learner = request.__dict__.get("learner")
        refused = (
            isinstance(exception, (IntegrityError, ObjectDoesNotExist)) or type(exception) is DatabaseError
        )
        if learner is None or not refused:  # trouble with the database itself is told elsewhere
            return None
        if person_by_id(learner.pk) is not None:
            return None
        request.__dict__["learner"], request.__dict__["user"] = None, AnonymousUser()
        return response_for_exception(request, Http404())
