"""How a typed answer that is not accepted differs from one that is: a slip, or words too many or too few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from html import escape

from quizzes.kinds.words import ARTICLE, compared

SHORTEST_SLIP = (
    6  # letters of a word in which a slip can be seen: shorter words are one letter from many others
)
ALIKE = 0.5  # share of common words (Dice) from which two answers are set side by side word by word
SAID = {"gone": ("del", "not in it: "), "new": ("ins", "missing: ")}


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


def beside_html(typed: str, forms: Sequence[str], *, exact: bool = False) -> str:
    """What is said of words that are not accepted beside those that are: the slip, or the words that differ from the
    form that shares most with them, each named "missing" or "not in it"; "" where nothing is alike.
    """
    if close := near(typed, forms, exact=exact):
        return near_html(close)
    plain = ARTICLE.sub("", " ".join(typed.split()))
    given = _words(plain, exact=exact)
    share, at = max(
        ((_dice(given, _words(one, exact=exact)), -at) for at, one in enumerate(forms)), default=(0, 0)
    )
    form = forms[-at] if share >= ALIKE else ""
    if not form:
        return ""
    return f'<p>Word by word beside “{escape(form)}”:</p><p class="diff">{_marked(plain, form, exact)}</p>'


def _words(text: str, *, exact: bool) -> list[str]:
    """The words of a text as they are compared, those of a hyphened one apart."""
    return [compared(one, exact=exact) for one in text.split()]


def _dice(one: Sequence[str], other: Sequence[str]) -> float:
    return 2 * len(set(one) & set(other)) / max(1, len(set(one)) + len(set(other)))


def _marked(typed: str, form: str, exact: bool) -> str:
    given, wanted = typed.split(), form.split()
    steps = SequenceMatcher(None, _words(typed, exact=exact), _words(form, exact=exact), autojunk=False)
    told = []
    for tag, i1, i2, j1, j2 in steps.get_opcodes():
        if tag == "equal":
            told.append(escape(" ".join(given[i1:i2])))
            continue
        for kind, words in (("gone", given[i1:i2]), ("new", wanted[j1:j2])):
            if words:
                name, said = SAID[kind]
                told.append(f'<{name}><span class="away">{said}</span>{escape(" ".join(words))}</{name}>')
    return " ".join(told)


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
