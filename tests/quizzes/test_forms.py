"""What is read from a form of ours, and what is refused."""

import uuid

import pytest
from django.http import QueryDict

from quizzes.actions import Submission
from quizzes.forms import flagged_in, position_in, submission_in

KEY = "6f1e0e7c-3f63-4a3e-9f3a-1c2d3e4f5a6b"


@pytest.mark.parametrize(("sent", "read"), [("q=1", 1), ("q=99999", 99999), ("q=2&q=3", 3)])
def test_position(sent, read):
    assert position_in(QueryDict(sent)) == read


@pytest.mark.parametrize(
    "sent",
    ["", "q=", "q=0", "q=-1", "q=01", "q=1.0", "q=%2B1", "q=x", "q=%00", "q=100000", "q=%D9%A1", "q=1%0A"],
)
def test_position_that_cannot_be(sent):
    assert position_in(QueryDict(sent)) is None


@pytest.mark.parametrize(
    ("sent", "read"), [("", True), ("state=on", True), ("state=off", False), ("state=maybe", None)]
)
def test_flag(sent, read):
    assert flagged_in(QueryDict(sent)) is read


@pytest.mark.parametrize(
    ("again", "read"), [("", False), ("&again=", False), ("&again=0", False), ("&again=1", True)]
)
@pytest.mark.parametrize(("certainty", "level"), [("", None), ("&certainty=", None), ("&certainty=3", 3)])
def test_answer_is_read(again, read, certainty, level):
    sent = QueryDict(f"q=2&key={KEY}&choice=a&choice=b{again}{certainty}")
    assert submission_in(sent) == Submission(2, ("a", "b"), level, uuid.UUID(KEY), read)


def test_answer_without_a_choice_is_read():
    assert submission_in(QueryDict(f"q=1&key={KEY}")) == Submission(1, (), None, uuid.UUID(KEY), again=False)


@pytest.mark.parametrize(
    "sent",
    [
        f"key={KEY}&choice=a",
        "q=1&choice=a",
        "q=1&key=&choice=a",
        f"q=1&key={KEY[:-1]}&choice=a",
        f"q=1&key={KEY}0&choice=a",
        f"q=1&key={{{KEY}}}&choice=a",
        f"q=1&key={KEY}&choice=a&certainty=0",
        f"q=1&key={KEY}&choice=a&certainty=sure",
        f"q=1&key={KEY}&choice=a%00",
        f"q=1&key={KEY}&choice={'a' * 201}",
        f"q=1&key={KEY}" + "&choice=a" * 65,
    ],
)
def test_answer_that_cannot_be_read(sent):
    assert submission_in(QueryDict(sent)) is None
