"""From pages and settings to the files at the output root."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from sitemap_plugins.core import head, headers, limits, report, robots, translations, urls
from sitemap_plugins.core.errors import SitemapError, StrictError
from sitemap_plugins.core.files import Part, Stage, is_copy, parts_of
from sitemap_plugins.core.model import Omitted, OutputFile, Page, Plan, Problem, Reason, Site
from sitemap_plugins.core.pack import TooLarge, pack
from sitemap_plugins.core.plan import plan
from sitemap_plugins.core.render import Renderer
from sitemap_plugins.core.settings import Settings

_ROBOTS = "robots.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A site that is planned but not written."""

    site: Site
    settings: Settings
    plan: Plan
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written and what is to be said of it: the files, the URLs listed, the pages left out, the problems.

    ``groups`` is the number of translation groups.
    """

    files: tuple[OutputFile, ...]
    listed: int
    groups: int = 0
    omitted: tuple[Omitted, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def summary(self) -> str:
        """One line: how many URLs are listed, how many pages are left out and why, and the files written."""
        count = len(self.omitted)
        reasons = Counter(str(page.reason) for page in self.omitted)
        why = f" ({', '.join(f'{number} {reason}' for reason, number in sorted(reasons.items()))})" if reasons else ""
        names = ", ".join(file.path for file in self.files) or "nothing"
        groups = f", {self.groups} translation {'group' if self.groups == 1 else 'groups'}" if self.groups else ""
        return (
            f"{self.listed} {'URL' if self.listed == 1 else 'URLs'} listed, "
            f"{count} {'page' if count == 1 else 'pages'} left out{why}{groups}; wrote {names}"
        )


def build(pages: Iterable[Page], site: Site, settings: Settings) -> Build:
    """Plan a site: which pages are listed and how. Nothing is written."""
    return build_all([(pages, site, settings)])[0]


def build_all(sites: Iterable[tuple[Iterable[Page], Site, Settings]]) -> list[Build]:
    """Plan several sites of one build, such as languages on hosts of their own, that have translations in common."""
    builds = [_build(*site) for site in sites]
    plans = translations.link(
        [translations.Planned(site=one.site, settings=one.settings, plan=one.plan) for one in builds]
    )
    return [
        replace(one, plan=linked, problems=(*one.problems, *linked.problems))
        for one, linked in zip(builds, plans, strict=True)
    ]


def _build(pages: Iterable[Page], site: Site, settings: Settings) -> Build:
    problems = list(robots.remarks(site)) if settings.robots else []
    if urls.is_local(site.base) and not site.serving:
        problems.append(
            Problem(
                kind="local-host",
                message=f"{site.option} is {site.base}, which no search engine can reach; set it to the address where "
                "the site is published",
            )
        )
    rules = site.robots
    if rules is None and settings.robots:
        # The user's own template may bar pages.
        rules = _renderer(site, settings).robots(site.base + urls.encode_path(settings.filename))
    made = plan(pages, site, settings, allowed=robots.barrier(rules, site.base))
    return Build(site=site, settings=settings, plan=made, problems=tuple(problems))


def _renderer(site: Site, settings: Settings) -> Renderer:
    return Renderer(str(Path(site.root) / settings.templates) if settings.templates else "")


def write(built: Build, folder: Path) -> Written:
    """Write the sitemap files, robots.txt and the report; each is replaced as a whole, and only when all are written.

    Raises StrictError where the setting ``strict`` is on and there is a warning, SitemapError where a template
    fails, OSError where a file cannot be written; the old files then stand.
    """
    with Stage() as stage:
        return _Writer(built, folder, stage).write()


class _Writer:
    """One writing of a build into a folder."""

    def __init__(self, built: Build, folder: Path, stage: Stage) -> None:
        self._site, self._settings, self._plan = built.site, built.settings, built.plan
        self._folder = folder
        self._stage = stage
        self._renderer = _renderer(built.site, built.settings)
        self._files: list[OutputFile] = []
        self._omitted = list(built.plan.omitted)
        self._problems = list(built.problems)
        self._listed = 0

    def write(self) -> Written:
        name = self._settings.filename
        stale = parts_of(self._folder / name)
        sitemap = name
        if name in self._site.owned:
            self._warn(
                "owned-file",
                f"{name} is supplied by the site itself and is kept, so no sitemap is written. Remove that file, "
                "or give ours another name with the setting filename",
            )
            stale = []
        elif not self._write_sitemaps():
            self._warn(
                "no-urls",
                "no page can be listed, so no sitemap is written; set the option report to a file name to read why "
                "each is left out",
            )
            sitemap = ""
            stale.append(name)
        if self._settings.robots:
            self._write_robots(self._loc(sitemap) if sitemap else "")
        kept = self._site.owned.union(file.path for file in self._files)
        if self._settings.hreflang and self._settings.hreflang.headers:
            self._write_headers(self._settings.hreflang.headers)
        self._stage.remove(self._folder / file for part in stale for file in (part, f"{part}.gz") if file not in kept)
        return self._finish()

    def _finish(self) -> Written:
        if self._settings.strict and any(problem.level == "warning" for problem in self._problems):
            raise StrictError(self._problems)
        if self._settings.report and not self._site.serving:
            self._write_report(Path(self._site.root) / self._settings.report)
        self._write_heads()
        self._stage.commit()
        return Written(
            files=tuple(self._files),
            listed=self._listed,
            groups=self._plan.groups,
            omitted=tuple(self._omitted),
            problems=tuple(self._problems),
        )

    def _write_heads(self) -> None:
        """Put the alternates into the pages; one at a time, since each is a file of its own."""
        for wanted in self._plan.heads:
            if not head.write(wanted):
                self._warn(
                    "hreflang-head",
                    f"{wanted.source}: the links to its translations cannot be put into its head ({wanted.output}); "
                    "mend the page's HTML, or set hreflang.head to false",
                )

    def _write_report(self, path: Path) -> None:
        too_large = {page.url for page in self._omitted if page.reason is Reason.TOO_LARGE}
        listed = (url for url in self._plan.urls if url.loc not in too_large)
        with self._stage.open(path) as file:
            for piece in report.render(self._site.base, listed, self._files, self._omitted, self._problems):
                file.write(piece)

    def _write_sitemaps(self) -> bool:
        """Write the urlset, or where one file is not enough its parts and an index; tell whether there is any URL."""
        head, tail = self._renderer.urlset(alternates=any(url.alternates for url in self._plan.urls))
        pieces = pack(
            self._plan.urls,
            self._renderer.urls,
            envelope=len(head) + len(tail),
            max_urls=self._settings.max_urls,
            max_bytes=self._settings.max_bytes,
        )
        parts: list[Part] = []
        with ExitStack() as stack:
            for piece in pieces:
                if isinstance(piece, TooLarge):
                    self._leave_out(piece)
                    continue
                if piece.part > len(parts):
                    if parts:
                        parts[-1].write(tail)
                        parts[-1].close()
                    parts.append(stack.enter_context(self._part()))
                    parts[-1].write(head)
                parts[-1].add(piece.content, {url.lastmod for url in piece.urls}, len(piece.urls))
            if not parts:
                return False
            parts[-1].write(tail)
        if self._settings.templates:
            for part in parts:
                part.check()
        if len(parts) == 1:
            self._place(parts[0], self._settings.filename)
        else:
            self._write_index(parts)
        self._listed = sum(part.urls for part in parts)
        return True

    def _write_index(self, parts: Sequence[Part]) -> None:
        if len(parts) > limits.MAX_URLS:
            raise SitemapError(
                f"the index would list {len(parts)} sitemaps, and the protocol takes {limits.MAX_URLS}; "
                "raise the settings max_urls and max_bytes"
            )
        names = self._part_names()
        entries = []
        for part in parts:
            name = next(names)
            self._place(part, name)
            entries.append((self._loc(name), part.lastmod))
        content = self._renderer.index(entries)
        if len(content) > self._settings.max_bytes:
            raise SitemapError(
                f"the index would have {len(content)} bytes, over the setting max_bytes; raise it or max_urls"
            )
        with self._part() as index:
            index.write(content)
        if self._settings.templates:
            index.check()
        # First in the summary, though it is put in place after the files that it names.
        self._place(index, self._settings.filename, first=True)

    def _part(self) -> Part:
        return Part(self._stage, self._folder, zipped=self._settings.gzip)

    def _part_names(self) -> Iterator[str]:
        """Yield sitemap-1.xml and so on, passing over a name that the owner has taken."""
        stem = self._settings.filename[: -len(".xml")]
        number = 0
        while True:
            number += 1
            name = f"{stem}-{number}.xml"
            if name not in self._site.owned:
                yield name

    def _place(self, part: Part, name: str, *, first: bool = False) -> None:
        files = [OutputFile(path=name, size=part.size, urls=part.urls)]
        if part.zipped is not None and f"{name}.gz" not in self._site.owned:
            self._stage.place(part.zipped, self._folder / f"{name}.gz")
            files.append(OutputFile(path=f"{name}.gz", size=part.zipped.stat().st_size, urls=part.urls))
        elif part.zipped is None and is_copy(self._folder / f"{name}.gz", self._folder / name):
            # Ours from a build that had gzip on; it would go on telling crawlers of the old site.
            self._stage.remove([self._folder / f"{name}.gz"])
        self._stage.place(part.plain, self._folder / name)
        if first:
            self._files[:0] = files
        else:
            self._files.extend(files)

    def _write_robots(self, sitemap: str) -> None:
        owner = self._site.robots
        content = self._renderer.robots(sitemap) if owner is None else owner
        if sitemap:
            content = robots.with_sitemap(content, sitemap)
        with self._stage.open(self._folder / _ROBOTS) as file:
            file.write(content)
        self._files.append(OutputFile(path=_ROBOTS, size=len(content)))

    def _write_headers(self, server: str) -> None:
        """Write the Link headers of documents into the file that the server reads, beside what the owner has there."""
        path = self._folder / headers.FILES[server]
        owner = path.read_bytes() if path.is_file() else b""
        content = headers.with_block(owner, self._renderer.headers(server, headers.documents(self._plan.urls)))
        if content != owner:
            with self._stage.open(path) as file:
                file.write(content)
        if content:
            self._files.append(OutputFile(path=path.name, size=len(content)))

    def _leave_out(self, piece: TooLarge) -> None:
        url = piece.url
        detail = f"{piece.size} bytes with its file's frame, over max_bytes ({self._settings.max_bytes})"
        self._omitted.append(Omitted(url=url.loc, source=url.source, reason=Reason.TOO_LARGE, detail=detail))
        self._warn("too-large", f"{url.source or url.loc}: its entry has {detail}; raise that setting")

    def _loc(self, name: str) -> str:
        return self._site.base + urls.encode_path(name)

    def _warn(self, kind: str, message: str) -> None:
        self._problems.append(Problem(kind=kind, message=message))
