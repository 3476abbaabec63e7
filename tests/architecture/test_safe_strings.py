"""What would make text run: never in this house. Who may say that text is safe HTML: few, and named here.

Proves trust.md 1.6 and 1.22 (nothing that was sent is ever run, unpickled or read as YAML with tags).
"""

from __future__ import annotations

import ast
import re

from tests.architecture.sources import ROOT, imports, place, production, templates, tree

RUNS = {"eval", "exec", "compile", "__import__", "execfile"}
UNPACKS = {"pickle", "marshal", "shelve", "dill", "yaml", "jsonpickle", "code", "codeop"}
ARGUES = {"shell", "unsafe_load"}
SAFE = {"mark_safe", "SafeString", "SafeText", "SafeData", "html_safe"}
# Tags write HTML by hand where a template would be too slow; each escapes what people typed.
SAYS_SAFE = {
    "quizzes/templatetags/parts.py", "quizzes/templatetags/question.py", "quizzes/templatetags/quizzes.py",
    "studyhub/accounts/templatetags/accounts.py", "studyhub/desk/templatetags/search.py",
    "studyhub/web/templatetags/studyhub.py",
}  # fmt: skip
SAFE_FILTER = re.compile(r"{{\s*([\w.]+)\s*\|\s*safe\b")
HTML = re.compile(
    r"(^|_|\.)html$|^row$"
)  # names of what the sanitiser made; a row of a print is a row's text
UNESCAPED = re.compile(r"{%\s*autoescape\s+off|\|\s*safeseq\b")


def calls(path):
    """(line, name, names of keywords) of every call in a module."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            whole = name if isinstance(node.func, ast.Name) else f".{name}"
            yield node.lineno, whole, {one.arg for one in node.keywords}


def test_nothing_that_is_text_is_run_or_unpacked():
    found = [
        f"{place(path, line)} {name}"
        for path in production()
        for line, name, keywords in calls(path)
        if name in RUNS or keywords & ARGUES
    ]
    found += [
        f"{place(path, line)} {name}"
        for path in production()
        for line, name in imports(path)
        if name.split(".")[0] in UNPACKS
    ]
    assert found == []


def test_only_tags_say_that_text_is_safe():
    says = {place(path) for path in production() for _, name in imports(path) if SAFE & set(name.split("."))}
    assert says == SAYS_SAFE


def test_templates_take_only_sanitised_columns_for_safe():
    odd, unescaped = [], []
    for path in templates():
        text = path.read_text(encoding="utf-8")
        odd += [(place(path), name) for name in SAFE_FILTER.findall(text) if not HTML.search(name)]
        if UNESCAPED.search(text) and path.suffix != ".txt":
            unescaped.append(place(path))
    assert (odd, unescaped) == ([], [])


def test_the_templates_are_there():
    assert len(list((ROOT / "templates").rglob("*.html"))) > 50
