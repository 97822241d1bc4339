"""What every adapter promises, stated once: a framework's tests subclass ``AdapterContract`` and say how to build.

The numbers P1 to P10 are those of the project's promises: every URL exists (P1) and may be indexed (P2), alternates
are closed (P3), dates are true (P4), files obey the protocol (P5), the same input gives the same bytes (P6), the
owner's files are kept (P7), each page left out has a reason (P8), no network (P9), wrong settings stop the build (P10).
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from urllib.parse import unquote

import pytest
from lxml import etree

from tests.schemas import validate

BASE = "https://docs.example.org/"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
# RFC 3986, 2: the characters of a URL; what else there is in it must be percent-encoded.
URL = re.compile(r"https?://(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})+")
ROBOTS = b"User-agent: *\nAllow: /\n\nSitemap: https://docs.example.org/sitemap.xml\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page: ``path`` without a suffix, metadata, HTML elements for its head, and whether the framework's draft."""

    path: str
    title: str = "A page"
    body: str = "Some text."
    meta: Mapping[str, Any] = field(default_factory=dict)
    head: tuple[str, ...] = ()
    draft: bool = False


HOME = Source(path="index", title="Home")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSource:
    """A site: ``files`` are the owner's at the output root, ``beside`` those beside the configuration, by name."""

    pages: tuple[Source, ...] = (HOME, Source(path="guide/setup"))
    base: str | None = BASE
    options: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)


class Message(NamedTuple):
    level: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build left and said: the output's root, the log, all that was printed, and whether it succeeded."""

    folder: Path
    messages: tuple[Message, ...]
    output: str
    ok: bool

    @property
    def warnings(self) -> list[str]:
        return [text for level, text in self.messages if level not in {"DEBUG", "INFO"}]

    @property
    def infos(self) -> list[str]:
        return [text for level, text in self.messages if level == "INFO"]

    @property
    def summary(self) -> str:
        (line,) = (text for text in self.infos if " listed, " in text)
        return line

    def read(self, name: str) -> bytes | None:
        path = self.folder / name
        return path.read_bytes() if path.is_file() else None

    def files(self, pattern: str = "*.xml*") -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.folder.glob(pattern))}

    def entries(self, name: str = "sitemap.xml") -> dict[str, dict[str, str]]:
        """Read a sitemap or index that must be valid: each loc, once, with its other values."""
        content = self.read(name)
        assert content is not None, self.output
        assert validate(content) == []
        found = [
            {str(value.tag).removeprefix(NAMESPACE): value.text or "" for value in entry}
            for entry in etree.fromstring(content)
        ]
        entries = {entry.pop("loc"): entry for entry in found}
        assert len(entries) == len(found)
        return entries

    def locs(self, name: str = "sitemap.xml") -> list[str]:
        return list(self.entries(name))

    def dates(self) -> dict[str, str]:
        """Return each dated URL, without the base, and its lastmod."""
        return {loc.removeprefix(BASE): entry["lastmod"] for loc, entry in self.entries().items() if "lastmod" in entry}


def git(folder: Path, *arguments: str, day: str = "2026-01-01T00:00:00+00:00") -> str:
    """Run git, undisturbed by the user's settings, with ``day`` as the date of a commit."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {f"GIT_{role}_{part}": part.lower() for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    dates = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": "2026-06-01T00:00:00+00:00"}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**variables, **who, **dates, **quiet},
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout


def commit(folder: Path, day: str, *paths: str) -> None:
    """Commit the paths, or everything, making the repository if there is none."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--", *(paths or (".",)))
    git(folder, "commit", "--quiet", "--message=A change", day=day)


def robots_meta(content: str, name: str = "robots") -> str:
    return f'<meta name="{name}" content="{content}">'


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


# How each page of the large site is treated: the reason it is left out for, or None.
LISTED = (
    "index",
    "guide/setup",
    "guide/two words",
    "häfen/横浜",
    "notes/q&a",
    "release-2.0",
    "preview-none",
    "reloads-itself",
    "canonical-is-itself",
    "canonical-in-capitals",
    "nested-values",
    "flat-values",
    "dated-day",
    "dated-text",
    "dated-own",
    "internal/but-listed",
    "api/by-rule",
    "api/by-itself",
    "api/old/listed-again",
    "about-404",
)
LEFT_OUT = {
    "noindex": "noindex",
    "none": "noindex",
    "googlebot": "noindex",
    "noindex-in-metadata": "noindex",
    "canonical-other-host": "canonical elsewhere",
    "canonical-other-page": "canonical elsewhere",
    "refresh": "redirect",
    "sitemap-false": "metadata",
    "nested-exclude": "metadata",
    "flat-exclude": "metadata",
    "draft-in-metadata": "draft",
    "internal/excluded": "excluded",
    "api/old/excluded": "excluded",
    "404": "error page",
}


class AdapterContract:
    """The promises; a subclass says how its framework writes a site's sources, builds them and names a page.

    ``base_option`` is the framework's name of the site's address, and ``base_missing`` the level at which a site
    without one is told. ``gaps`` names the tests that a framework cannot take, each with its reason.
    """

    base_option: ClassVar[str]
    base_missing: ClassVar[str] = "WARNING"
    gaps: ClassVar[Mapping[str, str]] = {}
    _large: ClassVar[dict[type[AdapterContract], Built]] = {}

    def write(self, folder: Path, site: SiteSource) -> None:
        """Write a site's configuration and sources, over those that are there."""
        raise NotImplementedError

    def run(self, folder: Path, *, strict: bool = False, environment: Mapping[str, str] | None = None) -> Built:
        """Build the site in a folder; ``strict`` is the framework's own switch that makes warnings fail a build."""
        raise NotImplementedError

    def url_of(self, path: str) -> str:
        """Return the URL of a page below the base, percent-encoded."""
        raise NotImplementedError

    def source_of(self, path: str) -> str:
        """Return the name of a page's source, from the folder that a site is written to."""
        raise NotImplementedError

    def spell(self, *steps: str | int) -> str:
        """Spell an option the way the framework's user does."""
        raise NotImplementedError

    def __init_subclass__(cls) -> None:
        unknown = [name for name in cls.gaps if not hasattr(AdapterContract, name)]
        assert not unknown, f"no such promise: {unknown}"

    @pytest.fixture(autouse=True)
    def _gap(self, request: pytest.FixtureRequest) -> None:
        name = request.node.originalname
        if name in self.gaps:
            pytest.skip(self.gaps[name])

    def build(self, folder: Path, site: SiteSource, *, strict: bool = False) -> Built:
        self.write(folder, site)
        return self.run(folder, strict=strict)

    def loc(self, path: str) -> str:
        return BASE + self.url_of(path)

    def large_site(self) -> SiteSource:
        pages = {path: Source(path=path, title=path.rpartition("/")[2].capitalize()) for path in (*LISTED, *LEFT_OUT)}
        heads = {
            "noindex": robots_meta("follow, NoIndex"),
            "none": robots_meta("none"),
            "googlebot": robots_meta("noindex", name="googlebot"),
            "preview-none": robots_meta("index, max-image-preview:none"),
            "canonical-other-host": canonical("https://elsewhere.example.org/a/"),
            "canonical-other-page": canonical(self.loc("guide/setup")),
            "canonical-is-itself": canonical(self.loc("canonical-is-itself")),
            "canonical-in-capitals": canonical(
                self.loc("canonical-in-capitals").replace("docs.example.org", "DOCS.example.org:443")
            ),
            "refresh": f'<meta http-equiv="refresh" content="0; url={self.loc("guide/setup")}">',
            "reloads-itself": '<meta http-equiv="refresh" content="300">',
        }
        metadata: dict[str, Mapping[str, Any]] = {
            "noindex-in-metadata": {"robots": "noindex"},
            "sitemap-false": {"sitemap": False},
            "nested-exclude": {"sitemap": {"exclude": True}},
            "flat-exclude": {"sitemap_exclude": True},
            "nested-values": {"sitemap": {"priority": 0.8, "changefreq": "weekly"}},
            "flat-values": {"sitemap_priority": 0.2, "sitemap_changefreq": "yearly"},
            "dated-day": {"lastmod": date(2026, 3, 14)},
            "dated-text": {"updated": "2026-03-15T10:20:30+05:30"},
            "dated-own": {"sitemap": {"lastmod": "2026-03-16"}, "updated": "2020-01-01"},
            "draft-in-metadata": {"draft": True},
            "internal/but-listed": {"sitemap": {"exclude": False}},
            "api/by-itself": {"sitemap": {"priority": 0.9}},
        }
        for path, element in heads.items():
            pages[path] = replace(pages[path], head=(element,))
        for path, meta in metadata.items():
            pages[path] = replace(pages[path], meta=meta)
        rules = [
            {"match": "api/**", "priority": 0.4, "changefreq": "daily"},
            {"match": ["/api/old/"], "exclude": True},
            {"match": "api/old/listed-again*", "exclude": False},
        ]
        options = {"exclude": "/internal/", "rules": rules, "report": "report.json"}
        return SiteSource(pages=tuple(pages.values()), options=options)

    @pytest.fixture
    def large(self, tmp_path_factory: pytest.TempPathFactory) -> Built:
        """One site, built once, that has a page for each situation in which a page is listed or left out."""
        if type(self) not in self._large:
            self._large[type(self)] = self.build(tmp_path_factory.mktemp("large"), self.large_site(), strict=True)
        built = self._large[type(self)]
        assert built.ok, built.output
        return built

    @pytest.fixture
    def report(self, large: Built) -> Any:
        (path,) = (parent / "report.json" for parent in large.folder.parents if (parent / "report.json").exists())
        return json.loads(path.read_bytes())

    # P1 and P5: which files, which URLs

    def test_writes_a_valid_sitemap_its_gzip_copy_and_robots_txt(self, large: Built) -> None:
        content = large.read("sitemap.xml")
        zipped = large.read("sitemap.xml.gz")
        assert content is not None
        assert zipped is not None
        assert validate(content) == []
        assert gzip.decompress(zipped) == content
        assert large.read("robots.txt") == ROBOTS
        assert set(large.files()) == {"sitemap.xml", "sitemap.xml.gz"}

    def test_lists_just_the_pages_that_may_be_listed(self, large: Built) -> None:
        assert set(large.locs()) == {self.loc(path) for path in LISTED}

    def test_lists_files_that_exist(self, large: Built) -> None:
        for loc in large.locs():
            name = unquote(loc.removeprefix(BASE))
            assert (large.folder / (f"{name}index.html" if name.endswith("/") or not name else name)).is_file()

    def test_lists_absolute_encoded_urls_in_order(self, large: Built) -> None:
        locs = large.locs()
        assert all(URL.fullmatch(loc) and loc.startswith(BASE) for loc in locs)
        assert locs == sorted(locs)

    def test_says_in_one_line_what_came_of_it_and_nothing_to_worry_about(self, large: Built) -> None:
        assert large.summary.endswith(
            "20 URLs listed, 14 pages left out (2 canonical elsewhere, 1 draft, 1 error page, 2 excluded, 3 metadata, "
            "4 noindex, 1 redirect); wrote sitemap.xml, sitemap.xml.gz, robots.txt"
        )
        assert large.warnings == []

    def test_encodes_the_base_once(self, tmp_path: Path) -> None:
        built = self.build(tmp_path, SiteSource(base="https://Bücher.example/dö c/caf%C3%A9"), strict=True)
        base = "https://xn--bcher-kva.example/d%C3%B6%20c/caf%C3%A9/"
        assert built.locs() == [base, base + self.url_of("guide/setup")]

    # P2 and P8: which pages, and why not

    @pytest.mark.parametrize("path", LEFT_OUT)
    def test_leaves_a_page_out_and_says_why(self, path: str, report: Any) -> None:
        omitted = {page["url"]: page for page in report["omitted"]}
        assert omitted[self.loc(path)]["reason"] == LEFT_OUT[path]

    def test_reports_each_page_once(self, report: Any) -> None:
        assert report["site"] == BASE
        assert [entry["loc"] for entry in report["listed"]] == sorted(self.loc(path) for path in LISTED)
        assert sorted(page["url"] for page in report["omitted"]) == sorted(map(self.loc, LEFT_OUT))
        assert {file["path"] for file in report["files"]} == {"sitemap.xml", "sitemap.xml.gz", "robots.txt"}
        assert report["problems"] == []
        dates = {entry["loc"]: entry["lastmod_from"] for entry in report["listed"] if "lastmod" in entry}
        assert dates == {
            self.loc("dated-day"): "lastmod",
            self.loc("dated-text"): "updated",
            self.loc("dated-own"): "sitemap.lastmod",
        }

    @pytest.mark.parametrize(
        ("path", "priority", "changefreq"),
        [
            ("nested-values", "0.8", "weekly"),
            ("flat-values", "0.2", "yearly"),
            ("api/by-rule", "0.4", "daily"),
            ("api/by-itself", "0.9", "daily"),
            ("guide/setup", None, None),
        ],
    )
    def test_takes_values_from_page_and_rules(
        self, path: str, priority: str | None, changefreq: str | None, large: Built
    ) -> None:
        entry = large.entries()[self.loc(path)]
        assert (entry.get("priority"), entry.get("changefreq")) == (priority, changefreq)

    def test_leaves_out_the_frameworks_own_drafts(self, tmp_path: Path) -> None:
        site = SiteSource(pages=(HOME, Source(path="guide/coming", draft=True)))
        built = self.build(tmp_path, site, strict=True)
        assert built.locs() == [BASE]
        assert "1 page left out (1 draft)" in built.summary

    def test_warns_of_a_page_that_disagrees_with_itself(self, tmp_path: Path) -> None:
        page = Source(path="odd", meta={"sitemap": {"priority": 1.0}}, head=(robots_meta("noindex"),))
        built = self.build(tmp_path, SiteSource(pages=(HOME, page)))
        assert built.ok, built.output
        assert built.locs() == [BASE]
        (warning,) = built.warnings
        assert "odd" in warning
        assert "priority" in warning
        assert '<meta name="robots" content="noindex">' in warning

    def test_warns_of_a_value_that_it_cannot_read_and_lists_the_page(self, tmp_path: Path) -> None:
        page = Source(path="odd", meta={"sitemap": {"priority": 7, "changefreq": "often", "colour": "red"}})
        built = self.build(tmp_path, SiteSource(pages=(HOME, page)))
        assert built.ok, built.output
        assert built.entries()[self.loc("odd")] == {}
        assert len(built.warnings) == 3
        assert all("odd" in warning for warning in built.warnings)

    def test_says_where_site_and_pages_name_different_hosts(self, tmp_path: Path) -> None:
        page = Source(path="a", head=(canonical(f"https://www.example.org/{self.url_of('a')}"),))
        built = self.build(tmp_path, SiteSource(pages=(HOME, page)))
        assert built.locs() == [BASE]
        (warning,) = built.warnings
        assert self.base_option in warning

    def test_lists_more_urls_each_once(self, tmp_path: Path) -> None:
        urls = ["status/", {"loc": BASE + "/shop/", "changefreq": "daily"}, self.loc("guide/setup"), self.loc("hidden")]
        hidden = Source(path="hidden", head=(robots_meta("noindex"),))
        site = SiteSource(pages=(HOME, Source(path="guide/setup"), hidden), options={"urls": urls})
        built = self.build(tmp_path, site)
        assert set(built.locs()) == {BASE, self.loc("guide/setup"), BASE + "status/", BASE + "/shop/"}
        already, left_out = built.warnings
        assert "urls[2]" in already
        assert "urls[3]" in left_out

    def test_lists_nothing_that_the_owners_robots_txt_bars(self, tmp_path: Path) -> None:
        robots = b"User-agent: *\nDisallow: /private\n"
        site = SiteSource(pages=(HOME, Source(path="private/plan")), files={"robots.txt": robots})
        built = self.build(tmp_path, site, strict=True)
        assert built.locs() == [BASE]
        assert "(1 barred by robots.txt)" in built.summary

    def test_writes_no_sitemap_without_a_url(self, tmp_path: Path) -> None:
        built = self.build(tmp_path, SiteSource(options={"exclude": "*"}))
        assert built.ok, built.output
        assert built.files() == {}
        assert built.read("robots.txt") == b"User-agent: *\nAllow: /\n"
        assert len(built.warnings) == 1

    # P4: dates

    def test_dates_pages_by_their_metadata_only_where_there_is_no_history(self, large: Built) -> None:
        assert large.dates() == {
            self.url_of("dated-day"): "2026-03-14",
            self.url_of("dated-text"): "2026-03-15T10:20:30+05:30",
            self.url_of("dated-own"): "2026-03-16",
        }

    def test_never_takes_the_time_of_a_file(self, tmp_path: Path) -> None:
        self.write(tmp_path, SiteSource())
        for path in tmp_path.rglob("*"):
            os.utime(path, (1_000_000_000, 1_000_000_000))
        assert self.run(tmp_path, strict=True).dates() == {}

    def test_takes_dates_from_git_with_the_authors_offset(self, tmp_path: Path) -> None:
        names = ("index", "old-name", "changed", "untracked", "stated")
        pages = tuple(Source(path=name, meta={"lastmod": "2026-02-02"} if name == "stated" else {}) for name in names)
        self.write(tmp_path, SiteSource(pages=pages[:3] + pages[4:]))
        commit(tmp_path, "2025-01-02T03:04:05+05:30")
        self.write(tmp_path, SiteSource(pages=(*pages[:2], replace(pages[2], body="Other text."), *pages[3:])))
        commit(tmp_path, "2025-06-07T08:09:10-03:00", self.source_of("changed"))
        git(tmp_path, "mv", self.source_of("old-name"), self.source_of("new-name"))
        commit(tmp_path, "2025-08-08T08:08:08+00:00", self.source_of("new-name"))
        assert self.run(tmp_path, strict=True).dates() == {
            "": "2025-01-02T03:04:05+05:30",
            self.url_of("new-name"): "2025-01-02T03:04:05+05:30",
            self.url_of("changed"): "2025-06-07T08:09:10-03:00",
            self.url_of("stated"): "2026-02-02",
        }

    @pytest.mark.parametrize("asked", [False, True])
    def test_takes_no_date_from_the_boundary_of_a_shallow_clone(self, asked: bool, tmp_path: Path) -> None:
        origin, clone = tmp_path / "origin", tmp_path / "clone"
        origin.mkdir()
        options = {"lastmod": ["git"]} if asked else {}
        site = SiteSource(pages=(HOME, Source(path="second"), Source(path="third")), options=options)
        self.write(origin, site)
        commit(origin, "2025-01-01T00:00:00+00:00")
        for path, day in (("second", "2025-02-02T00:00:00+00:00"), ("third", "2025-03-03T00:00:00+00:00")):
            self.write(origin, replace(site, pages=tuple(replace(page, body="Other.") for page in site.pages)))
            commit(origin, day, self.source_of(path))
        git(tmp_path, "clone", "--quiet", "--depth=2", origin.as_uri(), str(clone))
        built = self.run(clone, strict=not asked)
        assert built.ok, built.output
        assert built.dates() == {self.url_of("third"): "2025-03-03T00:00:00+00:00"}
        (message,) = (message for message in built.messages if "git fetch --unshallow" in message.text)
        assert message.level == ("WARNING" if asked else "INFO")
        assert built.warnings == ([message.text] if asked else [])

    def test_refuses_a_date_that_cannot_be(self, tmp_path: Path) -> None:
        dates: dict[str, Mapping[str, Any]] = {
            "future": {"lastmod": date(2999, 1, 1)},
            "epoch": {"updated": "1970-01-01"},
            "words": {"sitemap_lastmod": "last week"},
        }
        pages = tuple(Source(path=name, meta=meta) for name, meta in dates.items())
        built = self.build(tmp_path, SiteSource(pages=(HOME, *pages)))
        assert built.ok, built.output
        assert len(built.locs()) == 4
        assert built.dates() == {}
        assert len(built.warnings) == 3
        for name in dates:
            (_,) = (text for text in built.warnings if name in text)

    def test_writes_no_date_where_none_is_wanted(self, tmp_path: Path) -> None:
        page = Source(path="stated", meta={"lastmod": "2026-02-02"})
        assert self.build(tmp_path, SiteSource(pages=(HOME, page), options={"lastmod": False})).dates() == {}

    # P5: limits

    def test_splits_behind_an_index(self, tmp_path: Path) -> None:
        pages = tuple(Source(path=f"page-{number}", meta={"lastmod": f"2026-01-0{number}"}) for number in (1, 2, 3))
        site = SiteSource(pages=(HOME, *pages), options={"max_urls": 2})
        built = self.build(tmp_path, site, strict=True)
        parts = ["sitemap-1.xml", "sitemap-2.xml"]
        # The home page has no date, so neither has the part that holds it.
        assert built.entries() == {BASE + parts[0]: {}, BASE + parts[1]: {"lastmod": "2026-01-03"}}
        assert [loc for part in parts for loc in built.locs(part)] == [BASE, *(self.loc(page.path) for page in pages)]
        files = built.files()
        assert set(files) == {name + suffix for name in ("sitemap.xml", *parts) for suffix in ("", ".gz")}
        assert all(gzip.decompress(files[f"{name}.gz"]) == files[name] for name in ("sitemap.xml", *parts))
        # Parts of an earlier, larger build are gone.
        again = self.build(tmp_path, replace(site, options={}), strict=True)
        assert set(again.files()) == {"sitemap.xml", "sitemap.xml.gz"}

    # P6: the same bytes

    def test_gives_the_same_bytes_anywhere_at_any_time(self, tmp_path: Path) -> None:
        dated = Source(path="dated", meta={"updated": "2026-02-02 23:30"})
        site = SiteSource(
            pages=(HOME, dated, Source(path="häfen/横浜"), *(Source(path=f"page-{number}") for number in range(9))),
            options={"report": "report.json", "max_urls": 8, "exclude": ["/page-8*", "/page-7*"]},
        )
        self.write(tmp_path, site)
        commit(tmp_path, "2025-01-02T23:30:00-08:00")
        seen = []
        for zone, locale, seed in (("UTC", "C.UTF-8", "0"), ("Pacific/Kiritimati", "C", "1"), ("HST10", "POSIX", "2")):
            environment = {"TZ": zone, "LC_ALL": locale, "LANG": locale, "PYTHONHASHSEED": seed}
            built = self.run(tmp_path, strict=True, environment=environment)
            report = (tmp_path / "report.json").read_bytes()
            seen.append({**built.files(), "robots.txt": built.read("robots.txt"), "report.json": report})
        assert len(seen[0]) == 8
        assert seen[0] == seen[1] == seen[2]

    def test_writes_nothing_where_its_own_strictness_fails_the_build(self, tmp_path: Path) -> None:
        page = Source(path="odd", meta={"lastmod": "2999-01-01"})
        options = {"strict": True, "report": "report.json"}
        built = self.build(tmp_path, SiteSource(pages=(HOME, page), options=options))
        assert not built.ok
        assert [text for text in built.warnings if "odd" in text]
        assert "strict" in built.output
        assert built.files() == {}
        assert built.read("robots.txt") is None
        assert not (tmp_path / "report.json").exists()

    def test_is_counted_by_the_frameworks_strictness(self, tmp_path: Path) -> None:
        page = Source(path="odd", meta={"lastmod": "2999-01-01"})
        assert not self.build(tmp_path, SiteSource(pages=(HOME, page)), strict=True).ok

    # P7: what the owner has and wants

    @pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
    def test_adds_a_sitemap_line_to_the_owners_robots_txt(self, end: bytes, tmp_path: Path) -> None:
        line = end or b"\n"
        owner = b"\xef\xbb\xbf# F\xfcr alle" + line + b"User-agent: *" + line + b"Disallow: /tmp/" + end
        built = self.build(tmp_path, SiteSource(files={"robots.txt": owner}), strict=True)
        gap = b"" if end else b"\n"
        assert built.read("robots.txt") == owner + gap + b"Sitemap: https://docs.example.org/sitemap.xml" + line

    def test_keeps_the_owners_robots_txt_that_names_the_sitemap(self, tmp_path: Path) -> None:
        owner = b"sitemap:https://docs.example.org/sitemap.xml # ours\nUser-agent: *\nDisallow:"
        built = self.build(tmp_path, SiteSource(files={"robots.txt": owner}), strict=True)
        assert built.read("robots.txt") == owner

    @pytest.mark.parametrize("owner", [None, b"User-agent: *\nDisallow: /\n"])
    def test_leaves_robots_txt_alone_where_asked(self, owner: bytes | None, tmp_path: Path) -> None:
        files = {} if owner is None else {"robots.txt": owner}
        built = self.build(tmp_path, SiteSource(files=files, options={"robots": False}))
        assert built.read("robots.txt") == owner
        if owner is None:
            assert built.warnings == []
            assert len(built.locs()) == 2

    def test_keeps_the_owners_sitemap_and_says_so(self, tmp_path: Path) -> None:
        owner = b"<urlset/>"
        built = self.build(tmp_path, SiteSource(files={"sitemap.xml": owner}))
        assert built.ok, built.output
        assert built.files() == {"sitemap.xml": owner}
        assert built.read("robots.txt") == ROBOTS
        (warning,) = built.warnings
        assert "sitemap.xml" in warning
        assert "filename" in warning

    def test_stands_beside_the_owners_sitemap_under_another_name(self, tmp_path: Path) -> None:
        owner = b"<urlset/>"
        site = SiteSource(files={"sitemap.xml": owner}, options={"filename": "pages.xml"})
        built = self.build(tmp_path, site, strict=True)
        assert built.read("sitemap.xml") == owner
        assert set(built.files()) == {"sitemap.xml", "pages.xml", "pages.xml.gz"}
        assert built.locs("pages.xml") == [BASE, self.loc("guide/setup")]
        assert built.read("robots.txt") == ROBOTS.replace(b"sitemap.xml", b"pages.xml")

    def test_writes_what_is_asked_for_only(self, tmp_path: Path) -> None:
        built = self.build(tmp_path, SiteSource(options={"filename": "pages.xml", "gzip": False}), strict=True)
        assert set(built.files()) == {"pages.xml"}
        assert built.summary.endswith("2 URLs listed, 0 pages left out; wrote pages.xml, robots.txt")

    def test_renders_with_the_owners_templates(self, tmp_path: Path) -> None:
        template = "# Welcome\nUser-agent: *\nDisallow:\nSitemap: {{ sitemap }}\n"
        site = SiteSource(options={"templates": "shapes"}, beside={"shapes/robots.txt.j2": template})
        built = self.build(tmp_path, site, strict=True)
        expected = "# Welcome\nUser-agent: *\nDisallow:\nSitemap: https://docs.example.org/sitemap.xml\n"
        assert built.read("robots.txt") == expected.encode()
        assert len(built.locs()) == 2

    def test_stops_where_a_template_fails(self, tmp_path: Path) -> None:
        site = SiteSource(options={"templates": "shapes"}, beside={"shapes/robots.txt.j2": "{{ sitemap"})
        built = self.build(tmp_path, site)
        assert not built.ok
        assert "robots.txt.j2" in built.output
        assert "Traceback" not in built.output
        assert built.files() == {}

    # P9: no network

    def test_needs_no_network(self, tmp_path: Path) -> None:
        # Python runs a module of this name first.
        guard = "import os, socket\nsocket.socket.connect = socket.getaddrinfo = lambda *a, **k: os._exit(99)\n"
        self.write(tmp_path, SiteSource(beside={"guard/sitecustomize.py": guard}))
        built = self.run(tmp_path, strict=True, environment={"PYTHONPATH": str(tmp_path / "guard")})
        assert built.ok, built.output

    # P10: the configuration

    def test_writes_nothing_false_without_a_base(self, tmp_path: Path) -> None:
        built = self.build(tmp_path, SiteSource(base=None))
        assert built.ok, built.output
        assert built.files() == {}
        assert built.read("robots.txt") is None
        (message,) = (message for message in built.messages if self.base_option in message.text)
        assert message.level == self.base_missing
        assert built.warnings == ([message.text] if self.base_missing == "WARNING" else [])

    def test_says_where_robots_txt_is_read_if_the_base_has_a_path(self, tmp_path: Path) -> None:
        built = self.build(tmp_path, SiteSource(base="https://example.org/project"), strict=True)
        assert built.ok, built.output
        base = "https://example.org/project/"
        assert built.locs() == [base, base + self.url_of("guide/setup")]
        assert built.read("robots.txt") == ROBOTS.replace(BASE.encode(), base.encode())
        (_,) = (text for text in built.infos if "https://example.org/robots.txt" in text)

    def test_warns_of_an_address_that_nobody_can_reach(self, tmp_path: Path) -> None:
        built = self.build(tmp_path, SiteSource(base="http://localhost:8000/"))
        assert built.ok, built.output
        assert built.locs() == ["http://localhost:8000/", "http://localhost:8000/" + self.url_of("guide/setup")]
        (warning,) = built.warnings
        assert self.base_option in warning

    @pytest.mark.parametrize("base", ["https://docs.example.org/?lang=en", "docs.example.org", "ftp://example.org/"])
    def test_stops_at_an_address_that_cannot_be(self, base: str, tmp_path: Path) -> None:
        built = self.build(tmp_path, SiteSource(base=base))
        assert not built.ok
        assert self.base_option in built.output
        assert "Traceback" not in built.output
        assert not built.folder.exists()

    def test_stops_before_any_output_and_names_every_fault(self, tmp_path: Path) -> None:
        options = {
            "filname": "a.xml",
            "gzip": "maybe",
            "lastmod": ["mtime"],
            "rules": [{"match": "a", "priority": 3}, {"priority": 0.5}],
            "urls": ["https://elsewhere.example.org/"],
            "templates": "nowhere",
        }
        built = self.build(tmp_path, SiteSource(base="https://docs.example.org/#top", options=options))
        assert not built.ok
        faults = [
            ("filname",),
            ("gzip",),
            ("lastmod",),
            ("rules", 0, "priority"),
            ("rules", 1, "match"),
            ("templates",),
        ]
        for steps in faults:
            assert f"{self.spell(*steps)}: " in built.output
        assert f"{self.base_option}: " in built.output
        assert "did you mean 'filename'?" in built.output
        assert "Traceback" not in built.output
        assert not built.folder.exists()
