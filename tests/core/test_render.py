"""Templates: the five entities of https://www.sitemaps.org/protocol.html#escaping, and the user's in place of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemap_plugins.core.errors import SitemapError
from sitemap_plugins.core.limits import SITEMAP_NAMESPACE
from sitemap_plugins.core.model import Alternate, Url
from sitemap_plugins.core.render import Renderer, escape, template_folder
from tests.core.make import NAMESPACE, page, tree, written
from tests.schemas import validate

FULL = Url(
    "https://docs.example.org/?a='1'&b=\"<2>\"",
    "2026-01-01",
    "daily",
    "0.5",
    (Alternate("de", "https://docs.example.org/de/?x&y"), Alternate("x-default", "https://docs.example.org/")),
)


def renderer(folder: Path, **templates: str) -> Renderer:
    for name, text in templates.items():
        (folder / f"{name}.j2").write_text(text, encoding="utf-8")
    return Renderer(str(folder))


def test_our_templates_are_there() -> None:
    assert {path.name for path in template_folder().iterdir()} >= {
        "url.xml.j2",
        "urlset.xml.j2",
        "sitemapindex.xml.j2",
        "robots.txt.j2",
    }


def test_the_namespace() -> None:
    assert SITEMAP_NAMESPACE == NAMESPACE


def test_entry() -> None:
    assert Renderer().urls([FULL, Url("https://docs.example.org/a/")]).decode() == (
        "<url>\n"
        "<loc>https://docs.example.org/?a=&apos;1&apos;&amp;b=&quot;&lt;2&gt;&quot;</loc>\n"
        "<lastmod>2026-01-01</lastmod>\n"
        "<changefreq>daily</changefreq>\n"
        "<priority>0.5</priority>\n"
        '<xhtml:link rel="alternate" hreflang="de" href="https://docs.example.org/de/?x&amp;y"/>\n'
        '<xhtml:link rel="alternate" hreflang="x-default" href="https://docs.example.org/"/>\n'
        "</url>\n"
        "<url>\n<loc>https://docs.example.org/a/</loc>\n</url>\n"
    )


def test_frame() -> None:
    assert Renderer().urlset(alternates=False) == (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
        b"</urlset>\n",
    )
    head, tail = Renderer().urlset(alternates=True)
    document = etree.fromstring(head + Renderer().urls([FULL]) + tail)
    assert document.nsmap == {None: NAMESPACE, "xhtml": "http://www.w3.org/1999/xhtml"}
    assert [child.text for child in document[0]][:4] == [FULL.loc, "2026-01-01", "daily", "0.5"]
    assert validate(head + Renderer().urls([FULL._replace(loc="https://docs.example.org/?a='1'&b")]) + tail) == []


def test_index() -> None:
    content = Renderer().index(
        [("https://docs.example.org/a&b-1.xml", "2026-01-01"), ("https://docs.example.org/2", "")]
    )
    assert content.decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<sitemap>\n<loc>https://docs.example.org/a&amp;b-1.xml</loc>\n<lastmod>2026-01-01</lastmod>\n</sitemap>\n"
        "<sitemap>\n<loc>https://docs.example.org/2</loc>\n</sitemap>\n"
        "</sitemapindex>\n"
    )
    assert validate(content) == []


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_escape_reads_back(text: str) -> None:
    assert not set(escape(text)) & set("<>\"'")
    assert (etree.fromstring(f"<a>{escape(text)}</a>").text or "") == text
    assert etree.fromstring(f"<a b='{escape(text)}'/>").get("b") == text


def test_robots_txt_is_not_xml() -> None:
    assert b"Sitemap: https://docs.example.org/a&b.xml\n" in Renderer().robots("https://docs.example.org/a&b.xml")


def test_the_users_template_replaces_ours_by_name(tmp_path: Path) -> None:
    templates = tmp_path / "templates"
    templates.mkdir()
    (templates / "url.xml.j2").write_text(
        "{% for url in urls %}<url><loc>{{ url.loc }}</loc></url>\n{% endfor %}", encoding="utf-8"
    )
    (templates / "robots.txt.j2").write_text("# mine: é\nSitemap: {{ sitemap }}", encoding="utf-8")
    out = tmp_path / "out"
    written(out, [page("it's/", meta={"date": "2026-01-01"})], templates=str(templates))
    files = tree(out)
    assert files["sitemap.xml"].decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>https://docs.example.org/it&apos;s/</loc></url>\n</urlset>\n"
    )
    assert files["robots.txt"].decode() == "# mine: é\nSitemap: https://docs.example.org/sitemap.xml"


def test_a_users_urlset_may_stand_around_the_entries(tmp_path: Path) -> None:
    made = renderer(
        tmp_path, **{"urlset.xml": "<?pi?><urlset xmlns='{{ namespace }}'>{{ entries }}<!-- & --></urlset>"}
    )
    assert made.urlset(alternates=False) == (f"<?pi?><urlset xmlns='{NAMESPACE}'>".encode(), b"<!-- & --></urlset>")


@pytest.mark.parametrize(
    "template",
    [
        "{{ urls[0].loc }}",
        "{% set loc = urls[0].loc %}{{ loc }}",
        "{% set loc %}{{ urls[0].loc }}{% endset %}{{ loc }}",
        "{% macro show(loc) %}{{ loc }}{% endmacro %}{{ show(urls[0].loc) }}",
        "{{ urls[0].loc ~ '' }}",
        "{{ '' ~ urls[0].loc }}",
        "{{ [urls[0].loc] | join('') }}",
        "{{ urls[0].loc | trim }}",
        "{% for url in urls if url.loc %}{{ url.loc }}{% endfor %}",
        "{% with loc = urls[0].loc %}{{ loc }}{% endwith %}",
        "{% block x %}{{ urls[0].loc }}{% endblock %}",
        "{{ '%s' | format(urls[0].loc) }}",
        "{{ urls[0].loc | e }}",
        "{{ urls[0].loc if true }}",
    ],
)
def test_users_templates_are_escaped_once(tmp_path: Path, template: str) -> None:
    content = renderer(tmp_path, **{"url.xml": template}).urls([FULL])
    assert etree.fromstring(b"<a>" + content + b"</a>").text == FULL.loc


def test_users_may_mark_as_safe_and_include(tmp_path: Path) -> None:
    made = renderer(tmp_path, **{"url.xml": "{{ '<b/>' | safe }}{% include 'mine.xml.j2' %}", "mine.xml": "<c/>"})
    assert made.urls([FULL]) == b"<b/><c/>"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% for url in urls %}", "line 1"),
        ("\n{{ url", "line 2"),
        ("{% nonsense %}", "nonsense"),
        ("{{ nowhere }}", "nowhere"),
        ("{{ urls[0].nowhere }}", "nowhere"),
        ("{{ urls[0].loc | nofilter }}", "nofilter"),
        ("{% include 'nowhere.j2' %}", "nowhere.j2"),
        ("{{ 1 / 0 }}", "zero"),
        ("{{ urls[0].loc + 1 }}", "url.xml.j2"),
        ("{{ urls[0].loc.encode('nocode') }}", "nocode"),
        ("{{ urls[0].loc.index('nowhere') }}", "url.xml.j2"),
        # The nearest thing to "ours, with a change", and a template that includes itself.
        ("{% extends 'url.xml.j2' %}", "url.xml.j2"),
    ],
)
def test_a_broken_template_is_named(tmp_path: Path, template: str, words: str) -> None:
    with pytest.raises(SitemapError, match=r"template url\.xml\.j2") as error:
        renderer(tmp_path, **{"url.xml": template}).urls([FULL])
    assert words in str(error.value)


def test_a_template_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "url.xml.j2").write_bytes(b"caf\xe9")
    with pytest.raises(SitemapError, match=r"template url\.xml\.j2"):
        Renderer(str(tmp_path)).urls([FULL])


@pytest.mark.parametrize("template", ["<urlset/>", "", "{{ entries | upper }}"])
def test_a_urlset_without_entries_is_an_error(tmp_path: Path, template: str) -> None:
    with pytest.raises(SitemapError, match=r"urlset\.xml\.j2.*\{\{ entries \}\}"):
        renderer(tmp_path, **{"urlset.xml": template}).urlset(alternates=False)


def test_a_urlset_that_writes_the_entries_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SitemapError, match=r"urlset\.xml\.j2"):
        renderer(tmp_path, **{"urlset.xml": "<a>{{ entries }}</a><b>{{ entries }}</b>"}).urlset(alternates=False)
