"""Quizzes and attempts in the browser."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.validators import slug_re
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes import actions, queries
from quizzes.forms import flagged_in, position_in, submission_in
from quizzes.kinds.shapes import AnswerProblem
from quizzes.models import Attempt, Quiz, Slot
from quizzes.queries.attempts import AttemptOver, Came
from quizzes.queries.ready import address
from quizzes.queries.review import NotFinished
from quizzes.queries.standing import standing
from studyhub.accounts.browser import keep_learner, seen_by
from studyhub.accounts.models import User
from studyhub.web.regions import at_once, followed, page
from studyhub.web.request import LearnerRequest

TEMPLATE, REGION = "quizzes/attempt.html", "question"
REGIONS = (REGION,)
TWICE = timedelta(seconds=2)  # fresh starts that follow sooner are one, pressed twice
LONGEST_SLUG = 120  # characters
UNREADABLE = "The answer could not be read; nothing was recorded."
TOO_LATE = {
    "answered": "This question was answered already; that first answer is the recorded one. "
    "The one you sent just now was kept aside and does not count.",
    "key": "This question was answered already, and that answer is the recorded one. "
    "The other one you sent just now was kept aside and does not count.",
    "finished": "This attempt has ended. What you sent just now was kept aside and does not count.",
}


def _quiz(course: str, quiz: str) -> Quiz:
    try:
        return queries.quiz_named(course, quiz)
    except Quiz.DoesNotExist as missing:
        raise Http404 from missing


def _place(data: QueryDict) -> str:
    """The question to begin with, where that can be the id of one; else ""."""
    named = data.get("at", "")
    return named if len(named) <= LONGEST_SLUG and slug_re.fullmatch(named) else ""


def _learner(request: LearnerRequest) -> User:
    """Whoever owns attempts here; a stranger has none, so nothing is found."""
    if request.learner is None:
        raise Http404
    return request.learner


def _see(name: str, attempt_id: uuid.UUID | str, query: str = "") -> HttpResponse:
    return HttpResponse(status=303, headers={"Location": address(name, attempt_id) + query})


@login_not_required
@require_safe
def quiz(request: LearnerRequest, course: str, quiz: str) -> HttpResponse:
    """What the quiz is, attempts so far, start or go on."""
    learner = request.learner
    found = queries.quiz_page(_quiz(course, quiz), learner.pk if learner else None, _place(request.GET))
    return page(request, "quizzes/quiz.html", {"page": found})


@login_not_required
@require_POST
def start(request: LearnerRequest, course: str, quiz: str) -> HttpResponse:
    """Begin an attempt, or go on with the open one."""
    row = _quiz(course, quiz)
    at = timezone.now()
    learner = keep_learner(request, at)
    try:
        attempt = actions.start_attempt(
            learner_id=learner.pk, quiz=row, fresh=bool(request.POST.get("fresh")), at=at, within=TWICE
        )
    except actions.NothingToAsk:
        messages.info(request, "This quiz has no published question yet. Nothing was begun.")
        return redirect("quiz", course, quiz)
    wanted = Slot.objects.filter(attempt=attempt, version__question__slug=_place(request.POST))
    position = wanted.values_list("position", flat=True).first()
    return _see("attempt", attempt.pk, f"?q={position}" if position else "")


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def attempt(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """The current question; a POST is an answer to it."""
    if request.method == "POST":
        return _answer(request, attempt_id)
    position = _position(request.GET) if request.GET.get("q") else None
    return _question(request, attempt_id, position, again=bool(request.GET.get("again")))


def _question(
    request: LearnerRequest,
    attempt_id: uuid.UUID,
    position: int | None,
    *,
    again: bool = False,
    came: Came | None = None,
    status: int = 200,
) -> HttpResponse:
    learner, stand = _learner(request), standing()
    named = (attempt_id, position, again, seen_by(learner), timezone.localdate(), stand.mark)
    kept = named if request.method == "GET" else None

    def found() -> dict[str, object]:
        going = queries.going_at(attempt_id, learner.pk, position)
        return {"page": queries.page_of(going, again=again, came=came, stand=stand)}

    try:
        return page(request, TEMPLATE, found, regions=REGIONS, status=status, kept=kept)
    except AttemptOver:
        return _see("review", attempt_id)
    except (Attempt.DoesNotExist, Slot.DoesNotExist) as missing:
        raise Http404 from missing


def _answer(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    sent, at = submission_in(request.POST), timezone.now()
    if sent is None:
        return HttpResponse(UNREADABLE, status=400, content_type="text/plain")
    learner = _learner(request)
    try:
        outcome, going = actions.answer_and_look(
            attempt_id=attempt_id, learner_id=learner.pk, submission=sent, at=at
        )
    except (Attempt.DoesNotExist, Slot.DoesNotExist) as missing:
        raise Http404 from missing
    except AnswerProblem as problem:
        came = Came(raw=sent.raw, certainty=sent.certainty, key=str(sent.key), error=str(problem))
        return _question(request, attempt_id, sent.position, again=sent.again, came=came, status=422)
    if isinstance(outcome, actions.AlreadyAnswered):
        came = Came(notice=TOO_LATE[outcome.reason])
        return _question(request, attempt_id, sent.position, came=came, status=409)
    here = f"{address('attempt', attempt_id)}?q={sent.position}"
    if going is None:  # nothing new, or a retry
        return followed(request, here, lambda: _question(request, attempt_id, sent.position), regions=REGIONS)

    def told() -> HttpResponse:
        return at_once(request, TEMPLATE, REGION, {"page": queries.page_of(going), "learner": learner})

    return followed(request, here, told, regions=REGIONS)


@login_not_required
@require_POST
def flag(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Flag a question, to find it again."""
    position, flagged = _position(request.POST), flagged_in(request.POST)
    if flagged is None:
        raise Http404
    at, learner = timezone.now(), _learner(request)
    try:
        actions.flag_question(
            attempt_id=attempt_id, learner_id=learner.pk, position=position, flagged=flagged, at=at
        )
    except Slot.DoesNotExist as missing:
        raise Http404 from missing
    again = "&again=1" if request.POST.get("again") else ""
    return _see("attempt", attempt_id, f"?q={position}{again}")


@login_not_required
@require_POST
def skip(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Put a question off and see the next one."""
    position, learner = _position(request.POST), _learner(request)
    try:
        actions.skip_question(
            attempt_id=attempt_id, learner_id=learner.pk, position=position, at=timezone.now()
        )
        found = queries.question_page(attempt_id, learner.pk, position)
    except (Attempt.DoesNotExist, Slot.DoesNotExist) as missing:
        raise Http404 from missing
    except actions.AttemptFinished:
        return _see("review", attempt_id)
    return _see("attempt", attempt_id, f"?q={found.next_position or position}")


@login_not_required
@require_POST
def finish(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """End the attempt and show its review."""
    try:
        actions.finish_attempt(attempt_id=attempt_id, learner_id=_learner(request).pk, at=timezone.now())
    except Attempt.DoesNotExist as missing:
        raise Http404 from missing
    return _see("review", attempt_id)


@login_not_required
@require_safe
def review(request: LearnerRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Every question of a finished attempt, with every option and rationale."""
    try:
        found = queries.review_page(attempt_id, _learner(request).pk)
    except Attempt.DoesNotExist as missing:
        raise Http404 from missing
    except NotFinished as going_on:
        return page(request, "quizzes/review_closed.html", {"attempt": going_on.attempt})
    return page(request, "quizzes/review.html", {"page": found})


def _position(data: QueryDict) -> int:
    position = position_in(data)
    if position is None:
        raise Http404
    return position
