"""What binds a browser to a learner: the account that is signed in, or the guest named in the session."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from urllib.parse import unquote

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.middleware import get_user
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from studyhub.accounts import actions
from studyhub.accounts.models import User
from studyhub.accounts.sessions import GUEST, SessionStore
from studyhub.rhythm.calendar import known_zones, zone_or_utc
from studyhub.web.request import LearnerRequest

SINCE = "since"  # session: moment of sign-in, seconds since 1970
SIGNED_OUT = "signed_out_here"  # attribute of a request that signed somebody out
LONGEST_SESSION = timedelta(days=30)
MENU: list[
    Callable[[User], object]
] = []  # what else the menu shows of a person; each storey above puts its own in

View = Callable[..., HttpResponseBase]


def only_for(may: Callable[[User | None], bool]) -> Callable[[View], View]:
    """A view for those of whom the rule says yes; to everybody else, signed in or not, the page does not exist."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: LearnerRequest, **named: object) -> HttpResponseBase:
            if not may(request.learner):
                raise Http404
            return view(request, **named)

        return guarded

    return guard


def find_learner(request: HttpRequest) -> User | None:
    """The account signed in here, else the guest of this browser, else None.

    No query but the session's own, which brings its person along. The learner's time zone holds for the rest of the
    request.
    """
    learner: User | None = None
    if SESSION_KEY in request.session:
        learner = _signed_in(request)
    elif GUEST in request.session:
        learner = find_guest(request)
    if learner is not None:
        timezone.activate(zone_or_utc(learner.time_zone))
    return learner


def _signed_in(request: HttpRequest) -> User | None:
    """The account that is signed in: as ``get_user`` finds it, with the person that came with the session.

    What is not plainly right (another secret key, another backend, another password since) is left to ``get_user``.
    """
    session = request.session
    given, pk = session.get(HASH_SESSION_KEY), str(session[SESSION_KEY])
    if session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS and given and pk.isdigit():
        person = _person(request, int(pk))
        if (
            person is not None
            and person.is_active
            and constant_time_compare(given, person.get_session_auth_hash())
        ):
            return person
    other = get_user(request)
    return other if isinstance(other, User) else None


def _person(request: HttpRequest, pk: int) -> User | None:
    """The person with this id, as read with the session."""
    assert isinstance(request.session, SessionStore)
    return request.session.person(pk)


def find_guest(request: HttpRequest) -> User | None:
    """The guest that this browser's session names, if there still is one."""
    guest_id = request.session.get(GUEST)
    if not isinstance(guest_id, int):
        return None
    person = _person(request, guest_id)
    return person if person is not None and person.guest and person.is_active else None


def seen_by(learner: User | None) -> tuple[object, ...]:
    """What a page shows of whoever sees it; for the key under which a page is kept."""
    if learner is None:
        return ()
    return (*learner.appearance, *(told(learner) for told in MENU))


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
