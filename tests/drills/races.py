"""Many requests of one learner at the same moment; used with few repeats in the journeys and with 100 in the drill."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from tests.drills.learners import QUIZ, Intent, Learner, intents_of
from tests.drills.plain_http import Reply
from tests.journeys.ledger import Ledger

MANY = 40


async def begun(learner: Learner) -> list[Intent]:
    """An answer to each question of a new attempt."""
    attempt = await learner.begin()
    return intents_of(attempt, await learner.posed(attempt), learner.dice)


async def answers(learner: Learner, intents: list[Intent]) -> list[Reply]:
    """Each answer sent once, all at the same time."""
    asked = [
        learner.browser.ask("POST", f"/attempts/{one.attempt}/", one.form(), "question") for one in intents
    ]
    return list(await asyncio.gather(*asked))


async def saved(learner: Learner, intents: list[Intent]) -> None:
    """All of them sent again until each is acknowledged."""
    await asyncio.gather(*(learner.submit(one) for one in intents))


async def starts(learner: Learner) -> list[Reply]:
    """Many starts of one quiz, of which no attempt is open."""
    await learner.browser.ask("POST", f"/attempts/{await learner.begin()}/finish/")
    asked = [learner.browser.ask("POST", f"{QUIZ}start/") for _ in range(MANY)]
    return list(await asyncio.gather(*asked))


async def ends(learner: Learner) -> tuple[str, list[Reply], list[Reply]]:
    """An attempt with many answers and many ends, all mixed: its id, the replies to the answers, to the ends."""
    intents = (await begun(learner))[:MANY]
    attempt = intents[0].attempt
    given = [learner.browser.ask("POST", f"/attempts/{attempt}/", one.form(), "question") for one in intents]
    ending = [learner.browser.ask("POST", f"/attempts/{attempt}/finish/") for _ in range(MANY)]
    mixed = list(enumerate([*given, *ending]))
    learner.dice.shuffle(mixed)
    replies = await asyncio.gather(*(one for _, one in mixed))
    found = dict(zip((number for number, _ in mixed), replies, strict=True))
    return attempt, [found[one] for one in range(MANY)], [found[one] for one in range(MANY, 2 * MANY)]


@dataclass(frozen=True, slots=True)
class Ended:
    """What is kept of an attempt that was ended many times: ``kept`` and ``aside`` are answers."""

    kept: int
    summed_up: int
    aside: int
    reasons: tuple[str, ...]
    ended: bool


def ended_as(ledger: Ledger, attempt: str) -> Ended:
    """Read it."""
    answered, _, stored = ledger.sums(attempt)
    ((aside, reasons),) = ledger.rows(
        "SELECT count(*), array_agg(DISTINCT j.reason::text) FROM quizzes_rejectedresponse j "
        "JOIN quizzes_slot s ON s.id = j.slot_id WHERE s.attempt_id = %s",
        attempt,
    )
    ((over,),) = ledger.rows("SELECT finished_at IS NOT NULL FROM quizzes_attempt WHERE id = %s", attempt)
    return Ended(stored, answered, aside, tuple(reasons or ()), over)


def changes_of(ledger: Ledger, attempt: str) -> int:
    """How often something of this attempt's learner was kept."""
    ((changes,),) = ledger.rows(
        "SELECT u.changes FROM accounts_user u JOIN quizzes_attempt a ON a.learner_id = u.id WHERE a.id = %s",
        attempt,
    )
    return int(changes)


def open_attempts(ledger: Ledger, attempt: str) -> list[tuple[str]]:
    """The open attempts of the learner who has this one."""
    return ledger.rows(
        "SELECT a.id::text FROM quizzes_attempt a JOIN quizzes_attempt mine ON mine.learner_id = a.learner_id "
        "WHERE mine.id = %s AND a.finished_at IS NULL",
        attempt,
    )


def expect_one_start(learner: Learner, ledger: Ledger, replies: list[Reply]) -> None:
    """All were shown the same attempt, the only open one, with each question once."""
    assert {reply.status for reply in replies} == {303}
    (made,) = {reply.header("location").split("/")[2] for reply in replies}
    assert open_attempts(ledger, made) == [(made,)]
    assert ledger.rows("SELECT count(*) FROM quizzes_slot WHERE attempt_id = %s", made) == [(64,)]


def expect_one_end(ledger: Ledger, race: tuple[str, list[Reply], list[Reply]]) -> int:
    """One end counted; every answer counts or was kept aside. Returns how many were kept aside."""
    attempt, given, ended = race
    assert {reply.status for reply in ended} == {303}
    assert {reply.header("location") for reply in ended} == {f"/attempts/{attempt}/review/"}
    assert {reply.status for reply in given} <= {200, 303, 409}
    found = ended_as(ledger, attempt)
    reasons = ("finished",) if found.aside else ()
    assert found == Ended(MANY - found.aside, MANY - found.aside, found.aside, reasons, ended=True)
    assert sum(reply.status == 200 for reply in given) == found.kept
    assert changes_of(ledger, attempt) == found.kept + 1, (
        "each answer and one end changed the learner's pages"
    )
    return found.aside
