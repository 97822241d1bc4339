"""Which pages are listed, and what is said of the others (P1, P2, P8)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.core.model import Page, Reason
from sitemap_plugins.core.selection import Patterns
from tests.core.make import BASE, page, planned, site

NOINDEX = "<meta name=robots content=noindex>"


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


@pytest.mark.parametrize(
    ("given", "reason", "detail"),
    [
        (page(meta={"sitemap": False}), "metadata", "sitemap: false"),
        (page(meta={"sitemap": {"exclude": True}}), "metadata", "sitemap.exclude: true"),
        (page(meta={"sitemap_exclude": "yes"}), "metadata", "sitemap_exclude: true"),
        (page(meta={"draft": True}), "draft", "draft: true"),
        (page(meta={"noindex": True}), "noindex", "noindex: true"),
        (page(meta={"robots": "none"}), "noindex", "robots: none"),
        (page(html=NOINDEX), "noindex", '<meta name="robots" content="noindex">'),
        (
            page(html=canonical("https://docs.example.org/b/")),
            "canonical elsewhere",
            '<link rel="canonical" href="https://docs.example.org/b/">',
        ),
        (page(html=canonical("../b/")), "canonical elsewhere", f'<link rel="canonical" href="{BASE}b/">'),
        (
            page(html='<meta http-equiv="refresh" content="0; url=../b/">'),
            "redirect",
            f'<meta http-equiv="refresh"> to {BASE}b/',
        ),
        (
            page(html="<meta http-equiv=refresh content='0; https://other.example/'>"),
            "redirect",
            '<meta http-equiv="refresh"> to https://other.example/',
        ),
        (page("404.html"), "error page", "404.html"),
        (page("404/"), "error page", "404/"),
        (page("500.html"), "error page", "500.html"),
        (page("50x.html"), "error page", "50x.html"),
        (page("404.HTML", html="<title>x</title>"), "error page", "404.HTML"),
        (page("https://other.example/"), "invalid URL", f"outside {BASE}"),
        (page("a" * 2_048), "invalid URL", "2073 characters; the protocol takes 12 to 2047"),
        (page(omit=Reason.UNWRITTEN), "not written", ""),
        (page(omit=Reason.DRAFT), "draft", ""),
        (page(omit=Reason.REDIRECT, meta={"sitemap": True}), "redirect", ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_reasons(given: Page, reason: str, detail: str) -> None:
    outcome = planned([given])
    assert outcome.locs == []
    assert outcome.reasons == {given.source: (reason, detail)}


def test_settings_as_the_reason() -> None:
    outcome = planned(
        [page("a/"), page("b/"), page("c/")], exclude="a/", rules=[{"match": "x/"}, {"match": "/b/", "exclude": True}]
    )
    assert outcome.locs == [BASE + "c/"]
    assert outcome.reasons == {"a.md": ("excluded", "exclude: a/"), "b.md": ("excluded", "rules[1]: /b/")}


def test_robots_txt_as_the_reason() -> None:
    outcome = planned(
        [page("a/"), page("private/x/"), page("private/open/")],
        site(robots=b"User-agent: *\nDisallow: /private/\nAllow: /private/open/\n"),
        urls=["private/y"],
    )
    assert outcome.locs == [BASE + "a/", BASE + "private/open/"]
    assert outcome.reasons == {
        "private/x.md": ("barred by robots.txt", "robots.txt"),
        "urls[0]": ("barred by robots.txt", "robots.txt"),
    }


def test_an_owners_robots_txt_bars_pages_also_where_we_leave_it_alone() -> None:
    # robots: false means that we write none; the owner's stands at the root all the same (P2).
    outcome = planned([page("a/")], site(robots=b"User-agent: *\nDisallow: /a/\n"), robots=False)
    assert outcome.locs == []


@pytest.mark.parametrize(
    "given",
    [
        page("a/404/"),  # an error page stands at the root
        page("4040.html"),
        page("404-not-found/"),
        page("a/", html=canonical("https://docs.example.org/a/")),
        page("a/", html=canonical(".")),
        page("a/", html=canonical("https://DOCS.example.org:443/a/#top")),
        page("a/", html=canonical("javascript:void(0)")),
        page("a/", html=canonical("http://[")),
        page("a/", html="<meta http-equiv=refresh content=300>"),
        page("a/", html="<meta http-equiv=refresh content='5; url=#top'>"),
        page("a/", html="<meta http-equiv=refresh content='5; url=index.html'>"),
        page("a/", html="<meta name=robots content=max-image-preview:none>"),
        page("404.html", meta={"sitemap": True}),
        page("x?id=404"),
    ],
    ids=lambda given: given.url,
)
def test_pages_that_are_listed(given: Page) -> None:
    outcome = planned([given])
    assert outcome.locs == [BASE + given.url]
    assert outcome.problems == []


@pytest.mark.parametrize(
    ("url", "named", "listed"),
    [
        ("a/index.html", "https://docs.example.org/a/", BASE + "a/"),
        ("index.html", "https://docs.example.org/", BASE),
        ("", "https://docs.example.org/index.html", BASE + "index.html"),
        ("a", "https://docs.example.org/a/", BASE + "a/"),
        ("a/", "https://docs.example.org/a", BASE + "a"),
        ("a/", "HTTPS://DOCS.EXAMPLE.ORG/a", BASE + "a"),
        ("caf%c3%a9/", "/café", BASE + "caf%C3%A9"),
    ],
)
def test_the_canonical_form_is_listed(url: str, named: str, listed: str) -> None:
    outcome = planned([page(url, html=canonical(named))])
    assert outcome.locs == [listed]
    assert outcome.problems == []


def test_links_are_resolved_against_the_base_element() -> None:
    outcome = planned([page("a/b/", html='<base href="/">' + canonical("a/b/"))])
    assert outcome.locs == [BASE + "a/b/"]
    outcome = planned([page("a/b/", html='<base href="https://docs.example.org/">' + canonical("b/"))])
    assert outcome.reasons["a/b.md"][0] == "canonical elsewhere"


PRECEDENCE: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # (metadata, settings, reason or empty): the page's own word, then the last rule, then exclude
    ({}, {"exclude": "a/"}, "excluded"),
    ({"sitemap": True}, {"exclude": "a/"}, ""),
    ({"sitemap": {"exclude": False}}, {"exclude": "a/"}, ""),
    ({"sitemap": {"priority": 1}}, {"exclude": "a/"}, "excluded"),
    ({"sitemap": False}, {"rules": [{"match": "a/", "exclude": False}]}, "metadata"),
    ({}, {"exclude": "a/", "rules": [{"match": "a/", "exclude": False}]}, ""),
    ({}, {"exclude": "a/", "rules": [{"match": "a/", "priority": 1}]}, "excluded"),
    ({}, {"rules": [{"match": "a/", "exclude": True}, {"match": "*", "exclude": False}]}, ""),
    ({}, {"rules": [{"match": "*", "exclude": False}, {"match": "a/", "exclude": True}]}, "excluded"),
    ({"draft": True, "sitemap": True}, {}, "draft"),
    ({"sitemap": True}, {"rules": [{"match": "a/", "exclude": True}]}, ""),
]


@pytest.mark.parametrize(("meta", "options", "reason"), PRECEDENCE)
def test_precedence(meta: dict[str, Any], options: dict[str, Any], reason: str) -> None:
    outcome = planned([page(meta=meta)], **options)
    assert [str(omitted.reason) for omitted in outcome.omitted] == ([reason] if reason else [])


# https://git-scm.com/docs/gitignore#_pattern_format
@pytest.mark.parametrize(
    ("lines", "path", "source", "match"),
    [
        (["a/"], "a/", "", "a/"),
        (["a/"], "a/b/", "", "a/"),
        (["a/"], "x/a/b/", "", "a/"),
        (["/a/"], "x/a/b/", "", ""),
        (["a/"], "a", "", ""),  # a pattern for folders only
        (["a"], "a", "", "a"),
        (["a/b"], "x/a/b", "", ""),  # a slash in the middle ties it to the root
        (["*.html"], "a/b.html", "", "*.html"),
        (["/*.html"], "a/b.html", "", ""),
        (["a/**"], "a/b/c", "", "a/**"),
        (["**/b/"], "a/b/c", "", "**/b/"),
        (["a/**/d"], "a/b/c/d", "", "a/**/d"),
        (["[ab].html"], "b.html", "", "[ab].html"),
        (["?.html"], "ab.html", "", ""),
        (["café/"], "café/x/", "", "café/"),
        (["日本*"], "日本語/", "", "日本*"),
        (["index.html"], "index.html", "", "index.html"),  # the home page
        (["*.md"], "a/", "a.md", "*.md"),
        (["blog/*.md"], "2026/a/", "blog/a.md", "blog/*.md"),
        (["a.md", "!a.md"], "a/", "a.md", ""),
        (["*", "!a/"], "a/", "", ""),
        (["!a/", "*"], "a/", "", "*"),
        (["*", "!index.md"], "index.html", "index.md", ""),
        (["# a/"], "a/", "", ""),
        (["\\#a"], "#a", "", "\\#a"),
        (["", "  "], "a/", "", ""),
        ([], "a/", "a.md", ""),
        (["a/"], "", "", ""),
    ],
)
def test_gitignore_patterns(lines: list[str], path: str, source: str, match: str) -> None:
    assert Patterns(lines).match(path, source) == match


@pytest.mark.parametrize(
    ("pattern", "left_out"),
    [
        ("index.html", ["index.md"]),
        ("/", []),
        ("*", ["index.md", "a.md", "a/b.md", "café.md"]),
        ("a/", ["a.md", "a/b.md"]),
        ("a/b.md", ["a/b.md"]),
        ("café/", ["café.md"]),
        ("caf*", ["café.md"]),
        (["*", "!index.html"], ["a.md", "a/b.md", "café.md"]),
        (["*.md", "!a.md"], ["index.md", "a/b.md", "café.md"]),
    ],
)
def test_patterns_match_url_and_source(pattern: Any, left_out: list[str]) -> None:
    pages = [page(""), page("a/"), page("a/b/"), page("caf%C3%A9/", source="café.md")]
    assert sorted(planned(pages, exclude=pattern).reasons) == sorted(left_out)


def test_patterns_are_from_the_sites_root() -> None:
    where = site("https://example.org/docs/")
    assert planned([page("docs/a/"), page("a/")], where, exclude="/docs/").locs == ["https://example.org/docs/a/"]


@pytest.mark.parametrize(
    ("given", "options", "sides"),
    [
        (page(meta={"sitemap": True}, html=NOINDEX), {}, ("sitemap: true", '<meta name="robots" content="noindex">')),
        (page(meta={"sitemap": {"priority": 0.8}}, html=NOINDEX), {}, ("sitemap.priority: 0.8", "noindex")),
        (page(html=canonical("/b/")), {"rules": [{"match": "a/", "exclude": False}]}, ("rules[0]: a/", BASE + "b/")),
        (
            page(meta={"sitemap_exclude": "no"}, html="<meta http-equiv=refresh content='0;/b/'>"),
            {},
            ("sitemap_exclude: false", BASE + "b/"),
        ),
    ],
)
def test_a_disagreement_names_both_sides(given: Page, options: dict[str, Any], sides: tuple[str, str]) -> None:
    outcome = planned([given], **options)
    assert outcome.locs == []
    assert ("warning", "disagreement") in outcome.kinds
    for side in (*sides, given.source):
        assert side in outcome.messages


def test_agreement_is_no_problem() -> None:
    assert planned([page(meta={"sitemap": False}, html=NOINDEX)]).problems == []
    assert planned([page(html=NOINDEX)], exclude="a/").problems == []


def test_a_wrong_site_url_is_said_once_for_all_pages() -> None:
    pages = [page(f"{n}/", html=canonical(f"https://www.example.org/{n}/")) for n in range(3)]
    outcome = planned(pages)
    assert [omitted.reason for omitted in outcome.omitted] == [Reason.CANONICAL] * 3
    assert outcome.kinds == [("warning", "foreign-host")]
    for words in ("site_url", BASE, "https://www.example.org/0/", "2 more pages"):
        assert words in outcome.messages


def test_an_invalid_url_is_a_problem_that_names_the_page() -> None:
    outcome = planned([page("https://other.example/", source="x.md")])
    assert outcome.kinds == [("warning", "loc-invalid")]
    assert "x.md" in outcome.messages


def test_a_folder_above_the_base_is_not_the_site() -> None:
    where = site("https://example.org/docs/")
    outcome = planned([page("../x/"), page("https://example.org/docs/../y/", source="y.md")], where)
    assert outcome.locs == []
    assert {reason for reason, _ in outcome.reasons.values()} == {"invalid URL"}


PARTS = [
    "a",
    "B-",
    "é",
    "404",
    "50x",
    ".html",
    "index.html",
    "index.htm",
    "/",
    ".",
    "..",
    "?",
    "=",
    "%41",
    "%",
    ":",
    "~",
]


@given(st.lists(st.sampled_from(PARTS), max_size=6).map("".join), st.sampled_from(["", "docs/"]))
def test_a_page_with_nothing_to_say_is_judged_as_one_that_says_nothing(url: str, folder: str) -> None:
    # The first takes a shorter way, which must lead to the same place. A rule for another page takes it away.
    where = site(BASE + folder)
    rules = [{"match": "/nowhere/", "priority": 0.1}]
    quick, slow = planned([page(url, source="x")], where), planned([page(url, source="x")], where, rules=rules)
    assert (quick.locs, quick.reasons, quick.messages) == (slow.locs, slow.reasons, slow.messages)
