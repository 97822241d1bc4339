"""Which listed pages are translations of one another, in one site or several, and what their heads are to say (P3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from sitemap_plugins.core import alternates, html, language, urls
from sitemap_plugins.core.alternates import Translation
from sitemap_plugins.core.language import Tag
from sitemap_plugins.core.model import Alternate, HeadEdit, Member, Plan, Problem, Site, Url
from sitemap_plugins.core.settings import Hreflang, Settings
from sitemap_plugins.core.siblings import Sibling, siblings


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A site with its plan, whose translations are not linked yet."""

    site: Site
    settings: Settings
    plan: Plan


def tag_of(written: str, hreflang: Hreflang) -> Tag:
    """Return a language as the settings read it: by Google's rule, after ``aliases``, and with ``keep``."""
    tag = language.to_hreflang(written, aliases=hreflang.aliases)
    if tag.bcp47 and any(language.same(tag.value, language.to_hreflang(kept).value) for kept in hreflang.keep):
        return Tag(value=tag.value)
    return tag


def link(sites: Sequence[Planned]) -> list[Plan]:
    """Return the plans of the sites with the alternates of their pages, and with what the heads are to say.

    The pages of all sites may be translations of one another. The first site's settings say what the x-default is and
    whether a page without translations has itself. Each URL is listed by one of the sites only.
    """
    if not any(one.plan.members for one in sites):
        return [one.plan for one in sites]
    known = _Known(sites)
    readers = [_Reader(one, known) for one in sites]
    _adopt(readers, known)
    sizes = Counter(one.group for reader in readers for one in reader.candidates if one.group)
    translations = [translation for reader in readers for translation in reader.translations(sizes)]
    first = sites[0].settings.hreflang
    linked = alternates.group(
        translations,
        x_default=_x_default(sites[0]),
        alone=first is not None and first.self,
        left_out=known.left_out,
    )
    plans: list[Plan] = []
    for number, (one, reader) in enumerate(zip(sites, readers, strict=True)):
        problems = [*reader.problems(), *(linked.problems if number == 0 else ())]
        plans.append(
            replace(
                one.plan,
                urls=tuple(
                    url._replace(alternates=links) if (links := linked.alternates.get(url.loc)) else url
                    for url in one.plan.urls
                ),
                members=(),
                problems=(*one.plan.problems, *problems),
                groups=linked.count if number == 0 else 0,
                heads=tuple(reader.heads(linked.alternates)),
            )
        )
    return plans


def _adopt(readers: Sequence[_Reader], known: _Known) -> None:
    """Make pages that only others name as their translation members too, for links are to be mutual."""
    members = {one.member.loc for reader in readers for one in reader.candidates}
    for link in [link for reader in readers for one in reader.candidates for link in one.links]:
        if link.href not in members and (page := known.page(link.href)) is not None:
            members.add(link.href)
            readers[page.site].adopt(page.url, link.hreflang)


def _x_default(planned: Planned) -> str:
    """Return the tag or URL of the x-default that the settings, or else the site's languages, give to every group."""
    hreflang = planned.settings.hreflang
    if hreflang is None or hreflang.x_default is False:
        return ""
    written = hreflang.x_default or next(iter(planned.settings.languages), "") or planned.site.language
    if "://" in written:
        return urls.absolute(planned.site.base, written)
    tag = tag_of(written, hreflang)
    return tag.value if tag.kept else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A listed page that may have translations: its language as written and what joins it to others."""

    member: Member
    language: str
    group: str
    links: tuple[Alternate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """A listed page, and by which of the sites."""

    url: Url
    site: int


class _Known:
    """The URLs of all sites: which are listed, which are left out, and which are of none of them."""

    def __init__(self, sites: Sequence[Planned]) -> None:
        self.left_out = {page.url for one in sites for page in one.plan.omitted}
        self._bases = tuple(one.site.base for one in sites)
        self._sites = sites
        self._listed: dict[str, _Listed] | None = None

    def page(self, loc: str) -> _Listed | None:
        """Return the listed page that a URL is of, in whatever form it is written."""
        if self._listed is None:  # only explicit links are looked up here
            self._listed = {
                urls.form_key(url.loc): _Listed(url=url, site=number)
                for number, one in enumerate(self._sites)
                for url in one.plan.urls
            }
        return self._listed.get(urls.form_key(loc))

    def is_ours(self, loc: str) -> bool:
        return loc.startswith(self._bases)


class _Reader:
    """Reads the members of one site as translations, and gathers what is doubtful."""

    def __init__(self, planned: Planned, known: _Known) -> None:
        self._site = planned.site
        hreflang = planned.settings.hreflang
        self._hreflang = hreflang or Hreflang()
        self._known = known
        self._siblings = siblings(planned.settings, planned.site) if hreflang else []
        self._tags: dict[str, Tag] = {}
        self._doubted: dict[str, list[str]] = {}  # language as written -> pages
        self._silent: list[str] = []
        self._problems: list[Problem] = []
        self._members = list(planned.plan.members)
        self.candidates = [self._candidate(member) for member in self._members if member.loc and not member.fallback]

    def _candidate(self, member: Member) -> _Candidate:
        """Return what may join a page to others: its own metadata, what the framework says, then the settings."""
        links = tuple(self._named(member))
        sibling = _sibling_of(member.loc, self._siblings)
        if member.group or sibling is None:
            return _Candidate(member=member, language=member.language, group=member.group, links=links)
        rest = member.loc.removeprefix(sibling.url)
        links += tuple(self._elsewhere(member, rest, sibling))
        return _Candidate(member=member, language=sibling.written, group=f"languages {rest}", links=links)

    def adopt(self, url: Url, hreflang: str) -> None:
        """Take in a listed page of which only another page says that it is a translation, and in which language."""
        output = _output_of(url.loc.removeprefix(self._site.base), self._site.folder)
        member = Member(
            loc=url.loc,
            own=url.loc,
            source=url.source,
            output=str(output or ""),
            language=hreflang,
            head=html.read(output) if output else None,
        )
        self._members.append(member)
        self.candidates.append(
            _Candidate(member=member, language=hreflang, group="", links=(Alternate(hreflang, url.loc),))
        )

    def translations(self, sizes: Mapping[str, int]) -> Iterator[Translation]:
        """Yield every page that has translations, or may stand alone; ``sizes`` are those of the groups."""
        for one in self.candidates:
            if sizes.get(one.group, 0) < 2 and not one.links and not self._hreflang.self:
                continue
            member = one.member
            tag = self._tag(one.language or self._site.language, member.source)
            if tag:
                yield Translation(loc=member.loc, hreflang=tag, source=member.source, group=one.group, links=one.links)

    def _named(self, member: Member) -> Iterator[Alternate]:
        """Yield the translations that a page's own metadata names."""
        for written, href in member.links:
            try:
                loc = urls.resolve(self._site.base, href)
            except ValueError as error:
                self._say(member, f"alternates.{written}: {error}. The link is passed over; mend it")
                continue
            tag = self._tag(written, member.source)
            listed = self._known.page(loc)
            if tag and (listed or loc in self._known.left_out):
                yield Alternate(tag, listed.url.loc if listed else loc)
            elif tag and self._known.is_ours(loc) and not any(loc.startswith(one.url) for one in self._siblings):
                self._say(
                    member,
                    f"alternates.{written}: {href} is no page of this site. The link is passed over; "
                    "correct or remove it",
                )
            elif tag:
                yield Alternate(tag, loc)

    def _elsewhere(self, member: Member, rest: str, own: Sibling) -> Iterator[Alternate]:
        """Yield the translations that other builds have of a page, as far as the settings let us see them."""
        for sibling in self._siblings:
            if sibling is own or not sibling.has(rest, member):
                continue
            tag = self._tag(sibling.written, member.source)
            if tag:
                yield Alternate(tag, sibling.url + rest)

    def _tag(self, written: str, source: str) -> str:
        """Return the hreflang of a language, or an empty text where there is none, noting what is to be said."""
        if not written:
            self._silent.append(source)
            return ""
        tag = self._tags.get(written)
        if tag is None:
            tag = self._tags[written] = tag_of(written, self._hreflang)
        if tag.problem:
            self._doubted.setdefault(written, []).append(source)
        return tag.value if tag.kept else ""

    def problems(self) -> Iterator[Problem]:
        """Yield what is doubtful, once for each language and not for each page."""
        yield from self._problems
        for sibling in self._siblings:
            yield from sibling.problems()
        for written, sources in self._doubted.items():
            tag = self._tags[written]
            outcome = ""
            if not tag.kept:
                cure = (
                    "list it in hreflang.keep, or map it to another" if tag.bcp47 else "Correct it, or map it to a tag"
                )
                outcome = f". {_pages(sources)} no alternates in this language; {cure} in hreflang.aliases".replace(
                    "; C", ". C"
                )
            yield Problem(
                kind="hreflang-invalid", source=sources[0], message=f"{sources[0]}: the language {tag.problem}{outcome}"
            )
        if self._silent:
            yield Problem(
                kind="hreflang-invalid",
                source=self._silent[0],
                message=f"{self._silent[0]}: the page has translations but no language. {_pages(self._silent)} no "
                "alternates; say the language in the metadata, such as lang: fr",
            )

    def heads(self, linked: Mapping[str, tuple[Alternate, ...]]) -> Iterator[HeadEdit]:
        """Yield for each page whose head says something else than its entry in the sitemap what it is to say.

        Where nothing is known of translations, what the theme says of them is left to it.
        """
        writes = self._site.head if self._hreflang.head is None else self._hreflang.head
        writes = writes and (bool(linked) or bool(self._siblings))
        originals = self._originals() if self._hreflang.fallback == "canonical" else {}
        for member in self._members:
            if not member.output or member.head is None:
                continue
            wanted = linked.get(member.loc, ()) if member.loc else ()
            canonical = originals.get(member.group, "") if member.fallback else ""
            if canonical and member.head.canonical == canonical:
                canonical = ""
            if (writes and not _same(member.head.alternates, wanted)) or canonical:
                yield HeadEdit(
                    output=member.output,
                    source=member.source,
                    alternates=wanted if writes else member.head.alternates,
                    canonical=canonical,
                )

    def _originals(self) -> dict[str, str]:
        """Return for each group the URL of its page in the default language, which its untranslated pages show."""
        default = tag_of(self._site.language, self._hreflang).value
        return {
            member.group: member.loc
            for member in self._members
            if member.loc
            and member.group
            and not member.fallback
            and language.same(tag_of(member.language, self._hreflang).value, default)
        }

    def _say(self, member: Member, message: str, level: Literal["info", "warning"] = "warning") -> None:
        self._problems.append(
            Problem(kind="hreflang", source=member.source, level=level, message=f"{member.source}: {message}")
        )


def _sibling_of(loc: str, known: Iterable[Sibling]) -> Sibling | None:
    """Return the language below whose address a page lies; the longest address counts."""
    return max((one for one in known if loc.startswith(one.url)), key=lambda one: len(one.url), default=None)


def _output_of(path: str, folder: str) -> Path | None:
    """Return the file below the output root that a static server gives for a URL's path, if there is one."""
    if not folder:
        return None
    name = unquote(path.partition("?")[0])
    names = [f"{name}index.html"] if not name or name.endswith("/") else [name, f"{name}.html"]
    return next((file for name in names if (file := Path(folder) / name).is_file()), None)


def _same(found: Sequence[Alternate], wanted: Sequence[Alternate]) -> bool:
    """Tell whether a head has just the wanted alternates, in any order, with absolute URLs."""
    return len(found) == len(wanted) and {(tag.lower(), href) for tag, href in found} == {
        (tag.lower(), href) for tag, href in wanted
    }


def _pages(sources: Sequence[str]) -> str:
    count = len(set(sources))
    return "It has" if count == 1 else f"It and {count - 1} more {'page' if count == 2 else 'pages'} have"
