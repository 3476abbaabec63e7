"""When two typed answers are the same: plain text, folded. What is never folded is in ``docs/authoring.md``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

LONGEST = 200  # characters of a typed answer
# Signs that keyboards change unasked.
SIGNS = str.maketrans(
    {
        **dict.fromkeys("’‘‚", "'"),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("‐‑–—−", "-"),
    }
)
HOLDS = re.compile(r"[^\W_]")  # a letter or digit: what has none is a sign, and stays as it is
ENDS = re.compile(r"[\s.,;:]+$")
QUOTED = re.compile(r"""(["'`])([^"'`]+)\1""")
ASIDE = re.compile(r"(?:(?<=\s)|^)\(([^()]*[^\W_][^()]*)\)(?=[\s.,;:]|$)")
ARTICLE = re.compile(r"^(?:the (?=\w)|an (?=\d)|an? (?=[^\W\d_]{2}|\d+-?[^\W\d_]))", re.IGNORECASE)
FLAG = re.compile(r"^--(?=[^\W\d_])")  # of a command line
POINT = re.compile(r"(?<![\w.,])\.(?=\d)")
ABOUT = re.compile(r"^(?:[≈~] ?|about |approx(?:imately|\.)? |ca\.? |roughly |around )(?=\d)", re.IGNORECASE)
COMMA = re.compile(r"(?<![\w.,])(?:0,(?=\d)|(\d{1,6}),(?=\d{1,2}(?![\d,])))")  # of decimals: no thousands
THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
UNIT = re.compile(r"(?<![\w.,-])(\d{1,20}(?:\.\d{1,20})?)(?=[^\W\d_])(?![eE][-+]?\d)")
PERCENT = re.compile(r"(?<=\d) ?(?:%|per ?cent(?!\w))", re.IGNORECASE)
TIMES = re.compile(r"(?<=\d) ?(?:×|x|times)(?!\w)", re.IGNORECASE)
AND = re.compile(r"(?<=\w) & (?=\w)")
TIGHT = re.compile(r"\s*([=/])\s*|\s*:\s+")
JOINT = re.compile(r"(?<![^\W_])([^\W_]++)(\s*+(?:[-_/]\s*+)+)(?=([^\W_]++))")
TWO = re.compile(r"[^\W\d_]{2}")
NAME = re.compile(r"[^\W\d_][^\W_]{2}")  # a word of three or more that begins with a letter
JOINTS = re.compile(r"(?<=[^\W\d_])[\s_-]+(?=[^\W_])|(?<=\d)[\s_-]+(?=[^\W\d_])")
PLURAL = re.compile(r"(?<=[^\W\d_]{3})s\b")
# Where a text may be cut into names of one thing, the surest signs first.
TOGETHER = (
    re.compile(r"\s*[()]\s*"),
    re.compile(r"\s*[,;=()]\s*|:\s+|\s+-\s+|\s+or\s+", re.IGNORECASE),
    re.compile(r"\s*[,;/=()]\s*|:\s+|\s+-\s+|\s+or\s+", re.IGNORECASE),
)
LETTER = re.compile(r"[^\W\d_]")
MOST_TOGETHER = 4  # names of one thing
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


@lru_cache(maxsize=8192)
def compared(text: str, *, exact: bool = False, strict: bool = False) -> str:
    """What is compared of a typed answer: ``folded``, and with ``strict`` nothing more. Else also without

    - an article before it, a full stop, comma, semicolon or colon behind it, quotes around it,
    - the brackets of an aside ("FP8 (E4M3)" is "FP8 E4M3", "f(x)" stays) and the dashes before a command's option,
    - hyphens, dashes, underscores and slashes that join words: they are spaces (see ``_joined``).

    A number and its unit are two words, "x" and "times" behind a number are "×", "percent" is "%"; ".5" and "0,5" are
    "0.5", "1,024" is "1024" and "about 5" is "5". "key-value" is "key value" and not "keyvalue". Idempotent.
    """
    plain = folded(text, exact=exact)
    while not strict:
        bare = _bare(plain)
        if bare == plain:
            break
        plain = bare
    return plain


def _bare(plain: str) -> str:
    """One round of what ``compared`` takes away; what would leave no letter or digit is left alone."""
    text = ENDS.sub("", plain)
    if quoted := QUOTED.fullmatch(text):
        text = quoted.group(2)
    text = ARTICLE.sub("", FLAG.sub("", ASIDE.sub(r"\1", text).strip()))
    text = ABOUT.sub("", COMMA.sub(lambda found: f"{found.group()[:-1]}.", POINT.sub("0.", text)))
    text = THOUSANDS.sub(lambda found: found.group().replace(",", ""), text)
    text = TIMES.sub(" ×", PERCENT.sub(" %", UNIT.sub(r"\1 ", text)))
    text = TIGHT.sub(lambda found: found.group(1) or "=", JOINT.sub(_joined, AND.sub(" and ", text)))
    text = " ".join(text.split())
    return text if HOLDS.search(text) else plain


def _joined(found: re.Match[str]) -> str:
    """A word and what joins it to the next: a space, unless the joint may mean something.

    A dash before a digit, after one, and between single letters may be a minus ("1e-5", "10-3", "n-k") and stays,
    but joins two names and a word to its number ("FP8-E4M3", "FP-8"). An underscore between numbers stays, and so
    does a slash unless two words of three or more letters or digits stand around it: "3/4", "GB/s" and "I/O" stay.
    """
    left, joint, right = found.groups()
    kinds = set(joint) - {" "}
    if kinds == {"_"}:
        space = not (left.isdigit() and right.isdigit())
    elif kinds == {"/"}:
        space = min(len(left), len(right)) >= 3 and bool(LETTER.search(left) and LETTER.search(right))
    elif kinds == {"-"}:
        space = _hyphen(left, right, tight=" " not in joint)
    else:
        space = False
    return f"{left} " if space else found.group()


def _hyphen(left: str, right: str, *, tight: bool) -> bool:
    long_left = bool(TWO.fullmatch(left[-2:]))
    if TWO.match(right) or (long_left and LETTER.match(right)):
        return True
    return tight and ((long_left and right[0].isdigit()) or bool(NAME.match(left) and NAME.match(right)))


def together(text: str, *, exact: bool = False) -> Iterator[tuple[str, ...]]:
    """The ways to read a text as two to four names for one thing, each name as it is compared.

    "TTFT (time to first token)", "tokenizer/vocabulary", "compute, arithmetic", "FP8 or E4M3". Each name has a letter:
    "3/4" and "51,5" are numbers.
    """
    plain = folded(text, exact=exact)
    for cut in TOGETHER:
        parts = [one for one in cut.split(plain) if one]
        if 2 <= len(parts) <= MOST_TOGETHER and all(LETTER.search(one) for one in parts):
            yield tuple(compared(one, exact=exact) for one in parts)


def met(
    typed: str, forms: Sequence[str], *, exact: bool = False, strict: bool = False, every: bool = True
) -> tuple[int, ...]:
    """The places of the ``forms`` that ``typed`` says: of the first it equals, else of all the names it gives.

    Names given together have all to be among the forms; with ``every`` off those that are, are told.
    """
    wanted: dict[str, int] = {}
    for at, form in enumerate(forms):
        wanted.setdefault(compared(form, exact=exact, strict=strict), at)
    whole = compared(typed, exact=exact, strict=strict)
    if not whole:
        return ()
    if whole in wanted:
        return (wanted[whole],)
    for names in () if strict else together(typed, exact=exact):
        known = tuple(wanted[one] for one in names if one in wanted)
        if len(known) == len(names) or (known and not every):
            return known
    return ()


def also(forms: Iterable[str], *, exact: bool = False, every: bool = False) -> str:
    """Accepted forms in one line, the first before the others: "bandwidth; also accepted: memory bandwidth".

    Of forms that differ only in an article, a plural s, or spaces, hyphens and underscores beside a letter, the first
    is named ("FP8" for "FP-8"); with ``every`` each by itself, for whoever compares two keys. At most seven in all.
    ``exact`` tells upper and lower case apart.
    """
    named: dict[str, str] = {}
    for form in forms:
        named.setdefault(form if every else _gist(form, exact=exact), form)
    first, *rest = named.values()
    more = f" and {len(rest) - MOST_NAMED} more" if len(rest) > MOST_NAMED else ""
    return f"{first}; also accepted: {', '.join(rest[:MOST_NAMED])}{more}" if rest else first


def _gist(form: str, *, exact: bool) -> str:
    return JOINTS.sub("", PLURAL.sub("", compared(form, exact=exact)))
