"""allauth's forms by which people prove who they are, with what it leaves out."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm, SignupForm
from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.mfa.base.forms import ReauthenticateForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse

from studyhub.accounts.actions import rehearse_account, renew_session

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, struct.error, RecursionError)
Cleaned = TypeVar("Cleaned")


class SignUp(SignupForm):  # type: ignore[misc]  # allauth ships no types
    """allauth's form, which does not tell by its time either whether the address has an account."""

    def try_save(self, request: HttpRequest) -> tuple[AbstractBaseUser | None, HttpResponse | None]:
        """Open the account, or write to whoever has it: after the same work."""
        if self.account_already_exists:
            rehearse_account(password=self.cleaned_data["password1"])
        answer: tuple[AbstractBaseUser | None, HttpResponse | None] = super().try_save(request)
        return answer


class ChangeAddress(AddEmailForm):  # type: ignore[misc]
    """Another address in place of the one there is: after its link where letters are sent, else at once.

    allauth takes any row that is not confirmed for the address asked for before and deletes it. Where no letter was
    ever sent that is the row in use, so this form goes by ``person.email``: what stands there holds.
    """

    @property
    def sends_letters(self) -> bool:
        """Whether an address counts only after its link."""
        return bool(app_settings.EMAIL_VERIFICATION != app_settings.EmailVerificationMethod.NONE)

    @property
    def unproven(self) -> bool:
        """Whether nobody has shown yet that the address in use is theirs."""
        return not EmailAddress.objects.filter(user=self.user, email=self.user.email, verified=True).exists()

    @property
    def waiting(self) -> EmailAddress | None:
        """The address asked for and not confirmed, or None."""
        rows = EmailAddress.objects.filter(user=self.user, verified=False, primary=False)
        return rows.exclude(email=self.user.email).order_by("pk").last()

    def clean_email(self) -> str:
        """The address in small letters. Where no letters are sent the answer says whether it is somebody else's."""
        if self.sends_letters:
            return str(super().clean_email())
        email = str(get_adapter().clean_email(self.cleaned_data["email"].strip().lower()))
        if email == self.user.email:
            raise get_adapter().validation_error("duplicate_email")
        if any(one.pk != self.user.pk for one in filter_users_by_email(email)):
            raise get_adapter().validation_error("email_taken")
        return email

    def save(self, request: HttpRequest) -> EmailAddress:
        """Ask the new address by a letter, or take it over."""
        email: str = self.cleaned_data["email"]
        if not self.sends_letters:
            taken_over: EmailAddress = get_adapter().move_to(request, self.user, email)
            return taken_over
        before = EmailAddress.objects.filter(user=self.user, verified=False, primary=False)
        before.exclude(email=self.user.email).delete()
        asked = EmailAddress.objects.create(user=self.user, email=email)
        send_verification_email_to_address(request, asked)
        return asked


def _readable(clean: Callable[[Any], Cleaned]) -> Callable[[Any], Cleaned]:
    """What is not shaped as a key speaks is refused like a wrong code; allauth and fido2 raise whatever comes."""

    @wraps(clean)
    def cleaned(form: Any) -> Cleaned:
        try:
            return clean(form)
        except UNREADABLE as problem:
            raise get_adapter().validation_error("incorrect_code") from problem

    return cleaned


class KeysWords(forms.JSONField):
    """What a key said, as JSON; nested without an end it is no JSON."""

    def to_python(self, value: Any) -> Any:
        """The values in it."""
        try:
            return super().to_python(value)
        except RecursionError as problem:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from problem


class SignInByKey(LoginWebAuthnForm):  # type: ignore[misc]
    """Sign in with a passkey alone."""

    credential = KeysWords(widget=forms.HiddenInput)
    clean_credential = _readable(LoginWebAuthnForm.clean_credential)


class SecondStepByKey(AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A key after the password."""

    credential = KeysWords(widget=forms.HiddenInput)
    clean_credential = _readable(AuthenticateWebAuthnForm.clean_credential)


class ProveByKey(ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A key instead of the password, where one is asked again."""

    credential = KeysWords(widget=forms.HiddenInput)
    clean_credential = _readable(ReauthenticateWebAuthnForm.clean_credential)

    def save(self) -> None:
        """Remember the proof, and give the session another key."""
        super().save()
        renew_session(session=context.request.session)


class ProveByCode(ReauthenticateForm):  # type: ignore[misc]
    """A code instead of the password, where one is asked again."""

    def save(self) -> None:
        """Remember the proof, and give the session another key."""
        super().save()
        renew_session(session=context.request.session)


class AddKey(AddWebAuthnForm):  # type: ignore[misc]
    """Another key for the account."""

    credential = KeysWords(widget=forms.HiddenInput)
    clean = _readable(AddWebAuthnForm.clean)
