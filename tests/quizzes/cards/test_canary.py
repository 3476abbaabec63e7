"""The back of a card reaches nobody before their words are sent: every page of the site, every part of the back."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.actions import keep_words, open_back, rate_card, undo_card
from quizzes.models import Card, CardTry
from studyhub.accounts.auditing import COMMAND
from studyhub.packs.actions import load_pack
from tests.studyhub.packs import small
from tests.studyhub.web.addresses import addresses

pytestmark = pytest.mark.django_db
PARTS = ("short", "depth", "example", "mistakes", "followups")
HEADINGS = ("", "### In depth\n\n", "### Example\n\n", "### Common mistakes\n\n", "### Follow-ups\n\n")
HEADS = (
    {},
    {"HX-Request": "true", "HX-Target": "kept"},
    {"HX-Request": "true", "HX-Target": "card"},
    {"HX-Request": "true", "HX-Target": "main"},
)
QUERIES = ("", "?again=1", "?level=senior", "?topic=weights", "?q=canarycard")


def secret(card, part):
    return f"canarycard{card}{part}x7q"


def deck():
    text = "---\nkind: cards\nid: aloud\ntitle: Aloud\nchapter: scales\n---\n"
    for name in ("one", "two"):
        text += f"\n## Why is card {name} heavy? {{#{name}}}\nlevel: senior\ntags: [weights]\nread: scales#needle\n\n"
        for heading, part in zip(HEADINGS, PARTS, strict=True):
            mark = " {mis: wide, question: one}" if part == "mistakes" else " {read: scales#two-bytes}"
            text += f"{heading}- Point {secret(name, part)} of it.{mark}\n\n"
    return text


ALL = frozenset(secret(card, part) for card in ("one", "two") for part in PARTS)


@pytest.fixture
def pack(tmp_path) -> Path:
    folder = small.write(tmp_path)
    (folder / "cards").mkdir()
    (folder / "cards/aloud.cards.md").write_text(deck())
    load_pack(folder=folder, by=COMMAND, at=timezone.now())
    return folder


def browser(person):
    client = Client()
    client.force_login(person, "studyhub.accounts.backends.Backend")
    return client


def named(slug):
    return Card.objects.get(course__slug="tiny", slug=slug)


def told(*responses):
    """The secrets in any of the answers, head or body, in any form."""
    texts = ["\n".join([str(one.headers), one.content.decode("utf-8", "replace")]) for one in responses]
    found = set()
    for word in ALL:
        raw = word.encode()
        forms = [word, word[::-1], raw.hex(), base64.b64encode(raw).decode().rstrip("=")]
        if any(form in text for text in texts for form in forms):
            found.add(word)
    return found


def crawl(client):
    """Every address whole and as a region, each card with every query."""
    for slug in ("one", "two"):
        for address in addresses(course="tiny", chapter="scales", quiz="first", card=slug).values():
            for head in HEADS:
                for query in QUERIES if "/cards/" in address or "search" in address else ("",):
                    yield client.get(address + query, headers=head)


def refused(client):
    """What comes back for sendings that must not open anything."""
    for slug in ("one", "two"):
        here = f"/c/tiny/cards/{slug}/"
        for head in HEADS:
            yield client.post(f"{here}words/", {"words": ""}, headers=head)
            yield client.post(f"{here}compare/", {"words": " "}, headers=head)
            yield client.post(f"{here}compare/", {"words": "x" * 20_001}, headers=head)
            yield client.post(f"{here}rate/", {"point-x": "said"}, headers=head)
            yield client.post(f"{here}undo/", {"try": "1"}, headers=head)
            yield client.get(here, headers=head)


def test_every_secret_is_in_the_pack_and_on_the_shelf(pack):
    stored = " ".join(str(one.points) for one in Card.objects.filter(course__slug="tiny"))
    assert [word for word in ALL if word not in stored] == []
    fronts = " ".join(f"{one.front_html} {one.front_text}" for one in Card.objects.all())
    assert [word for word in ALL if word in fronts] == []


def test_nobody_sees_a_back_before_their_words(pack, learner, client):
    for slug in ("one", "two"):
        keep_words(learner_id=learner.pk, card=named(slug), words="almost", at=timezone.now())
    pages = [*crawl(browser(learner)), *refused(browser(learner))]
    assert len(pages) > 100
    assert told(*pages) == set()
    assert told(*crawl(client), *refused(client)) == set()


def test_opened_back_shows_its_own_card_to_its_own_learner_only(pack, learner, other):
    sent = browser(learner).post("/c/tiny/cards/one/compare/", {"words": "mine"})
    own = {secret("one", part) for part in PARTS}
    assert told(browser(learner).get(sent["Location"])) == own
    assert told(*crawl(browser(learner))) == own
    assert told(*crawl(browser(other)), *refused(browser(other)), *crawl(Client())) == set()


def test_back_that_was_taken_back_is_closed_again(pack, learner):
    at, card = timezone.now(), named("one")
    open_back(learner_id=learner.pk, card=card, words="mine", no_answer=False, at=at)
    opened = CardTry.objects.get()
    assert undo_card(learner_id=learner.pk, card=card, try_id=opened.pk, at=at)
    here = "/c/tiny/cards/one/"
    assert told(*(browser(learner).get(here + query) for query in QUERIES)) == set()


def test_new_try_of_a_rated_card_is_closed(pack, learner):
    at, card = timezone.now(), named("one")
    open_back(learner_id=learner.pk, card=card, words="mine", no_answer=False, at=at)
    ratings = {point["slug"]: 0 for point in card.points}
    rate_card(learner_id=learner.pk, card=card, ratings=ratings, at=at)
    here = "/c/tiny/cards/one/"
    assert told(browser(learner).get(here)) == {secret("one", part) for part in PARTS}
    assert told(browser(learner).get(f"{here}?again=1")) == set()
    keep_words(learner_id=learner.pk, card=card, words="again", at=timezone.now())
    assert told(browser(learner).get(here)) == set()
