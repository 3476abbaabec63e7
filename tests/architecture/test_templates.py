"""Pages: they compile, they are small, they run under a strict policy, and they work without a script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from tests.architecture.sources import TEMPLATES, elements, has, place, templates

LONGEST = 150  # lines
FORM = re.compile(
    r"<form\b(?P<head>(?:[^<>\"']|\"[^\"]*\"|'[^']*'|\{%.*?%\})*)>(?P<body>.*?)</form>", re.DOTALL | re.I
)
READY = re.compile(r"\{% ready .*?%\}(?P<inside>.*?)\{% endready %\}", re.DOTALL)
PERSONAL = re.compile(
    r"\blearner\b|\bmessages\b|\brequest\.|\{% shelf|\w+\.state\b|\w+\.ticked|\w+\.read_on|page\.place"
)
INCLUDE = re.compile(r"\{% include \"([^\"]+)\"")
PAGES = [path for path in templates() if path.suffix == ".html"]


def whole(text: str, depth: int = 0) -> str:
    """The text with the parts it includes by name."""
    if depth > 5:
        return text
    return INCLUDE.sub(lambda found: whole(_read(found[1]), depth + 1) + found[0], text)


def _read(name: str) -> str:
    path = TEMPLATES / name.partition("#")[0]
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@pytest.mark.parametrize("path", templates(), ids=place)
def test_template_compiles(path: Path):
    get_template(str(path.relative_to(TEMPLATES)))


def test_no_template_is_longer_than_150_lines():
    sizes = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in templates()}

    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}


def test_no_style_script_or_handler_stands_in_a_page():
    wrong = []
    for path in PAGES:
        for line, element, attributes in elements(path):
            data = element == "script" and 'type="application/json"' in attributes
            inline = element == "style" or (element == "script" and not has(attributes, "src") and not data)
            handler = re.search(r"[\s…](on[a-z]+|style|hx-on[\w:-]*)\s*=", attributes)
            if inline or handler or "javascript:" in attributes or re.search(r"hx-\w+=[\"']js:", attributes):
                wrong.append(f"{place(path, line)} <{element}>")

    assert wrong == []


def test_every_post_form_carries_its_token():
    wrong, seen = [], 0
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for form in FORM.finditer(text):
            if re.search(r"method\s*=\s*[\"']?post", form["head"], re.I):
                seen += 1
                if "{% csrf_token %}" not in whole(form["body"]):
                    wrong.append(place(path, text.count("\n", 0, form.start()) + 1))

    assert seen > 10
    assert wrong == []


def test_every_form_that_is_opened_was_looked_at():
    """The pattern above must see each form; one that it cannot read is written too cleverly."""
    for path in PAGES:
        text = path.read_text(encoding="utf-8")

        assert len(FORM.findall(text)) == len(re.findall(r"<form\b", text, re.I)), place(path)


def test_every_element_works_without_script():
    """href beside hx-get, method and action beside hx-post; a button may send its form elsewhere by formaction."""
    wrong, seen = [], 0
    for path in PAGES:
        for line, element, attributes in elements(path):
            gets = has(attributes, "hx-get")
            posts = any(has(attributes, f"hx-{verb}") for verb in ("post", "put", "patch", "delete"))
            plain_get = has(attributes, "href") or has(attributes, "action") or has(attributes, "formaction")
            plain_post = (has(attributes, "method") and has(attributes, "action")) or has(
                attributes, "formaction"
            )
            seen += gets or posts
            if (gets and not plain_get) or (posts and not plain_post):
                wrong.append(f"{place(path, line)} <{element}>")

    assert seen > 3
    assert wrong == []


def test_every_target_is_a_region_with_its_own_name():
    """Name of the partial = id of the element = value of hx-target."""
    every = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
    named = set(re.findall(r"\{% partialdef ([\w-]+)", every))
    ids = {
        found for path in PAGES for _, _, attributes in elements(path) for found in _values(attributes, "id")
    }
    aims = {
        (place(path, line), aim)
        for path in PAGES
        for line, _, attributes in elements(path)
        for aim in _values(attributes, "hx-target")
        if aim.startswith("#")
    }

    assert aims
    assert sorted(where for where, aim in aims if aim[1:] not in named & ids) == []


def test_nothing_personal_stands_in_a_block_that_is_ready_for_everybody():
    """A ``ready`` block is kept in the process: no learner, no marks of one answer's pieces, no state that is not
    among its keys. (A form's token stays a mark in it.)"""
    wrong, seen = [], 0
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for block in READY.finditer(text):
            seen += 1
            keys = block[0].partition("%}")[0]
            line = text.count(chr(10), 0, block.start()) + 1
            found = {one for one in PERSONAL.findall(whole(block["inside"])) if one not in keys}
            wrong += [f"{place(path, line)} {one}" for one in sorted(found)]

    assert seen > 0
    assert wrong == []


def _values(attributes: str, name: str) -> list[str]:
    return re.findall(rf"(?:^|[\s…]){name}=\"([^\"]*)\"", attributes)
