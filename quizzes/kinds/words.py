"""When two typed answers are the same, and when one is a slip away from the other: plain text, folded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

LONGEST = 200  # characters of a typed answer
SHORTEST_SLIP = (
    6  # letters of a word in which a slip can be seen: shorter words are one letter from many others
)
# Signs that keyboards change unasked.
SIGNS = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-"}
)
# A dash between two words. Before a digit it may be a minus and stays, as between two single letters or signs.
BETWEEN = re.compile(
    r"(?<=[^\W_])(?:\s*-)+\s*(?=[^\W\d_][^\W\d_])|(?<=[^\W\d_][^\W\d_])(?:\s*-)+\s*(?=[^\W\d_])"
)
JOINTS = re.compile(r"(?<=[^\W\d_])[\s_-]+(?=[^\W_])|(?<=\d)[\s_-]+(?=[^\W\d_])")
ARTICLE = re.compile(r"^(?:the|an?) (?=\w)", re.IGNORECASE)
PLURAL = re.compile(r"(?<=[^\W\d_]{3})s\b")
MOST_NAMED = 6  # forms besides the first


def folded(text: str, *, exact: bool = False) -> str:
    """What is compared of a written label: Unicode form NFKC, plain quotes and dashes, single spaces, none at the
    ends, and no sign that nobody can see.

    Upper and lower case are the same unless ``exact``. Idempotent.
    """
    seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    plain = unicodedata.normalize("NFKC", seen).translate(SIGNS)
    if not exact:
        plain = unicodedata.normalize("NFKC", plain.casefold())
    return " ".join(plain.split())


def compared(text: str, *, exact: bool = False) -> str:
    """What is compared of a typed answer: ``folded``, and a dash between two words is a space.

    "key-value" is "key value" and not "keyvalue". A dash before a digit, at the ends and between single letters
    stays ("1e-5", "-3", "n-k"). Idempotent.
    """
    return BETWEEN.sub(" ", folded(text, exact=exact))


def near(typed: str, forms: Iterable[str], *, exact: bool = False) -> str:
    """The first of ``forms`` that ``typed`` misses by one slip, or "".

    A slip is one letter too many, too few or another, or two neighbours swapped (Damerau 1964), in a word of at
    least six letters and no digit; or one space too many or too few between letters.
    """
    given = compared(typed, exact=exact)
    return next((form for form in forms if _slipped(given, compared(form, exact=exact))), "")


def near_html(form: str) -> str:
    """A sentence that names the form that was nearly met; "" for none."""
    return f"<p>Close to “{escape(form)}”: check the spelling and the ending.</p>" if form else ""


def also(forms: Iterable[str], *, exact: bool = False, every: bool = False) -> str:
    """Accepted forms in one line, the first before the others: "bandwidth; also accepted: memory bandwidth".

    Of forms that differ only in an article, a plural s, or spaces, hyphens and underscores beside a letter, the first
    is named ("FP8" for "FP-8"), and at most seven in all; with ``every`` all of them, for whoever compares two keys.
    ``exact`` tells upper and lower case apart.
    """
    named: dict[str, str] = {}
    for form in forms:
        named.setdefault(form if every else _gist(form, exact=exact), form)
    first, *rest = named.values()
    more = f" and {len(rest) - MOST_NAMED} more" if len(rest) > MOST_NAMED and not every else ""
    told = rest if every else rest[:MOST_NAMED]
    return f"{first}; also accepted: {', '.join(told)}{more}" if rest else first


def _gist(form: str, *, exact: bool) -> str:
    plain = ARTICLE.sub("", compared(form, exact=exact))
    return JOINTS.sub("", PLURAL.sub("", plain))


def _slipped(given: str, form: str) -> bool:
    if given == form:
        return False
    words, wanted = given.split(" "), form.split(" ")
    if len(words) != len(wanted):
        whole = "".join(wanted)
        same = "".join(words) == whole and abs(len(words) - len(wanted)) == 1
        return same and whole.isalpha() and len(whole) >= SHORTEST_SLIP
    pairs = [pair for pair in zip(words, wanted, strict=True) if pair[0] != pair[1]]
    if len(pairs) != 1:
        return False
    one, other = pairs[0]
    return other.isalpha() and len(other) >= SHORTEST_SLIP and _one_edit(one, other)


def _one_edit(one: str, other: str) -> bool:
    """Whether two different words are one insertion, deletion, substitution or swap of neighbours apart."""
    shorter, longer = sorted((one, other), key=len)
    at = next((at for at, sign in enumerate(shorter) if sign != longer[at]), len(shorter))
    left, right = shorter[at:], longer[at:]
    if len(shorter) != len(longer):
        return left == right[1:]
    return left[1:] == right[1:] or (left[:2] == right[1::-1] and left[2:] == right[2:])
