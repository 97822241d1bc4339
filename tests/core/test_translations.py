"""Listed pages to translation groups: closed, mutual, with valid tags, the same in the sitemap and in the head."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemap_plugins.core import html
from sitemap_plugins.core.build import Build, build, build_all, write
from sitemap_plugins.core.configure import configure
from sitemap_plugins.core.errors import ConfigError
from sitemap_plugins.core.model import Alternate, Page, Site, Url
from sitemap_plugins.core.render import Renderer
from tests.core.make import BASE, head, page, planned, settings, site, spell
from tests.schemas import validate

XHTML = "{http://www.w3.org/1999/xhtml}link"
NOINDEX = '<meta name="robots" content="noindex">'


def translated(*languages: str, group: str = "a", **values: Any) -> list[Page]:
    return [page(f"{language}/{group}/", language=language, group=group, **values) for language in languages]


def alternates(urls: Sequence[Url]) -> dict[str, list[tuple[str, str]]]:
    """Return the alternates of each listed page, both without the base."""
    return {
        url.loc.removeprefix(BASE): [(tag, href.removeprefix(BASE)) for tag, href in url.alternates] for url in urls
    }


def linked(pages: list[Page], where: Site | None = None, **options: Any) -> dict[str, list[tuple[str, str]]]:
    return alternates(planned(pages, where, **options).built.plan.urls)


def messages(pages: list[Page], where: Site | None = None, **options: Any) -> str:
    return planned(pages, where, **options).messages


def test_a_group_is_closed_and_lists_itself_and_the_default() -> None:
    both = [("en", "en/a/"), ("fr", "fr/a/"), ("x-default", "en/a/")]
    found = linked([*translated("fr", "en"), page("b/", language="en", group="b")], site(language="en"))
    assert found == {"en/a/": both, "fr/a/": both, "b/": []}


def test_a_page_alone_gets_itself_if_asked() -> None:
    found = linked([page("b/", language="en")], hreflang={"self": True})
    assert found == {"b/": [("en", "b/")]}


@pytest.mark.parametrize(
    ("x_default", "expected"),
    [
        ("fr", [("x-default", "fr/a/")]),
        ("FR", [("x-default", "fr/a/")]),
        ("de", []),
        (False, []),
        ("none", []),
        ("https://www.example.org/", [("x-default", "https://www.example.org/")]),
    ],
)
def test_x_default(x_default: object, expected: list[tuple[str, str]]) -> None:
    found = linked(translated("en", "fr"), site(language="en"), hreflang={"x_default": x_default})
    assert found["en/a/"] == [("en", "en/a/"), ("fr", "fr/a/"), *expected]


@pytest.mark.parametrize(
    "values",
    [
        {"html": NOINDEX},
        {"html": '<link rel="canonical" href="https://docs.example.org/en/a/">'},
        {"meta": {"draft": True}},
        {"meta": {"sitemap": False}},
        {"fallback": True},
    ],
)
def test_a_page_that_is_left_out_leaves_its_group(values: dict[str, Any]) -> None:
    pages = [*translated("en", "fr"), *translated("de", **values)]
    found = linked(pages)
    assert found == {path: [("en", "en/a/"), ("fr", "fr/a/")] for path in ("en/a/", "fr/a/")}


def test_a_pattern_that_excludes_a_page_takes_it_out_of_its_group() -> None:
    assert linked(translated("en", "fr", "de"), exclude="/fr/") == {
        path: [("de", "de/a/"), ("en", "en/a/")] for path in ("en/a/", "de/a/")
    }


def test_the_metadata_of_a_page_come_first() -> None:
    pages = [
        page("en/a/", language="en", group="a"),
        page("fr/a/", language="fr", group="a"),
        page("fr/b/", language="fr", group="b", meta={"translation_key": 7}),
        page("c/", meta={"translation_key": "7", "lang": "en"}),
    ]
    ours = [("en", "en/a/"), ("fr", "fr/a/")]
    keyed = [("en", "c/"), ("fr", "fr/b/")]
    assert linked(pages) == {"en/a/": ours, "fr/a/": ours, "c/": keyed, "fr/b/": keyed}


@pytest.mark.parametrize("href", ["/fr/a/", "fr/a/", BASE + "fr/a/", BASE + "fr/a/index.html", BASE + "fr/a"])
def test_alternates_in_metadata(href: str) -> None:
    """Whatever form a link has, its page is meant; and the link is mutual though only one of the two has it."""
    pages = [page("en/a/", meta={"lang": "en", "alternates": {"fr": href}}), page("fr/a/", language="fr")]
    both = [("en", "en/a/"), ("fr", "fr/a/")]
    assert linked(pages) == {"en/a/": both, "fr/a/": both}


def test_a_page_that_only_another_names_gets_its_head_too(tmp_path: Path) -> None:
    for name in ("en", "fr"):
        (tmp_path / f"{name}/a").mkdir(parents=True)
        (tmp_path / f"{name}/a/index.html").write_text(f"<html><head><title>{name}</title></head>")
    english = page(
        "en/a/",
        meta={"lang": "en", "alternates": {"fr": "/fr/a/"}},
        html="<title>A</title>",
        output=str(tmp_path / "en/a/index.html"),
    )
    write(build([english, page("fr/a/")], site(folder=str(tmp_path)), settings()), tmp_path)
    for name in ("en", "fr"):
        assert len(html.inspect((tmp_path / f"{name}/a/index.html").read_bytes()).alternates) == 2


def test_an_alternate_elsewhere_is_taken_on_trust() -> None:
    pages = [page("a/", meta={"lang": "en", "alternates": {"fr": "https://fr.example.org/a/"}})]
    assert linked(pages) == {"a/": [("en", "a/"), ("fr", "https://fr.example.org/a/")]}


def test_an_alternate_that_is_no_page_of_the_site_is_told_and_not_listed() -> None:
    pages = [page("a/", meta={"lang": "en", "alternates": {"fr": "/fr/x/", "de": ""}})]
    assert linked(pages) == {"a/": []}
    assert messages(pages) == (
        "a.md: alternates.de: expected a URL, got ''. The value is passed over; mend it in the page's metadata\n"
        "a.md: alternates.fr: /fr/x/ is no page of this site. The link is passed over; correct or remove it"
    )


def test_an_alternate_that_is_left_out_is_not_listed_and_not_told() -> None:
    pages = [
        page("a/", meta={"lang": "en", "alternates": {"fr": "/fr/a/"}}),
        page("fr/a/", language="fr", html=NOINDEX),
    ]
    assert linked(pages) == {"a/": []}
    assert messages(pages) == ""


def test_wrong_languages_are_told_once_and_what_was_meant() -> None:
    pages = [
        *translated("en", "en-UK", group="a"),
        *translated("en", "en-UK", group="b"),
        *translated("en", "es-419", group="c"),
    ]
    found = planned(pages)
    assert {url.alternates for url in found.built.plan.urls} == {()}
    first, second = found.messages.splitlines()
    assert first.startswith("en-UK/a.md: the language 'en-UK' is no hreflang")
    assert "en-GB" in first
    assert "It and 1 more page have no alternates in this language" in first
    assert "'es-419'" in second
    assert "hreflang.keep" in second


def test_aliases_and_keep() -> None:
    found = linked(translated("cz", "es-419"), hreflang={"aliases": {"cz": "cs"}, "keep": "es_419"})
    assert found["cz/a/"] == [("cs", "cz/a/"), ("es-419", "es-419/a/")]
    assert messages(translated("cz", "es-419"), hreflang={"aliases": {"cz": "cs"}, "keep": ["es-419"]}) == ""


def test_two_pages_of_one_language_are_told_and_never_both_listed() -> None:
    pages = [
        page("en/a/", language="en", group="a"),
        page("a/", language="EN", group="a"),
        page("fr/a/", language="fr", group="a"),
    ]
    found = planned(pages)
    tags = [[tag for tag, _ in links] for links in alternates(found.built.plan.urls).values()]
    assert sorted(tags) == [[], ["en", "fr"], ["en", "fr"]]
    assert "are both the en page of one translation group" in found.messages


def test_hreflang_false_turns_everything_off() -> None:
    pages = [*translated("en", "fr"), *translated("de", fallback=True)]
    found = planned(pages, hreflang=False)
    assert alternates(found.built.plan.urls) == {"en/a/": [], "fr/a/": [], "de/a/": []}
    assert found.built.plan.heads == ()


# Untranslated copies


def fallbacks() -> list[Page]:
    return [
        *translated("en", output="/out/en.html", html=""),
        page("fr/a/", language="fr", group="a", fallback=True, output="/out/fr.html", html='<link rel="canonical" href="https://docs.example.org/fr/a/">'),
    ]  # fmt: skip


def test_a_fallback_is_left_out() -> None:
    found = planned(fallbacks(), site(language="en"))
    assert found.locs == [BASE + "en/a/"]
    assert found.reasons == {"fr/a.md": ("not translated", "no text in fr")}


def test_a_fallback_is_listed_alone_if_asked() -> None:
    assert linked(fallbacks(), site(language="en"), hreflang={"fallback": "list"}) == {"en/a/": [], "fr/a/": []}


def test_a_fallback_names_its_original_if_asked() -> None:
    found = planned(fallbacks(), site(language="en"), hreflang={"fallback": "canonical", "head": False})
    assert found.locs == [BASE + "en/a/"]
    (edit,) = found.built.plan.heads
    assert (edit.output, edit.canonical, edit.alternates) == ("/out/fr.html", BASE + "en/a/", ())


# Heads


def test_heads_are_mended_only_where_they_say_something_else() -> None:
    links = "".join(
        f'<link rel="alternate" hreflang="{tag}" href="{BASE}{path}">'
        for tag, path in (("fr", "fr/a/"), ("EN", "en/a/"))
    )
    pages = [
        page("en/a/", language="en", group="a", html=links, output="/out/en.html"),
        page("fr/a/", language="fr", group="a", html="<title>A</title>", output="/out/fr.html"),
        page("b/", html=links, output="/out/b.html"),  # the theme's, on a page without translations
        page("c/", html=links + NOINDEX, output="/out/c.html"),
        page("d/", html="<title>D</title>", output="/out/d.html"),
    ]
    built = planned(pages).built
    assert {edit.output: len(edit.alternates) for edit in built.plan.heads} == {
        "/out/fr.html": 2,
        "/out/b.html": 0,
        "/out/c.html": 0,
    }
    assert planned(pages, hreflang={"head": False}).built.plan.heads == ()
    assert planned(pages, site(head=False)).built.plan.heads == ()
    assert len(planned(pages, site(head=False), hreflang={"head": True}).built.plan.heads) == 3


def test_a_theme_s_links_stay_where_nothing_is_known_of_translations() -> None:
    pages = [page("a/", html='<link rel="alternate" hreflang="fr" href="/fr/">', output="/out/a.html")]
    assert planned(pages).built.plan.heads == ()


def test_written_pages_and_sitemap_say_the_same(tmp_path: Path) -> None:
    pages = []
    for language in ("en", "fr", "pt-BR"):
        path = tmp_path / f"{language}.html"
        path.write_text(f"<html><head><title>{language}</title></head><body>é", encoding="utf-8")
        pages.append(
            page(f"{language}/a & b/", language=language, group="a", output=str(path), html="<title>x</title>")
        )
    written = write(build(pages, site(language="en"), settings()), tmp_path)
    assert written.groups == 1
    assert "3 URLs listed, 0 pages left out, 1 translation group; wrote" in written.summary
    content = (tmp_path / "sitemap.xml").read_bytes()
    assert validate(content) == []
    for language in ("en", "fr", "pt-BR"):
        page_content = (tmp_path / f"{language}.html").read_bytes()
        in_head = head(page_content.decode().partition("<head>")[2].partition("</head>")[0]).alternates
        assert len(in_head) == 4
        for url in etree.fromstring(content):
            assert [(link.get("hreflang"), link.get("href")) for link in url.iter(XHTML)] == list(in_head)
        assert page_content.endswith("</head><body>é".encode())


def test_a_page_that_cannot_be_changed_is_told(tmp_path: Path) -> None:
    for language in ("en", "fr"):
        (tmp_path / f"{language}.html").write_bytes(b"<head><script>")
    pages = [
        page(f"{language}/", language=language, group="a", output=str(tmp_path / f"{language}.html"), html="<title>x")
        for language in ("en", "fr")
    ]
    written = write(build(pages, site(), settings()), tmp_path)
    assert [problem.message.partition(":")[0] for problem in written.problems] == ["en.md", "fr.md"]
    assert "hreflang.head" in written.problems[0].message
    assert (tmp_path / "en.html").read_bytes() == b"<head><script>"


# Languages with addresses of their own

EN_FR = {"en": f"{BASE}en/", "fr": f"{BASE}fr/"}


def test_languages_group_the_pages_below_their_addresses() -> None:
    pages = [page("en/"), page("fr/"), page("en/a/"), page("fr/a/"), page("fr/b/"), page("about/")]
    home = [("en", "en/"), ("fr", "fr/"), ("x-default", "en/")]
    a = [("en", "en/a/"), ("fr", "fr/a/"), ("x-default", "en/a/")]
    expected = {"en/": home, "fr/": home, "en/a/": a, "fr/a/": a, "fr/b/": [], "about/": []}
    assert linked(pages, languages=EN_FR) == expected


def test_the_longest_address_counts() -> None:
    pages = [page(""), page("a/"), page("fr/"), page("fr/a/")]
    a = [("en", "a/"), ("fr", "fr/a/"), ("x-default", "a/")]
    found = linked(pages, languages={"en": BASE, "fr": f"{BASE}fr"})
    assert found["a/"] == found["fr/a/"] == a


def other_build(folder: Path, *, noindex: str = "") -> None:
    (folder / "src").mkdir()
    (folder / "src/a.md").write_text("# A")
    (folder / "src/b.md").write_text("# B")
    for name in ("a", "b"):
        path = folder / f"out/{name}/index.html"
        path.parent.mkdir(parents=True)
        path.write_text(f"<head><title>x</title>{NOINDEX if name == noindex else ''}</head>")
    entries = "".join(f"<url><loc>https://fr.example.org/{name}/</loc></url>" for name in ("a", "b") if name != noindex)
    xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    (folder / "out/sitemap.xml").write_text(xml)
    (folder / "out/sitemap.xml.gz").write_bytes(gzip.compress(xml.encode()))
    loc = "https://fr.example.org/sitemap.xml"
    (folder / "out/index.xml").write_text(
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{loc}</loc></sitemap></sitemapindex>'
    )


@pytest.mark.parametrize(
    ("evidence", "sees_noindex"),
    [
        ({"source": "src"}, False),
        ({"output": "out"}, True),
        ({"sitemap": "out/sitemap.xml"}, True),
        ({"sitemap": "out/sitemap.xml.gz"}, True),
        ({"sitemap": "out/index.xml"}, True),
        ({"sitemap": "out/sitemap.xml", "source": "src"}, True),
    ],
)
def test_pages_of_another_build(tmp_path: Path, evidence: dict[str, str], sees_noindex: bool) -> None:
    other_build(tmp_path, noindex="b")
    pages = [page("a/", source="a.md"), page("b/", source="b.md"), page("c/", source="c.md")]
    fr = "https://fr.example.org/"
    languages = {"en": BASE, "fr": {"url": fr, **evidence}}
    found = linked(pages, site(root=str(tmp_path)), languages=languages)
    assert found["a/"] == [("en", "a/"), ("fr", f"{fr}a/"), ("x-default", "a/")]
    assert bool(found["b/"]) is not sees_noindex
    assert found["c/"] == []


@pytest.mark.parametrize("evidence", [{"output": "nowhere"}, {"sitemap": "nowhere.xml"}])
def test_another_build_that_has_not_run_is_an_information(tmp_path: Path, evidence: dict[str, str]) -> None:
    languages = {"en": BASE, "fr": {"url": "https://fr.example.org/", **evidence}}
    found = planned([page("a/"), page("b/")], site(root=str(tmp_path)), languages=languages)
    assert found.kinds == [("info", "languages")]
    assert "nowhere" in found.messages
    assert "Build that language, then this one again" in found.messages


def test_what_the_framework_knows_of_translations() -> None:
    languages = {"en": BASE, "fr": "https://fr.example.org/", "de": "https://de.example.org/"}
    pages = [page("a/", translated=frozenset({"fr"})), page("b/", translated=frozenset())]
    assert linked(pages, languages=languages) == {
        "a/": [("en", "a/"), ("fr", "https://fr.example.org/a/"), ("x-default", "a/")],
        "b/": [],
    }


def test_a_preview_has_no_other_builds() -> None:
    here = site("http://127.0.0.1:8000/", serving=True)
    found = planned(
        [page("a/")], here, languages={"en": BASE, "fr": {"url": "https://fr.example.org/", "sitemap": "x"}}
    )
    assert found.messages == ""


@pytest.mark.parametrize(
    ("options", "option", "words"),
    [
        ({"languages": {"jp": f"{BASE}jp/"}}, "languages.jp", "ja"),
        ({"languages": {"en": "docs.example.org"}}, "languages.en.url", "expected an absolute address"),
        ({"languages": {"en": 5}}, "languages.en", "expected a mapping"),
        ({"languages": {"en": {"url": BASE, "outptu": "x"}}}, "languages.en.outptu", "did you mean 'output'?"),
        ({"languages": {"en": {"output": "x"}}}, "languages.en.url", "it is missing"),
        ({"languages": {"en": BASE, "fr": BASE}}, "languages.fr.url", "expected an address of its own"),
        ({"languages": {"en": {"url": BASE, "source": "nowhere"}}}, "languages.en.source", "which is not there"),
        ({"languages": ["en"]}, "languages", "expected a mapping"),
        ({"hreflang": True}, "hreflang", "expected false, or options"),
        ({"hreflang": {"haed": True}}, "hreflang.haed", "did you mean 'head'?"),
        ({"hreflang": {"head": "perhaps"}}, "hreflang.head", "expected true or false"),
        ({"hreflang": {"x_default": "en-UK"}}, "hreflang.x_default", "en-GB"),
        ({"hreflang": {"x_default": "://x"}}, "hreflang.x_default", "expected an absolute address"),
        ({"hreflang": {"aliases": {"cz": "czech"}}}, "hreflang.aliases.cz", "cs"),
        ({"hreflang": {"aliases": ["cz"]}}, "hreflang.aliases", "expected a mapping such as {cz: cs, gr: el}"),
        ({"hreflang": {"keep": ["en-UK"]}}, "hreflang.keep[0]", "en-GB"),
        ({"hreflang": {"fallback": "hide"}}, "hreflang.fallback", "expected one of omit, list, canonical"),
        ({"hreflang": {"translated": "150%"}}, "hreflang.translated", "expected a percentage"),
        ({"hreflang": {"headers": "iis"}}, "hreflang.headers", "expected one of netlify, apache, nginx"),
        ({"urls": [{"loc": "/a.pdf", "lang": "jp"}]}, "urls[0].lang", "ja"),
    ],
)  # fmt: skip
def test_wrong_settings(options: dict[str, object], option: str, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        configure(options, spell=spell, root=Path(), base=BASE, option="site_url")
    (fault,) = error.value.errors
    assert fault[0] == f"plugins.sitemap.{option}"
    assert words in fault[1]


@pytest.mark.parametrize("options", [
    {"languages": {False: f"{BASE}no/"}, "hreflang": {"x_default": False, "translated": "50 %"}},
    {"hreflang": "false"}, {"hreflang": {"aliases": {False: "nb"}, "keep": "fil"}},
    {"hreflang": {"translated": 1}},
])  # fmt: skip
def test_settings_as_yaml_and_command_lines_give_them(options: dict[str, object]) -> None:
    configure(options, spell=spell, root=Path(), base=BASE, option="site_url")


# Several sites of one build


def test_sites_on_hosts_of_their_own() -> None:
    french = site("https://fr.example.org/")
    german = site("https://de.example.org/")
    built: list[Build] = build_all(
        [
            (
                [page("a/", language="en", group="a"), page("b/", language="en", group="b")],
                site(language="en"),
                settings(),
            ),
            ([page("a/", language="fr", group="a")], french, settings()),
            ([page("a/", language="de", group="a", html=NOINDEX)], german, settings()),
        ]
    )
    group = (("en", f"{BASE}a/"), ("fr", "https://fr.example.org/a/"), ("x-default", f"{BASE}a/"))
    assert [[url.alternates for url in one.plan.urls] for one in built] == [[group, ()], [group], []]
    assert [one.plan.groups for one in built] == [1, 0, 0]


# Laws

LANGUAGES = ("en", "fr", "de", "pt-BR", "zh_TW", "en-UK", "")


@given(
    st.lists(st.tuples(st.sampled_from(LANGUAGES), st.integers(0, 2), st.booleans(), st.booleans()), max_size=12),
    st.randoms(use_true_random=False),
    st.booleans(),
)
def test_groups_are_closed_whatever_is_left_out(
    drawn: list[tuple[str, int, bool, bool]], random: Any, alone: bool
) -> None:
    pages = [
        page(f"{number}/", language=language, group=str(group), fallback=fallback, html=NOINDEX if noindex else "")
        for number, (language, group, noindex, fallback) in enumerate(drawn)
    ]
    options = {"hreflang": {"self": alone}}
    found = planned(pages, site(language="en"), **options)
    urls = {url.loc: url.alternates for url in found.built.plan.urls}
    for loc, links in urls.items():
        if not links:
            continue
        tags = [tag for tag, _ in links]
        assert len({tag.lower() for tag in tags}) == len(tags)
        assert tags.count("x-default") <= 1
        assert loc in [href for tag, href in links if tag != "x-default"]
        assert set(tags) <= {"en", "fr", "de", "pt-BR", "zh-TW", "x-default"}
        assert all(urls[href] == links for _, href in links)
        assert alone or len({href for _, href in links}) > 1
    random.shuffle(pages)
    assert planned(pages, site(language="en"), **options).built.plan.urls == found.built.plan.urls


# Documents that are not HTML

MANUALS = [
    {"loc": "/en/the manual.pdf", "lang": "en", "translation_key": "manual"},
    {"loc": "/fr/l'été.pdf", "lang": "fr", "translation_key": "manual"},
    {"loc": "/alone.pdf", "lang": "en", "translation_key": "alone"},
]
LINK = (
    '<https://docs.example.org/en/the%20manual.pdf>; rel="alternate"; hreflang="en", '
    '<https://docs.example.org/fr/l\'%C3%A9t%C3%A9.pdf>; rel="alternate"; hreflang="fr"'
)
ESCAPED = LINK.replace('"', '\\"')
MARKS = "# sitemap-plugins: alternates\n{}# sitemap-plugins: end of alternates\n"


@pytest.mark.parametrize(
    ("server", "name", "block"),
    [
        ("netlify", "_headers", f"/en/the%20manual.pdf\n  Link: {LINK}\n/fr/l'%C3%A9t%C3%A9.pdf\n  Link: {LINK}\n"),
        (
            "apache",
            ".htaccess",
            f'<If "%{{REQUEST_URI}} == \'/en/the manual.pdf\'">\nHeader add Link "{ESCAPED}"\n</If>\n'
            f'<If "%{{REQUEST_URI}} == \'/fr/l\\\'été.pdf\'">\nHeader add Link "{ESCAPED}"\n</If>\n',
        ),
        (
            "nginx",
            "hreflang-headers.conf",
            'location = "/en/the manual.pdf" {\n  add_header Link \'' + LINK.replace("'", "\\'") + "';\n}\n"
            "location = \"/fr/l'été.pdf\" {\n  add_header Link '" + LINK.replace("'", "\\'") + "';\n}\n",
        ),
    ],
)
def test_headers(tmp_path: Path, server: str, name: str, block: str) -> None:
    pages = [page("en/", language="en", group="a"), page("fr/", language="fr", group="a")]
    for _ in range(2):  # again, over what was written
        written = write(build(pages, site(), settings(urls=MANUALS, hreflang={"headers": server})), tmp_path)
        assert (tmp_path / name).read_text(encoding="utf-8") == MARKS.format(block)
        assert name in [file.path for file in written.files]


def test_headers_leave_the_owner_s_alone(tmp_path: Path) -> None:
    (tmp_path / "_headers").write_text("/*\n  X-Frame-Options: DENY")
    options = {"hreflang": {"headers": "netlify"}}
    write(build([page("a/")], site(), settings(urls=MANUALS, **options)), tmp_path)
    content = (tmp_path / "_headers").read_text()
    assert content.startswith("/*\n  X-Frame-Options: DENY\n# sitemap-plugins: alternates\n/en/")
    write(build([page("a/")], site(), settings(**options)), tmp_path)
    assert (tmp_path / "_headers").read_text() == "/*\n  X-Frame-Options: DENY\n"


def test_a_group_is_rendered_once() -> None:
    class Links(tuple[Alternate, ...]):
        __slots__ = ()
        rendered = 0

        def __iter__(self) -> Any:
            Links.rendered += 1
            return super().__iter__()

    shared = Links((Alternate("en", "https://docs.example.org/a/"),))
    entries = [Url(loc=f"https://docs.example.org/{name}/", alternates=shared) for name in "abc"]
    content = Renderer().urls(entries)
    assert content.count(b'<xhtml:link rel="alternate" hreflang="en" href="https://docs.example.org/a/"/>') == 3
    assert Links.rendered == 1
