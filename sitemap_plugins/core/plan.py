"""Pages and settings to a plan: the URLs that are listed, the pages that are not, and the problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from typing import Literal

from sitemap_plugins.core import history, html, lastmod, selection, urls
from sitemap_plugins.core.model import Member, Omitted, Page, Plan, Problem, Reason, Site, Url
from sitemap_plugins.core.settings import NO_OPTIONS, PageOptions, Settings, page_options

_UNDATED = ("", "", False)
# Url._make without its check of the length: it is called for each of a site's pages.
_url: Callable[[tuple[object, ...]], Url] = partial(tuple.__new__, Url)


def plan(pages: Iterable[Page], site: Site, settings: Settings, *, allowed: Callable[[str], bool] | None) -> Plan:
    """Decide for each page whether and how it is listed.

    ``allowed`` tells whether the robots.txt that will stand at the root lets crawlers fetch a URL; None means that
    it bars nothing. Of pages that share a URL, the one that names it as its own is kept, else the last: it is the
    one whose file stands.
    """
    planner = _Planner(site, settings, allowed)
    for page in pages:
        planner.add(page)
    return planner.finish()


class _Planner:
    """The state of one planning run."""

    def __init__(self, site: Site, settings: Settings, allowed: Callable[[str], bool] | None) -> None:
        self._site = site
        self._base = site.base
        self._settings = settings
        self._allowed = allowed
        self._rules = selection.Rules(settings)
        self._sources = settings.lastmod or ()
        # git is asked last and for all pages at once, whatever its place in the list.
        self._asks_git = "git" in self._sources and not site.serving
        self._urls: dict[str, Url] = {}
        self._borrowed: dict[str, str] = {}  # form key -> the page's own URL, where its canonical one is another
        self._paths: dict[str, tuple[str, ...]] = {}  # form key -> files whose dates git may know
        self._claims: dict[str, Url] = {}  # form key -> the URL as another plugin dates it, if git knows the page
        self._omitted: list[Omitted] = []
        self._problems: list[Problem] = []
        self._foreign: list[tuple[str, str]] = []
        self._members: dict[str, Member] = {}  # form key -> the listed page's part in translation
        self._apart: list[Member] = []  # those of pages that are left out
        hreflang = settings.hreflang
        self._omits_fallbacks = hreflang is not None and hreflang.fallback != "list"
        self._all_members = hreflang is not None and (hreflang.self or bool(settings.languages))
        self._dates: dict[tuple[object, str], str] = {}

    def add(self, page: Page) -> None:
        options = self._options(page) if page.meta else NO_OPTIONS
        loc, own = self._list(page, options)
        if self._settings.hreflang and (
            self._all_members
            or page.group
            or options.translation_key
            or options.alternates
            or (page.head is not None and page.head.alternates)
        ):
            member = _member(page, options, loc, own or self._own(page))
            if loc:
                self._members[urls.form_key(loc)] = member
            elif page.output:
                self._apart.append(member)

    def _list(self, page: Page, options: PageOptions) -> tuple[str, str]:
        """List a page; return where and its own URL, or two empty texts where it is left out."""
        ruled = self._rules.of_kind(page)
        loc = own = ""
        if self._rules.trivial and options is NO_OPTIONS:
            loc = own = selection.ordinary(page, self._base)
        if not loc:
            if not self._rules.trivial:
                ruled = self._rules.apply(self._path(page), page.source, ruled)
            loc, own = self._judge(page, options, ruled)
            if not loc:
                return "", ""
        if page.fallback and self._omits_fallbacks:
            self._omit(page, loc, Reason.FALLBACK, f"no text in {page.language or 'its language'}")
            return "", ""
        if self._allowed is not None and not self._allowed(loc):
            self._omit(page, loc, Reason.DISALLOWED, "robots.txt")
            return "", ""
        dated, origin, doubtful = self._date(page, options)
        priority = ruled.priority if options.priority is None else options.priority
        url = _url(
            (
                loc,
                dated,
                options.changefreq or ruled.changefreq or "",
                "" if priority is None else _decimal(priority),
                (),
                page.source,
                origin,
            )
        )
        key = urls.form_key(loc)
        if self._urls.setdefault(key, url) is not url:
            if not self._replaces(key, url, own):
                self._duplicate(self._urls[key], page.source or page.url, loc)
                return "", ""
            self._urls[key] = url
        if own != loc:
            self._borrowed[key] = own
        if doubtful:
            self._claims[key] = url
            self._urls[key] = url._replace(lastmod="", lastmod_from="")
        if page.path and (doubtful or (self._asks_git and not dated)):
            self._paths[key] = (page.path, *page.dependencies) if self._settings.dependencies else (page.path,)
        return loc, own

    def _judge(self, page: Page, options: PageOptions, ruled: selection.Ruled) -> tuple[str, str]:
        """Return where a page is listed and its own URL, or record why it is not and return two empty texts."""
        verdict = selection.judge(page, options, ruled, self._base)
        if verdict.foreign:
            self._foreign.append((page.source or page.url, verdict.foreign))
        if verdict.disagreement:
            self._say("disagreement", page, f"{verdict.disagreement}. It is left out; remove one of the two")
        if verdict.reason is None:
            return verdict.loc, verdict.own
        if verdict.reason is Reason.INVALID:
            self._say("loc-invalid", page, f"its URL cannot be listed: {verdict.detail}. Rename or exclude the page")
        self._omit(page, verdict.loc, verdict.reason, verdict.detail)
        return "", ""

    def _replaces(self, key: str, url: Url, own: str) -> bool:
        """Tell whether a page takes the place of the one that has its URL, and say which of the two is left out."""
        earlier = self._urls[key]
        if key not in self._borrowed and own != url.loc:
            return False
        self._duplicate(url, earlier.source or self._borrowed.get(key, earlier.loc), earlier.loc)
        for known in (self._borrowed, self._paths, self._claims):
            known.pop(key, None)
        self._members.pop(key, None)
        return True

    def _duplicate(self, kept: Url, source: str, loc: str) -> None:
        self._omitted.append(Omitted(url=loc, source=source, reason=Reason.DUPLICATE, detail=kept.source or kept.loc))
        self._problems.append(
            Problem(
                kind="duplicate-url",
                source=source,
                message=f"{source} and {kept.source or kept.loc} have the same URL {kept.loc}; the latter is listed. "
                "Rename or remove one of them",
            )
        )

    def finish(self) -> Plan:
        self._add_extra()
        self._ask_git()
        if self._foreign:
            self._problems.append(self._foreign_host())
        return Plan(
            urls=tuple(sorted(self._urls.values())),
            omitted=tuple(sorted(self._omitted, key=lambda page: (page.url, page.source))),
            problems=tuple(self._problems),
            members=(*self._members.values(), *self._apart),
        )

    def _foreign_host(self) -> Problem:
        """Say once for all pages that their canonical links and the site's address differ."""
        source, canonical = self._foreign[0]
        others = len(self._foreign) - 1
        like = f"{canonical} and the like" if others else canonical
        pages = f"{source} and {others} more {'page' if others == 1 else 'pages'} name" if others else f"{source} names"
        return Problem(
            kind="foreign-host",
            source=source,
            message=f"{pages} {like} as canonical, but {self._site.option} is {self._base}, so "
            f"{'they are' if others else 'it is'} left out. Set {self._site.option} to the address that the pages "
            "name, or mend their canonical links",
        )

    def _options(self, page: Page) -> PageOptions:
        options, faults = page_options(page.meta, html.forbids_index)
        for fault in faults:
            stop = "" if fault.endswith("?") else "."
            self._say("page-option", page, f"{fault}{stop} The value is passed over; mend it in the page's metadata")
        return options

    def _own(self, page: Page) -> str:
        try:
            return urls.resolve(self._base, page.url)
        except ValueError:
            return ""

    def _path(self, page: Page) -> str:
        own = self._own(page)
        return urls.path_below(self._base, own) if own else ""

    def _date(self, page: Page, options: PageOptions) -> tuple[str, str, bool]:
        """Return the first date, with its origin, that the page's metadata or another plugin states and that can be.

        The third value says that it holds only if git knows the page. Git is asked later, for all pages at once.
        """
        for source in self._sources:
            if source == "meta" and page.meta:
                if options.lastmod is not None and (text := self._read(page, "sitemap.lastmod", options.lastmod)):
                    return text, "sitemap.lastmod", False
                for key, value in lastmod.stated(page.meta):
                    if text := self._read(page, key, value):
                        return text, key, False
            for claim in page.dates:
                if claim.source == source and (text := self._read(page, claim.origin, claim.value, claim.timezone)):
                    return text, claim.origin, claim.from_git and bool(page.path) and not self._site.serving
        return _UNDATED

    def _read(self, page: Page, origin: str, value: object, timezone: str = "") -> str:
        """Return a date as W3C Datetime, or an empty text, with a problem, where it cannot be true."""
        # Not of times: two that are the same instant may be written with other offsets.
        lasting = type(value) is str or type(value) is date
        if lasting and (known := self._dates.get((value, timezone))):
            return known
        try:
            text = lastmod.to_w3c(
                value, now=self._site.now, timezone=(timezone and lastmod.zone(timezone)) or self._site.timezone
            )
        except lastmod.NotADateError as error:
            # "date" is often free text, and not meant for us.
            free = origin == "date" and isinstance(value, str)
            self._say("lastmod-invalid", page, f"{origin}: {error}. The date is passed over", warning=not free)
            return ""
        except ValueError as error:
            self._say("lastmod-invalid", page, f"{origin}: {error}. The date is passed over")
            return ""
        if lasting:
            self._dates[value, timezone] = text
        return text

    def _add_extra(self) -> None:
        """Add the URLs of the setting ``urls``; a page of the build that has the same URL is the better source."""
        omitted = {urls.form_key(page.url): page for page in self._omitted}
        for number, extra in enumerate(self._settings.urls):
            name = f"urls[{number}]"
            loc = urls.resolve(self._site.base, extra.loc)
            key = urls.form_key(loc)
            page = Page(url=loc, source=name)
            if key in self._urls:
                kept = self._urls[key].source
                cure = "remove one of the two" if kept.startswith("urls[") else "use rules to give it values"
                self._say("duplicate-url", page, f"{loc} is {kept} already; {cure}")
                continue
            if key in omitted:
                other = omitted[key]
                self._say(
                    "disagreement",
                    page,
                    f"{loc} is asked for, but {other.source} is left out ({other.reason}: {other.detail}). "
                    "It is not listed; remove one of the two",
                )
                continue
            if self._allowed is not None and not self._allowed(loc):
                self._omit(page, loc, Reason.DISALLOWED, "robots.txt")
                continue
            value = "" if extra.lastmod is None else self._read(page, "urls.lastmod", extra.lastmod)
            priority = self._settings.priority if extra.priority is None else extra.priority
            self._urls[key] = Url(
                loc=loc,
                lastmod=value,
                changefreq=extra.changefreq or self._settings.changefreq or "",
                priority="" if priority is None else _decimal(priority),
                source=name,
                lastmod_from="lastmod" if value else "",
            )
            if self._settings.hreflang and (self._all_members or extra.translation_key):
                self._members[key] = Member(
                    loc=loc, own=loc, source=name, language=extra.lang, group=_key_group(extra.translation_key)
                )

    def _ask_git(self) -> None:
        """Date the pages that nothing else dated, from one reading of the history."""
        if not self._paths:
            return
        known = history.read_history({path for paths in self._paths.values() for path in paths})
        undated = 0
        for key, paths in self._paths.items():
            source, url = paths[0], self._urls[key]
            if source in known.dates and key in self._claims:
                self._urls[key] = self._claims[key]
                continue
            if source not in known.dates and source not in known.beyond:
                continue  # git knows nothing of it, so it may be newer than all that it includes
            text = ""
            if self._asks_git:
                page = Page(url=url.loc, source=url.source)
                dates = [self._read(page, "git", known.dates[path]) for path in paths if path in known.dates]
                # What lies beyond a shallow clone's boundary is older than all that is known.
                text = lastmod.newest(filter(None, dates))
            if text:
                self._urls[key] = url._replace(lastmod=text, lastmod_from="git")
            undated += not text and source in known.beyond
        asked = self._settings.asks_for_git
        if undated:
            pages = "1 page has" if undated == 1 else f"{undated} pages have"
            self._problems.append(
                Problem(
                    kind="shallow-clone",
                    level="warning" if asked else "info",
                    message=f"git history is cut short here (a shallow clone), so {pages} no lastmod. "
                    "Fetch the whole history to date them: git fetch --unshallow, in GitHub Actions "
                    "actions/checkout with fetch-depth: 0, in GitLab CI GIT_DEPTH: 0",
                )
            )
        self._problems.extend(
            Problem(kind="git", level="warning" if asked else "info", message=failure) for failure in known.failures
        )

    def _omit(self, page: Page, loc: str, reason: Reason, detail: str) -> None:
        self._omitted.append(Omitted(url=loc, source=page.source, reason=reason, detail=detail))

    def _say(self, kind: str, page: Page, message: str, *, warning: bool = True) -> None:
        source = page.source or page.url
        level: Literal["info", "warning"] = "warning" if warning else "info"
        self._problems.append(Problem(kind=kind, source=source, level=level, message=f"{source}: {message}"))


def _member(page: Page, options: PageOptions, loc: str, own: str) -> Member:
    """Return a page's part in translation: its own metadata first, then what the framework says."""
    return Member(
        loc=loc,
        own=own,
        source=page.source or page.url,
        output=page.output,
        language=options.lang or page.language,
        group=_key_group(options.translation_key) or page.group,
        links=options.alternates,
        fallback=page.fallback,
        translated=page.translated,
        head=page.head,
    )


def _key_group(key: str) -> str:
    """Return the group of a ``translation_key``, which is not to meet a framework's own key of the same text."""
    return f"translation_key {key}" if key else ""


def _decimal(value: float) -> str:
    """Return a priority as the protocol writes it: a decimal with at least one digit behind the point."""
    text = f"{abs(value):.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
