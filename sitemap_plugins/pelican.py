"""The Pelican adapter: ``PLUGINS = ["sitemap_plugins.pelican"]``."""

from __future__ import annotations

import logging
import os
import posixpath
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from weakref import WeakSet

from pelican import Pelican, signals
from pelican.contents import Article, Content, Static
from pelican.contents import Page as PelicanPage
from pelican.urlwrappers import URLWrapper

from sitemap_plugins.core import html, lastmod, urls
from sitemap_plugins.core.build import build, write
from sitemap_plugins.core.configure import configure
from sitemap_plugins.core.errors import ConfigError, SitemapError, StrictError
from sitemap_plugins.core.model import DateClaim, Page, Problem, Reason, Site
from sitemap_plugins.core.selection import Patterns
from sitemap_plugins.core.settings import Settings
from sitemap_plugins.pelican_sitemap import PAGE_KEYS, Old, take_over

log = logging.getLogger(__name__)

# Where an instance's settings hold what is known of it. Pelican copies its settings into the context of every page, and
# i18n_subsites copies those of the main instance into the nested ones: so each signal finds its own, and a nested
# instance the one that it belongs to, and a module-level state that a failed run could spoil is not needed.
_KEY = "sitemap_plugins.pelican"
# The one thing kept here: whether a run has come to its end tells a rebuild by --autoreload, which goes on after an
# error, from the first run, which ends with a clean message.
_FINISHED: WeakSet[Pelican] = WeakSet()
_OTHERS = ("pelican.plugins.sitemap", "sitemap", "pelican.plugins.extended_sitemap", "extended_sitemap")
# Suffixes of what a browser shows as a page.
_HTML = frozenset({"", ".htm", ".html", ".xhtml", ".shtml", ".php"})
_INDEX = re.compile(r"(?:^|(?<=/))index\.html?$")
_ABSOLUTE = re.compile(r"//|[A-Za-z][A-Za-z0-9+.-]*://")
_TRUE = frozenset({"true", "yes", "on", "1"})


def register() -> None:
    """Connect to Pelican's signals; again for each nested instance, which changes nothing."""
    # Functions of the module, because blinker holds receivers weakly and knows the same one again.
    signals.initialized.connect(_check)
    signals.get_generators.connect(_begin)
    signals.all_generators_finalized.connect(_note_generators)
    signals.article_generator_write_article.connect(_note_own)
    signals.page_generator_write_page.connect(_note_own)
    signals.content_written.connect(_note_file)
    signals.finalized.connect(_finish)


def _check(pelican: Pelican) -> None:
    """Check the settings before anything is built; every fault at once."""
    outer = pelican.settings.get(_KEY)
    nested = isinstance(outer, _Instance) and outer.main.running and outer.pelican.settings is not pelican.settings
    instance = pelican.settings[_KEY] = _Instance(pelican, outer.main if nested else None)
    notes = instance.configure()
    if nested:
        return
    if notes:
        log.info("sitemap: %s (see the README on the move from pelican-sitemap)", "; ".join(notes))
    if others := [name for name in pelican.settings["PLUGINS"] if name in _OTHERS]:
        log.warning(
            "sitemap: %s and sitemap_plugins.pelican both write sitemap.xml; remove %s from PLUGINS",
            *[" and ".join(map(repr, others))] * 2,
        )


def _begin(pelican: Pelican) -> None:
    """Forget the run before, also one that failed, at the start of each; no generator is added."""
    pelican.settings[_KEY].begin()


def _note_generators(generators: Sequence[Any]) -> None:
    """Note the URLs of what is not made of a source file, and the list of static files."""
    instance = generators[0].settings.get(_KEY)
    if isinstance(instance, _Instance):
        instance.note_generators(generators)


def _note_own(generator: Any, content: Content) -> None:
    """Note that the next file to be written is the one of this page itself."""
    instance = generator.settings.get(_KEY)
    if isinstance(instance, _Instance):
        instance.own = content


def _note_file(path: str, context: Mapping[str, Any]) -> None:
    """Note a file that was written, or whose writing was skipped."""
    instance = context.get(_KEY)
    if isinstance(instance, _Instance):
        instance.note_file(context)


def _finish(pelican: Pelican) -> None:
    """Write the sitemaps at the end of the main instance, when everything is on disk."""
    instance = pelican.settings[_KEY]
    if instance is instance.main:
        instance.running = False
        instance.publish()
        instance.forget()
        _FINISHED.add(pelican)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A file that was written: its URL as Pelican says it, and what it was made of.

    ``articles`` are those that an index shows, ``number`` is which of an index's pages it is, and ``final`` is true
    where Pelican skips every other writing of the same file.
    """

    url: str
    content: Content | None = None
    template: str = ""
    articles: Sequence[Article] = ()
    number: int = 1
    final: bool = False


class _Instance:
    """What is known of one instance of Pelican: the main one, or one that is nested in it."""

    def __init__(self, pelican: Pelican, main: _Instance | None) -> None:
        self.pelican = pelican
        self.main = main or self
        self.running = False
        self.folder = Path(pelican.output_path)
        self.base = ""
        self._options = Settings()
        self._old = Old()
        self.forget()

    def __reduce__(self) -> tuple[type[bool], tuple[()]]:
        # The content cache pickles the settings together with each article; none of this is to come back from there.
        return bool, ()

    def configure(self) -> list[str]:
        """Read the settings, or end the run with every fault; return what is to be said of pelican-sitemap's options.

        A nested instance has the main one's options, unless it is given its own.
        """
        settings = self.pelican.settings
        if self.main is not self and not self.main.base:
            self.base = ""
            return []
        given, siteurl = settings.get("SITEMAP"), settings.get("SITEURL") or ""
        inherits = self.main is not self and given is self.main.pelican.settings.get("SITEMAP")
        errors: list[tuple[str, str]] = []
        if given is not None and not isinstance(given, Mapping):
            errors.append((self._spell(()), f"expected a dictionary of options, got {given!r}"))
            given = {}
        options, self._old, notes = take_over(given or {}, self._spell, errors)
        if inherits:
            options.pop("urls", None)  # they are the main site's
        if not isinstance(siteurl, str):
            errors.append((self._option("SITEURL"), f"expected an address as text, got {siteurl!r}"))
            siteurl = ""
        try:
            self._options, self.base = configure(
                options,
                spell=self._spell,
                root=_root(settings),
                base=siteurl,
                option=self._option("SITEURL"),
            )
        except ConfigError as error:
            errors.extend(error.errors)
        if errors:
            self._fail(str(ConfigError(errors)))
        return notes

    def forget(self) -> None:
        """Let go of what was noted of a run."""
        self.nested: list[_Instance] = []
        self.own: Content | None = None
        self._files: dict[str, _File] = {}
        self._known: dict[str, str] = {}
        self._statics: Sequence[Static] = ()
        self._dates: dict[int, str] = {}
        self._before: tuple[int, int, int] | None = None  # robots.txt as the run found it

    def begin(self) -> None:
        self.configure()  # other plugins may have changed the settings since
        self.forget()
        if self.main is self:
            self.running = True
        else:
            self.main.nested.append(self)
        self._before = _stamp(self.folder / "robots.txt")

    def note_generators(self, generators: Sequence[Any]) -> None:
        settings = self.pelican.settings
        for template in settings["DIRECT_TEMPLATES"] or ():
            name = settings.get(f"{template.upper()}_SAVE_AS", f"{template}.html")
            if name:
                self._known[_posix(name)] = settings.get(f"{template.upper()}_URL") or ""
        for generator in generators:
            for archives in getattr(generator, "period_archives", {}).values():
                self._known.update((_posix(archive["save_as"]), archive["url"]) for archive in archives)
            self._statics = getattr(generator, "staticfiles", self._statics)

    def note_file(self, context: Mapping[str, Any]) -> None:
        own, self.own = self.own, None
        name = _posix(context["output_file"])
        earlier = self._files.get(name)
        if earlier is None or not earlier.final:
            self._files[name] = self._file(name, context, own)

    def _file(self, name: str, context: Mapping[str, Any], own: Content | None) -> _File:
        content = context.get("article") or context.get("page")
        if isinstance(content, Content):
            # A file of another name is not the page itself, but a stub that redirects to it or another form of it.
            if content is not own and _posix(content.save_as) != name:
                return _File(url="")
            return _File(url=_url_of(content, name), content=content, final=hasattr(content, "override_save_as"))
        for template, target in (self.pelican.settings["TEMPLATE_PAGES"] or {}).items():
            if _posix(target) == name:
                return _File(url="", template=template, final=True)
        part = context.get("articles_page")
        number = part.number if part is not None else 1
        url = self._url_of_index(name, context) if number == 1 else None
        if url is None:
            if part is None:
                return _File(url="")  # another plugin's
            url = part.url
        articles = part.object_list if part is not None else context.get("articles") or ()
        return _File(url=url if isinstance(url, str) else "", articles=articles, number=number)

    def _url_of_index(self, name: str, context: Mapping[str, Any]) -> str | None:
        """Return the URL that the settings give to an index, or None where they do not know it."""
        for kind in ("category", "tag", "author"):
            wrapper = context.get(kind)
            if isinstance(wrapper, URLWrapper) and _posix(wrapper.save_as) == name:
                return str(wrapper.url or "")
        return self._known.get(name)

    def publish(self) -> None:
        """Write one sitemap for each site that lies below no other."""
        if not self.base:
            log.info(
                "sitemap: SITEURL is empty, as is usual in development, so no sitemap and no robots.txt are written. "
                "Set it to the site's address where you publish, such as SITEURL = 'https://blog.example.org'"
            )
            return
        groups: dict[_Instance, list[_Instance]] = {}
        for instance in sorted([self, *self.nested], key=lambda instance: len(instance.base)):
            root = next((root for root in groups if instance.base.startswith(root.base)), instance)
            groups.setdefault(root, []).append(instance)
        problems: list[Problem] = []
        for root, members in groups.items():
            problems.extend(root.write(members, name=root.base if len(groups) > 1 else ""))
        _tell(problems)

    def write(self, members: Sequence[_Instance], *, name: str) -> Sequence[Problem]:
        """Write the sitemap of this site and the ``members`` below it; return what is to be said."""
        settings = self._options
        if self is not self.main and settings.report:
            report = Path(settings.report)
            host = self.base.partition("://")[2].rstrip("/").replace("/", "-").replace(":", "-")
            settings = settings.model_copy(update={"report": str(report.with_stem(f"{report.stem}-{host}"))})
        site = Site(
            base=self.base,
            option=self._option("SITEURL"),
            now=datetime.now(UTC),
            robots=self._robots(members),
            owned=frozenset(file for member in members for file in member.names_in(self.folder)),
            root=str(_root(self.pelican.settings)),
            timezone=lastmod.zone(self.pelican.settings.get("TIMEZONE", "UTC")),
        )
        pages = (page for member in members for page in member.pages(site, settings, self._old))
        try:
            written = write(build(pages, site, settings), self.folder)
        except StrictError as error:
            _tell(error.problems)
            self._fail(str(error))
            return ()
        except (SitemapError, OSError) as error:
            self._fail(str(error))
            return ()
        log.info("sitemap: %s%s", f"{name}: " if name else "", written.summary)
        return written.problems

    def names_in(self, folder: Path) -> Iterator[str]:
        """Yield the names of the site's files that lie just in a folder."""
        for name in (*self._files, *(_posix(static.save_as) for static in self._statics)):
            if "/" not in name if folder == self.folder else (self.folder / name).parent == folder:
                yield posixpath.basename(name)

    def pages(self, site: Site, settings: Settings, old: Old) -> Iterator[Page]:
        """Yield what was written, as it stands in the output, then the static files that are asked for."""
        below = self.base.removeprefix(site.base)
        for name, file in self._files.items():
            yield self._page(name, file, below, site, settings, old)
        wanted = Patterns(settings.include)
        for static in self._statics if wanted else ():
            name = _posix(static.save_as)
            url, source = _below(below, static.url or name, name), _posix(static.relative_source_path)
            if name in self._files or not wanted.match(unquote(url), source):
                continue
            head = html.read(self.folder / name) if Path(name).suffix in {".html", ".htm"} else None
            yield Page(url=url, source=source, path=self._source(static.source_path), head=head)

    def _page(self, name: str, file: _File, below: str, site: Site, settings: Settings, old: Old) -> Page:
        content = file.content
        url = _below(below, file.url, name)
        omit = self._omit(name, file, url, site, settings, old)
        head = html.read(self.folder / name) if omit is None else None
        if omit is None and head is None:
            omit = Reason.UNWRITTEN
        kind = "indexes" if content is None else "articles" if isinstance(content, Article) else "pages"
        page = partial(
            Page,
            url=url,
            head=head,
            omit=omit,
            priority=old.priorities.get(kind),
            changefreq=old.changefreqs.get(kind, ""),
        )
        if content is not None:
            source = content.relative_source_path or name
            return page(source=source, path=self._source(content.source_path), meta=self._meta(content))
        if file.template:
            return page(source=file.template, path=self._source(file.template))
        newest = ""
        if omit is not None:
            return page(source=name)
        if "meta" in (settings.lastmod or ()):
            newest = lastmod.newest(filter(None, (self._date(article, site) for article in file.articles)))
        claim = DateClaim(origin="articles", value=newest, source="meta")
        paths = () if newest else tuple(self._source(article.source_path) for article in file.articles)
        return page(
            source=name, path=paths[0] if paths else "", dependencies=paths[1:], dates=(claim,) if newest else ()
        )

    def _omit(self, name: str, file: _File, url: str, site: Site, settings: Settings, old: Old) -> Reason | None:
        """Return why Pelican, or an option of pelican-sitemap, would have a file left out."""
        content = file.content
        if posixpath.splitext(name)[1].lower() not in _HTML:
            return Reason.NOT_HTML
        if content is not None:
            status = getattr(content, "status", "published")
            if status != "published" and not settings.drafts:
                return Reason.DRAFT if status == "draft" else Reason.METADATA
            if str(content.metadata.get("private", "")).strip().lower() in _TRUE:
                return Reason.METADATA
        if file.number > 1 and not settings.pagination:
            return Reason.GENERATED
        if _ABSOLUTE.match(url) and not url.startswith(site.base):
            return Reason.CANONICAL
        # Its README writes these patterns with a slash in front, but it matched them against URLs without.
        path = unquote(url)
        if any(pattern.search(path) or pattern.search(f"/{path}") for pattern in old.exclude):
            return Reason.EXCLUDED
        return None

    def _meta(self, content: Content) -> dict[str, object]:
        """Return a page's metadata, its dates with their time zone, pelican-sitemap's keys under our names."""
        meta: dict[str, object] = {**content.metadata}
        for key in ("date", "modified"):
            if key in meta:
                meta[key] = getattr(content, key)
        if self.pelican.settings.get("DEFAULT_DATE") == "fs":
            _drop_file_dates(meta, self._source(content.source_path))
        if "timezone" in meta:
            meta.update((key, _zoned(meta[key], content.timezone)) for key in lastmod.MODIFIED_KEYS if key in meta)
        for key, valid, expected in PAGE_KEYS:
            if key in meta and f"sitemap_{key}" not in meta:
                if valid(meta[key]):
                    meta[f"sitemap_{key}"] = meta[key]
                else:
                    log.info(
                        "sitemap: %s: %s: %r is not %s, so it is passed over",
                        content.relative_source_path,
                        key,
                        meta[key],
                        expected,
                    )
        return meta

    def _date(self, article: Article, site: Site) -> str:
        """Return an article's own date, as far as its metadata states one that can be."""
        known = self._dates.get(id(article))
        if known is None:
            known = ""
            for _, value in lastmod.stated(self._meta(article)):
                try:
                    known = lastmod.to_w3c(value, now=site.now, timezone=site.timezone)
                except ValueError:
                    continue
                break
            self._dates[id(article)] = known
        return known

    def _robots(self, members: Sequence[_Instance]) -> bytes | None:
        """Return the owner's robots.txt: a static file, or what a template, a page or another plugin wrote."""
        target = self.folder / "robots.txt"
        for member in members:
            for static in member._statics:
                # From its source: what is in the output may be a link to it, or our own of an earlier run.
                if member.folder / _posix(static.save_as) == target:
                    return Path(member._source(static.source_path)).read_bytes()
        templated = "robots.txt" in {name for member in members for name in member.names_in(self.folder)}
        stamp = _stamp(target)
        return target.read_bytes() if stamp is not None and (templated or stamp != self._before) else None

    def _source(self, path: str) -> str:
        return os.path.join(self.pelican.path, path)  # noqa: PTH118 - called for each page

    def _option(self, name: str) -> str:
        nested = self is not self.main
        return f"I18N_SUBSITES[{self.pelican.settings['DEFAULT_LANG']!r}][{name!r}]" if nested else name

    def _spell(self, steps: tuple[str | int, ...]) -> str:
        """Spell an option as in the settings file: ``SITEMAP['rules'][0]['match']``."""
        return self._option("SITEMAP") + "".join(f"[{step!r}]" for step in steps)

    def _fail(self, message: str) -> None:
        """End the run with a message, but not --autoreload, where the files of the run before stand."""
        log.critical("sitemap: %s", message)
        if self.main.pelican in _FINISHED:
            return
        # Pelican prints a traceback for any exception but SystemExit, which on the other hand ends --autoreload.
        raise RuntimeError(f"sitemap: {message}") if _FINISHED else SystemExit(1)


def _url_of(content: Content, name: str) -> str:
    """Return a page's own URL as Pelican knows it, or an empty text where it is just that of its file ``name``."""
    if not hasattr(content, "override_url"):
        if hasattr(content, "override_save_as"):
            return ""
        # Pelican takes some time to make a URL out of its pattern; mostly it differs from the file's name in this only.
        kind = {Article: "ARTICLE", PelicanPage: "PAGE"}.get(type(content))
        if kind and content.status != "draft":
            key = kind if content.in_default_lang else f"{kind}_LANG"
            pattern, saved = content.settings[f"{key}_URL"], content.settings[f"{key}_SAVE_AS"]
            if saved == pattern:
                return name
            if saved == f"{pattern}index.html":
                return name.removesuffix("index.html")
    url = str(content.url)
    # i18n_subsites writes links to other sites over the URLs of translations.
    return "" if ".." in url else url


def _posix(name: object) -> str:
    return posixpath.normpath(str(name).replace("\\", "/"))


def _below(below: str, url: str, name: str) -> str:
    """Return a URL relative to the sitemap's site; one that is not known is that of the file ``name``."""
    if _ABSOLUTE.match(url):
        return url
    return below + _INDEX.sub("", url.lstrip("/") if url else urls.encode_path(name))


def _zoned(value: object, timezone: Any) -> object:
    """Give a time that is written without a zone the one of its page."""
    try:
        moment = datetime.fromisoformat(value.strip()) if isinstance(value, str) else None
    except ValueError:
        moment = None
    return (
        moment.replace(tzinfo=timezone) if moment and moment.tzinfo is None and len(str(value).strip()) > 10 else value
    )


def _drop_file_dates(meta: dict[str, object], path: str) -> None:
    """Remove the dates that DEFAULT_DATE = "fs" takes from the file, which say when it was checked out or copied."""
    try:
        changed = datetime.fromtimestamp(Path(path).stat().st_mtime)
    except OSError:
        return
    for key in ("date", "modified"):
        value = meta.get(key)
        if isinstance(value, datetime) and value.replace(tzinfo=None) == changed:
            del meta[key]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Return what changes when a file is written anew, or None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _root(settings: Mapping[str, Any]) -> Path:
    """Return the folder of the settings file, which Pelican does not keep, but has run as a module."""
    options = settings.get("SITEMAP")
    for module in tuple(sys.modules.values()) if options is not None else ():
        if vars(module).get("SITEMAP") is options and getattr(module, "__file__", None):
            return Path(str(module.__file__)).resolve().parent
    return Path.cwd()


def _tell(problems: Sequence[Problem]) -> None:
    stop = None
    for problem in problems:
        try:
            (log.warning if problem.level == "warning" else log.info)("sitemap: %s", problem.message)
        except RuntimeError as error:  # --fatal stops at the first message, but all of them are to be read
            stop = error
    if stop is not None:
        raise stop
