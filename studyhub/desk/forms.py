"""What a learner asks the search for."""

from __future__ import annotations

import unicodedata

from django.http import QueryDict

LONGEST = 200  # characters of a question
FAR_TOO_LONG = 4 * LONGEST
LAST_PAGE = 500
TOO_LONG = f"This is longer than {LONGEST} characters. Nothing was looked up: keep the few words that matter."
UNTYPED = frozenset(("Cc", "Cs", "Cn", "Co"))  # control characters, surrogates, unassigned and private ones
UNREADABLE = "This holds characters that cannot be typed or read. Nothing was looked up: type the words anew."


def question_in(data: QueryDict) -> tuple[str, str]:
    """(question, what is wrong with it): ``q`` with white space folded and in Unicode form NFC.

    A question with an error comes back as far as it can be shown in a field.
    """
    text = unicodedata.normalize("NFC", " ".join(data.get("q", "")[:FAR_TOO_LONG].split()))
    kinds = {one: unicodedata.category(one) for one in set(text)}
    plain = " ".join("".join(one for one in text if kinds[one][0] != "C").split())
    if UNTYPED & set(kinds.values()):
        return plain[:LONGEST], UNREADABLE
    return plain[:LONGEST], TOO_LONG if len(plain) > LONGEST else ""


def page_in(data: QueryDict) -> int:
    """``page`` from 1 to 500; anything else counts as the first."""
    raw = data.get("page", "")
    number = int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 3 else 1
    return min(max(number, 1), LAST_PAGE)
