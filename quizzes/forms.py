"""From what a browser sent to clean values. Every value is read strictly: what no form of ours can send is refused.

Plain functions instead of Django's forms: these few fields are read with every answer, no page shows them again, and
a form takes longer to be made than the answer takes to be marked.
"""

from __future__ import annotations

import re
import uuid

from django.http import QueryDict

from quizzes.actions import Submission

MOST_CHOICES = 64
LONGEST_CHOICE = 200  # characters
PLACE = re.compile(r"[1-9][0-9]{0,4}")
KEY = re.compile(r"[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}")
CERTAINTIES: dict[str, int | None] = {"": None, "1": 1, "2": 2, "3": 3}
FLAGS = {"": True, "on": True, "off": False}
NOT_CHECKED = ("", "0", "false", "False")


def position_in(data: QueryDict) -> int | None:
    """The question that ``q`` names by its position, from 1; None where it names none that can be."""
    text = data.get("q", "")
    return int(text) if PLACE.fullmatch(text) else None


def flagged_in(data: QueryDict) -> bool | None:
    """Whether a question is to be flagged (``state`` on or missing) or not (off); None where it says neither."""
    return FLAGS.get(data.get("state", ""))


def submission_in(data: QueryDict) -> Submission | None:
    """An answer; whether it can be marked is for the question's kind to say. None where it cannot be read at all."""
    position, key, raw = position_in(data), data.get("key", ""), tuple(data.getlist("choice"))
    certainty = data.get("certainty", "")
    odd = len(raw) > MOST_CHOICES or any(len(one) > LONGEST_CHOICE or "\x00" in one for one in raw)
    if position is None or odd or certainty not in CERTAINTIES or not KEY.fullmatch(key):
        return None
    again = data.get("again", "") not in NOT_CHECKED
    return Submission(position, raw, CERTAINTIES[certainty], uuid.UUID(key), again)
