"""Question kinds, one file each. To add one: copy a neighbour, then name it here."""

from typing import cast

from quizzes.kinds import cloze, match, multiple, number, order, short, single
from quizzes.kinds.shapes import Kind

KINDS: dict[str, Kind] = {
    "single": cast(Kind, single),
    "multiple": cast(Kind, multiple),
    "number": cast(Kind, number),
    "short": cast(Kind, short),
    "match": cast(Kind, match),
    "order": cast(Kind, order),
    "cloze": cast(Kind, cloze),
}
