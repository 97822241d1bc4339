"""Which pages are listed, and why the others are not (P1, P2, P8)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

from sitemap_plugins.core import limits, urls
from sitemap_plugins.core.model import Head, Page, Reason
from sitemap_plugins.core.settings import PageOptions, Settings

# At the site's root only: a page about the status 404 somewhere else is content.
_ERROR_PAGE = re.compile(r"(?:4\d\d|5\d\d|50x)(?:\.html?|/|/index\.html?)?", re.IGNORECASE)
# A relative URL with nothing in it to encode, to resolve or to tell apart, as nearly all are: its page, if nothing
# else is known of it, is listed under the base and this.
_ORDINARY = re.compile(
    r"(?!(?:4\d\d|5\d\d|50x)(?![A-Za-z0-9_~-]))"
    r"(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*/)*(?:(?!index\.html?$)[A-Za-z0-9_~-][A-Za-z0-9._~-]*)?"
    r"(?:\?[A-Za-z0-9._~=&-]*)?"
)


def is_error_page(path: str) -> bool:
    """Tell whether a URL path below the site's root is that of a page for an HTTP status, such as 404.html."""
    return _ERROR_PAGE.fullmatch(path) is not None


class Patterns:
    """Gitignore-style patterns, matched against a page's URL path and its source path; the last match decides."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        # One by one, because pathspec drops blank lines and comments and so shifts the positions it reports.
        self._specs = [(line, GitIgnoreSpec.from_lines([line])) for line in self.lines]

    def __bool__(self) -> bool:
        return bool(self._specs)

    def match(self, path: str, source: str) -> str:
        """Return the pattern that matches the page, or an empty text where none does or the last one negates."""
        for line, spec in reversed(self._specs):
            for candidate in (path, source):
                result = spec.check_file(candidate) if candidate else None
                if result is not None and result.include is not None:
                    return line if result.include else ""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """What the settings say of a page: the pattern or option that leaves it out, and its values."""

    excluded_by: str = ""
    kept_by: str = ""
    changefreq: str | None = None
    priority: float | None = None


class Rules:
    """The settings ``exclude``, ``rules``, ``changefreq`` and ``priority``, ready to be asked about pages."""

    def __init__(self, settings: Settings) -> None:
        self._exclude = Patterns(settings.exclude)
        self._rules = [(Patterns(rule.match), rule) for rule in settings.rules]
        self.default = Ruled(changefreq=settings.changefreq, priority=settings.priority)
        self.trivial = not self._exclude and not self._rules

    def of_kind(self, page: Page) -> Ruled:
        """Return the site-wide values, overridden by those of the page's kind."""
        if not page.changefreq and page.priority is None:
            return self.default
        return Ruled(
            changefreq=page.changefreq or self.default.changefreq,
            priority=self.default.priority if page.priority is None else page.priority,
        )

    def apply(self, path: str, source: str, kind: Ruled | None = None) -> Ruled:
        """Return what holds for a page: values of the site or its kind, overridden by each rule that matches."""
        pattern = self._exclude.match(path, source)
        excluded_by, kept_by = (f"exclude: {pattern}" if pattern else ""), ""
        changefreq, priority = (kind or self.default).changefreq, (kind or self.default).priority
        for number, (patterns, rule) in enumerate(self._rules):
            pattern = patterns.match(path, source)
            if not pattern:
                continue
            if rule.exclude is not None:
                text = f"rules[{number}]: {pattern}"
                excluded_by, kept_by = (text, "") if rule.exclude else ("", text)
            changefreq = rule.changefreq or changefreq
            priority = priority if rule.priority is None else rule.priority
        return Ruled(excluded_by=excluded_by, kept_by=kept_by, changefreq=changefreq, priority=priority)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome for one page: where it is listed, or the reason and detail why it is not.

    ``disagreement`` is set where the page and the settings contradict each other: a sentence that names both.
    ``foreign`` is the canonical URL that is the page's own but for the site's address; ``own`` is the page's own URL.
    """

    loc: str
    own: str
    reason: Reason | None = None
    detail: str = ""
    disagreement: str = ""
    foreign: str = ""


def ordinary(page: Page, base: str) -> str:
    """Return where a page is listed of which nothing is known that ``judge`` would have to look at, else nothing.

    Nearly all pages of a site are such; this is much the cheaper of the two.
    """
    url = page.url
    if page.omit is not None or not _ORDINARY.fullmatch(url):
        return ""
    loc = base + url
    if not limits.MIN_LOC <= len(loc) <= limits.MAX_LOC:
        return ""
    head = page.head
    silent = head is None or ((not head.canonical or head.canonical == loc) and not head.noindex and not head.refresh)
    return loc if silent else ""


def judge(page: Page, options: PageOptions, ruled: Ruled, base: str) -> Verdict:
    """Decide whether a page is listed, and under which URL."""
    try:
        own = urls.resolve(base, page.url)
    except ValueError as error:
        return Verdict(loc=page.url, own=page.url, reason=Reason.INVALID, detail=str(error))
    reason, detail = _stated(page, options, ruled)
    if reason is not None:
        disagreement = ""
        if reason is Reason.NOINDEX and options.said:
            disagreement = f"{options.said} asks for it, but {detail} forbids it"
        return Verdict(loc=own, own=own, reason=reason, detail=detail, disagreement=disagreement)
    if not own.startswith(base):
        return Verdict(loc=own, own=own, reason=Reason.INVALID, detail=f"outside {base}")
    head = page.head
    loc, reason, detail, foreign = own, None, "", ""
    if head is not None:
        loc, reason, detail, foreign = _rendered(head, own, base)
    if reason is None and is_error_page(own.removeprefix(base)) and options.listed is not True:
        reason, detail = Reason.ERROR_PAGE, own.removeprefix(base)
    if reason is None and not limits.MIN_LOC <= len(loc) <= limits.MAX_LOC:
        reason = Reason.INVALID
        detail = f"{len(loc)} characters; the protocol takes {limits.MIN_LOC} to {limits.MAX_LOC}"
    asked = options.said or ruled.kept_by
    disagreement = ""
    if asked and reason in {Reason.NOINDEX, Reason.CANONICAL, Reason.REDIRECT}:
        disagreement = f"{asked} asks for it, but the rendered page says {detail}"
    return Verdict(loc=loc, own=own, reason=reason, detail=detail, disagreement=disagreement, foreign=foreign)


def _stated(page: Page, options: PageOptions, ruled: Ruled) -> tuple[Reason | None, str]:
    """Return the reason that the framework, the page's metadata or the settings give to leave a page out."""
    if page.omit is not None and not (page.omit is Reason.GENERATED and ruled.kept_by):
        return page.omit, ""
    if options.listed is False:
        return Reason.METADATA, options.said
    if options.draft:
        return Reason.DRAFT, "draft: true"
    if ruled.excluded_by and options.listed is not True:
        return Reason.EXCLUDED, ruled.excluded_by
    if options.noindex:
        return Reason.NOINDEX, options.noindex
    return None, ""


def _rendered(head: Head, own: str, base: str) -> tuple[str, Reason | None, str, str]:
    """Return (loc, reason, detail, foreign) from what the rendered page says of itself."""
    if head.noindex:
        return own, Reason.NOINDEX, head.noindex, ""
    place = _target(own, head.base) or own
    if head.refresh:
        target = _target(place, head.refresh)
        if target and urls.form_key(target.partition("#")[0]) != urls.form_key(own):
            return own, Reason.REDIRECT, f'<meta http-equiv="refresh"> to {target}', ""
    canonical = _target(place, head.canonical) if head.canonical else ""
    if not canonical or canonical == own:
        return own, None, "", ""
    if urls.in_other_form(canonical, own) and canonical.startswith(base):
        return canonical, None, "", ""
    same_page = canonical.partition("://")[2].partition("/")[2] == own.partition("://")[2].partition("/")[2]
    return own, Reason.CANONICAL, f'<link rel="canonical" href="{canonical}">', canonical if same_page else ""


def _target(page: str, href: str) -> str:
    """Return the absolute form of a link in a page, or an empty text where it cannot be read."""
    try:
        return urls.absolute(page, href)
    except ValueError:
        return ""
