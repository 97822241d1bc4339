"""What the core's tests build with: short ways to pages, a site, settings and written files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sitemap_plugins.core import html
from sitemap_plugins.core.build import Build, Written, build, write
from sitemap_plugins.core.model import Head, Omitted, Page, Problem, Site
from sitemap_plugins.core.settings import Settings

BASE = "https://docs.example.org/"
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def spell(steps: tuple[str | int, ...]) -> str:
    """Spell an option as in mkdocs.yml."""
    return "plugins.sitemap" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def head(inner: str) -> Head:
    return html.inspect(f"<!doctype html><html><head>{inner}</head><body><p>text</p></body></html>".encode())


def page(url: str = "a/", *, html: str = "", **values: Any) -> Page:
    values.setdefault("source", (url.strip("/") or "index") + ".md")
    if html:
        values["head"] = head(html)
    return Page(url=url, **values)


def site(base: str = BASE, **values: Any) -> Site:
    return Site(**{"base": base, "option": "site_url", "now": NOW, **values})


def settings(**options: Any) -> Settings:
    return Settings.load(options, spell=spell, root=Path())


@dataclass
class Outcome:
    """A build and what came of it."""

    built: Build

    @property
    def locs(self) -> list[str]:
        return [url.loc for url in self.built.plan.urls]

    @property
    def omitted(self) -> list[Omitted]:
        return list(self.built.plan.omitted)

    @property
    def reasons(self) -> dict[str, tuple[str, str]]:
        return {page.source: (str(page.reason), page.detail) for page in self.omitted}

    @property
    def problems(self) -> list[Problem]:
        return list(self.built.problems)

    @property
    def kinds(self) -> list[tuple[str, str]]:
        return [(problem.level, problem.kind) for problem in self.problems]

    @property
    def messages(self) -> str:
        return "\n".join(problem.message for problem in self.problems)


def planned(pages: list[Page], where: Site | None = None, **options: Any) -> Outcome:
    return Outcome(build(pages, where or site(), settings(**options)))


def written(folder: Path, pages: list[Page], where: Site | None = None, **options: Any) -> Written:
    return write(build(pages, where or site(), settings(**options)), folder)


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, by its name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
