"""Every address of the site, with arguments that fit."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from django.urls import URLResolver, get_resolver, reverse

MADE_UP = {"UUIDConverter": uuid.UUID(int=7), "IntConverter": 7}


def patterns(
    resolver: Any = None, spaces: tuple[str, ...] = (), outer: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name with its name space, an argument for everything it wants) of every address."""
    for one in (resolver or get_resolver()).url_patterns:
        named = {
            key: MADE_UP.get(type(kind).__name__, "nothing") for key, kind in one.pattern.converters.items()
        }
        named |= {key: "nothing" for key in one.pattern.regex.groupindex if key not in named}
        wanted = {**(outer or {}), **named}
        if isinstance(one, URLResolver):
            yield from patterns(one, (*spaces, one.namespace) if one.namespace else spaces, wanted)
        else:
            yield ":".join([*spaces, one.name or ""]), wanted


def addresses(**given: Any) -> dict[str, str]:
    """The address of every name; arguments that are not ``given`` are made up."""
    return {
        name: reverse(name, kwargs={key: given.get(key, value) for key, value in wanted.items()})
        for name, wanted in patterns()
    }
