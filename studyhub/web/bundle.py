"""One stylesheet and one script out of many source files.

A page should cost few requests, and a source file should hold one thing. ``collectstatic`` joins the
sources in their order to ``css/studyhub.css`` and ``js/studyhub.js``, comments taken out; hashing and
compression come after, as for every other static file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

BUNDLES: Mapping[str, tuple[str, ...]] = {
    "css/studyhub.css": (  # on every page, and all that a chapter needs
        "css/tokens.css",  # first: it settles the order of the layers
        "css/base.css",
        "css/layout.css",
        "css/parts/forms.css",
        "css/parts/teaching.css",
        "css/parts/weights.css",
        "css/parts/reading.css",
        "css/parts/notes.css",
        "css/parts/history.css",
        "css/parts/print.css",
        "css/parts/code.css",
    ),
    "css/more.css": (  # on every page but chapters and labs, which are read first
        "css/parts/planning.css",
        "css/parts/progress.css",
        "css/parts/search.css",
        "css/parts/answering.css",
        "css/parts/reports.css",
        "css/parts/cards.css",
        "css/parts/noted.css",
        "css/parts/sheet.css",
    ),
    "js/studyhub.js": (
        "js/zone.js",
        "js/reach.js",
        "js/reading.js",
        "js/marking.js",
    ),
    "js/questions.js": ("js/answering.js",),  # on question pages
    "js/cards.js": ("js/saying.js", "js/rating.js"),  # on the pages of interview cards
}

_CSS_NOISE = re.compile(r"/\*.*?\*/|^[ \t]+|\n(?=\s*\n)", re.DOTALL | re.MULTILINE)
_JS_NOISE = re.compile(r"^[ \t]*//[^\n]*\n|^[ \t]+", re.MULTILINE)


def bundle(name: str, root: Path) -> str:
    """The text of one bundle from the sources under ``root``.

    Comments and indentation go. Sources must not rely on either: no ``//`` comment behind code in
    scripts that matters, no indented template literal. Raises KeyError for a name that is no bundle
    and FileNotFoundError for a source that is missing.
    """
    noise = _CSS_NOISE if name.endswith(".css") else _JS_NOISE
    texts = (noise.sub("", (root / source).read_text(encoding="utf-8")) for source in BUNDLES[name])
    return "".join(text.strip() + "\n" for text in texts)


class BundledStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Hashed and compressed static files, the bundles among them."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Write the bundles beside the collected sources, then hash and compress everything."""
        if not dry_run:
            root = Path(str(self.location))
            for name in BUNDLES:
                target = root / name
                target.write_text(bundle(name, root), encoding="utf-8")
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run=dry_run, **options)


class BundleFinder(BaseFinder):
    """Makes the bundles anew at every request of a development server (``STATICFILES_FINDERS``)."""

    def __init__(self, app_names: Sequence[str] | None = None, *args: Any, **kwargs: Any) -> None:
        self.root = Path(str(settings.STATICFILES_DIRS[0]))
        self.made: TemporaryDirectory[str] | None = None

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Nothing to check: a missing source shows when the bundle is made."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The path of a file that holds the bundle, freshly made; an empty list for other names."""
        if path not in BUNDLES:
            return []
        self.made = self.made or TemporaryDirectory(prefix="studyhub-static-")
        target = Path(self.made.name) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(bundle(path, self.root), encoding="utf-8")
        return [str(target)] if find_all else str(target)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """Nothing: ``collectstatic`` gets the bundles from the storage."""
        return iter(())
