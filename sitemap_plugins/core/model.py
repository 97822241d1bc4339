"""The records that pass between the adapters and the core; all of them are frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, NamedTuple

NO_METADATA: Mapping[str, object] = MappingProxyType({})


class Reason(StrEnum):
    """Why a page is left out, in the words of the summary and the report."""

    EXCLUDED = "excluded"
    METADATA = "metadata"
    DRAFT = "draft"
    NOINDEX = "noindex"
    CANONICAL = "canonical elsewhere"
    REDIRECT = "redirect"
    ERROR_PAGE = "error page"
    DUPLICATE = "duplicate"
    DISALLOWED = "barred by robots.txt"
    INVALID = "invalid URL"
    UNWRITTEN = "not written"
    GENERATED = "generated"
    NOT_HTML = "not HTML"
    TOO_LARGE = "too large"
    FALLBACK = "not translated"


class Alternate(NamedTuple):
    """A translation of a page: its hreflang and absolute URL."""

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a rendered page says of itself in its ``<head>``.

    ``noindex`` is the meta element that forbids indexing, in words, or empty. ``canonical`` and ``refresh`` are
    hrefs as written (they may be relative), or empty. ``base`` is the href of ``<base>``, or empty. ``alternates`` are
    the links with a hreflang, as written and in their order.
    """

    noindex: str = ""
    canonical: str = ""
    refresh: str = ""
    base: str = ""
    alternates: tuple[Alternate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DateClaim:
    """A date that another plugin states for a page: ``value`` as that plugin gives it.

    ``source`` is "meta" where it is made of the metadata of other pages, those that an index shows.
    ``timezone`` is the IANA name of a naive value's zone, where the plugin is known to have one. ``from_git`` says that
    the plugin has it from git, so that it is worth nothing where git knows no date of the page's source: beyond the
    boundary of a shallow clone, or for a file that is not committed.
    """

    origin: str
    value: object
    timezone: str = ""
    from_git: bool = False
    source: Literal["meta", "plugins"] = "plugins"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page as an adapter hands it over.

    ``url`` is relative to the site's base (empty for the home page) or absolute, percent-encoded or not; ``source``
    names the page in messages and is matched by patterns; ``path`` is the source's absolute file name, for git, and
    ``dependencies`` are those of other files that its content is made of;
    ``omit`` is set where the framework itself says that the page is not to be listed; of a generated page, such as an
    index, that is only its default, and a rule may list it. ``changefreq`` and ``priority`` are those of pages of its
    kind, for which a rule or the page itself may say something else.

    Of its translations: ``output`` is the absolute name of the file that was written, ``language`` its language as the
    site writes it, ``group`` a key that its translations share, and ``fallback`` says that it only shows another
    language's text. ``translated`` are those languages of the setting ``languages`` that the framework knows the page
    to be translated into; None where it knows nothing of that.
    """

    url: str
    source: str = ""
    path: str = ""
    dependencies: tuple[str, ...] = ()
    meta: Mapping[str, object] = field(default_factory=lambda: NO_METADATA)
    head: Head | None = None
    dates: tuple[DateClaim, ...] = ()
    omit: Reason | None = None
    changefreq: str = ""
    priority: float | None = None
    output: str = ""
    language: str = ""
    group: str = ""
    fallback: bool = False
    translated: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A page as its translations see it: what they need of the page, its metadata and the plan.

    ``loc`` is the URL it is listed under, or empty if it is left out; ``own`` is its own URL either way. ``links`` are
    the languages and URLs that its metadata names, as written, and ``found`` those in its head.
    """

    loc: str
    own: str
    source: str = ""
    output: str = ""
    language: str = ""
    group: str = ""
    links: tuple[tuple[str, str], ...] = ()
    fallback: bool = False
    translated: frozenset[str] | None = None
    head: Head | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadEdit:
    """What the head of a written page is to say in place of what it says: its alternates, its canonical URL if any."""

    output: str
    source: str
    alternates: tuple[Alternate, ...]
    canonical: str = ""


class Url(NamedTuple):
    """One entry of a urlset; a tuple because a large site holds and sorts half a million of them.

    ``lastmod`` is a W3C Datetime and ``priority`` a decimal, both as text; empty means that the element is left
    out. ``source`` and ``lastmod_from`` tell the report which page this is and where its date comes from.
    """

    loc: str
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""
    alternates: tuple[Alternate, ...] = ()
    source: str = ""
    lastmod_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """A page that is not listed, and why; ``detail`` names the pattern, element or URL that decided."""

    url: str
    source: str
    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something the user should know; a ``warning`` is for what they must act on."""

    kind: str
    message: str
    level: Literal["info", "warning"] = "warning"
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What an adapter knows of the site as a whole.

    ``base`` is the address of the output root as ``urls.parse_base`` returns it, and ``option`` the setting it
    came from; ``serving`` is true for a preview on this machine; ``robots`` holds the owner's robots.txt and
    ``owned`` the names of the files the owner supplies at the output root; ``root`` is the folder that paths in
    the settings start from and ``folder`` the output root; ``timezone`` is that of the site's naive dates, where the
    framework has one;
    ``language`` is the site's default language as it writes it, and ``head`` tells whether alternates are written into
    the pages where the settings do not say.
    """

    base: str
    option: str
    now: datetime
    serving: bool = False
    robots: bytes | None = None
    owned: frozenset[str] = frozenset()
    root: str = ""
    folder: str = ""
    timezone: tzinfo | None = None
    language: str = ""
    head: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFile:
    """A file that was written: its path below the output root, its size in bytes and the URLs it lists."""

    path: str
    size: int
    urls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which URLs are listed (sorted, each once), which pages are not, and what is doubtful.

    ``members`` are the pages that have translations or may have; ``groups`` is the number of translation groups and
    ``heads`` what is to be put into pages, both known once the translations are.
    """

    urls: tuple[Url, ...]
    omitted: tuple[Omitted, ...] = ()
    problems: tuple[Problem, ...] = ()
    members: tuple[Member, ...] = ()
    groups: int = 0
    heads: tuple[HeadEdit, ...] = ()
