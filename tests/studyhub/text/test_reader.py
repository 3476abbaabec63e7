"""The one reader of HTML."""

import pytest

from studyhub.text.reader import Closed, Opened, read, read_aloud


def told(events):
    """Events as a line: <p text p>."""
    signs = []
    for one in events:
        signs.append(
            one
            if isinstance(one, str)
            else f"<{one.tag}"
            if isinstance(one, Opened)
            else f"{one.element.tag}>"
        )
    return " ".join(signs)


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("", ""),
        ("a&amp;b", "a&b"),
        ("<p>a<br>b</p>", "<p a <br br> b p>"),
        ("<p>a<br/>b</p>", "<p a <br br> b p>"),
        ("<p><b>a</p>c", "<p <b a b> p> c"),
        ("a</p>b", "a b"),
        ("<p>a", "<p a p>"),
        ("<!-- no -->a", "a"),
    ],
)
def test_everything_that_opens_closes(html, line):
    assert told(read(html)) == line


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ('a<sup class="cite">7</sup>b', "a <sup sup> b"),
        ('<p class="embed x">a<b>c</b></p>b', "<p p> b"),
        ('<math alttext="n^2"><mi>n</mi></math>', "<math n^2 math>"),
        ('<svg aria-label="A drawing"><text>x</text></svg>', "<svg A drawing svg>"),
        ('<img alt="A picture">', "<img A picture img>"),
        ("<details><summary>More</summary>b</details>", "<details <summary summary> b details>"),
        ('<p alttext="no" alt="no">a</p>', "<p a p>"),
    ],
)
def test_what_is_no_word_of_the_text_is_not_read_aloud(html, line):
    assert told(read_aloud(html)) == line


def test_element_says_its_anchor_and_classes():
    opened, closed = read('<p id="a" class="b  c"></p>')
    assert (opened.id, opened.classes, opened.said) == ("a", ("b", "c"), "")
    assert closed == Closed(opened)
