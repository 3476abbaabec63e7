"""When two typed answers are the same: plain text, folded."""

from __future__ import annotations

import unicodedata

LONGEST = 200  # characters of a typed answer
# Signs that keyboards change unasked.
SIGNS = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-"}
)


def folded(text: str, *, exact: bool = False) -> str:
    """What is compared of a typed text: Unicode form NFKC, plain quotes and dashes, single spaces, none at the
    ends, and no sign that nobody can see.

    Upper and lower case are the same unless ``exact``. Idempotent.
    """
    seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    plain = unicodedata.normalize("NFKC", seen).translate(SIGNS)
    if not exact:
        plain = unicodedata.normalize("NFKC", plain.casefold())
    return " ".join(plain.split())
