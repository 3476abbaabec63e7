"""The last gate, judged on its own: it must hold even if everything before it fails."""

from __future__ import annotations

import pytest

from studyhub.text.sanitise import sanitise
from tests.studyhub.text.judge import faults

HOSTILE = [
    "<script>alert(1)</script>",
    '<p onclick="x" style="x" id="main" class="bar mis">x</p>',
    '<a href="javascript:alert(1)" target="_blank">x</a>',
    '<svg viewBox="0 0 1 1" onload="x"><a href="javascript:x"><rect/></a><style>*{}</style></svg>',
    "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    '<math href="javascript:x" xlink:href="javascript:x"><mi>x</mi></math>',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<img src=data:image/svg+xml,x><!-- c --><iframe src=x>",
    '<div role="alert" tabindex="5" hx-get="/x" data-x="y">x</div>',
]


@pytest.mark.parametrize("markup", HOSTILE)
def test_hostile_markup_is_made_harmless(markup: str) -> None:
    clean = sanitise(markup, set())
    assert [fault for fault in faults(clean) if "data:" not in fault] == []
    assert sanitise(clean, set()) == clean


def test_only_known_ids_and_classes_stay() -> None:
    assert sanitise('<p id="a" class="x formula">1</p><p id="b">2</p>', {"b"}) == (
        '<p class="formula">1</p><p id="b">2</p>'
    )


def test_drawing_cannot_carry_page_classes() -> None:
    assert sanitise('<svg viewBox="0 0 1 1"><g class="mis hi"></g></svg>', set()) == (
        '<svg viewBox="0 0 1 1"><g class="hi"></g></svg>'
    )
