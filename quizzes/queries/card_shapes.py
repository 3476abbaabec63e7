"""What the pages about interview cards show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from chapters.queries import CourseView
from quizzes.queries.shapes import ParagraphLink


@dataclass(frozen=True, slots=True)
class CardFilter:
    """Which cards are looked at; "" for all."""

    level: str = ""
    topic: str = ""

    @property
    def query(self) -> str:
        """The filter as the query of an address: "" or "?level=…&topic=…"."""
        told = [(name, value) for name, value in (("level", self.level), ("topic", self.topic)) if value]
        return f"?{urlencode(told)}" if told else ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of the filter, how many cards it leaves, and the address's query that chooses it."""

    label: str
    count: int
    query: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card in the list, with what this learner did."""

    slug: str
    front_html: str
    level: str
    topics: tuple[str, ...]
    state: str  # new, begun (words are kept), shown (compared, not rated), rated
    at: datetime | None  # of the rating, else of the beginning
    missed: int
    partly: int
    open: int  # points that were left without a rating
    missed_before: int  # points missed that the card has no longer, or in other words
    changed: bool  # the card says something else since it was answered


@dataclass(frozen=True, slots=True)
class CardsPage:
    """The list of a course's cards under a filter."""

    course: CourseView
    chosen: CardFilter
    levels: tuple[Choice, ...]
    topics: tuple[Choice, ...]
    cards: tuple[CardLine, ...]
    total: int
    answered: int


@dataclass(frozen=True, slots=True)
class QuestionLink:
    """The way to a question of a quiz."""

    url: str
    stem: str  # plain text


@dataclass(frozen=True, slots=True)
class Before:
    """What a point was rated before it was reworded."""

    rating: int
    word: str  # the rating, as it is called in its part
    html: str  # the words it had then, "" where they are not known
    stands: bool  # whether the rating counts until the point is rated anew


@dataclass(frozen=True, slots=True)
class FormerView:
    """A rated point that was taken out of the card since."""

    part: str  # title, "" where only the rating is known
    html: str
    rating: int
    word: str


@dataclass(frozen=True, slots=True)
class Unkept:
    """A rating that came from an older page and was not kept. Of a card whose back is closed the words are empty."""

    where: str  # "Short answer, point 1"
    html: str
    word: str


@dataclass(frozen=True, slots=True)
class PointView:
    """One point of the back, with its rating and what teaches it."""

    slug: str
    html: str
    belief: str  # the misconception in words, "" for none
    rating: int | None  # 2 said, 1 partly, 0 missed; None for none yet
    new: bool  # came to the card after the ratings, or there are none
    before: Before | None  # its rating in other words, while it is not rated anew
    chosen: int | None  # what is ticked in the form: what came in and was not kept, else the rating
    read: tuple[ParagraphLink, ...]
    questions: tuple[QuestionLink, ...]

    @property
    def asked(self) -> bool:
        """Whether a rated card asks for a rating of this point: it has none, or one of other words."""
        return self.rating is None or self.before is not None

    @property
    def weight(self) -> int | None:
        """The rating, or else the one it had in other words."""
        return self.before.rating if self.rating is None and self.before else self.rating


@dataclass(frozen=True, slots=True)
class PartView:
    """One part of the back."""

    name: str
    title: str
    said: tuple[str, str, str]  # words for the ratings 2, 1 and 0
    points: tuple[PointView, ...]


@dataclass(frozen=True, slots=True)
class CardPage:
    """``stage``: front, back (opened, not rated) or rated. ``parts`` are empty before the back was opened."""

    course: CourseView
    chapter_slug: str
    chapter_title: str
    slug: str
    front_html: str
    front_text: str
    level: str
    topics: tuple[str, ...]
    chosen: CardFilter
    number: int  # of this card among those of the filter; 0 when it is none of them
    of: int
    previous: str  # slug, "" for none
    following: str
    stage: str
    words: str
    late: str  # what was typed once the back was open, and is not kept
    silent: bool  # "I have no answer yet" was ticked in a form that was refused
    try_id: int  # 0 when nothing was kept yet
    at: datetime | None  # of the rating
    earlier: CardLine | None  # what an earlier try came to, while a new one is open
    changed: bool
    wording: str  # the card's fingerprint
    after: int  # the newest try that this page knows of, 0 for none
    parts: tuple[PartView, ...]
    former: tuple[FormerView, ...]  # rated points that were taken out since
    unkept: tuple[Unkept, ...]  # ratings that came from an older page and are ticked nowhere on this one
    read: ParagraphLink | None
    counts: tuple[int, int, int]  # said, partly, missed

    @property
    def points(self) -> int:
        """How many points the back has."""
        return sum(len(part.points) for part in self.parts)

    @property
    def weak(self) -> tuple[PointView, ...]:
        """The points that were missed, then those said partly, as they are rated or were in other words."""
        return tuple(point for weight in (0, 1) for point in self._points if point.weight == weight)

    @property
    def unrated(self) -> int:
        """How many points have no rating: all before the rating, those left open and new ones after it."""
        return sum(point.rating is None for point in self._points)

    @property
    def reworded(self) -> int:
        """How many points were rated in other words and not anew."""
        return sum(point.before is not None for point in self._points)

    @property
    def waits(self) -> bool:
        """Whether there are points to rate."""
        return self.stage == "back" or any(point.asked for point in self._points)

    @property
    def new(self) -> int:
        """How many points came to the card since it was rated."""
        return sum(point.new for point in self._points) if self.stage == "rated" else 0

    @property
    def missed_before(self) -> int:
        """How many points were missed in words that were changed or taken out since, and wait to be rated anew."""
        waiting = [point.before.rating for point in self._points if point.rating is None and point.before]
        return [*waiting, *(one.rating for one in self.former)].count(0)

    @property
    def rated(self) -> int:
        """How many points have a rating."""
        return self.points - self.unrated

    @property
    def _points(self) -> list[PointView]:
        return [point for part in self.parts for point in part.points]
