"""Translation groups to the alternates that their pages share, closed and mutual (P3)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from sitemap_plugins.core import language
from sitemap_plugins.core.model import Alternate, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """A listed page as a member of a translation group.

    ``group`` is a key that the pages of a group share, or empty; ``links`` are the alternates that the page's own
    metadata names, by absolute URL. ``hreflang`` is a tag as ``language.to_hreflang`` returns it.
    """

    loc: str
    hreflang: str
    source: str = ""
    group: str = ""
    links: tuple[Alternate, ...] = ()

    @property
    def name(self) -> str:
        """What messages call the page."""
        return self.source or self.loc


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """The alternates of each page, by ``loc``; the pages of a group have one tuple. ``count`` is of the groups."""

    alternates: Mapping[str, tuple[Alternate, ...]]
    count: int = 0
    problems: tuple[Problem, ...] = ()


def group(
    translations: Iterable[Translation],
    *,
    x_default: str = "",
    alone: bool = False,
    left_out: Container[str] = frozenset(),
) -> Groups:
    """Form the translation groups and return the alternates of every page.

    Each page of a group gets every page of it, itself too; a link to a URL that is no page of this build counts as one
    of the group, since the page's author says so, but not if it is in ``left_out``, the URLs of pages that are not
    listed. What language a page has, it says itself. ``x_default`` is a language tag, whose page becomes the fallback
    of its group too, or an absolute URL, or empty for none; a group that names its own keeps that. All groups may have
    one fallback, such as a page to choose the language on, so a link to it joins nothing. A page without translations
    gets none, or itself if ``alone``.
    Each ``loc`` is there once, and the order does not matter. It takes time in proportion to the pages and links.
    (https://developers.google.com/search/docs/specialty/international/localized-versions)
    """
    members = {one.loc: one for one in sorted(translations, key=lambda one: one.loc)}
    joined = _Joined()
    linked: dict[str, dict[str, _Candidate]] = {}
    fallbacks: list[_Candidate] = []
    for page in members.values():
        if page.group:
            joined.join(("group", page.group), ("loc", page.loc))
        for link in page.links:
            candidate = _Candidate(link=link, page=members.get(link.href), named_by=page)
            if not _is_fallback(link):
                joined.join(("loc", page.loc), ("loc", link.href))
                if candidate.page is None or not language.same(link.hreflang, candidate.page.hreflang):
                    linked.setdefault(link.href, {}).setdefault(link.hreflang.lower(), candidate)
            elif link.href not in left_out:
                fallbacks.append(candidate)
    gathered: dict[tuple[str, str], list[_Candidate]] = {}
    for loc, page in members.items():
        own = _Candidate(link=Alternate(page.hreflang, loc), page=page, named_by=page)
        gathered.setdefault(joined.root(("loc", loc)), []).append(own)
    problems: list[Problem] = []
    for href, by_language in linked.items():
        if href in members:
            problems.extend(_differs(candidate, members[href]) for candidate in by_language.values())
        elif href not in left_out:
            gathered[joined.root(("loc", href))].extend(by_language.values())
    named: dict[tuple[str, str], list[_Candidate]] = {}
    for fallback in fallbacks:
        named.setdefault(joined.root(("loc", fallback.named_by.loc)), []).append(fallback)
    alternates: dict[str, tuple[Alternate, ...]] = {}
    count = 0
    for root, candidates in gathered.items():
        chosen = _one_per_language(candidates, problems)
        links = [one.link for one in chosen] + _named_fallback(chosen, named.get(root, ()), problems)
        several = len({link.href for link in links}) > 1
        if several or alone:
            count += several
            shared = tuple(links + _fallback(links, x_default))
            alternates.update((one.link.href, shared) for one in chosen if one.page)
    return Groups(alternates=alternates, count=count, problems=tuple(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A link that may come into a group: to which page of this build, if to one, and by whose word."""

    link: Alternate
    page: Translation | None
    named_by: Translation

    @property
    def name(self) -> str:
        return self.page.name if self.page else f"{self.link.href} (which {self.named_by.name} names)"


def _sorted(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Return the candidates so that a page of this build goes before a URL that a page only names."""
    return sorted(candidates, key=lambda one: (one.page is None, one.link.hreflang.lower(), one.link.href))


def _one_per_language(candidates: Iterable[_Candidate], problems: list[Problem]) -> list[_Candidate]:
    """Return the candidates sorted by tag, one for each language and one for each URL; a second one is a problem."""
    by_language: dict[str, _Candidate] = {}
    by_href: dict[str, _Candidate] = {}
    for one in _sorted(candidates):
        tag, href = one.link.hreflang.lower(), one.link.href
        if href in by_href:
            problems.append(
                Problem(
                    kind="hreflang-differs",
                    source=one.named_by.source,
                    message=f"{one.name} is the {by_href[href].link.hreflang} page of its translation group by the "
                    f"word of {by_href[href].named_by.name}, so it is not listed as {one.link.hreflang} too. Name one "
                    "language for it",
                )
            )
        elif tag in by_language:
            problems.append(
                Problem(
                    kind="hreflang-twice",
                    source=one.named_by.source,
                    message=f"{one.name} and {by_language[tag].name} are both the {one.link.hreflang} page of one "
                    "translation group, so the former is left out of it. Give them different languages or translation "
                    "keys, or take out the link that joins them",
                )
            )
        else:
            by_language[tag] = by_href[href] = one
    return sorted(by_language.values(), key=lambda one: (_is_fallback(one.link), one.link.hreflang.lower()))


def _differs(candidate: _Candidate, page: Translation) -> Problem:
    return Problem(
        kind="hreflang-differs",
        source=candidate.named_by.source,
        message=f"{candidate.named_by.name} names {page.name} as its {candidate.link.hreflang} page, but that says of "
        f"itself that it is {page.hreflang}, which counts. Correct the one or the other",
    )


def _named_fallback(
    chosen: Iterable[_Candidate], named: Iterable[_Candidate], problems: list[Problem]
) -> list[Alternate]:
    """Return the x-default that the pages of a group name, unless one of them is that itself; another is a problem."""
    kept = next((one for one in chosen if _is_fallback(one.link)), None)
    found: list[Alternate] = []
    seen = {kept.link.href} if kept else set()
    for one in _sorted(named):
        if one.link.href in seen:
            continue
        seen.add(one.link.href)
        if kept is None:
            kept = one
            found.append(Alternate(language.X_DEFAULT, one.link.href))
            continue
        problems.append(
            Problem(
                kind="hreflang-twice",
                source=one.named_by.source,
                message=f"{one.name} and {kept.name} are both the x-default of one translation group, so the former is "
                "not listed as that. Name one of them",
            )
        )
    return found


def _fallback(links: Iterable[Alternate], x_default: str) -> list[Alternate]:
    """Return the x-default that the settings give a group, if it has none of its own."""
    if not x_default or any(map(_is_fallback, links)):
        return []
    if "://" in x_default:
        return [Alternate(language.X_DEFAULT, x_default)]
    return [Alternate(language.X_DEFAULT, link.href) for link in links if language.same(link.hreflang, x_default)]


def _is_fallback(link: Alternate) -> bool:
    return language.same(link.hreflang, language.X_DEFAULT)


class _Joined:
    """Sets that are joined step by step (union-find): which pages, by key or by link, belong together."""

    def __init__(self) -> None:
        self._parents: dict[tuple[str, str], tuple[str, str]] = {}

    def root(self, item: tuple[str, str]) -> tuple[str, str]:
        parents = self._parents
        while (parent := parents.get(item, item)) != item:
            parents[item] = parents.get(parent, parent)
            item = parents[item]
        return item

    def join(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self._parents[second] = first
