"""People of every role in a running site, with rows for every page to show; run inside it by ``manage.py shell``."""

from __future__ import annotations

import json
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.http import HttpRequest
from django.utils import timezone
from fido2.cose import ES256
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from chapters.models import Course
from quizzes.actions import finish_attempt, start_practice
from studyhub.accounts.models import User
from tests.conftest import COURSE
from tests.matrix import things
from tests.matrix.actors import Actor, everyone
from tests.quizzes.play import send, slot_of

LONG = "Wilhelmina-Alexandrina von und zu Sonnenschein-Regenbogen " * 2
LONG_ADDRESS = (
    "a.person.with.a.very.long.address.that.no.column.was.made.for@department-of-long-names.example.org"
)
SECRET = "JBSWY3DPEHPK3PXP"
AN_HOUR = 3600  # seconds: longer than the pages take to be looked at


def seated() -> str:
    """JSON: a session for each seat, and what the addresses need."""
    actors = everyone()
    found = things.made(actors["owner"])
    guarded = _guard(actors["learner"])
    owner = actors["owner"]
    User.objects.filter(pk=actors["admin"].user.pk).update(name=LONG[:120].strip())
    _end(actors["admin"])
    _practise(actors["author"])
    address = EmailAddress.objects.create(user=owner.user, email=LONG_ADDRESS)
    return json.dumps(
        {
            "sessions": {name: _session(one) for name, one in actors.items()},
            "attempts": {name: str(one.attempt.pk) for name, one in actors.items() if one.attempt},
            "report_id": found.report,
            "correction_id": found.correction,
            "card": found.card,
            "question": slot_of(owner.attempt, 1).version.question.slug,
            "pk": guarded,
            "session_id": 1,
            "number": owner.attempt.slots.filter(version__kind="number", position__gt=3).order_by("position")[0].position,
            "confirm": EmailConfirmationHMAC(address).key,
            "uidb36": user_pk_to_url_str(owner.user),
            "reset": default_token_generator.make_token(owner.user),
        }
    )  # fmt: skip


def _guard(actor: Actor) -> int:
    """Every second step there is; the id of a key."""
    TOTP.activate(actor.user, SECRET)
    RecoveryCodes.activate(actor.user)
    key = Authenticator.objects.create(
        user=actor.user,
        type=Authenticator.Type.WEBAUTHN,
        data={
            "name": "A key with quite a long name, as people give them to tell ten of them apart",
            "credential": _credential(),
        },
    )
    return int(key.pk)


def _credential() -> dict[str, Any]:
    """What a security key said when it was added."""
    key = AttestedCredentialData.create(
        Aaguid.NONE, b"a key of a test", ES256({1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32})
    )
    data = AuthenticatorData.create(sha256(b"127.0.0.1"), 0x45, 0, key)
    client = CollectedClientData.create("webauthn.create", b"asked", "http://127.0.0.1")
    said = {"clientDataJSON": client, "attestationObject": AttestationObject.create("none", data, {})}
    name = websafe_encode(key.credential_id)
    return {
        "id": name, "rawId": name, "type": "public-key",
        "response": {part: websafe_encode(one) for part, one in said.items()},
        "clientExtensionResults": {"credProps": {"rk": True}},
    }  # fmt: skip


def _end(actor: Actor) -> None:
    finish_attempt(attempt_id=actor.attempt.pk, learner_id=actor.user.pk, at=timezone.now())


def _practise(actor: Actor) -> None:
    """Some mistakes, practised: a short attempt, of which one is right; it has come to its end."""
    for position in (1, 2, 3):
        send(actor.attempt, position, right=False)
    course = Course.objects.get(slug=COURSE)
    actor.attempt = start_practice(
        learner_id=actor.user.pk, course=course, zone=ZoneInfo("UTC"), fresh=False, at=timezone.now()
    )
    send(actor.attempt, 1, at=timezone.now())
    _end(actor)


def _session(actor: Actor) -> str:
    """The session of a browser in which the password was typed just now, once more."""
    if actor.name == "visitor":
        return ""
    request = HttpRequest()
    request.session = actor.browser.session
    if actor.name != "guest":
        record_authentication(request, actor.user, "password", reauthenticated=True)
        request.session["account_authentication_methods"][-1]["at"] += AN_HOUR
        request.session.save()
    return str(actor.browser.cookies["session"].value)
