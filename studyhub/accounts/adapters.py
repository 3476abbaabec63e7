"""How allauth signs people up, in and out of this house."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit as counting
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from studyhub.accounts import actions
from studyhub.accounts.auditing import Act, Kind, Thing, actor_of, record, ways_in_watched
from studyhub.accounts.browser import SIGNED_OUT, SINCE, browser_zone, find_guest
from studyhub.accounts.models import User, settled
from studyhub.accounts.sessions import GUEST
from studyhub.web.request import LearnerRequest
from studyhub.web.turnstile import LEAVES

DOORS = logging.getLogger(
    "studyhub.doors"
)  # who came in, by number; who did not, without the address that was tried
CAME_ALONG = "What you did in this browser is in your account now."
TAKEN = "This address has an account already. Nothing was changed: sign in, or ask for a new password."
OVERTAKEN = "The password was changed in another window a moment ago. Nothing was changed here: sign in."
NOT_YOURS = "This address belongs to another account. Nothing was changed."
ANYWHERE = "login_failed_anywhere"  # wrong passwords for one address, wherever they are typed


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
        request.META.pop(LEAVES, None)  # whoever is in knows that the address has an account
        DOORS.info("person %d signed in", user.pk)

    def clean_password(self, password: str, user: AbstractBaseUser | None = None) -> str:
        """Judge the password as it is kept (see ``settled``), and give it back as it was typed."""
        super().clean_password(settled(password), user)
        return password

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Keep a new password, and nothing else of a row that was read before the slow work.

        Only in place of the one that was there when the old password or the letter's link was checked: of two that
        come together one wins, and the other is told. Is audited.
        """
        before = user.password
        user.set_password(password)
        by, at = actor_of(context.request, person_id=user.pk), timezone.now()
        with transaction.atomic():
            if not User.objects.filter(pk=user.pk, password=before).update(password=user.password):
                messages.error(context.request, OVERTAKEN)
                raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account_login")))
            record(by=by, act=Act.PASSWORD_CHANGED, what=Thing(Kind.PERSON, user.pk), at=at)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address, which may take the place of another one. Is audited.

        An account that uses the address keeps it, though it was opened while this site sent no letters.
        """
        person_id = email_address.user_id
        by = actor_of(request, person_id=person_id)
        if User.objects.by_email(email_address.email).exclude(pk=person_id).exists():
            messages.error(request, NOT_YOURS)
            return False
        with ways_in_watched(person_id=person_id, by=by, at=timezone.now()):
            actions.note_change(learner_id=person_id)
            return bool(super().confirm_email(request, email_address))

    def move_to(self, request: HttpRequest, person: User, email: str) -> EmailAddress:
        """Put an address in place of all that the person had, where no letter can ask first.

        It is kept as sign-up keeps one there: in use, and not confirmed. Audited by the page (``watched``).
        """
        try:
            with transaction.atomic():
                User.objects.filter(pk=person.pk).update(email=email)
                EmailAddress.objects.filter(user=person).delete()
                row = EmailAddress.objects.create(user=person, email=email, primary=True)
                actions.note_change(learner_id=person.pk)
        except IntegrityError as problem:
            messages.error(request, NOT_YOURS)
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account_email"))) from problem
        person.email = email
        messages.success(request, f"Your address is now {email}.")
        return row

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

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try before the password is looked at; raises ValidationError where there were too many.

        First those for this address from here, then those for it from anywhere, of which more are let through: a
        stranger who tries somebody's address shuts out whoever comes from the stranger's network, not its owner.
        A try that was right is taken back afterwards.
        """
        try:
            super().pre_authenticate(request, **credentials)
            everywhere = counting.consume(
                request, app="allauth.account", action=ANYWHERE, key=_address_in(credentials)
            )
            if everywhere is None:
                raise self.validation_error("too_many_login_attempts")
        except ValidationError:
            DOORS.warning("a password was not looked at: too many tries")
            raise
        self._login_failed_rl_usage.usage += everywhere.usage

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """A wrong password is a line of the log."""
        super().authentication_failed(request, **credentials)
        DOORS.warning("a wrong password was refused")

    def reauthenticate(self, user: AbstractBaseUser, password: str) -> bool:
        """Whether this is the password, asked again; the session gets another key then."""
        proven = bool(super().reauthenticate(user, password))
        if proven:
            actions.renew_session(session=context.request.session)
        return proven

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count wrong passwords per address and network, whatever Host header the request carries."""
        return f"{_address_in(credentials)} {counting.get_ip(request)}"

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Who set a new password by letter has shown who they are: what strangers tried no longer counts."""
        super()._delete_login_attempts_cached_email(request, **credentials)
        counting.clear(request, app="allauth.account", action=ANYWHERE, key=_address_in(credentials))


def watched(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view of allauth that changes ways of signing in: its rows and the audit's are one transaction."""

    @wraps(view)
    def watching(request: LearnerRequest, *args: object, **named: object) -> HttpResponseBase:
        if request.method != "POST" or request.learner is None:
            return view(request, *args, **named)
        person_id = request.learner.pk
        with ways_in_watched(person_id=person_id, by=actor_of(request), at=timezone.now()):
            return view(request, *args, **named)

    return watching


def _address_in(credentials: Mapping[str, Any]) -> str:
    return str(credentials.get("email", "")).strip().lower()


def _at_home(address: str) -> str:
    """The same path and query on SITE_URL."""
    parts = urlsplit(address)
    return settings.SITE_URL + urlunsplit(("", "", parts.path, parts.query, ""))
