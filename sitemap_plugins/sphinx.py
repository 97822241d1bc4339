"""The Sphinx adapter: ``extensions = ["sitemap_plugins.sphinx"]``."""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.dirhtml import DirectoryHTMLBuilder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.config import Config
from sphinx.errors import ConfigError as SphinxConfigError
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.i18n import CatalogRepository, docname_to_domain
from sphinx.util.matching import Matcher
from sphinxcontrib.serializinghtml import SerializingHTMLBuilder

from sitemap_plugins import __version__
from sitemap_plugins.core import html
from sitemap_plugins.core.build import build, write
from sitemap_plugins.core.configure import configure
from sitemap_plugins.core.errors import ConfigError, SitemapError, StrictError
from sitemap_plugins.core.model import DateClaim, Head, Page, Problem, Reason, Site
from sitemap_plugins.core.settings import Settings, suggest

if TYPE_CHECKING:
    from sphinx.util.typing import ExtensionMetadata  # since Sphinx 7.3

log = logging.getLogger(__name__)

# Before the other extensions write anything, and after they have.
_FIRST, _LAST = 100, 900
# All of them take text as well, which is what -D gives.
_TYPES: Mapping[str, tuple[type, ...]] = {
    "filename": (str,),
    "gzip": (bool,),
    "exclude": (list, tuple),
    "rules": (list, tuple),
    "urls": (list, tuple),
    "lastmod": (list, tuple, bool),
    "dependencies": (bool,),
    "changefreq": (str,),
    "priority": (float, int),
    "max_urls": (int,),
    "max_bytes": (int,),
    "robots": (bool,),
    "report": (str,),
    "templates": (str,),
    "strict": (bool,),
}
# The options of sphinx-sitemap that are not ours too, and what takes their place here.
_MOVED: Mapping[str, tuple[tuple[type, ...], str]] = {
    "sitemap_url_scheme": (
        (str,),
        "is honoured, though the pages may name another address as canonical; put language and version into "
        "html_baseurl and remove it, and what the pages name is listed",
    ),
    "sitemap_locales": ((list, tuple), "has no effect: hreflang alternates are not written yet"),
    "sitemap_excludes": ((list, tuple), "is honoured; sitemap_exclude replaces it, with patterns as in .gitignore"),
    "sitemap_show_lastmod": ((bool,), "is honoured; sitemap_lastmod replaces it and says where dates come from"),
    "sitemap_indent": ((int,), "has no effect; sitemap_templates takes templates of your own"),
    "site_url": ((str,), "is honoured; html_baseurl replaces it"),
}
# A list as the default lets -D give several, separated by commas; it stands for an option that is not set.
_UNSET: list[object] = []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Declare the options and connect to the build."""
    if "sphinx_sitemap" in {*app.extensions, *app.config.extensions}:
        raise ExtensionError(
            "sphinx_sitemap and sitemap_plugins.sphinx both write sitemap.xml; remove sphinx_sitemap from extensions"
        )
    for name, types in _TYPES.items():
        app.add_config_value(f"sitemap_{name}", _UNSET if list in types else None, "", types=frozenset({*types, str}))
    for name, (types, _) in _MOVED.items():
        if name not in app.config:
            app.add_config_value(name, None, "", types=frozenset(types))
    extension = _Extension()
    app.connect("builder-inited", extension.start, priority=_FIRST)
    app.connect("html-page-context", extension.note_generated, priority=_LAST)
    app.connect("build-finished", extension.finish, priority=_LAST)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


class _Extension:
    """What one run of Sphinx needs to know between its events."""

    def __init__(self) -> None:
        self._settings = Settings()
        self._base = self._option = ""
        self._generated: set[str] = set()
        self._stamps: dict[str, tuple[int, ...]] = {}

    def start(self, app: Sphinx) -> None:
        """Check the settings before anything is read or written; every fault at once."""
        if not _makes_site(app.builder):
            return
        config = app.config
        faults = list(_faults(config))
        self._option, base = _base(config)
        try:
            self._settings, self._base = configure(
                _options(config), spell=_spell, root=Path(app.confdir), base=base, option=self._option
            )
        except ConfigError as error:
            faults.extend(error.errors)
        if faults:
            raise SphinxConfigError(f"wrong settings in conf.py:\n{ConfigError(faults)}")
        if not self._base:
            message = (
                "sitemap: html_baseurl is not set in conf.py, so no sitemap and no robots.txt are written. "
                "Set it to the site's address, such as html_baseurl = 'https://docs.example.org/'"
            )
            if self._settings.strict:
                raise SphinxConfigError(message)
            log.warning(message, type="sitemap", subtype="base")
        elif self._option not in config:
            log.info("sitemap: html_baseurl is not set, so %s is taken: %s", self._option, self._base)
        moved = [f"{name} {replacement}" for name, (_, replacement) in _MOVED.items() if config[name] is not None]
        if moved:
            log.info("sitemap: options of sphinx-sitemap: %s", "; ".join(moved))
        self._stamps = _stamps(Path(app.outdir))

    def note_generated(
        self, app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None
    ) -> None:
        """Note a page that no document stands for; all of these are written in the main process."""
        if doctree is None:
            self._generated.add(name)

    def finish(self, app: Sphinx, exception: Exception | None) -> None:
        """Write the files, when the build has succeeded and made a site."""
        builder, folder = app.builder, Path(app.outdir)
        if exception is not None or not self._base or not isinstance(builder, StandaloneHTMLBuilder):
            return
        supplied = dict(_extra_files(app))
        # What a hook or another extension has written in this run is not ours either.
        made = {name for name, stamp in _stamps(folder).items() if self._stamps.get(name) != stamp}
        robots = folder / "robots.txt" if "robots.txt" in made else supplied.get("robots.txt")
        site = Site(
            base=self._base,
            option=self._option,
            now=datetime.now(UTC),
            robots=robots.read_bytes() if robots else None,
            owned=frozenset({*supplied, *made}),
            root=str(app.confdir),
        )
        try:
            written = write(build(self._pages(app, builder), site, self._settings), folder)
        except StrictError as error:
            _tell(error.problems)
            raise ExtensionError(str(error)) from error
        except (SitemapError, OSError) as error:
            raise ExtensionError(f"sitemap: {error}") from error
        self._stamps = _stamps(folder)
        _tell(written.problems)
        log.info("sitemap: %s", written.summary)

    def _pages(self, app: Sphinx, builder: StandaloneHTMLBuilder) -> Iterator[Page]:
        """Yield every document, also those that this run had no need to write, then the pages that are none."""
        env, config = app.env, app.config
        single = isinstance(builder, SingleFileHTMLBuilder)
        documents = {config.root_doc} if single else env.found_docs
        catalogues = _catalogues(app)
        for name in sorted(documents):
            head = _head(builder, name)
            page = Page(
                url=_url(builder, name),
                source=str(env.doc2path(name, base=False)),
                path=str(env.doc2path(name)),
                dependencies=tuple(_dependencies(app, sorted(env.found_docs) if single else [name], catalogues)),
                meta=env.metadata.get(name, {}),
                head=head,
                dates=() if single else tuple(_dates(env, name)),
                omit=None if head else Reason.UNWRITTEN,
            )
            yield _without_excluded(page, builder, name)
        # sphinx.ext.viewcode does not write a module's page again that has not changed.
        modules = getattr(env, "_viewcode_modules", {})
        shown = {f"_modules/{module.replace('.', '/')}" for module, entry in modules.items() if entry}
        for name in sorted((self._noted(app) | shown) - documents):
            head = _head(builder, name)
            if head is None:  # no page, such as the search description for browsers
                continue
            # The pages of html_additional_pages are the owner's.
            omit = None if name in config.html_additional_pages else Reason.GENERATED
            yield _without_excluded(Page(url=_url(builder, name), source=name, head=head, omit=omit), builder, name)

    def _noted(self, app: Sphinx) -> set[str]:
        """Return the pages noted in this run or, as Sphinx 7 writes none where no document has changed, in the last."""
        memory = Path(app.doctreedir) / f"sitemap-plugins-{app.builder.name}.json"
        if self._generated:
            memory.write_text(json.dumps(sorted(self._generated)), encoding="utf-8")
        elif memory.is_file():
            with suppress(ValueError, TypeError):  # damaged: as if it were not there
                return set(map(str, json.loads(memory.read_text(encoding="utf-8"))))
        return self._generated


def _makes_site(builder: Builder) -> bool:
    """Tell whether a builder makes pages for a web server: html, dirhtml, singlehtml or one derived from them."""
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not isinstance(builder, SerializingHTMLBuilder)
        and not builder.embedded
    )


def _options(config: Config) -> dict[str, object]:
    """Return the options of ours that are set."""
    options = {name: config[f"sitemap_{name}"] for name in _TYPES}
    options = {name: value for name, value in options.items() if value is not None and value is not _UNSET}
    if config.sitemap_show_lastmod is False:
        options.setdefault("lastmod", False)
    lastmod = options.get("lastmod")
    if isinstance(lastmod, str):  # from -D; Sphinx since 7.3 splits no option that can be true or false
        options["lastmod"] = lastmod.split(",")
    elif lastmod == ["0"]:  # from -D; Sphinx before 7.3 splits all the same
        options["lastmod"] = False
    return options


def _faults(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the faults that the core cannot know: misspelt names, and values of sphinx-sitemap's options."""
    for name, value in getattr(config, "_raw_config", {}).items():
        # Other names in conf.py are the author's own affair.
        if name.startswith("sitemap_") and name not in config and not callable(value):
            known = [*_TYPES, *(option.removeprefix("sitemap_") for option in _MOVED)]
            near = suggest(name.removeprefix("sitemap_"), known)
            if "did you mean" in near:
                yield name, f"unknown option{near}"
    scheme = config.sitemap_url_scheme
    if scheme is not None:
        try:
            usable = isinstance(scheme, str) and "a/b" in scheme.format(lang="", version="", link="a/b")
        except (LookupError, ValueError, AttributeError):
            usable = False
        if not usable:
            yield "sitemap_url_scheme", f"expected text such as '{{lang}}{{version}}{{link}}', got {scheme!r}"
    if config.sitemap_show_lastmod not in (None, True, False):
        yield "sitemap_show_lastmod", f"expected True or False, got {config.sitemap_show_lastmod!r}"
    excludes = config.sitemap_excludes
    if not isinstance(excludes, list | tuple | None) or not all(isinstance(pattern, str) for pattern in excludes or ()):
        yield "sitemap_excludes", f"expected a list of links such as ['search.html'], got {excludes!r}"


def _base(config: Config) -> tuple[str, str]:
    """Return the option that holds the site's address, and the address."""
    for option in ("site_url", "html_baseurl"):
        if config[option]:
            return option, str(config[option])
    # Read the Docs' builds: https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    return "READTHEDOCS_CANONICAL_URL", os.environ.get("READTHEDOCS_CANONICAL_URL", "")


def _link(builder: StandaloneHTMLBuilder, name: str) -> str:
    """Return the relative URL of a page, percent-encoded, which dirhtml leaves to its callers."""
    if isinstance(builder, SingleFileHTMLBuilder):
        return quote(name) + (builder.link_suffix or "")  # not #document-index
    link = builder.get_target_uri(name)
    return quote(link) if isinstance(builder, DirectoryHTMLBuilder) else link


def _url(builder: StandaloneHTMLBuilder, name: str) -> str:
    """Return the relative URL under which a page is listed: its link, or what sphinx-sitemap's option makes of it."""
    config = builder.config
    link = _link(builder, name)
    if config.sitemap_url_scheme is None:
        return link
    language, version = (f"{quote(part)}/" if part else "" for part in (config.language, config.version))
    return str(config.sitemap_url_scheme.format(lang=language, version=version, link=link))


def _head(builder: StandaloneHTMLBuilder, name: str) -> Head | None:
    """Read the head of a page that was written, without the canonical link by which it means itself, right or wrong.

    Sphinx before 8.1 gives every page the name of its file, unquoted (sphinx-doc/sphinx#9730); some themes put nothing
    between html_baseurl and the page; and sphinx-sitemap's option knows better than all of them.
    """
    head = html.read(Path(builder.get_outfilename(name)))
    base = builder.config.html_baseurl
    if head is None or not head.canonical or not base:
        return head
    links = (name + builder.out_suffix, builder.get_target_uri(name))
    own = {join for link in links for join in (posixpath.join(base, link), base + link)}
    return replace(head, canonical="") if head.canonical in own else head


def _without_excluded(page: Page, builder: StandaloneHTMLBuilder, name: str) -> Page:
    """Return the page, left out where sphinx-sitemap's option says so; its patterns are matched against the link."""
    link = unquote(_link(builder, name))
    excluded = any(fnmatch(link, pattern) for pattern in builder.config.sitemap_excludes or ())
    return replace(page, omit=Reason.EXCLUDED) if excluded else page


def _dependencies(app: Sphinx, names: list[str], catalogues: Mapping[str, str]) -> Iterator[str]:
    """Yield the files that documents are made of: their sources, and what they include, show and document.

    Sphinx knows a translation by its compiled catalogue, and only of documents that it had no need to read again.
    """
    folder = Path(app.srcdir)
    for name in names:
        yield str(app.env.doc2path(name))
        paths = sorted(map(str, app.env.dependencies.get(name, ())))
        yield from (str(folder / path) for path in paths if not path.endswith((".mo", "docutils.conf")))
        catalogue = catalogues.get(docname_to_domain(name, app.config.gettext_compact))
        if catalogue:
            yield catalogue


def _catalogues(app: Sphinx) -> dict[str, str]:
    """Return the message catalogues of the site's language: domain -> file."""
    config = app.config
    repository = CatalogRepository(app.srcdir, config.locale_dirs, config.language, config.source_encoding)
    return {catalogue.domain: str(catalogue.po_path) for catalogue in repository.catalogs}


def _dates(env: Any, name: str) -> Iterator[DateClaim]:
    """Yield the date that sphinx-last-updated-by-git knows: seconds since 1970 as text."""
    known = getattr(env, "git_last_updated", {}).get(name)
    if known and known[0]:
        yield DateClaim(
            origin="sphinx-last-updated-by-git", value=datetime.fromtimestamp(int(known[0]), UTC), from_git=True
        )


def _extra_files(app: Sphinx) -> Iterator[tuple[str, Path]]:
    """Yield the files that html_extra_path puts at the output root: the owner's."""
    excluded = Matcher(app.config.exclude_patterns)
    for entry in app.config.html_extra_path:
        path = Path(app.confdir) / entry
        files = [file for file in path.iterdir() if not excluded(f"./{file.name}")] if path.is_dir() else [path]
        yield from ((file.name, file) for file in files if file.is_file())


def _stamps(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return for each file at the output root of a kind that we write what changes when it is written again."""
    files = [path for path in folder.iterdir() if path.suffix in {".txt", ".xml", ".gz"} and path.is_file()]
    return {path.name: (status.st_mtime_ns, status.st_ctime_ns) for path in files for status in [path.stat()]}


def _spell(option: tuple[str | int, ...]) -> str:
    """Spell an option as in conf.py: ``sitemap_rules[0]['match']``."""
    name, *steps = option
    return f"sitemap_{name}" + "".join(f"[{step!r}]" for step in steps)


def _tell(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        if problem.level == "warning":
            log.warning("sitemap: %s", problem.message, type="sitemap", subtype=problem.kind)
        else:
            log.info("sitemap: %s", problem.message)
