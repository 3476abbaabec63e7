"""Addresses: each has a view of ours that says which methods it takes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.architecture.sources import HOUSE, functions, place, room_of

METHODS = {"require_safe", "require_POST", "require_GET", "require_http_methods"}
LOGIN = {"login_required", "login_not_required"}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from patterns(one)
        else:
            yield one


def our_views() -> list[Any]:
    """The functions behind our addresses, out of their decorators."""
    found = [inspect.unwrap(one.callback) for one in patterns(get_resolver())]
    return [view for view in found if view.__module__.split(".")[0] in HOUSE]


def decorators(view: Any) -> set[str]:
    path = Path(inspect.getfile(view))
    node = next(one for one in functions(path) if one.name == view.__name__)
    return {ast.unparse(one).partition("(")[0].rpartition(".")[2] for one in node.decorator_list}


def test_every_address_of_ours_leads_to_a_function_among_the_views():
    views = our_views()

    assert len(views) > 15
    assert [view.__qualname__ for view in views if not inspect.isfunction(view)] == []
    assert [view.__qualname__ for view in views if room_of(Path(inspect.getfile(view))) != "views"] == []


def test_every_view_says_which_methods_it_takes():
    assert [
        f"{view.__module__}.{view.__name__}" for view in our_views() if not decorators(view) & METHODS
    ] == []


def test_every_view_says_whether_it_needs_an_account():
    assert [
        f"{view.__module__}.{view.__name__}" for view in our_views() if not decorators(view) & LOGIN
    ] == []


def test_every_address_has_a_name_of_its_own():
    names = [one.name for one in patterns(get_resolver()) if one.callback.__module__.split(".")[0] in HOUSE]

    assert all(names)
    assert sorted(names) == sorted(set(names))


def test_no_branch_on_htmx_in_a_view():
    """A view lists its regions; ``studyhub.web.regions.page`` alone asks what htmx wants."""
    modules = {Path(inspect.getfile(view)) for view in our_views()}
    wrong = [
        place(path, node.lineno)
        for path in modules
        for one in functions(path)
        for node in ast.walk(one)
        if isinstance(node, ast.Attribute) and node.attr == "htmx"
    ]

    assert wrong == []
