"""How allauth signs people up, in and out of this house."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from studyhub.accounts import actions
from studyhub.accounts.browser import SIGNED_OUT, SINCE, browser_zone, find_guest
from studyhub.accounts.models import User
from studyhub.accounts.sessions import GUEST

CAME_ALONG = "What you did in this browser is in your account now."
TAKEN = "This address has an account already. Nothing was changed: sign in, or ask for a new password."


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Guests come along, links in letters lead to SITE_URL only, and limits count per address."""

    def save_user(
        self, request: HttpRequest, user: AbstractBaseUser, form: BaseForm, commit: bool = True
    ) -> AbstractBaseUser:
        """Open the account. Where it is open at once, the guest's row becomes it.

        With mandatory confirmation the guest stays bound to the browser and is merged at the first sign-in:
        until then nobody has shown that the address is theirs, and what the browser shows must not tell
        whether the address was known.
        """
        waits = app_settings.EMAIL_VERIFICATION == app_settings.EmailVerificationMethod.MANDATORY
        guest = None if waits else find_guest(request)
        try:
            person = actions.open_account(
                email=form.cleaned_data["email"],
                password=form.cleaned_data.get("password1"),
                zone=browser_zone(request),
                guest_id=guest.pk if guest else None,
                at=timezone.now(),
            )
        except actions.AddressTaken as problem:
            messages.error(request, TAKEN)
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account_login"))) from problem
        if guest is not None and guest.pk == person.pk:
            messages.info(request, CAME_ALONG)
        return person

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Sign in after every step is passed, by whatever way; this browser's guest comes along first.

        Merging comes before the session changes hands, so that a failure leaves the guest as it was.
        """
        at = timezone.now()
        guest = find_guest(request)
        if guest is not None and actions.merge_guest(guest=guest, into=cast(User, user), at=at):
            messages.info(request, CAME_ALONG)
        super().login(request, user)
        request.session.pop(GUEST, None)
        request.session[SINCE] = at.timestamp()
        request.session.set_expiry(settings.SESSION_COOKIE_AGE)
        request.__dict__.pop("learner", None)

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Keep a new password, and nothing else of a row that was read before the slow work."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def logout(self, request: HttpRequest) -> None:
        """Sign out; the answer tells the browser to forget what it kept of these pages."""
        super().logout(request)
        request.__dict__.pop("learner", None)
        setattr(request, SIGNED_OUT, True)

    def is_safe_url(self, url: str) -> bool:
        """Whether to go on to this address: only within the host that was asked."""
        request: HttpRequest = context.request
        return url_has_allowed_host_and_scheme(
            url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )

    def format_email_subject(self, subject: str) -> str:
        """The subject as written."""
        return str(subject)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a letter whose links lead to SITE_URL, never to the host that the request named."""
        home = {key: _at_home(value) for key, value in context.items() if key.endswith("_url")}
        words = {**context, **home, "email": email, "site_url": settings.SITE_URL}
        self.render_mail(template_prefix, email, words).send()

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count wrong passwords per address, whatever Host header the request carries."""
        return str(credentials.get("email", "")).lower()


def _at_home(address: str) -> str:
    """The same path and query on SITE_URL."""
    parts = urlsplit(address)
    return settings.SITE_URL + urlunsplit(("", "", parts.path, parts.query, ""))
