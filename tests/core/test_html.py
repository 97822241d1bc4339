"""What a page says of itself: robots meta as Google reads it, the rest as the HTML standard does.

https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
https://html.spec.whatwg.org/multipage/semantics.html
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitemap_plugins.core import html
from sitemap_plugins.core.model import Head

CANONICAL = b"<link rel=canonical href=/a/>"
NOINDEX = b'<meta name="robots" content="noindex">'


def inspect(inner: str) -> Head:
    return html.inspect(f"<!doctype html><html><head>{inner}</head><body><p>x</p></body></html>".encode())


@pytest.mark.parametrize(
    ("content", "forbids"),
    [
        ("noindex", True),
        ("NoIndex", True),
        ("none", True),
        (" NONE ", True),
        ("noindex,nofollow", True),
        ("nofollow, noindex", True),
        ("nofollow,\n\tnoindex", True),
        ("max-snippet:-1, noindex", True),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", True),
        ("", False),
        ("all", False),
        ("index, follow", False),
        ("nofollow", False),
        ("noindexing", False),
        ("nosnippet, noimageindex, notranslate", False),
        ("max-image-preview:none", False),
        ("max-image-preview: none", False),
        ("max-image-preview : none", False),
        ("MAX-IMAGE-PREVIEW:NONE, follow", False),
        ("unavailable_after: 2027-09-21", False),
        ("unavailable_after: none", False),
    ],
)
def test_robots_tokens(content: str, *, forbids: bool) -> None:
    assert html.forbids_index(content) is forbids
    for name in ("robots", "ROBOTS", "googlebot", " GoogleBot "):
        assert bool(inspect(f'<META NAME="{name}" Content="{content}">').noindex) is forbids


@pytest.mark.parametrize(
    ("inner", "noindex"),
    [
        ("<meta name=robots content=noindex>", '<meta name="robots" content="noindex">'),
        ("<meta content=none name=GOOGLEBOT/>", ""),  # unquoted, the slash belongs to the value: "GOOGLEBOT/"
        ("<meta content=none name=GOOGLEBOT />", '<meta name="googlebot" content="none">'),
        (
            "<meta name=robots content=index><meta name=robots content='NoIndex, x'>",
            '<meta name="robots" content="NoIndex, x">',
        ),
        (
            "<meta name=googlebot content=none><meta name=robots content=noindex>",
            '<meta name="googlebot" content="none">',
        ),
        ("<meta name=robots content=index><meta name=googlebot content=index>", ""),
        ("<meta name=bingbot content=noindex>", ""),
        ("<meta name=robots>", ""),
        ("<meta name content=noindex>", ""),
        ("<meta content=noindex>", ""),
        ("<meta property=robots content=noindex>", ""),
        ("<meta name=description content='the robots noindex'>", ""),
        ("<title>noindex</title>", ""),
        ("<meta name=robots content='&#110;oindex'>", '<meta name="robots" content="noindex">'),
    ],
)
def test_noindex(inner: str, noindex: str) -> None:
    assert inspect(inner).noindex == noindex


@pytest.mark.parametrize(
    ("inner", "alternates"),
    [
        ('<link rel="alternate" hreflang="fr" href="/fr/a/">', [("fr", "/fr/a/")]),
        ("<link HREFLANG=' de ' REL='Alternate' href=' ../de/ '>", [("de", "../de/")]),
        ("<link rel='stylesheet alternate' hreflang=de href=x>", [("de", "x")]),
        ("<link rel=alternate hreflang=en href=a><link rel=alternate hreflang=x-default href=a>",
         [("en", "a"), ("x-default", "a")]),
        ("<link rel=alternate hreflang href=a>", [("", "a")]),
        ('<link rel="alternate" type="application/rss+xml" href="/feed.xml">', []),
        ("<link rel=canonical hreflang=en href=/a/>", []),
        ("<!-- <link rel=alternate hreflang=en href=a> -->", []),
        ("<template><link rel=alternate hreflang=en href=a></template>", []),
    ],
)  # fmt: skip
def test_alternates(inner: str, alternates: list[tuple[str, str]]) -> None:
    assert list(inspect(inner).alternates) == alternates


@pytest.mark.parametrize(
    ("inner", "canonical"),
    [
        ('<link rel="canonical" href="https://example.org/a/">', "https://example.org/a/"),
        ("<link rel=canonical href=../a/>", "../a/"),
        ("<LINK HREF=' /a/ ' REL=Canonical>", "/a/"),
        ('<link rel="shortlink\tCANONICAL" href="/a/">', "/a/"),
        ('<link rel="canonical-x" href="/a/">', ""),
        ('<link rel="alternate" href="/a/">', ""),
        ('<link href="/a/">', ""),
        ("<link rel=canonical>", ""),
        ("<link rel=canonical href>", ""),
        ('<link rel=canonical href=""><link rel=canonical href="/b/">', "/b/"),
        ('<link rel=canonical href="/a/"><link rel=canonical href="/b/">', "/a/"),
        ('<link rel=canonical href="/a/?x=1&amp;y=2">', "/a/?x=1&y=2"),
        ('<link rel=canonical href="/ä/">', "/ä/"),
    ],
)
def test_canonical(inner: str, canonical: str) -> None:
    assert inspect(inner).canonical == canonical


@pytest.mark.parametrize(
    ("inner", "base"),
    [
        ('<base href="/docs/">', "/docs/"),
        ("<base target=_blank><base href=/a/><base href=/b/>", "/a/"),  # the first that has an href
        ("<base>", ""),
        ("", ""),
    ],
)
def test_base(inner: str, base: str) -> None:
    assert inspect(inner).base == base


# "Shared declarative refresh steps" of the HTML standard, one row for each turn they take.
@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=x", "x"),
        ("0;URL=x", "x"),
        ("0;url = x", "x"),
        ("  0  ;  url=x", "x"),
        ("0, url=x", "x"),
        ("0 url=x", "x"),
        ("0 x", "x"),
        ("0; x", "x"),
        ("0; 'x'", "x"),
        ("0; url='x'", "x"),
        ('0; url="x"tail', "x"),
        ("0; url='x", "x"),
        ("0; url='x\"'", 'x"'),
        ("0; u", "u"),
        ("0; urls", "urls"),
        ("0; url x", "url x"),
        ("1.5; url=x", "x"),
        (".5; url=x", "x"),
        ("0.; url=x", "x"),
        ("0;\n\turl=x ", "x"),
        ("0; url=x?a=b;c", "x?a=b;c"),
        ("5", ""),
        ("0;", ""),
        ("0; url=", ""),
        ("0; url=''", ""),
        ("", ""),
        ("; url=x", ""),
        ("url=x", ""),
        ("-1; url=x", ""),
        ("0url=x", ""),
        ("soon; url=x", ""),
    ],
)
def test_refresh(content: str, target: str) -> None:
    quote = "&quot;"
    assert inspect(f'<meta http-equiv="Refresh" content="{content.replace(chr(34), quote)}">').refresh == target


def test_first_refresh_counts_and_one_without_content_is_none() -> None:
    assert inspect("<meta http-equiv=refresh content='0;x'><meta http-equiv=refresh content='0;y'>").refresh == "x"
    assert inspect("<meta http-equiv=refresh>").refresh == ""


@pytest.mark.parametrize(
    ("script", "target"),
    [
        ("var target = 'a.html?x&y'; window.location.replace(target);", "a.html?x&y"),
        ("window.location = 'b.html';", ""),
        ("const page = 'a.html?x&y';", ""),
    ],
)
def test_refresh_without_scripts_counts_where_a_script_goes_there_too(script: str, target: str) -> None:
    refresh = "<noscript><meta http-equiv=refresh content='0; url=a.html?x&amp;y'></noscript>"
    assert inspect(f"{refresh}<script>{script}</script>").refresh == target
    assert html.inspect(f"<html><head>{refresh}<script>{script}</script></head></html>".encode()).refresh == target


@pytest.mark.parametrize(
    "inner",
    [
        "<noscript><meta name=robots content=noindex><link rel=canonical href=x></noscript>",
        "<noscript><meta http-equiv=refresh content='0; url=x'></noscript>",
        "<template><meta name=robots content=noindex></template>",
        "<!-- <meta name=robots content=noindex> -->",
        "<script>document.write('<meta name=robots content=noindex>')</script>",
        "<script>const end = '</head><body>';</script>",
        "<style>/* <meta name=robots content=noindex> */</style>",
        "<title><meta name=robots content=noindex></title>",
    ],
)
def test_what_only_looks_like_an_element_is_none(inner: str) -> None:
    assert inspect(inner) == Head()


@pytest.mark.parametrize(
    "before",
    [
        b"<script>const end = '</head>';</script>",
        b"<script>const begin = '<body>';</script>",
        b"<!-- </head><body> -->",
        b"<title>The </head> element</title>",
        b"<style>/* </HEAD > */</style>",
        b"<meta name=description content='</head><body>'>",
        b"<script>1 < 2</script><noscript><style></style></noscript>",
    ],
)
def test_the_head_goes_on_behind_what_only_looks_like_its_end(before: bytes) -> None:
    page = b"<!doctype html><html><head>" + before + NOINDEX + CANONICAL + b"</head><body></body></html>"
    found = html.inspect(page)
    assert found.noindex
    assert found.canonical == "/a/"


@pytest.mark.parametrize(
    "page",
    [
        NOINDEX,
        b"<title>x</title>" + NOINDEX + b"<p>text",
        b"<html>" + NOINDEX + b"<body>text",
        b"<head>" + NOINDEX + b"<p>text",
        b"<head>" + NOINDEX + b"<header>text</header>",
        b"<HTML><HEAD>" + NOINDEX + b"</HEAD\n><BODY CLASS=x>text",
        b"\xef\xbb\xbf<!doctype html><head>" + NOINDEX + b"</head>",
        b"<head><title>caf\xe9</title>" + NOINDEX + b"</head>",
        b"<head>\x00" + NOINDEX + b"</head>",
        b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head>" + NOINDEX + b"</head></html>",
        b"<head><link rel=stylesheet" + b"<meta>" + NOINDEX + b"</head>",
        b"<head>" + NOINDEX + b"<link rel=canonical href='",
    ],
)
def test_broken_and_shortened_pages(page: bytes) -> None:
    assert html.inspect(page).noindex == '<meta name="robots" content="noindex">'


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b" ",
        b"plain text",
        b"<",
        b"</head>",
        b"<head></head><body>" + NOINDEX + b"</body>",
        b"<head></head>" + b"<body><pre>&lt;meta name=robots content=noindex></pre>",
        b"<html><head><title>x</title></head><body>" + CANONICAL + NOINDEX,
        b"<head><title>x</title><body>" + NOINDEX,
        # Tags left out, as minifiers do: the text ends the head (HTML, 13.1.2.4).
        b"<title>x</title><p>How to write it:</p>" + NOINDEX,
        b"<title>x</title><h1>Heading</h1>" + CANONICAL,
        "<head></head>".encode("utf-16"),
    ],
)
def test_what_no_head_says(page: bytes) -> None:
    assert html.inspect(page) == Head()


@pytest.mark.parametrize("size", [0, 32_700, 32_768, 40_000, 300_000, 600_000])
def test_a_file_is_read_to_the_end_of_its_head(tmp_path: Path, size: int) -> None:
    path = tmp_path / "index.html"
    path.write_bytes(b"<head><style>/*" + b"x" * size + b"*/</style>" + NOINDEX + CANONICAL + b"</head><body>text")
    assert html.read(path) == html.inspect(path.read_bytes())
    assert html.read(path) == Head(noindex='<meta name="robots" content="noindex">', canonical="/a/")


def test_the_end_of_a_head_may_lie_across_what_is_read_at_once(tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    for cut in range(-1, len("</head>") + 1):
        begin = b"<head>" + NOINDEX + b"<style>"
        path.write_bytes(begin + b"x" * (32_768 - len(begin) - 8 - cut) + b"</style></head><body>" + CANONICAL)
        assert html.read(path) == Head(noindex='<meta name="robots" content="noindex">')


@pytest.mark.parametrize(
    "element",
    [
        b'<meta name="&#114;obots" content="noindex">',
        b"<META NAME=ROBOTS CONTENT=NOINDEX>",
        b'<link rel="&#x63;anonical" href="/a/">',
        b'<meta http-equiv="Refresh" content="0; url=/a/">',
        b'<BASE href="/a/">',
    ],
)
def test_a_word_is_found_however_it_is_written(tmp_path: Path, element: bytes) -> None:
    path = tmp_path / "index.html"
    path.write_bytes(b"<head>" + element + b"</head><body>text")
    assert html.read(path) == html.inspect(path.read_bytes()) != Head()


def test_a_missing_file_is_none_and_an_empty_one_says_nothing(tmp_path: Path) -> None:
    assert html.read(tmp_path / "none.html") is None
    (tmp_path / "empty.html").touch()
    assert html.read(tmp_path / "empty.html") == Head()
    assert html.read(tmp_path / "empty.html" / "below.html") is None


SCRAPS = """
<html> <head> </head> <body> </body> </html> <meta <link <base <title> </title> <script> </script> <!-- -->
<noscript> </noscript> <template> </template> <svg> <![CDATA[ ]]> <plaintext> <table> <select> <frameset> <p>
name=robots name="googlebot" content=noindex content='0;url=x' http-equiv=refresh rel=canonical rel="canonical
href=/a/ href='é > /> < & &amp; ' " =
"""
PIECES = st.lists(st.sampled_from([*SCRAPS.split(), "\x00"]), max_size=30).map(" ".join)


@settings(max_examples=1_000)
@given(st.binary(max_size=60) | PIECES.map(str.encode) | PIECES.map(lambda text: text.encode("utf-16")))
@example(b"\xff\xfe<head>")
@example(b"</head" * 50)
def test_broken_heads_crash_nothing(tmp_path_factory: pytest.TempPathFactory, page: bytes) -> None:
    found = html.inspect(page)
    assert all(isinstance(value, str) for value in (found.noindex, found.canonical, found.refresh, found.base))
    path = tmp_path_factory.getbasetemp() / "head.html"
    path.write_bytes(page)
    assert html.read(path) == found
