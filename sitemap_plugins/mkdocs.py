"""The MkDocs adapter, which works unchanged under ProperDocs: ``plugins: [sitemap]``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import ConfigurationError, PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage

from sitemap_plugins.core import html, urls
from sitemap_plugins.core.build import build, write
from sitemap_plugins.core.configure import configure
from sitemap_plugins.core.errors import ConfigError, SitemapError, StrictError
from sitemap_plugins.core.model import DateClaim, Page, Problem, Reason, Site
from sitemap_plugins.core.settings import Settings

log = get_plugin_logger(__name__)

# After every other plugin, among them mkdocs-static-i18n at -100, whose own event runs the nested builds.
_LAST = -200
_BUILT_IN = "sitemap.xml"
_ROBOTS = "robots.txt"


class _NoConfig(Config):
    """Empty: the options are declared once, in the core, which checks them for all frameworks alike."""


class SitemapPlugin(BasePlugin[_NoConfig]):
    """Writes sitemap.xml, sitemap.xml.gz and robots.txt in place of MkDocs' own sitemap."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {}
        self._serving = self._dirty = False
        self._before: dict[str, int] = {}
        self._settings = Settings()
        self._base = ""
        # By both names, since two sources may have one place in the output.
        self._files: dict[tuple[str, str], File] = {}
        self._owner_template = self._suppressed = False

    def load_config(self, options: dict[str, Any], config_file_path: str | None = None) -> Any:
        """Keep the options as the user wrote them."""
        self._options = options
        return super().load_config({}, config_file_path)

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note whether this is a preview."""
        self._serving, self._dirty = command == "serve", dirty

    @event_priority(_LAST)
    def on_config(self, config: MkDocsConfig) -> None:
        """Check the settings and ``site_url``, which other plugins may have set; every fault at once."""
        if self._nested(config):
            return
        self._files = {}
        try:
            self._settings, self._base = configure(
                self._options, spell=_spell, root=_root(config), base=config.site_url or "", option="site_url"
            )
        except ConfigError as error:
            raise ConfigurationError(str(error)) from error
        if not self._base:
            message = (
                "site_url is not set in the configuration, so no sitemap and no robots.txt are written. "
                "Set it to the site's address, such as site_url: https://docs.example.org/"
            )
            if self._settings.strict:
                raise ConfigurationError(message)
            log.warning(message)

    @event_priority(_LAST)
    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> None:
        """Collect the files of the build; one that is nested in another adds to it."""
        self._files.update(((file.dest_uri, file.src_uri), file) for file in files)
        names = (_ROBOTS, self._settings.filename)
        self._before = {name: _stamp(Path(config.site_dir) / name) for name in names}
        # A template of that name in the theme's custom_dir is the owner's, and so is what comes of it.
        custom = config.theme.custom_dir
        template = env.get_template(_BUILT_IN).filename or ""
        self._owner_template = custom is not None and Path(custom) in Path(template).parents
        self._suppressed = False

    @event_priority(_LAST)
    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """Suppress the built-in sitemap and its .gz, whose dates are those of the build.

        The theme's templates come first; one of the same name in ``extra_templates`` is the owner's and is kept.
        """
        if template_name != _BUILT_IN or self._suppressed or self._owner_template:
            return output
        self._suppressed = True
        return ""

    @event_priority(_LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the files, when everything they speak of has been written."""
        if not self._base or self._nested(config):
            return
        folder = Path(config.site_dir)
        site = Site(
            base=self._base,
            option="site_url",
            now=datetime.now(UTC),
            serving=self._serving or _previewing(config),
            robots=self._robots(folder, config),
            owned=self._owned(folder),
            root=str(_root(config)),
        )
        try:
            written = write(build(self._pages(folder, config), site, self._settings), folder)
        except StrictError as error:
            _tell(error.problems)
            raise PluginError(str(error)) from error
        except (SitemapError, OSError) as error:
            raise PluginError(f"sitemap: {error}") from error
        _tell(written.problems)
        log.info(written.summary)

    def _nested(self, config: MkDocsConfig) -> bool:
        """Tell whether this build runs inside another one, as mkdocs-static-i18n does for each further language."""
        return any(getattr(plugin, "building", False) is True for plugin in config.plugins.values())

    def _pages(self, folder: Path, config: MkDocsConfig) -> Iterator[Page]:
        """Yield what was built, as it stands in the output, after every hook and plugin has had its way."""
        for file in self._files.values():
            if not file.is_documentation_page():
                continue
            page = file.page
            if file.inclusion.is_excluded() and file.inclusion.is_in_serve():
                yield Page(url=file.url, source=file.src_uri, omit=Reason.DRAFT)
                continue
            if page is None:
                continue
            if self._dirty and page.markdown is None:
                page.read_source(config)  # passed over by --dirty, but its metadata still holds
            head = html.read(folder / file.dest_uri)
            yield Page(
                url=page.url,
                source=file.src_uri,
                path=file.abs_src_path or "",
                meta=page.meta,
                head=head,
                dates=tuple(claim for claim in _dates(page, config) if claim.value),
                omit=None if head else Reason.DRAFT if page.meta.get("draft") is True else Reason.UNWRITTEN,
            )

    def _owned(self, folder: Path) -> frozenset[str]:
        """Return the names of the files at the output root that are not ours to write."""
        owned = {file.dest_uri for file in self._files.values() if file.inclusion.is_included() and not file.page}
        if self._owner_template:
            owned.add(_BUILT_IN)
        if self._appeared(folder / self._settings.filename):
            owned.add(self._settings.filename)
        return frozenset(owned)

    def _appeared(self, path: Path) -> bool:
        """Tell whether a hook or another plugin wrote a file in this build; after --dirty, an older one may be ours."""
        return path.is_file() and (not self._dirty or _stamp(path) != self._before.get(path.name))

    def _robots(self, folder: Path, config: MkDocsConfig) -> bytes | None:
        """Return the owner's robots.txt: a file in docs or theme, or what a template or another plugin wrote."""
        templated = _ROBOTS in {*config.theme.static_templates, *config.extra_templates}
        if not templated:
            for file in self._files.values():
                if file.dest_uri == _ROBOTS and file.inclusion.is_included():
                    return file.content_bytes
        path = folder / _ROBOTS
        return path.read_bytes() if (path.is_file() and templated) or self._appeared(path) else None


def _stamp(path: Path) -> int:
    return path.stat().st_mtime_ns if path.is_file() else 0


def _previewing(config: MkDocsConfig) -> bool:
    """Tell whether this is ``mkdocs serve --clean``, which calls itself a build but keeps a folder of its own."""
    return urls.is_local(config.site_url or "") and Path(config.site_dir).parent == Path(tempfile.gettempdir())


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent if config.config_file_path else Path()


def _spell(option: tuple[str | int, ...]) -> str:
    """Spell an option as in mkdocs.yml: ``plugins.sitemap.rules[0].match``."""
    return "plugins.sitemap" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in option)


def _dates(page: MkDocsPage, config: MkDocsConfig) -> Iterator[DateClaim]:
    """Yield the dates that other plugins have put into a page's metadata, the most telling first."""
    meta = page.meta
    # Without a commit, mkdocs-git-revision-date-localized states the time of the build.
    if meta.get("git_revision_date_localized_hash", "unknown"):
        plugin = config.plugins.get("git-revision-date-localized")
        yield DateClaim(
            origin="git-revision-date-localized",
            value=meta.get("git_revision_date_localized_raw_iso_datetime"),
            timezone=plugin.config.get("timezone", "") if plugin else "",
            from_git=True,
        )
    document = meta.get("document_dates")
    dates = document.get("dates") if isinstance(document, dict) else None
    updated = dates.get("updated") if isinstance(dates, dict) else None
    yield DateClaim(origin="document-dates", value=updated, from_git=True)  # or else when the file was written
    yield DateClaim(origin="git-revision-date", value=meta.get("revision_date"), from_git=True)


def _tell(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        (log.warning if problem.level == "warning" else log.info)(problem.message)
