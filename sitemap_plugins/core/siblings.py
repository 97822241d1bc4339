"""The languages of a site that other builds make, and which pages these have (the setting ``languages``)."""

from __future__ import annotations

import gzip
import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError, iterparse

from sitemap_plugins.core import html, selection, urls
from sitemap_plugins.core.model import Member, Page, Problem, Site
from sitemap_plugins.core.settings import NO_OPTIONS, Language, Settings

_LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


class Sibling:
    """One language of a site: its address and what tells which pages lie below it.

    ``written`` is the language as the settings write it, and ``url`` its address in normal form.
    """

    def __init__(self, written: str, language: Language, site: Site) -> None:
        self.written = written
        self.url = urls.parse_base(language.url)
        self._root = Path(site.root)
        self._language = language
        self._rules = selection.Rules(Settings())
        self._missing = ""
        self._locs: frozenset[str] | None = None

    def has(self, rest: str, member: Member) -> bool:
        """Tell whether this language has a page at ``rest`` below its address, as a translation of ``member``.

        Its own sitemap says it best, then its output and its sources; where none of them is named, the framework.
        """
        if self._language.sitemap is not None:
            return self._in_sitemap(self._root / self._language.sitemap, rest)
        if self._language.output is not None:
            return self._in_output(self._root / self._language.output, rest)
        if self._language.source is not None:
            return bool(member.source) and (self._root / self._language.source / member.source).is_file()
        return member.translated is not None and self.written in member.translated

    def problems(self) -> Iterator[Problem]:
        """Yield what could not be read; another build may just not have run yet."""
        if self._missing:
            yield Problem(
                kind="languages",
                level="info",
                message=f"languages.{self.written}: {self._missing}, so no page has an alternate in this language. "
                "Build that language, then this one again",
            )

    def _in_sitemap(self, path: Path, rest: str) -> bool:
        if self._locs is None:
            try:
                self._locs = frozenset(map(urls.form_key, _locs(path, self.url)))
            except (OSError, EOFError, ParseError) as error:
                self._locs = frozenset()
                self._missing = (
                    f"the sitemap {path} cannot be read ({error})" if path.exists() else f"{path} is not there"
                )
        return urls.form_key(self.url + rest) in self._locs

    def _in_output(self, folder: Path, rest: str) -> bool:
        if not folder.is_dir():
            self._missing = f"{folder} is not there"
            return False
        path = unquote(rest.partition("?")[0])
        names = (
            [f"{path}index.html"] if not path or path.endswith("/") else [path, f"{path}.html", f"{path}/index.html"]
        )
        name = next((name for name in names if (folder / name).is_file()), None)
        if name is None:
            return False
        if posixpath.splitext(name)[1].lower() not in {".html", ".htm", ".xhtml"}:
            return True
        page = Page(url=rest, head=html.read(folder / name))
        verdict = selection.judge(page, NO_OPTIONS, self._rules.default, self.url)
        return verdict.reason is None and verdict.loc == verdict.own


def siblings(settings: Settings, site: Site) -> list[Sibling]:
    """Return the languages of the settings; none in a preview, whose pages are elsewhere."""
    if site.serving:
        return []
    return [Sibling(written, language, site) for written, language in settings.languages.items()]


def _locs(path: Path, base: str) -> Iterator[str]:
    """Yield the URLs of a sitemap file, or of all that the index lists which it is."""
    parts: list[str] = []
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        for _, element in iterparse(file):  # noqa: S314 - a file of the user's own
            name = element.tag.rpartition("}")[2]
            if name in {"url", "sitemap"}:
                loc = (element.findtext(_LOC) or "").strip()
                if name == "url":
                    yield loc
                else:
                    parts.append(unquote(loc.rpartition("/")[2]))
                element.clear()
    for part in parts:
        if part and part != path.name:
            yield from _locs(path.with_name(part), base)
