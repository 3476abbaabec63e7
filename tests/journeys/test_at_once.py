"""trust.md 2 and pass marks 4 and 12: many at once for one attempt, and a database that breaks off, waits or refuses.

Whoever cannot be served is told to come back (503 with Retry-After), never 500; what was acknowledged is there.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator

import psycopg
import pytest

from studyhub import postgres
from tests.drills.books import Books, balance
from tests.drills.learners import Intent, Learner, Tally
from tests.drills.plain_http import Browser, Reply
from tests.drills.races import answers, begun, ends, expect_one_end, expect_one_start, saved, starts
from tests.drills.run import apart
from tests.journeys.house import House
from tests.journeys.ledger import Ledger

BACK = 10.0  # seconds
END_OTHERS = """SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
DICE = random.Random(4)


@pytest.fixture
def learner(house: House) -> Learner:
    """A guest without a faulty line, who has a session."""
    made = newcomer(house)
    apart(made.begin())
    return made


def newcomer(house: House) -> Learner:
    """A guest to be."""
    return Learner(Browser(house.port), house.port, postgres.url(house.data), Tally(0), DICE)


@pytest.fixture
def database(house: House) -> Iterator[psycopg.Connection]:
    """A connection of somebody else."""
    with psycopg.connect(postgres.url(house.data), autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize("turn", range(3))
def test_of_forty_starts_one_makes_an_attempt(learner: Learner, ledger: Ledger, turn: int) -> None:
    expect_one_start(learner, ledger, apart(starts(learner)))


def test_of_forty_ends_one_counts_and_every_answer_is_kept(house: House, ledger: Ledger) -> None:
    aside = [expect_one_end(ledger, apart(ends(newcomer(house)))) for _ in range(3)]
    assert sum(aside) > 0, "answers and ends must have met"


def expect_all_saved(house: House, learner: Learner, intents: list[Intent]) -> None:
    """Within BACK seconds every answer is acknowledged, and the books are balanced."""
    began = time.monotonic()
    apart(saved(learner, intents))
    assert time.monotonic() - began < BACK
    assert house.ready()
    assert balance(learner.address, learner.tally.acked) == Books(acked=len(intents), rows=len(intents))


def test_twenty_answers_behind_a_locked_row_are_told_to_come_back(house: House, learner: Learner) -> None:
    intents = apart(begun(learner))[:20]

    async def pile_up() -> tuple[list[Reply], Reply]:
        with psycopg.connect(learner.address) as other:
            other.execute("SELECT FROM quizzes_attempt WHERE id = %s FOR UPDATE", [intents[0].attempt])
            asked = asyncio.ensure_future(answers(learner, intents))
            await asyncio.sleep(1)
            began = time.monotonic()
            health = await learner.browser.ask("GET", "/healthz")
            assert time.monotonic() - began < 3, "it waits for nobody"
            await asyncio.sleep(4)
        return await asked, health

    replies, health = apart(pile_up())
    assert 503 in {reply.status for reply in replies}
    assert {reply.status for reply in replies} <= {200, 503}
    assert {reply.header("retry-after") for reply in replies if reply.status == 503} == {"2"}
    assert health.status == 200
    expect_all_saved(house, learner, intents)


def test_answers_after_their_connection_was_ended(
    house: House, learner: Learner, database: psycopg.Connection
) -> None:
    intents = apart(begun(learner))[:20]
    replies = apart(answers(learner, intents[:4]))
    for one in intents[4:8]:
        database.execute(END_OTHERS)
        replies += apart(answers(learner, [one]))
    assert {reply.status for reply in replies} == {200}, (
        "a connection that ended at rest is noticed before use"
    )
    ending = statuses_while_ended(learner, intents[8:], database)
    assert set(ending) <= {200, 503}
    expect_all_saved(house, learner, intents)


def statuses_while_ended(learner: Learner, intents: list[Intent], database: psycopg.Connection) -> list[int]:
    """The statuses of answers whose connections are ended all the while."""

    async def race() -> list[int]:
        asked = asyncio.ensure_future(answers(learner, intents))
        while not asked.done():
            await asyncio.to_thread(database.execute, END_OTHERS)
            await asyncio.sleep(0.02)
        return [reply.status for reply in await asked]

    return apart(race())


def test_read_only_database_is_told_as_passing(
    house: House, learner: Learner, database: psycopg.Connection
) -> None:
    intents = apart(begun(learner))[:4]
    database.execute("ALTER DATABASE studyhub SET default_transaction_read_only = on")
    database.execute(END_OTHERS)
    try:
        assert {reply.status for reply in apart(answers(learner, intents))} == {503}
    finally:
        database.execute("SET default_transaction_read_only = off")
        database.execute("ALTER DATABASE studyhub RESET default_transaction_read_only")
        database.execute(END_OTHERS)
    expect_all_saved(house, learner, intents)


def test_books_that_do_not_balance_are_seen(
    house: House, learner: Learner, database: psycopg.Connection
) -> None:
    intents = apart(begun(learner))[:3]
    expect_all_saved(house, learner, intents)
    acked = learner.tally.acked
    first, second, _ = acked
    never = Intent(intents[0].attempt, 1, (), "right", again=False)
    other = {"right": "wrong", "wrong": "right"}[intents[0].expected]
    assert balance(learner.address, {**acked, never.key: (never, "right")}).lost == 1
    assert balance(learner.address, {key: acked[key] for key in (first, second)}).ghosts == 1
    assert balance(learner.address, {**acked, first: (acked[first][0], other)}).wrong == 1
    database.execute("UPDATE quizzes_attempt SET answered = answered + 1 WHERE id = %s", [never.attempt])
    assert balance(learner.address, acked).odd_sums == 1
    database.execute("UPDATE quizzes_attempt SET answered = answered - 1 WHERE id = %s", [never.attempt])
    copied = """INSERT INTO quizzes_response (slot_id, number, learner_id, version_id, key, options, typed, parts, state,
        fraction, detail, misconceptions, at) SELECT s.id, 2, r.learner_id, r.version_id, r.key, r.options, r.typed,
        r.parts, r.state, r.fraction, r.detail, r.misconceptions, r.at FROM quizzes_response r, quizzes_slot s
        WHERE r.key = %s AND s.attempt_id = %s AND s.id <> r.slot_id LIMIT 1"""
    database.execute(copied, [first, never.attempt])
    assert balance(learner.address, acked).doubled == 1
