"""Interview cards: the list with its filter, and one card before and after the learner's own words.

The back of a card (its points) is read only for a learner who has opened it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from django.db.models import F, Func, JSONField, QuerySet
from django.urls import reverse

from chapters.queries import course_view
from chapters.queries.courses import course_named
from quizzes.models import Card, CardTry, Question
from quizzes.models.cards import LEVELS
from quizzes.queries.card_past import PARTS, Ratings, before_of, former_of, missed_before, word_of
from quizzes.queries.card_shapes import (
    Before,
    CardFilter,
    CardLine,
    CardPage,
    CardsPage,
    Choice,
    PartView,
    PointView,
    QuestionLink,
    Unkept,
)
from quizzes.queries.feedback import Streets

LONGEST_TOPIC = 40  # characters
BACK = ("points", "words", "back_words")  # columns that are not read before the back is opened
# Which points a card has now, by their slugs alone: enough to count ratings.
HERE = Func(
    F("points"),
    template="jsonb_path_query_array(%(expressions)s, '$[*] ? (!(exists(@.gone))).slug')",
    output_field=JSONField(),
)


def filter_of(data: Mapping[str, str]) -> CardFilter:
    """The filter that a query names; what cannot be one is left out."""
    level, topic = data.get("level", ""), data.get("topic", "")
    fits = len(topic) <= LONGEST_TOPIC and topic.isprintable()
    return CardFilter(level if level in LEVELS else "", topic if fits else "")


def cards_page(course: str, learner_id: int | None, chosen: CardFilter) -> CardsPage:
    """The cards of a course under a filter, with what this learner did (three queries, two for strangers).

    Raises Course.DoesNotExist.
    """
    row, view = course_named(course)
    cards = _in_order(_on_shelf().filter(course=row).annotate(here=HERE).defer(*BACK))
    tries = _newest_tries(learner_id, row.pk) if learner_id else {}
    shown = [card for card in cards if _fits(card, chosen)]
    topics = sorted({topic for card in cards for topic in card.topics}, key=str.lower)
    lines = tuple(_line(card, tries.get(card.pk)) for card in shown)
    return CardsPage(
        course=view,
        chosen=chosen,
        levels=_choices(cards, chosen, "level", LEVELS),
        topics=_choices(cards, chosen, "topic", topics),
        cards=lines,
        total=len(cards),
        answered=sum(1 for one in lines if one.state == "rated"),
    )


def card_named(course: str, slug: str) -> Card:
    """One card on the shelf, with course, release and chapter, without its back (one query).

    Raises Card.DoesNotExist.
    """
    return (
        _on_shelf()
        .select_related("course__release", "chapter")
        .annotate(here=HERE)
        .defer(*BACK, "course__intro_html", "chapter__notes", "chapter__purpose_html", "chapter__practice")
        .get(course__slug=course, slug=slug, course__release__isnull=False)
    )


@dataclass(frozen=True, slots=True)
class Came:
    """What came in with a form and was not accepted: shown again so that nothing is typed or chosen twice."""

    words: str | None = None
    silent: bool = False  # "I have no answer yet" was ticked
    ratings: Mapping[str, int] = field(default_factory=dict)  # of points, by slug


def card_page(
    card: Card,
    learner_id: int | None,
    chosen: CardFilter,
    *,
    again: bool = False,
    came: Came | None = None,
) -> CardPage:
    """One card as it stands for this learner.

    One query for its neighbours, one for the tries; where the back was opened one for the back and one for the
    questions it names. With ``again`` the front is shown although the card was rated.
    """
    came = came or Came()
    newest, before = _two_newest(learner_id, card.pk)
    if again and newest is not None and newest.rated_at is not None:
        newest, before = None, newest
    page = _closed(card, newest, before, chosen)
    if newest is None or newest.shown_at is None:
        unkept = _unkept(card, came.ratings, closed=True) if came.ratings else ()
        words = page.words if came.words is None else came.words
        return replace(page, words=words, silent=came.silent, unkept=unkept)
    late = came.words or ""
    page = replace(page, late=late if late.strip() != page.words.strip() else "")
    return _opened(page, card, newest, came.ratings)


def _on_shelf() -> QuerySet[Card]:
    return Card.objects.filter(retired_at__isnull=True)


def _in_order(cards: QuerySet[Card]) -> list[Card]:
    """By level, and within a level as the author put them."""
    return sorted(cards.order_by("position"), key=lambda card: LEVELS.index(card.level))


def _fits(card: Card, chosen: CardFilter) -> bool:
    return chosen.level in ("", card.level) and (not chosen.topic or chosen.topic in card.topics)


def _choices(
    cards: Iterable[Card], chosen: CardFilter, name: str, values: Iterable[str]
) -> tuple[Choice, ...]:
    """All, then every value that some card has under the other part of the filter."""
    found = []
    for value in ("", *values):
        other = CardFilter(value, chosen.topic) if name == "level" else CardFilter(chosen.level, value)
        count = sum(_fits(card, other) for card in cards)
        here = other == chosen
        if count or here:
            found.append(Choice(value or "all", count, other.query, here))
    return tuple(found)


def _newest_tries(learner_id: int, course_pk: int) -> dict[int, CardTry]:
    rows = (
        CardTry.objects.of(learner_id)
        .filter(card__course_id=course_pk, undone_at__isnull=True)
        .defer("words")
        .order_by("card_id", "-begun_at", "-pk")
        .distinct("card_id")
    )
    return {row.card_id: row for row in rows}


def _two_newest(learner_id: int | None, card_pk: int) -> tuple[CardTry | None, CardTry | None]:
    if learner_id is None:
        return None, None
    mine = CardTry.objects.of(learner_id).filter(card_id=card_pk, undone_at__isnull=True)
    found = [*mine.order_by("-begun_at", "-pk")[:2], None, None]
    return found[0], found[1]


def _line(card: Card, last: CardTry | None) -> CardLine:
    """``card`` knows which points it has (``HERE``)."""
    state, at, ratings, here = "new", None, {}, set(getattr(card, "here", ()))
    if last is not None:
        state = "rated" if last.rated_at else "shown" if last.shown_at else "begun"
        at, ratings = last.rated_at or last.begun_at, last.ratings
    now = [ratings.get(slug) for slug in here] if ratings else []
    return CardLine(
        slug=card.slug,
        front_html=card.front_html,
        level=card.level,
        topics=tuple(card.topics),
        state=state,
        at=at,
        missed=now.count(0),
        partly=now.count(1),
        open=now.count(None),
        missed_before=missed_before(ratings, here),
        changed=state == "rated" and last is not None and last.fingerprint != card.fingerprint,
    )


def _closed(card: Card, newest: CardTry | None, before: CardTry | None, chosen: CardFilter) -> CardPage:
    """Everything but the back."""
    release, chapter = card.course.release, card.chapter
    assert release is not None
    release.course = card.course
    siblings = _on_shelf().filter(course_id=card.course_id).only("slug", "level", "topics")
    slugs = [one.slug for one in _in_order(siblings) if one.pk == card.pk or _fits(one, chosen)]
    here = slugs.index(card.slug)
    line = _line(card, newest)
    return CardPage(
        course=course_view(release),
        chapter_slug=chapter.slug,
        chapter_title=chapter.title,
        slug=card.slug,
        front_html=card.front_html,
        front_text=card.front_text,
        level=card.level,
        topics=tuple(card.topics),
        chosen=chosen,
        number=here + 1,
        of=len(slugs),
        previous=slugs[here - 1] if here else "",
        following=slugs[here + 1] if here + 1 < len(slugs) else "",
        stage={"shown": "back", "rated": "rated"}.get(line.state, "front"),
        words=newest.words if newest is not None else "",
        late="",
        silent=False,
        try_id=newest.pk if newest is not None else 0,
        at=line.at if line.state == "rated" else None,
        earlier=_line(card, before) if before is not None and before.rated_at is not None else None,
        changed=line.changed,
        wording=card.fingerprint,
        after=(newest or before).pk if newest or before else 0,  # type: ignore[union-attr]
        parts=(),
        former=(),
        unkept=(),
        read=None,
        counts=(0, 0, 0),
    )


def _opened(page: CardPage, card: Card, newest: CardTry, came: Mapping[str, int]) -> CardPage:
    """The page with the back; only for a learner who has opened it. ``came``: ratings that were not kept."""
    points, gone = card.standing_points(), card.gone_points()
    back = reverse("card", args=[page.course.slug, page.slug]) + page.chosen.query
    release = card.course.release
    streets = Streets(page.course.slug, release.pk if release else 0, quote(back))
    links = _question_links(card, points)
    ratings: Ratings = newest.ratings
    rated_at = newest.rated_at
    views = [
        (
            point["part"],
            _point(point, before_of(point, ratings, rated_at, gone), (ratings, came), (streets, links)),
        )
        for point in points
    ]
    ticked = {view.slug for _, view in views if page.stage == "back" or view.asked}
    others = {
        slug: rating for slug, rating in came.items() if slug not in ticked and ratings.get(slug) != rating
    }
    return replace(
        page,
        parts=tuple(
            PartView(name, title, said, tuple(view for part, view in views if part == name))
            for name, (title, said) in PARTS.items()
            if any(part == name for part, _ in views)
        ),
        former=former_of(card, ratings),
        unkept=_unkept(card, others, closed=False) if others else (),
        read=streets.link(card.read),
        counts=_counts([view.rating for _, view in views]),
    )


def _counts(ratings: list[int | None]) -> tuple[int, int, int]:
    return ratings.count(2), ratings.count(1), ratings.count(0)


def _point(
    point: Mapping[str, Any],
    before: Before | None,
    told: tuple[Ratings, Mapping[str, int]],
    ways: tuple[Streets, Mapping[tuple[str, str], QuestionLink]],
) -> PointView:
    """``told``: the ratings that are kept, and those that came in and were not."""
    (ratings, came), (streets, links), slug = told, ways, point["slug"]
    roads = [streets.link(one) for one in point["read"]]
    rating = ratings.get(slug)
    return PointView(
        slug=slug,
        html=point["html"],
        belief=point["belief"],
        rating=rating,
        new=slug not in ratings and before is None,
        before=before,
        chosen=came.get(slug, None if before is not None else rating),
        read=tuple(road for road in roads if road is not None),
        questions=tuple(links[quiz, slug] for quiz, slug in point["questions"] if (quiz, slug) in links),
    )


def _unkept(card: Card, came: Mapping[str, int], *, closed: bool) -> tuple[Unkept, ...]:
    """Ratings of an older page in words: where the point stood, and unless the back is closed what it says."""
    found, numbers = [], Counter[str]()
    for point in card.points:
        part, slug = point["part"], point["slug"]
        numbers[part] += 1
        if slug in came:
            where = f"{PARTS[part][0]}, " + (
                "taken out since" if "gone" in point else f"point {numbers[part]}"
            )
            found.append(Unkept(where, "" if closed else point["html"], word_of(part)[came[slug]]))
    return tuple(found)


def _question_links(card: Card, points: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], QuestionLink]:
    """The way to each question that the points name and that is on the shelf (one query)."""
    wanted = {slug for point in points for _, slug in point["questions"]}
    if not wanted:
        return {}
    rows = Question.objects.filter(
        quiz__course_id=card.course_id,
        quiz__retired_at__isnull=True,
        quiz__purpose="quiz",
        slug__in=wanted,
        retired_at__isnull=True,
        current__isnull=False,
    )
    course = card.course.slug
    return {
        (quiz, slug): QuestionLink(f"{reverse('quiz', args=[course, quiz])}?at={slug}", stem)
        for quiz, slug, stem in rows.values_list("quiz__slug", "slug", "current__stem_text")
    }
