"""Interview cards in the browser."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from chapters.models import Course
from quizzes import actions
from quizzes.actions.cards import LONGEST_WORDS, Seen, WordsMoved, stamp_of
from quizzes.kinds.words import folded
from quizzes.models import Card
from quizzes.queries import cards as queries
from studyhub.accounts.browser import keep_learner
from studyhub.web.regions import followed, page
from studyhub.web.request import LearnerRequest

TEMPLATE, REGIONS = "quizzes/card.html", ("kept",)
RATINGS = {"said": 2, "partly": 1, "missed": 0}
MARK = "point-"  # begins the name of each point's field
UNREADABLE = (
    f"Nothing was kept: words may have at most {LONGEST_WORDS:,} characters, and none that is invisible."
)
STANDING = "The back of this card is open already, so your words stand as they were. What you typed since is not kept."
UNSEEN = "Another page kept other words on this card in the meantime. They are below. The field is not kept. "
STEP = "Compare shows both once more before yours take their place."
REPLACE = "Compare or save puts what is in the field in their place."
SAY = "Write a few words first, or tick that you have no answer yet. Then the back opens."
NOT_OPEN = "This card has no opened back that waits for these ratings. Nothing was changed."
MOVED_ON = (
    "You rated an older page of this card: it was changed, or answered again, since that page was opened. "
    "None of these ratings is kept yet."
)
NONE_RATED = "No open point was rated, so nothing was kept. Rate at least one; the others may stay open."
COMPARED, OUTCOME = "#compared", "#outcome"  # where the focus goes
TAKEN_BACK_TO = {
    "front": OUTCOME,
    "back": "#words",
    "rated": COMPARED,
}  # by the stage that undo was pressed in


@login_not_required
@require_safe
def card_list(request: LearnerRequest, course: str) -> HttpResponse:
    """The cards of a course, by level and topic."""
    learner = request.learner
    try:
        found = queries.cards_page(course, learner.pk if learner else None, queries.filter_of(request.GET))
    except Course.DoesNotExist as missing:
        raise Http404 from missing
    return page(request, "quizzes/cards.html", {"page": found})


@login_not_required
@require_safe
def card(request: LearnerRequest, course: str, card: str) -> HttpResponse:
    """One card: the front, the opened back, or what the rating came to."""
    return _card(request, _named(course, card))


@login_not_required
@require_POST
def words(request: LearnerRequest, course: str, card: str) -> HttpResponse:
    """Keep the words as typed; sent while typing, and by its button."""
    row, said = _named(course, card), _words(request.POST)
    if said is None:
        return _card(request, row, error=UNREADABLE, status=422)
    at = timezone.now()
    learner, stamp = keep_learner(request, at), stamp_of(said)
    try:
        if not actions.keep_words(learner_id=learner.pk, card=row, words=said, at=at, seen=_seen(request)):
            return _card(request, row, error=STANDING, status=409)
    except WordsMoved as moved:
        return _unseen(request, row, moved.words)
    return followed(
        request, _address(request, row), lambda: _card(request, row, saved_at=at, seen=stamp), regions=REGIONS
    )


@login_not_required
@require_POST
def compare(request: LearnerRequest, course: str, card: str) -> HttpResponse:
    """Open the back beside the learner's words."""
    row, said = _named(course, card), _words(request.POST)
    if said is None:
        return _card(request, row, error=UNREADABLE, status=422)
    silent, at = bool(request.POST.get("no_answer")), timezone.now()
    if not folded(said) and not silent:
        return _card(request, row, error=SAY, status=422)
    learner, seen = keep_learner(request, at), _seen(request)
    try:
        shown = actions.open_back(
            learner_id=learner.pk, card=row, words=said, no_answer=silent, at=at, seen=seen
        )
    except WordsMoved as moved:
        return _unseen(request, row, moved.words)
    except actions.MovedOn:
        return _card(request, row, error=STANDING, status=409)
    if said.strip() not in ("", shown.words.strip()):
        return _card(request, row, error=STANDING, status=409)
    return _see(_address(request, row) + COMPARED)


@login_not_required
@require_POST
def rate(request: LearnerRequest, course: str, card: str) -> HttpResponse:
    """Keep the ratings of points; those without one stay open."""
    row, learner = _named(course, card), request.learner
    if learner is None:
        raise Http404
    sheet = actions.Sheet(_number(request.POST, "try") or 0, request.POST.get("wording", ""))
    given = _ratings(request.POST)
    try:
        actions.rate_card(learner_id=learner.pk, card=row, ratings=given, at=timezone.now(), sheet=sheet)
    except actions.NothingRated:
        return _card(request, row, error=NONE_RATED, status=422)
    except actions.NotShown:
        return _card(request, row, stale=NOT_OPEN, status=409)
    except actions.MovedOn:
        return _card(request, row, stale=MOVED_ON, status=409)
    return _see(_address(request, row) + OUTCOME)


@login_not_required
@require_POST
def undo(request: LearnerRequest, course: str, card: str) -> HttpResponse:
    """Take back the last rating, or the last opened back."""
    row, learner, try_id = _named(course, card), request.learner, _number(request.POST, "try")
    if learner is None:
        raise Http404
    if try_id is not None:
        actions.undo_card(learner_id=learner.pk, card=row, try_id=try_id, at=timezone.now())
    return _see(_address(request, row) + TAKEN_BACK_TO.get(request.POST.get("stage", ""), ""))


def _card(request: LearnerRequest, row: Card, *, status: int = 200, **told: object) -> HttpResponse:
    came = queries.Came()
    if "words" in request.POST:
        came = queries.Came(_typed(request.POST), silent=bool(request.POST.get("no_answer")))
    elif "stale" in told:
        came = queries.Came(ratings=_ratings(request.POST))
    learner, again = request.learner, bool(request.GET.get("again"))
    found = queries.card_page(
        row, learner.pk if learner else None, queries.filter_of(request.GET), again=again, came=came
    )
    told.setdefault(
        "seen", request.POST.get("seen", "") if "words" in request.POST else stamp_of(found.words)
    )
    told["sent"] = (
        f"{found.chosen.query}{'&' if found.chosen.query else '?'}again=1" if again else found.chosen.query
    )
    return page(request, TEMPLATE, {"page": found, **told}, regions=REGIONS, status=status)


def _seen(request: LearnerRequest) -> Seen:
    """What the page had shown; one that does not say which words has seen none."""
    return Seen(_number(request.POST, "after"), request.POST.get("seen", ""))


def _unseen(request: LearnerRequest, row: Card, kept: str) -> HttpResponse:
    """The words of another page beside those that were sent.

    A page of its own has seen them from now on. The line below a field that is being typed in has not: what is typed
    on there must not take their place by itself.
    """
    line = request.headers.get("HX-Target") in REGIONS
    told = {"seen": request.POST.get("seen", ""), "error": UNSEEN + STEP} if line else {}
    return _card(
        request, row, **{"seen": stamp_of(kept), "error": UNSEEN + REPLACE, **told}, unseen=kept, status=409
    )


def _named(course: str, card: str) -> Card:
    try:
        return queries.card_named(course, card)
    except Card.DoesNotExist as missing:
        raise Http404 from missing


def _words(data: QueryDict) -> str | None:
    """The words as typed, with line feeds; None where they cannot be kept."""
    said = _typed(data)
    return said if len(said) <= LONGEST_WORDS and "\x00" not in said else None


def _typed(data: QueryDict) -> str:
    return data.get("words", "").replace("\r\n", "\n").replace("\r", "\n")


def _number(data: QueryDict, name: str) -> int | None:
    """What names a row; None where it cannot."""
    sent = data.get(name, "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 19 else None


def _ratings(data: QueryDict) -> dict[str, int]:
    """The rating of each point by its slug; what no form of ours can send is left out."""
    return {
        name.removeprefix(MARK): RATINGS[value]
        for name, value in data.items()
        if name.startswith(MARK) and isinstance(value, str) and value in RATINGS
    }


def _address(request: LearnerRequest, row: Card) -> str:
    """The card's page under the filter that the form was sent with."""
    chosen = queries.filter_of(request.GET)
    return reverse("card", args=[row.course.slug, row.slug]) + chosen.query


def _see(address: str) -> HttpResponse:
    """POST, redirect, GET."""
    return HttpResponse(status=303, headers={"Location": address})
