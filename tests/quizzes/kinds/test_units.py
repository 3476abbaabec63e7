"""Units as they are written after a number."""

import pytest

from quizzes.kinds.units import unit_forms


@pytest.mark.parametrize(
    ("unit", "forms"),
    [
        ("", []),
        ("GB", ["gigabytes", "gigabyte", "gb"]),
        ("%", ["per cent", "percent", "%"]),
        ("KV heads", ["kv heads", "kv head", "heads", "head"]),
        ("target passes", ["target passes", "target pass", "passes", "pass"]),
        ("ms", ["milliseconds", "millisecond", "msec", "ms"]),
    ],
)
def test_forms_longest_first(unit, forms):
    assert sorted(unit_forms(unit)) == sorted(forms)
    assert [len(one) for one in unit_forms(unit)] == sorted((len(one) for one in forms), reverse=True)


@pytest.mark.parametrize(
    ("unit", "other"), [("%", "points"), ("ms", "s"), ("GB", "gib"), ("GB", "b"), ("GiB", "gb")]
)
def test_another_unit_is_no_form(unit, other):
    assert other not in unit_forms(unit)


@pytest.mark.parametrize(
    ("unit", "forms"),
    [
        ("big KV heads", {"big kv heads", "big kv head", "heads", "head"}),
        ("bits per weight", {"bits per weight"}),
        ("requests / hour", {"requests / hour"}),
        ("long queue/s", {"long queue/s"}),
        ("ops/hour", {"ops/hour"}),
        ("bits", {"bits"}),
        ("watts", {"watts", "watt"}),
        ("A\tB c", {"a\tb c", "c"}),
        ("watt\thours", {"watt\thours", "watt\thour"}),
        ("big watt\thours", {"big watt\thours", "big watt\thour", "watt\thours", "watt\thour"}),
    ],
)
def test_all_forms_of_a_unit(unit, forms):
    assert set(unit_forms(unit)) == forms
