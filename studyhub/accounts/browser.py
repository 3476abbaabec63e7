"""What binds a browser to a learner: the account that is signed in, or the guest named in the session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.middleware import get_user
from django.http import HttpRequest
from django.utils import timezone

from studyhub.accounts import actions
from studyhub.accounts.models import User
from studyhub.accounts.queries import person_by_id
from studyhub.rhythm.calendar import known_zones, zone_or_utc
from studyhub.web.request import LearnerRequest

GUEST = "guest"  # session: id of the guest bound to this browser
SINCE = "since"  # session: moment of sign-in, seconds since 1970
SIGNED_OUT = "signed_out_here"  # attribute of a request that signed somebody out
LONGEST_SESSION = timedelta(days=30)


def find_learner(request: HttpRequest) -> User | None:
    """The account signed in here, else the guest of this browser, else None.

    One query at most, none without a session. The learner's time zone holds for the rest of the request.
    """
    learner: User | None = None
    if SESSION_KEY in request.session:
        person = get_user(request)
        learner = person if isinstance(person, User) else None
    elif GUEST in request.session:
        learner = find_guest(request)
    if learner is not None:
        timezone.activate(zone_or_utc(learner.time_zone))
    return learner


def find_guest(request: HttpRequest) -> User | None:
    """The guest that this browser's session names, if there still is one."""
    guest_id = request.session.get(GUEST)
    if not isinstance(guest_id, int):
        return None
    person = person_by_id(guest_id)
    return person if person is not None and person.guest and person.is_active else None


def seen_by(learner: User | None) -> tuple[object, ...]:
    """What a page shows of whoever sees it; for the key under which a page is kept."""
    return learner.appearance if learner is not None else ()


def keep_learner(request: LearnerRequest, at: datetime) -> User:
    """The learner for whom something is about to be kept; a visitor becomes a guest of this browser.

    Call it only in a POST that keeps something. Remembers once a day (UTC) that the learner was here,
    and lets the session live on from there: 30 days for a guest.
    """
    learner = request.learner
    if learner is None:
        token = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
        learner = actions.make_guest(zone=browser_zone(request), at=at, token=token)
        if request.session.session_key:
            request.session.cycle_key()
        request.session[GUEST] = learner.pk
        request.session.set_expiry(int(actions.GUEST_IDLE.total_seconds()))
        request.learner = learner
        timezone.activate(zone_or_utc(learner.time_zone))
    elif learner.seen_on != at.astimezone(UTC).date():
        actions.note_seen(learner=learner, at=at)
        request.session.modified = True
    return learner


def browser_zone(request: HttpRequest) -> str:
    """The time zone that the browser's script wrote into cookie ``zone``; UTC when there is none to trust."""
    name = unquote(request.COOKIES.get("zone", ""))
    return name if name in known_zones() else "UTC"


def stayed_too_long(request: HttpRequest, at: datetime) -> bool:
    """Whether the sign-in of this session is more than 30 days old."""
    since = request.session.get(SINCE)
    return isinstance(since, (int, float)) and at.timestamp() - since > LONGEST_SESSION.total_seconds()
