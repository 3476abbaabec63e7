"""How units are written: with their symbol, in words, in the singular."""

from __future__ import annotations

SIZES = (("b", "byte"), ("kb", "kilobyte"), ("mb", "megabyte"), ("gb", "gigabyte"), ("tb", "terabyte"))
BINARY = (("kib", "kibibyte"), ("mib", "mebibyte"), ("gib", "gibibyte"), ("tib", "tebibyte"))
TIME = (("s", "second"), ("ms", "millisecond"), ("µs", "microsecond"), ("μs", "microsecond"))
PER_SECOND = ("tokens/s", "token/s", "tok/s", "tokens per second", "tokens/second", "tok/sec", "tokens/sec")
INTENSITY = ("flop/byte", "flops/byte", "flop per byte", "flops per byte", "flop/b", "flops/b")
SAME = (
    ("%", "percent", "per cent"),
    ("times", "×", "x"),
    ("s", "sec", "secs", "second", "seconds"),
    ("ms", "msec"),
    PER_SECOND,
    INTENSITY,
    *((symbol, word, f"{word}s") for symbol, word in (*SIZES, *BINARY, *TIME)),
)
ALSO = {"points": ("percentage points", "percent points", "pp", "%")}  # of a share; not the other way round


def unit_forms(unit: str) -> list[str]:
    """How a unit may be written after a number, in small letters, the longest first; nothing for no unit.

    Its symbol and its words, the singular of a word, and of several words the last one ("heads" for "KV heads").
    """
    plain = unit.lower()
    forms = {plain, *ALSO.get(plain, ()), *(one for same in SAME if plain in same for one in same)}
    if " " in plain and "/" not in plain and " per " not in plain:
        forms.add(plain.rsplit(" ", 1)[-1])
    for one in tuple(forms):
        if len(one) > 4 and one.endswith("s") and one[-2] != "/":  # a word, no symbol: "ms" is not many "m"
            forms.add(one[:-2] if one.endswith("sses") else one[:-1])
    return sorted(filter(None, forms), key=len, reverse=True)
